// A tool that does nothing, for tests of what is known of tools.
import { z } from 'zod';
import { buildTool } from '../buildTool';
import type { AnyTool } from '../tool';

export function plainTool(name: string, more: Partial<AnyTool> = {}): AnyTool {
  return buildTool<unknown, unknown>({
    name,
    prompt: `Does ${name}.\n`,
    icon: 'tool',
    inputSchema: () => z.strictObject({ text: z.string().describe('Some text.') }),
    facts: () => [],
    call: () => Promise.resolve('done'),
    mapResult: () => [{ type: 'text', text: 'done' }],
    getToolUseSummary: () => '',
    getActivityDescription: () => '',
    renderUse: () => ({ kind: 'text', text: '' }),
    renderResult: () => ({ view: { kind: 'text', text: '' }, note: '' }),
    ...more,
  });
}

/** A tool of an MCP server. */
export function plainMcpTool(serverName: string, toolName: string, more: Partial<AnyTool> = {}): AnyTool {
  return plainTool(`mcp__${serverName}__${toolName}`, { isMcp: true, mcpInfo: { serverName, toolName }, ...more });
}
