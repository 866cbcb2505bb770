// A server made with the official library of servers, over the network: its tools change while it is connected.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { type McpWorld, mcpWorld, sessionId } from './testing/mcpWorld';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Starts the server; `seen` are the headers of each request. */
async function start() {
  const server = new McpServer({ name: 'network', version: '2' }, { instructions: 'Use it well.' });
  const greet = server.registerTool(
    'greet',
    { description: 'Greets.', inputSchema: { name: z.string() }, annotations: { readOnlyHint: true } },
    ({ name }) => ({ content: [{ type: 'text', text: `Hello ${name}` }] }),
  );
  server.registerResource('note', 'note://1', { description: 'A note.' }, (uri) => ({
    contents: [{ uri: uri.href, text: 'remember' }],
  }));
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID() });
  await server.connect(transport);
  const seen: (string | undefined)[] = [];
  const host = createServer((request, response) => {
    seen.push(request.headers['x-key']?.toString());
    void transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  ends.push(async () => {
    host.closeAllConnections();
    host.close();
    await server.close();
  });
  const address = host.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { server, greet, seen, url: `http://127.0.0.1:${port}/mcp` };
}

async function eventually(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

it('is told of new and changed tools, sends its headers, and asks anew about what has changed', async () => {
  const peer = await start();
  const config = { type: 'http', url: peer.url, headers: { 'X-Key': '$' + '{SECRET}' } };
  const world: McpWorld = mcpWorld({ 'home/.claude.json': { mcpServers: { net: config } } });
  ends.unshift(() => world.dispose());
  expect(await world.until('net', 'connected', 'failed')).toMatchObject({
    state: 'connected',
    version: 'network 2',
    instructions: 'Use it well.',
    target: peer.url,
  });
  expect(new Set(peer.seen)).toEqual(new Set(['hidden']));
  expect(await world.call('mcp__net__greet', { name: 'Ada' })).toBe('Hello Ada');
  expect(await world.mcp.readResource(sessionId, { server: 'net', uri: 'note://1' })).toEqual([
    { type: 'text', text: '[resource note://1]\nremember' },
  ]);
  await expect(world.mcp.readResource(sessionId, { server: 'net', uri: 'note://2' })).rejects.toMatchObject({
    kind: 'mcp',
  });

  const names = (): string[] => world.mcp.tools(sessionId).map((tool) => tool.name);
  peer.server.registerTool('wave', { description: 'Waves.' }, () => ({ content: [{ type: 'text', text: '👋' }] }));
  await eventually(() => names().length === 2);
  expect(names()).toEqual(['mcp__net__greet', 'mcp__net__wave']);
  expect(world.notices).toEqual([]);
  peer.greet.update({ description: 'Greets, and tells everybody.' });
  await eventually(() => world.notices.length > 0);
  const { tools } = await world.server('net');
  expect(tools.map(({ originalName, changed }) => [originalName, changed])).toEqual([
    ['greet', true],
    ['wave', false],
  ]);
  peer.greet.remove();
  await eventually(() => names().length === 1);
  expect(await world.call('mcp__net__wave', {})).toBe('👋');
});

it('sends the headers that a command prints, anew for each connection', async () => {
  const peer = await start();
  const count = '$(cat count 2>/dev/null)x';
  const print = `echo -n "${count}" >count2; mv count2 count; printf '{"X-Key": "%s %s"}' "$(cat count)" "$CLAUDE_CODE_MCP_SERVER_NAME"`;
  const config = { type: 'http', url: peer.url, headers: { 'X-Key': 'plain' }, headersHelper: print };
  const world: McpWorld = mcpWorld({ 'home/.claude.json': { mcpServers: { net: config } } });
  ends.unshift(() => world.dispose());
  expect(await world.until('net', 'connected', 'failed')).toMatchObject({ state: 'connected' });
  expect(new Set(peer.seen)).toEqual(new Set(['x net']));
  await world.mcp.restart({ folder: world.folder, id: 'user/net' });
  await eventually(() => peer.seen.includes('xx net'));
});

it.each([
  ['exit 3', 'its headersHelper exited with code 3'],
  ['echo secret-text', 'its headersHelper did not print a JSON object of header names and texts'],
  [`echo '{"A": 1}'`, 'did not print a JSON object'],
  [`printf '{"A": "x\\\\r\\\\nB: y"}'`, 'did not print a JSON object'],
  [`echo '{"A B": "x"}'`, 'did not print a JSON object'],
])('says that a command for headers failed, and not what it printed: %s', async (headersHelper, words) => {
  const peer = await start();
  const config = { type: 'http', url: peer.url, headersHelper };
  const world: McpWorld = mcpWorld({ 'home/.claude.json': { mcpServers: { net: config } } });
  ends.unshift(() => world.dispose());
  const { reason } = await world.until('net', 'connected', 'failed');
  expect(reason).toContain(words);
  expect(reason).not.toContain('secret-text');
  expect(peer.seen).toEqual([]);
});

it('runs no command of a folder before the person has approved the server', async () => {
  const peer = await start();
  const config = { type: 'http', url: peer.url, headersHelper: 'touch ran; echo {}' };
  const world: McpWorld = mcpWorld({ 'project/.mcp.json': { mcpServers: { net: config } } });
  ends.unshift(() => world.dispose());
  expect(await world.until('net', 'connected', 'failed', 'needsApproval')).toMatchObject({
    state: 'needsApproval',
    target: `${peer.url} (headers by: touch ran; echo {})`,
  });
  expect([existsSync(join(world.folder, 'ran')), peer.seen]).toEqual([false, []]);
});
