// The tools about MCP servers, with servers that say what a test wants.
import { describe, expect, it } from 'vitest';
import type { McpServerView } from '#shared/api/mcp';
import type { McpServers } from '../mcp/mcpServers';
import { callContext } from '../mcp/testing/mcpWorld';
import { createListMcpPromptsTool } from './listMcpPrompts/listMcpPrompts';
import { createListMcpResourcesTool } from './listMcpResources/listMcpResources';
import { createReadMcpResourceTool } from './readMcpResource/readMcpResource';
import { type AnyTool, ToolFailure } from './tool';
import { createWaitForMcpServersTool } from './waitForMcpServers/waitForMcpServers';

const resource = {
  server: 'docs',
  uri: 'doc://1',
  name: 'Guide',
  description: 'How\nto',
  mimeType: 'text/markdown',
};
const prompt = {
  server: 'docs',
  name: 'review',
  description: 'Reviews a change.',
  arguments: [
    { name: 'file', description: '', required: true },
    { name: 'tone', description: '', required: false },
  ],
};
const state = (name: string, more: Partial<McpServerView>): McpServerView => ({
  id: `user/${name}`,
  name,
  scope: 'user',
  file: null,
  editable: false,
  config: { type: 'stdio', command: 'x', args: [], env: {} },
  configHash: 'config',
  target: 'x',
  state: 'connected',
  reason: '',
  needs: null,
  version: '',
  instructions: '',
  tools: [],
  problems: [],
  resources: false,
  prompts: false,
  connectedAt: null,
  signedIn: false,
  ...more,
});

const asked: unknown[] = [];
const mcp: Pick<McpServers, 'resources' | 'readResource' | 'prompts' | 'settled'> = {
  resources: (...args) => {
    asked.push(args.slice(0, 2));
    return Promise.resolve([resource]);
  },
  readResource: (_session, { server }) =>
    server === 'gone'
      ? Promise.reject(new ToolFailure('mcp', 'There is no connected MCP server “gone”. Connected: docs.'))
      : Promise.resolve([{ type: 'text' as const, text: '[resource doc://1]\nhello' }]),
  prompts: () => Promise.resolve([prompt]),
  settled: ({ names, waitMs }) => {
    asked.push([names, waitMs]);
    return Promise.resolve([
      state('docs', { tools: [] }),
      state('far', { state: 'needsAuth', reason: 'It wants you to sign in.' }),
    ]);
  },
};

async function say(tool: AnyTool, input: unknown): Promise<string> {
  const parsed = tool.inputSchema().parse(input);
  const output = await tool.call(parsed, callContext('/f'));
  return tool
    .mapResult(output, parsed)
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('');
}

// Any tool is one to the registry.
const asAny = (tool: { readonly name: string }): AnyTool => tool as AnyTool;

const tools = {
  resources: asAny(createListMcpResourcesTool(mcp)),
  read: asAny(createReadMcpResourceTool(mcp)),
  prompts: asAny(createListMcpPromptsTool(mcp)),
  wait: asAny(createWaitForMcpServersTool(mcp)),
};

it('lists resources of all servers or of one', async () => {
  asked.length = 0;
  expect(await say(tools.resources, {})).toBe('- server docs: doc://1 (Guide; text/markdown; How ⏎ to)');
  await say(tools.resources, { server: 'docs' });
  expect(asked).toEqual([
    ['s1', undefined],
    ['s1', 'docs'],
  ]);
});

it('reads a resource, and fails with what there is', async () => {
  expect(await say(tools.read, { server: 'docs', uri: 'doc://1' })).toBe('[resource doc://1]\nhello');
  await expect(say(tools.read, { server: 'gone', uri: 'x' })).rejects.toMatchObject({ kind: 'mcp' });
  expect(tools.read.inputSchema().safeParse({ server: 'docs' }).success).toBe(false);
});

it('lists prompts with their arguments', async () => {
  expect(await say(tools.prompts, {})).toBe('- server docs: review(file, tone?): Reviews a change.');
});

it('waits and tells the state of each server, and of names that nobody has', async () => {
  asked.length = 0;
  expect(await say(tools.wait, { servers: ['docs', 'none'], timeout: '50' })).toBe(
    [
      '- docs: connected, 0 tools',
      '- far: the person has to sign in. It wants you to sign in.',
      '- There is no server “none”.',
    ].join('\n'),
  );
  await say(tools.wait, {});
  expect(asked).toEqual([
    [['docs', 'none'], 50],
    [[], 30_000],
  ]);
  expect(tools.wait.inputSchema().safeParse({ timeout: 120_001 }).success).toBe(false);
});

describe('all of them', () => {
  const place = { sessionId: 's', callId: 'c', folder: '/f', cwd: '/f', home: '/h' };
  it.each(Object.entries(tools))('%s needs no permission, only reads, and is found by search', (_name, tool) => {
    expect({
      own: tool.checkPermissions({ servers: [] }, place).behavior,
      readOnly: tool.isReadOnly({}),
      deferred: tool.shouldDefer,
      enabled: tool.isEnabled(),
      facts: tool.facts({}, place),
    }).toEqual({ own: 'allow', readOnly: true, deferred: true, enabled: true, facts: [] });
  });

  it.each([
    createListMcpResourcesTool,
    createReadMcpResourceTool,
    createListMcpPromptsTool,
    createWaitForMcpServersTool,
  ])('is not offered where there are no servers: %#', (create) => {
    const tool = create(undefined);
    expect([tool.isEnabled(), tool.unavailableReason()]).toEqual([false, 'This core has no MCP servers.']);
  });
});
