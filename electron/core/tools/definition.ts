// A tool as a request carries it. Made once for each tool, so that equal tools give equal bytes.
import { jsonSchemaOf } from './jsonSchema';
import type { AnyTool, ApiInputSchema } from './tool';

/** One entry of the request's `tools` array; key order is fixed. */
export interface ApiToolDefinition {
  name: string;
  description: string;
  input_schema: ApiInputSchema;
  /** The model's server shows it only where a `tool_reference` names it. */
  defer_loading?: boolean;
}

interface Made {
  readonly loaded: ApiToolDefinition;
  readonly deferred: ApiToolDefinition;
  /** Of the loaded one as JSON. */
  readonly chars: number;
}

const made = new WeakMap<AnyTool, Made>();

function of(tool: AnyTool): Made {
  const known = made.get(tool);
  if (known !== undefined) return known;
  const loaded = { name: tool.name, description: tool.prompt.trim(), input_schema: jsonSchemaOf(tool) };
  const now = { loaded, deferred: { ...loaded, defer_loading: true }, chars: JSON.stringify(loaded).length };
  made.set(tool, now);
  return now;
}

export const definitionOf = (tool: AnyTool): ApiToolDefinition => of(tool).loaded;
export const deferredDefinitionOf = (tool: AnyTool): ApiToolDefinition => of(tool).deferred;
/** Characters of its definition as JSON. */
export const definitionChars = (tool: AnyTool): number => of(tool).chars;
