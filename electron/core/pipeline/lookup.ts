import type { ToolRegistry } from '../tools/registry';
import type { AnyTool } from '../tools/tool';
import { failed, type StepEnd, toolUseError } from './step';

export interface FoundTool {
  readonly tool: AnyTool;
  /** For the model, beside the result, when it used an old name. */
  readonly notice: string | null;
}

/** Step 1: exact name, then alias, then MCP namespace. */
export function lookup(registry: ToolRegistry, name: string): StepEnd<FoundTool> {
  const found = registry.find(name);
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
