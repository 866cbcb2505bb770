import { z } from 'zod';
import { buildTool } from './buildTool';
import { counted } from './wording';

export interface ListedOfServers<Item> {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly prompt: string;
  /** What is listed, in the singular: `prompt`. */
  readonly what: string;
  /** Left out: there are no servers here. */
  readonly list:
    | ((sessionId: string, server: string | undefined, signal: AbortSignal) => Promise<readonly Item[]>)
    | undefined;
  /** One line for the model. */
  readonly line: (item: Item) => string;
  /** What a search of the conversation finds. */
  readonly searched: (item: Item) => string;
  readonly columns: readonly string[];
  readonly row: (item: Item) => readonly string[];
}

/** A tool that lists what MCP servers offer beside tools. */
export function listOfServersTool<Item>(about: ListedOfServers<Item>) {
  const { name, aliases = [], prompt, what, list, line, searched, columns, row } = about;
  const inputSchema = () =>
    z.strictObject({
      server: z
        .string()
        .min(1)
        .optional()
        .describe(`Only the ${what}s of this server; left out: of all that are connected.`),
    });
  return buildTool<z.infer<ReturnType<typeof inputSchema>>, readonly Item[]>({
    name,
    aliases,
    searchHint: `list ${what}s of MCP servers`,
    prompt,
    icon: 'plug',
    inputSchema,
    isEnabled: () => list !== undefined,
    unavailableReason: () => (list === undefined ? 'This core has no MCP servers.' : ''),
    shouldDefer: true,
    isReadOnly: () => true,
    canBeReadOnly: () => true,
    isConcurrencySafe: () => true,
    isSearchOrReadCommand: () => true,
    facts: () => [],
    checkPermissions: () => ({ behavior: 'allow', detail: 'It only lists what approved servers offer.' }),
    call: async ({ server }, { sessionId, signal }) => (await list?.(sessionId, server, signal)) ?? [],
    mapResult: (items) => [
      {
        type: 'text',
        text: items.length === 0 ? `No connected MCP server offers ${what}s.` : items.map(line).join('\n'),
      },
    ],
    getToolUseSummary: ({ server }) => server ?? 'all servers',
    getActivityDescription: () => `Listing ${what}s of MCP servers`,
    extractSearchText: (items) => items.map(searched).join('\n'),
    renderUse: ({ server }) => ({
      kind: 'text',
      text: `${what.charAt(0).toUpperCase()}${what.slice(1)}s of ${server ?? 'all connected servers'}`,
    }),
    renderResult: (items) => ({
      view: { kind: 'table', columns: [...columns], rows: items.map((item) => [...row(item)]) },
      note: counted(items.length, what),
    }),
  });
}
