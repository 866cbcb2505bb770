import { z } from 'zod';
import type { AnyTool, ApiInputSchema } from './tool';

/**
 * Plain JSON Schema of a strict object as the Messages API wants it. Keys keep the order of the zod declaration, so
 * equal declarations give equal bytes. Throws when the schema is no object: that is a bug of the tool.
 */
export function jsonSchemaOf(tool: AnyTool): ApiInputSchema {
  if (tool.inputJSONSchema !== undefined) return tool.inputJSONSchema();
  const { $schema: _, ...schema } = z.toJSONSchema(tool.inputSchema(), { io: 'input' });
  const { type, properties, ...rest } = schema;
  if (type !== 'object' || properties === undefined) throw new Error(`The input of ${tool.name} is not an object.`);
  return { type, properties, ...rest };
}
