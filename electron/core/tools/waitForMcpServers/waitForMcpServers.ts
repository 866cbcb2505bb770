import { z } from 'zod';
import type { McpServerView } from '#shared/api/mcp';
import type { McpServers } from '../../mcp/mcpServers';
import { buildTool } from '../buildTool';
import { semanticInteger } from '../semanticInput';
import { counted, oneLine } from '../wording';
import prompt from './waitForMcpServers.prompt.md';

const maxWaitMs = 120_000;

const inputSchema = () =>
  z.strictObject({
    servers: z
      .array(z.string().min(1))
      .max(50)
      .default([])
      .describe('Names of the servers to wait for; left out or empty: all.'),
    timeout: semanticInteger(0)
      .refine((ms) => ms <= maxWaitMs, `expected at most ${maxWaitMs}`)
      .default(30_000)
      .describe('Milliseconds to wait at most; 30000 when left out, at most 120000.'),
  });

export type WaitForMcpServersInput = z.infer<ReturnType<typeof inputSchema>>;

type Server = Pick<McpServerView, 'name' | 'state' | 'reason'> & { readonly tools: number };

interface WaitForMcpServersOutput {
  readonly servers: readonly Server[];
  /** Names that no server has. */
  readonly unknown: readonly string[];
}

/** Waits for servers that are connecting. */
export function createWaitForMcpServersTool(mcp: Pick<McpServers, 'settled'> | undefined) {
  return buildTool<WaitForMcpServersInput, WaitForMcpServersOutput>({
    name: 'WaitForMcpServers',
    searchHint: 'wait until MCP servers are connected',
    prompt,
    icon: 'plug',
    inputSchema,
    isEnabled: () => mcp !== undefined,
    unavailableReason: () => (mcp === undefined ? 'This core has no MCP servers.' : ''),
    shouldDefer: true,
    isReadOnly: () => true,
    canBeReadOnly: () => true,
    isConcurrencySafe: () => true,
    facts: () => [],
    checkPermissions: () => ({ behavior: 'allow', detail: 'It only waits.' }),
    async call({ servers: names, timeout }, { sessionId, signal }) {
      const found = (await mcp?.settled({ sessionId, names, waitMs: timeout, signal })) ?? [];
      const servers = found.map(({ name, state, reason, tools }) => ({ name, state, reason, tools: tools.length }));
      return { servers, unknown: names.filter((name) => !servers.some((one) => one.name === name)) };
    },
    mapResult: (output) => [{ type: 'text', text: textOf(output) }],
    getToolUseSummary: ({ servers }) => oneLine(servers.join(', ')) || 'all servers',
    getActivityDescription: () => 'Waiting for MCP servers',
    extractSearchText: ({ servers }) => servers.map(({ name }) => name).join('\n'),
    renderUse: ({ servers }) => ({ kind: 'text', text: servers.length === 0 ? 'All MCP servers' : servers.join(', ') }),
    renderResult: ({ servers }) => ({
      view: {
        kind: 'table',
        columns: ['Server', 'State', 'Tools', 'Why'],
        rows: servers.map(({ name, state, tools, reason }) => [name, words[state], String(tools), reason]),
      },
      note: `${servers.filter(({ state }) => state === 'connected').length} of ${servers.length} connected`,
    }),
  });
}

const words: Readonly<Record<Server['state'], string>> = {
  disabled: 'switched off',
  needsApproval: 'waits for the person’s approval',
  connecting: 'still connecting',
  connected: 'connected',
  needsAuth: 'the person has to sign in',
  failed: 'failed',
  restarting: 'is started again',
};

function textOf({ servers, unknown }: WaitForMcpServersOutput): string {
  const lines = servers.map(({ name, state, tools, reason }) => {
    const offers = state === 'connected' ? `, ${counted(tools, 'tool')}` : '';
    return `- ${name}: ${words[state]}${offers}${reason === '' ? '' : `. ${oneLine(reason, 300)}`}`;
  });
  const missing = unknown.map((name) => `- There is no server “${oneLine(name, 80)}”.`);
  return [...lines, ...missing].join('\n') || 'No MCP servers are configured.';
}
