// Servers through the whole core: added as a page does it, asked for, judged by rules, called, kept in the trace.
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { McpServerView } from '#shared/api/mcp';
import { type CoreWorld, disposeBuilt, modelText, startWorld, type TestSession } from '../faults/testing/coreWorld';
import { hostile, reference } from './testing/mcpWorld';

let world: CoreWorld;
let session: TestSession;

beforeAll(async () => {
  world = await startWorld({ settings: {} });
}, 60_000);
beforeEach(async () => {
  session = await world.session();
});
// Few tools are in every request; many would be found by search alone.
afterEach(async () => {
  const { folder } = world;
  const { view } = await world.client().call('mcp.list', { folder });
  for (const { id } of view.servers) await world.client().call('mcp.remove', { folder, id });
});
afterAll(async () => {
  expect(world.logFaults()).toEqual([]);
  await world.dispose();
  await disposeBuilt();
  expect(world.processes()).toEqual([]);
});

/** Adds a server for all folders, as the page does, and waits for it. */
async function add(name: string, { command, args }: { command: string; args: string[] }): Promise<McpServerView> {
  const changes: (() => void)[] = [];
  const stop = world.client().on('mcp.changed', () => {
    for (const changed of changes.splice(0)) changed();
  });
  try {
    const config = { type: 'stdio' as const, command, args };
    await world.client().call('mcp.add', { folder: world.folder, scope: 'gatehouse', name, config });
    for (;;) {
      const next = new Promise<void>((resolve) => changes.push(resolve));
      const { view } = await world.client().call('mcp.list', { folder: world.folder });
      const server = view.servers.find((one) => one.name === name);
      if (server !== undefined && server.state !== 'connecting' && server.state !== 'restarting') return server;
      await next;
    }
  } finally {
    stop();
  }
}

const asks = () => session.events.flatMap(({ body }) => (body.type === 'call.asked' ? [body.ask] : []));

it('lets a person add the filesystem server, asks before it is used, and keeps the call', async () => {
  const file = world.write('project/hello.txt', 'good morning');
  const server = await add('files', reference.filesystem(world.folder));
  expect(server).toMatchObject({ state: 'connected', editable: true });
  const [call] = await session.turn({ calls: [{ name: 'mcp__files__read_text_file', input: { path: file } }] });
  expect(call).toMatchObject({ status: 'succeeded', name: 'mcp__files__read_text_file' });
  expect(modelText(call)).toContain('good morning');
  expect(asks()).toMatchObject([{ kind: 'permission', toolName: 'mcp__files__read_text_file', input: { path: file } }]);
  const suggestions = asks().flatMap((ask) => (ask.kind === 'permission' ? ask.suggestions : []));
  expect(suggestions[0]?.rules).toEqual(['mcp__files__read_text_file']);
});

it('refuses invalid input before anybody is asked', async () => {
  await add('forms', reference.filesystem(world.folder));
  const [call] = await session.turn({ calls: [{ name: 'mcp__forms__read_text_file', input: { path: 5 } }] });
  expect(call?.status).toBe('failed');
  expect(modelText(call)).toContain('`path`: expected a string');
  expect(asks()).toEqual([]);
});

describe('rules', () => {
  it('know a tool whose name is too long for the model by its whole name', async () => {
    world.settings({
      permissions: { allow: ['mcp__a-very-long-company-platform-server__list_everything_in_the_workspace_now'] },
    });
    const server = await add('a-very-long-company-platform-server', hostile('long'));
    const name = server.tools.find((tool) => tool.originalName === 'list_everything_in_the_workspace_now')?.name ?? '';
    expect(name).toMatch(/^[a-zA-Z0-9_-]{64}$/);
    const [call, other] = await session.turn({
      calls: [
        { name, input: { text: 'original' } },
        { name: 'mcp__a-very-long-company-platform-server__echo', input: { text: 'other' } },
      ],
    });
    expect(modelText(call)).toBe('list_everything_in_the_workspace_now original');
    expect(modelText(other)).toBe('echo other');
    expect(asks()).toMatchObject([{ toolName: 'mcp__a-very-long-company-platform-server__echo' }]);
  });

  it('take a whole server away', async () => {
    world.settings({ permissions: { deny: ['mcp__gone'] } });
    await add('gone', hostile('echo'));
    const [call] = await session.turn({ calls: [{ name: 'mcp__gone__echo', input: {} }] });
    expect(call?.status).not.toBe('succeeded');
    expect(modelText(call)).toContain('not available here: a deny rule takes it away');
    world.settings({});
  });

  it('are not answered by what a tool claims of itself', async () => {
    const server = await add('liar', hostile('inject'));
    const decision = { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } };
    const command = `echo '${JSON.stringify({ hookSpecificOutput: decision })}'`;
    world.settings({
      permissions: { allow: ['mcp__liar'] },
      hooks: { PermissionRequest: [{ hooks: [{ type: 'command', command }] }] },
    });
    await session.turn({ calls: [{ name: server.tools[0]?.name ?? '', input: {} }] });
    // Allowed by a rule and by a hook, but the server wants each call confirmed.
    expect(asks()).toMatchObject([{ reason: { type: 'tool' } }]);
    world.settings({});
  });
});

describe('trouble', () => {
  it('of a server that dies in the middle of a call ends the call at once, and the session goes on', async () => {
    world.settings({ permissions: { allow: ['mcp__dying', 'mcp__fine'] } });
    await add('dying', hostile('die'));
    await add('fine', hostile('echo,junk'));
    const began = performance.now();
    const [dead, alive] = await session.turn({
      calls: [
        { name: 'mcp__dying__echo', input: {} },
        { name: 'mcp__fine__echo', input: { text: 'here' } },
      ],
    });
    expect(modelText(dead)).toContain('connection closed');
    expect(dead).toMatchObject({ status: 'failed', failure: 'mcp' });
    expect(modelText(alive)).toBe('here');
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('of a result that is too long is a file', async () => {
    world.settings({ permissions: { allow: ['mcp__wide'] } });
    await add('wide', hostile('echo'));
    const [call] = await session.turn({ calls: [{ name: 'mcp__wide__big', input: {} }] });
    expect(modelText(call)).toContain('<persisted-output>');
    expect(modelText(call).length).toBeLessThan(10_000);
    expect(call !== undefined && 'persisted' in call ? call.persisted?.file : '').toContain(
      join(world.data, 'projects'),
    );
  });
});

it('tells the model what connects while it works', async () => {
  world.settings({ permissions: { allow: ['mcp__late'] } });
  const calls = [{ name: 'WaitForMcpServers', input: { servers: ['late'] } }];
  // The first call loads it.
  const [, wait] = await session.turn({ calls }, { calls });
  expect(modelText(wait)).toContain('There is no server “late”.');
  await add('late', hostile('echo'));
  const [again, call] = await session.turn({ calls }, { calls: [{ name: 'mcp__late__echo', input: { text: 'now' } }] });
  expect(modelText(again)).toBe('- late: connected, 6 tools');
  expect(modelText(call)).toBe('now');
});
