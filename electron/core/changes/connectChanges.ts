// What the record of changes asks of the rest of the core.
import type { ToolCall } from '#shared/session/toolCall';
import type { ToolRegistry } from '../tools/registry';

/** Whether a call that ran could change nothing. Of a tool that is not there any more nobody knows. */
export function isReadOnlyCall(registry: ToolRegistry, call: ToolCall): boolean {
  const found = registry.find(call.name);
  if (!found.found) return false;
  const input = found.tool.inputSchema().safeParse(call.input);
  return input.success && found.tool.isReadOnly(input.data);
}
