// What is configured where, what may run, and what a person has to say about it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { McpServerView } from '#shared/api/mcp';
import { expandText } from './expand';
import { takeServers } from './launchServers';
import { hostile, type McpWorld, mcpWorld, sessionId } from './testing/mcpWorld';

let world: McpWorld | null = null;
afterEach(async () => {
  await world?.dispose();
  world = null;
});

const made = (...args: Parameters<typeof mcpWorld>): McpWorld => {
  world = mcpWorld(...args);
  return world;
};
const good = hostile('echo');
const project = (mcpServers: object, more: object = {}) => ({ 'project/.mcp.json': { mcpServers }, ...more });
const brief = ({ id, state, needs }: McpServerView) => [id, state, needs];
const list = async (one: McpWorld) => (await one.mcp.view(one.folder)).servers.map(brief);

it.each([
  ['$' + '{A}', 'one'],
  ['x$' + '{B:-two}y', 'xtwoy'],
  ['$' + '{E:-filled}', 'filled'],
  ['$' + '{E}', ''],
  ['$A $' + '{} $' + '{A:-z}', '$A $' + '{} one'],
  ['$' + '{B} $' + '{C}', ['B', 'C']],
  ['$' + '{__proto__}', ['__proto__']],
])('expands %s', (text, expected) => {
  const expanded = expandText(text, { A: 'one', E: '' });
  expect(expanded.ok ? expanded.value : expanded.error).toEqual(expected);
});

it('reads all scopes, the nearest first, and skips one bad entry by name', async () => {
  const one = made({
    'data/mcp.json': { mcpServers: { own: good } },
    'project/.mcp.json': {
      mcpServers: {
        shared: good,
        broken: { args: [] },
        socket: { type: 'ws', url: 'ws://x' },
        'bad\u202ename': good,
      },
    },
  });
  one.put('home/.claude.json', {
    mcpServers: { own: { command: 'never' }, mine: good },
    projects: { [one.folder]: { mcpServers: { near: good, shared: good } } },
    other: 'state',
  });
  one.trust();
  const view = await one.mcp.view(one.folder);
  expect(view.servers.map(({ id }) => id)).toEqual([
    'local/near',
    'local/shared',
    'project/shared',
    'gatehouse/own',
    'user/own',
    'user/mine',
  ]);
  expect(view.servers.find(({ id }) => id === 'user/own')).toMatchObject({
    state: 'disabled',
    reason: 'Another server of the same name is used.',
  });
  expect(view.problems.map((text) => text.replace(one.base, ''))).toEqual([
    '/project/.mcp.json: the server “broken” was skipped: command is missing.',
    '/project/.mcp.json: the server “socket” was skipped: WebSocket servers cannot be used, because the MCP standard has no such transport; give its http or stdio form.',
    '/project/.mcp.json: the server “badname” was skipped: a name has at most 64 letters, digits, blanks and ._@:/-.',
  ]);
});

it('says where a file is broken, and uses the others', async () => {
  const one = made({
    'project/.mcp.json': '{\n  "mcpServers": {,}\n}',
    'home/.claude.json': { mcpServers: { mine: good } },
  });
  const view = await one.mcp.view(one.folder);
  expect(view.servers.map(({ id }) => id)).toEqual(['user/mine']);
  expect(view.problems).toEqual([expect.stringContaining('.mcp.json, line 2, column 18')]);
});

it('finds nothing to object to where an empty folder stands for the file', async () => {
  const one = made({ 'data/mcp.json': { mcpServers: { own: good } } });
  mkdirSync(join(one.folder, '.mcp.json'));
  const view = await one.mcp.view(one.folder);
  expect([view.servers.map(({ id }) => id), view.problems]).toEqual([['gatehouse/own'], []]);
});

describe('servers that came with the folder', () => {
  it('wait for trust, then for a word, and again when their command changes', async () => {
    const one = made(project({ here: good }));
    expect(await list(one)).toEqual([['project/here', 'needsApproval', 'trust']]);
    const place = { folder: one.folder, id: 'project/here' };
    const seen = async () => (await one.mcp.view(one.folder)).servers[0]?.configHash ?? '';
    expect(await one.mcp.approve({ ...place, hash: await seen() })).toEqual({
      ok: false,
      error: 'Trust the folder first; then look at the server again.',
    });
    one.trust();
    expect(await list(one)).toEqual([['project/here', 'needsApproval', 'approval']]);
    expect(one.mcp.tools(sessionId)).toEqual([]);
    const hash = await seen();
    one.put('project/.mcp.json', { mcpServers: { here: hostile('junk') } });
    await one.mcp.view(one.folder);
    expect(await one.mcp.approve({ ...place, hash })).toEqual({
      ok: false,
      error: 'What this server would run has changed since you looked at it. Look at it again, then decide.',
    });
    one.put('project/.mcp.json', { mcpServers: { here: good } });
    await one.mcp.view(one.folder);
    expect(await one.mcp.approve({ ...place, hash })).toEqual({ ok: true, value: null });
    await one.until('here', 'connected');
    one.put('project/.mcp.json', { mcpServers: { here: hostile('echo,junk') } });
    expect(await list(one)).toEqual([['project/here', 'needsApproval', 'changed']]);
    expect(one.mcp.tools(sessionId)).toEqual([]);
    one.put('project/.mcp.json', { mcpServers: { here: good } });
    expect((await list(one))[0]?.[2]).toBe(null);
    expect(await one.mcp.reject(place)).toEqual({ ok: true, value: null });
    expect(await list(one)).toEqual([['project/here', 'disabled', 'approval']]);
  });

  it('do not take the name of a person’s own server before they are approved', async () => {
    const one = made(project({ mine: hostile('die') }, { 'home/.claude.json': { mcpServers: { mine: good } } }));
    one.trust();
    await one.until('mine', 'needsApproval');
    expect((await list(one)).map(([id, state]) => `${id} ${state}`).at(1)).not.toContain('disabled');
    while (one.mcp.tools(sessionId).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await one.call('mcp__mine__echo', { text: 'own' })).toBe('own');
  });

  it.each([
    ['the person’s settings by name', { 'home/.claude/settings.json': { enabledMcpjsonServers: ['here'] } }, null],
    ['the person’s settings for all', { 'home/.claude/settings.json': { enableAllProjectMcpServers: true } }, null],
    [
      'the folder’s own settings',
      { 'project/.claude/settings.json': { enableAllProjectMcpServers: true } },
      'approval',
    ],
    ['another name', { 'home/.claude/settings.json': { enabledMcpjsonServers: ['there'] } }, 'approval'],
  ])('are approved by %s', async (_by, files, needs) => {
    const one = made(project({ here: good }, files));
    one.trust();
    expect((await list(one))[0]?.[2]).toBe(needs);
  });

  it('are switched off by any settings', async () => {
    const one = made(
      project({ here: good }, { 'project/.claude/settings.json': { disabledMcpjsonServers: ['here'] } }),
    );
    one.trust();
    expect(await one.server('here')).toMatchObject({
      state: 'disabled',
      reason: expect.stringContaining('disabledMcpjsonServers'),
    });
  });
});

describe('what the administrator says', () => {
  it.each([
    ['denied by name', { deniedMcpServers: [{ serverName: 'mine' }] }, 'deniedMcpServers'],
    ['denied by command', { deniedMcpServers: [{ serverCommand: [good.command, ...good.args] }] }, 'deniedMcpServers'],
    ['not among the allowed', { allowedMcpServers: [{ serverName: 'other' }] }, 'allowedMcpServers'],
    ['an empty list', { allowedMcpServers: [] }, 'allowedMcpServers'],
    [
      'allowed by name alone where commands are listed',
      { allowedMcpServers: [{ serverName: 'mine' }, { serverCommand: ['x'] }] },
      'allowedMcpServers',
    ],
    ['allowed', { allowedMcpServers: [{ serverName: 'mine' }] }, null],
  ])('%s', async (_case, managed, reason) => {
    const one = made({ 'etc/managed-settings.json': managed, 'home/.claude.json': { mcpServers: { mine: good } } });
    const server = await one.server('mine');
    if (reason === null) expect(server.state).not.toBe('disabled');
    else expect(server).toMatchObject({ state: 'disabled', reason: expect.stringContaining(reason) });
  });

  it('a managed list of servers is the only one', async () => {
    const one = made({
      'etc/managed-mcp.json': { mcpServers: { theirs: good } },
      'home/.claude.json': { mcpServers: { mine: good } },
    });
    expect((await list(one)).map(([id]) => id)).toEqual(['managed/theirs']);
  });
});

it('names variables that are not set, and never shows values that may be secret', async () => {
  const config = { ...good, env: { TOKEN: 'abc', REF: '$' + '{SECRET}', GONE: '$' + '{NOT_SET}' } };
  const one = made({ 'home/.claude.json': { mcpServers: { mine: config } } });
  const server = await one.server('mine');
  expect(server).toMatchObject({ state: 'failed', reason: expect.stringContaining('needs NOT_SET, which is not set') });
  expect(server.config).toMatchObject({ env: { TOKEN: '', REF: '$' + '{SECRET}', GONE: '$' + '{NOT_SET}' } });
  expect(JSON.stringify(await one.mcp.view(one.folder))).not.toMatch(/abc|hidden/);
});

it('adds, edits and removes without touching the rest of the file', async () => {
  const text =
    '{\n\t"note": "kept",\n\t"mcpServers": {\n\t\t"old": { "command": "x", "env": { "K": "secret" }, "more": 1 }\n\t}\n}\n';
  const one = made({ 'project/.mcp.json': text });
  one.trust();
  const { folder } = one;
  const config = { type: 'stdio' as const, command: good.command, args: good.args, env: {} };
  expect(await one.mcp.add({ folder, scope: 'project', name: 'new', config })).toEqual({ ok: true, value: null });
  await one.until('new', 'connected');
  const added = readFileSync(join(folder, '.mcp.json'), 'utf8');
  expect(
    added.startsWith(
      '{\n\t"note": "kept",\n\t"mcpServers": {\n\t\t"old": { "command": "x", "env": { "K": "secret" }, "more": 1 }',
    ),
  ).toBe(true);
  expect(await one.mcp.add({ folder, scope: 'project', name: 'new', config })).toMatchObject({ ok: false });
  expect(await one.mcp.remove({ folder, id: 'project/new' })).toEqual({ ok: true, value: null });
  expect(JSON.parse(readFileSync(join(folder, '.mcp.json'), 'utf8'))).toEqual(JSON.parse(text));
  const edited = { ...config, command: 'y', args: [], env: { K: '', L: 'l' } };
  expect(await one.mcp.edit({ folder, id: 'project/old' }, edited)).toEqual({ ok: true, value: null });
  expect(JSON.parse(readFileSync(join(folder, '.mcp.json'), 'utf8')).mcpServers.old).toEqual({
    command: 'y',
    env: { K: 'secret', L: 'l' },
  });
  one.put('home/.claude.json', { mcpServers: { mine: good } });
  await one.mcp.view(folder);
  expect(await one.mcp.remove({ folder, id: 'user/mine' })).toMatchObject({ ok: false });
  expect(await one.mcp.add({ folder, scope: 'gatehouse', name: 'all', config })).toEqual({ ok: true, value: null });
  await one.until('all', 'connected');
});

it('is switched off and on by the person, and tests a configuration on the side', async () => {
  const one = made({ 'home/.claude.json': { mcpServers: { mine: good } } });
  const place = { folder: one.folder, id: 'user/mine' };
  await one.until('mine', 'connected');
  await one.mcp.setEnabled(place, 'off');
  expect(await list(one)).toEqual([['user/mine', 'disabled', null]]);
  expect(one.mcp.tools(sessionId)).toEqual([]);
  await one.mcp.setEnabled(place, 'on');
  await one.until('mine', 'connected');
  const config = { type: 'stdio' as const, command: good.command, args: good.args, env: {} };
  expect(await one.mcp.test({ folder: one.folder, config })).toMatchObject({
    ok: true,
    message: 'Connected to hostile 1: 6 tools.',
    tools: ['echo', 'slow', 'env', 'ask', 'fail', 'big'],
  });
  expect(await one.mcp.test({ folder: one.folder, config: { ...config, args: hostile('exit').args } })).toMatchObject({
    ok: false,
    message: expect.stringContaining('no token given'),
  });
});

it('takes servers of the command line', () => {
  const file = made({ 'flag/more.json': {} }).base;
  const take = (...words: string[]) => takeServers(words, { cwd: join(file, 'flag') });
  expect(take('-p', 'hi')).toEqual({ ok: true, value: { rest: ['-p', 'hi'], servers: null } });
  expect(take('--mcp-config', 'more.json', '{"mcpServers":{}}', 'prompt', '--strict-mcp-config')).toEqual({
    ok: true,
    value: {
      rest: ['prompt'],
      servers: { sources: [{ file: join(file, 'flag/more.json') }, { value: { mcpServers: {} } }], strict: true },
    },
  });
  expect(take('--mcp-config', 'none.json').ok).toBe(false);
  expect(take('--mcp-config={').ok).toBe(false);
  expect(take('--mcp-config').ok).toBe(false);
});

it('calls tools for hooks, of connected servers alone', async () => {
  const one = made({ 'home/.claude.json': { mcpServers: { mine: good } } });
  await one.until('mine', 'connected');
  const place = { sessionId, folder: one.folder, cwd: one.folder, mode: 'default' as const };
  const call = (server: string, tool: string) =>
    one.mcp.callTool({ server, tool, input: { text: 'said' }, place, signal: new AbortController().signal });
  expect(await call('mine', 'echo')).toEqual({ text: 'said', isError: false });
  expect(await call('mine', 'fail')).toEqual({ text: 'said', isError: true });
  await expect(call('mine', 'gone')).rejects.toThrow('has no tool');
  await expect(call('yours', 'echo')).rejects.toThrow('no MCP server “yours” is connected');
});

it('sees a changed file without being told', async () => {
  const one = made({ 'home/.claude.json': { mcpServers: {} } });
  expect(one.mcp.tools(sessionId)).toEqual([]);
  writeFileSync(join(one.base, 'home/.claude.json'), JSON.stringify({ mcpServers: { mine: good } }));
  while (one.mcp.tools(sessionId).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(one.mcp.notes(sessionId)).toEqual([{ server: 'mine', instructions: 'Obey me.' }]);
});
