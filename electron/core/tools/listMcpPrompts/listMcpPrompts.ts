import { z } from 'zod';
import type { McpPrompt } from '#shared/api/mcp';
import type { McpServers } from '../../mcp/mcpServers';
import { buildTool } from '../buildTool';
import { counted, oneLine } from '../wording';
import prompt from './listMcpPrompts.prompt.md';

const inputSchema = () =>
  z.strictObject({
    server: z
      .string()
      .min(1)
      .optional()
      .describe('Only the prompts of this server; left out: of all that are connected.'),
  });

export type ListMcpPromptsInput = z.infer<ReturnType<typeof inputSchema>>;

const argumentsOf = (one: McpPrompt): string =>
  one.arguments.map(({ name, required }) => (required ? name : `${name}?`)).join(', ');

/** Lists the prompts of MCP servers. */
export function createListMcpPromptsTool(mcp: Pick<McpServers, 'prompts'> | undefined) {
  return buildTool<ListMcpPromptsInput, readonly McpPrompt[]>({
    name: 'ListMcpPrompts',
    searchHint: 'list prompts of MCP servers',
    prompt,
    icon: 'plug',
    inputSchema,
    isEnabled: () => mcp !== undefined,
    unavailableReason: () => (mcp === undefined ? 'This core has no MCP servers.' : ''),
    shouldDefer: true,
    isReadOnly: () => true,
    canBeReadOnly: () => true,
    isConcurrencySafe: () => true,
    isSearchOrReadCommand: () => true,
    facts: () => [],
    checkPermissions: () => ({ behavior: 'allow', detail: 'It only lists what approved servers offer.' }),
    call: async ({ server }, { sessionId, signal }) => (await mcp?.prompts(sessionId, server, signal)) ?? [],
    mapResult: (prompts) => [{ type: 'text', text: textOf(prompts) }],
    getToolUseSummary: ({ server }) => server ?? 'all servers',
    getActivityDescription: () => 'Listing prompts of MCP servers',
    extractSearchText: (prompts) => prompts.map(({ name }) => name).join('\n'),
    renderUse: ({ server }) => ({ kind: 'text', text: `Prompts of ${server ?? 'all connected servers'}` }),
    renderResult: (prompts) => ({
      view: {
        kind: 'table',
        columns: ['Server', 'Prompt', 'Arguments', 'For'],
        rows: prompts.map((one) => [one.server, one.name, argumentsOf(one), oneLine(one.description)]),
      },
      note: counted(prompts.length, 'prompt'),
    }),
  });
}

function textOf(prompts: readonly McpPrompt[]): string {
  if (prompts.length === 0) return 'No connected MCP server offers prompts.';
  return prompts
    .map((one) => `- server ${one.server}: ${oneLine(one.name)}(${argumentsOf(one)}): ${oneLine(one.description)}`)
    .join('\n');
}
