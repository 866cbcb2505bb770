import { z } from 'zod';
import type { ResultBlock } from '#shared/session/events';
import type { McpServers } from '../../mcp/mcpServers';
import { buildTool } from '../buildTool';
import { counted, headOf, oneLine } from '../wording';
import prompt from './readMcpResource.prompt.md';

const inputSchema = () =>
  z.strictObject({
    server: z.string().min(1).describe('The name of the connected server.'),
    uri: z.string().min(1).max(4_000).describe('The uri of the resource, as ListMcpResources tells it.'),
  });

export type ReadMcpResourceInput = z.infer<ReturnType<typeof inputSchema>>;

/** Characters of a resource that a card shows. */
const shownChars = 20_000;

const textOf = (blocks: readonly ResultBlock[]): string =>
  blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');

/** Reads one resource of an MCP server. */
export function createReadMcpResourceTool(mcp: Pick<McpServers, 'readResource'> | undefined) {
  return buildTool<ReadMcpResourceInput, readonly ResultBlock[]>({
    name: 'ReadMcpResource',
    aliases: ['ReadMcpResourceTool'],
    searchHint: 'read a resource of an MCP server by uri',
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
    checkPermissions: () => ({ behavior: 'allow', detail: 'It only reads what an approved server offers.' }),
    maxResultSizeChars: 100_000,
    call: async (resource, { sessionId, signal }) => (await mcp?.readResource(sessionId, resource, signal)) ?? [],
    mapResult: (blocks) => blocks,
    getToolUseSummary: ({ server, uri }) => oneLine(`${server}: ${uri}`),
    getActivityDescription: ({ server }) => `Reading from ${server}`,
    extractSearchText: (blocks) => headOf(textOf(blocks), shownChars),
    renderUse: ({ server, uri }) => ({ kind: 'text', text: `${server}: ${uri}` }),
    renderResult(blocks) {
      const [first] = blocks;
      const text = textOf(blocks);
      if (first?.type === 'image' && blocks.length === 1)
        return {
          view: { kind: 'image', mediaType: first.mediaType, base64: first.base64, alt: 'The resource' },
          note: 'an image',
        };
      return { view: { kind: 'text', text: headOf(text, shownChars) }, note: counted(text.length, 'character') };
    },
  });
}
