import { jsonSchemaOf } from '../tools/jsonSchema';
import { searchTool } from '../tools/loading';
import type { ToolRegistry } from '../tools/registry';
import type { AnyTool } from '../tools/tool';
import { headOf } from '../tools/wording';
import { failed, type StepEnd, toolUseError } from './step';

export interface FoundTool {
  readonly tool: AnyTool;
  /** For the model, beside the result, when it used an old name. */
  readonly notice: string | null;
}

/** Longest schema that a hint carries, in characters. */
const schemaChars = 20_000;

/**
 * Step 1: exact name, then alias, then MCP namespace. `searched`: names that searches have brought in this conversation; a
 * call of a deferred tool that was not searched for does not run. Null: whoever calls needs no search.
 */
export function lookup(
  registry: ToolRegistry,
  { name, searched }: { readonly name: string; readonly searched: readonly string[] | null },
): StepEnd<FoundTool> {
  const found = registry.find(name);
  if (found.found && searched !== null && registry.loading(searched).isDeferred(found.tool))
    return notLoaded(found.tool);
  if (found.found) {
    const origin = { name: 'built in', alias: `old name of ${found.tool.name}`, mcp: 'MCP' }[found.via];
    return {
      outcome: 'passed',
      note: `${found.tool.name}, ${origin}`,
      output: { tool: found.tool.name, via: found.via },
      value: { tool: found.tool, notice: found.notice },
    };
  }
  return {
    outcome: 'stopped',
    note: `no tool called ${name.slice(0, 80)}`,
    output: { closeMatches: [...found.closeMatches] },
    end: failed({
      failure: 'input',
      text: toolUseError(found.message),
      note: 'unknown tool',
    }),
  };
}

/** From here on the model has it: the hint brings what a search would have brought. */
function notLoaded(tool: AnyTool): StepEnd<FoundTool> {
  const { name } = tool;
  const schema = headOf(JSON.stringify(jsonSchemaOf(tool)), schemaChars);
  const text = `${name} was not loaded, so this call did not run. It is loaded now: call it again with input that fits its schema. Another time load a tool first, with ${searchTool} and the query "select:${name}".\n\nInput schema of ${name}:\n${schema}`;
  const end = failed({ failure: 'input', text: toolUseError(text), note: 'not loaded yet' });
  return {
    outcome: 'stopped',
    note: `${name} is deferred and was not searched for`,
    output: { tool: name, deferred: true },
    end: { ...end, content: [...end.content, { type: 'tool_reference', name }] },
  };
}
