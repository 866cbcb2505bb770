import { z } from 'zod';
import type { McpResource } from '#shared/api/mcp';
import type { McpServers } from '../../mcp/mcpServers';
import { buildTool } from '../buildTool';
import { counted, oneLine } from '../wording';
import prompt from './listMcpResources.prompt.md';

const inputSchema = () =>
  z.strictObject({
    server: z
      .string()
      .min(1)
      .optional()
      .describe('Only the resources of this server; left out: of all that are connected.'),
  });

export type ListMcpResourcesInput = z.infer<ReturnType<typeof inputSchema>>;

/** Lists what MCP servers offer to read. */
export function createListMcpResourcesTool(mcp: Pick<McpServers, 'resources'> | undefined) {
  return buildTool<ListMcpResourcesInput, readonly McpResource[]>({
    name: 'ListMcpResources',
    aliases: ['ListMcpResourcesTool'],
    searchHint: 'list resources of MCP servers',
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
    call: async ({ server }, { sessionId, signal }) => (await mcp?.resources(sessionId, server, signal)) ?? [],
    mapResult: (resources) => [{ type: 'text', text: textOf(resources) }],
    getToolUseSummary: ({ server }) => server ?? 'all servers',
    getActivityDescription: () => 'Listing resources of MCP servers',
    extractSearchText: (resources) => resources.map(({ uri, name }) => `${name} ${uri}`).join('\n'),
    renderUse: ({ server }) => ({ kind: 'text', text: `Resources of ${server ?? 'all connected servers'}` }),
    renderResult: (resources) => ({
      view: {
        kind: 'table',
        columns: ['Server', 'Resource', 'Uri', 'Type'],
        rows: resources.map(({ server, name, uri, mimeType }) => [server, name, uri, mimeType]),
      },
      note: counted(resources.length, 'resource'),
    }),
  });
}

function textOf(resources: readonly McpResource[]): string {
  if (resources.length === 0) return 'No connected MCP server offers resources.';
  return resources
    .map(({ server, uri, name, description, mimeType }) => {
      const about = [mimeType, oneLine(description)].filter((part) => part !== '').join('; ');
      return `- server ${server}: ${uri} (${name}${about === '' ? '' : `; ${about}`})`;
    })
    .join('\n');
}
