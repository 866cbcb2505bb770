// Hooks with the real settings files, rules and sessions around them.
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SessionEventBody } from '#shared/session/events';
import type { ModelClient, ModelRequest } from '../model/client';
import type { PermissionEngine } from '../permissions/engine';
import { createPermissionEngine } from '../permissions/permissionEngine';
import { engineWorld } from '../permissions/testing/engineWorld';
import { createFolderTrust } from '../permissions/trust';
import { openDatabase } from '../sessions/database';
import { SessionService } from '../sessions/service';
import { SessionStore } from '../sessions/store';
import { echoTool } from '../testing/bench';
import { createRegistry } from '../tools/registry';
import { connectHooks } from './connectHooks';
import { type HookEvent, type Hooks, noHookOutcome } from './hooks';
import { hooksFor, shell } from './testing/hookBench';

let base = '';
let engine: PermissionEngine;
let sessions: SessionService;
let sessionId: string;
let hooks: Hooks;
let asked: ModelRequest[];
let answer: string;
const { project, file, engineOptions, put } = engineWorld(() => base);
const events: SessionEventBody[] = [];

const client: ModelClient = {
  scripted: false,
  async *stream(request) {
    await Promise.resolve();
    asked.push(request);
    yield { type: 'block', index: 0, block: { type: 'text', text: answer }, cutOff: false };
    yield {
      type: 'finished',
      stopReason: 'end_turn',
      usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
    };
  },
  listModels: () => Promise.resolve([]),
};

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'connect-')));
  asked = [];
  answer = '{"ok": true}';
  events.length = 0;
  await mkdir(join(project(), '.claude'), { recursive: true });
  const kept = new Map<string, unknown>();
  const trust = createFolderTrust({
    preference: (key) => kept.get(key),
    setPreference: (key, value) => void kept.set(key, value),
  });
  const options = engineOptions();
  engine = createPermissionEngine({ ...options, trust });
  const { database } = openDatabase({ folder: ':memory:', nativeBinding: undefined });
  const now = () => performance.timeOrigin + performance.now();
  sessions = new SessionService(new SessionStore(database, () => undefined), now);
  const model = { id: 'big', label: 'Big', scripted: false };
  sessionId = sessions.create({ folder: project(), title: 't', mode: 'default', model });
  const registry = createRegistry({ tools: [echoTool({}), echoTool({ name: 'Change' })] });
  hooks = connectHooks({
    ports: {
      paths: options.paths,
      host: { platform: 'linux' },
      environment: { variables: { PATH: process.env.PATH ?? '' } },
      log: options.log,
    },
    sessions,
    engine,
    results: {
      sessionFolder: () => join(base, 'results', 'tool-results'),
      process: () => Promise.resolve({ content: [], persisted: { file: '/kept', bytes: 1, previewChars: 0 } }),
    },
    models: { clientFor: () => client },
    registry: () => registry,
    now,
  });
  sessions.listen({
    onEvent: (_id, { body }) => void events.push(body),
    onLive: () => undefined,
    onListChange: () => undefined,
  });
});
afterEach(async () => {
  await hooks.dispose();
  await engine.dispose();
  await rm(base, { recursive: true, force: true });
});

const echo: HookEvent = {
  name: 'PreToolUse',
  call: { toolName: 'Echo', toolInput: { text: 'x' }, toolUseId: 'toolu_1' },
};
const fire = (event: HookEvent = echo) =>
  hooks.fire(event, { sessionId, folder: project(), cwd: project(), mode: 'default' }, new AbortController().signal);
const deny = (who: string, more: object = {}) => hooksFor('PreToolUse', [shell(`echo ${who} >&2; exit 2`, more)]);
const blocker = async (): Promise<string | undefined> => (await fire()).block?.reason;

it('reads every settings file, and again when it has changed', async () => {
  expect(await fire()).toEqual(noHookOutcome);
  await put(file.user(), deny('user'));
  expect([hooks.listens(sessionId, 'PreToolUse', 'Echo'), await blocker()]).toEqual([true, 'user']);
  await put(file.user(), {});
  await put(file.dropIn('10.json'), deny('policy'));
  expect(await blocker()).toBe('policy');
  await rm(file.dropIn('10.json'));
  expect(await fire()).toEqual(noHookOutcome);
});

it('keeps the last good hooks of a file that is broken meanwhile', async () => {
  await put(file.user(), deny('user'));
  expect(await blocker()).toBe('user');
  await put(file.user(), '{ "hooks": ');
  expect(await blocker()).toBe('user');
  // A writer at work has emptied the file before it fills it.
  await put(file.user(), '');
  expect(await blocker()).toBe('user');
  await put(file.user(), '{}');
  expect(await fire()).toEqual(noHookOutcome);
});

it('runs nothing of a folder until it is trusted', async () => {
  await put(file.project(), { ...deny('project'), disableAllHooks: true });
  await put(file.local(), deny('local'));
  await put(file.user(), deny('user'));
  expect(await blocker()).toBe('user');
  await put(file.project(), deny('project'));
  engine.setTrust(sessionId, true);
  expect((await fire()).ran).toBe(3);
  engine.setTrust(sessionId, false);
  expect([(await fire()).ran, await blocker()]).toEqual([1, 'user']);
});

it('judges conditions by the rules', async () => {
  const about = (rule: string) => put(file.user(), deny('user', { if: rule }));
  await about('Echo');
  expect(await blocker()).toBe('user');
  await about('Change');
  expect(await fire()).toEqual(noHookOutcome);
});

it('asks the session’s model, or the one that the hook names', async () => {
  await put(
    file.user(),
    hooksFor('PreToolUse', [
      { type: 'prompt', prompt: 'one' },
      { type: 'prompt', prompt: 'two', model: 'small' },
    ]),
  );
  answer = '{"ok": false, "reason": "never"}';
  expect((await fire()).opinion).toEqual({ behavior: 'deny', reason: 'never', hook: '“one” (user settings)' });
  expect(asked.map(({ model, tools }) => [model, tools])).toEqual([
    ['big', []],
    ['small', []],
  ]);
});

it('records runs in the session’s log', async () => {
  await put(file.user(), deny('user'));
  await fire();
  expect(events).toMatchObject([{ type: 'hook.ran', run: { file: file.user(), outcome: 'blocked' } }]);
});

const seen = (event: string, ...lines: readonly string[]) =>
  hooksFor(event, [shell(`cat >> ${join(base, 'seen')}; ${lines.join('; ')}`)]);
const recorded = async (): Promise<readonly Record<string, unknown>[]> => {
  await expect.poll(() => events.filter((body) => body.type === 'hook.ran').length).toBeGreaterThan(0);
  return events.flatMap((body) =>
    body.type === 'hook.ran' ? [JSON.parse(body.run.stdin) as Record<string, unknown>] : [],
  );
};
const startTurn = () =>
  sessions.append(sessionId, {
    type: 'turn.started',
    turnId: 't1',
    model: { id: 'big', label: 'Big', scripted: false },
  });

it('tells hooks of a changed current folder', async () => {
  await put(file.user(), seen('CwdChanged'));
  startTurn();
  const next = join(project(), 'sub');
  sessions.append(sessionId, { type: 'cwd.changed', cwd: next });
  expect(await recorded()).toMatchObject([{ hook_event_name: 'CwdChanged', old_cwd: project(), new_cwd: next }]);
});

it('asks hooks about changed settings: what they object to does not count until the file changes again', async () => {
  const objecting = 'grep -q evil "$F" && { echo no >&2; exit 2; }; exit 0'.replaceAll('$F', file.local());
  await put(file.user(), seen('ConfigChange', objecting));
  startTurn();
  const notice = () => events.findLast((body) => body.type === 'notice');
  const rules = () => engine.view(sessionId).rules.map(({ text }) => text);
  const change = async (rule: string) => {
    await put(file.local(), { permissions: { allow: [rule] } });
    return rules();
  };

  // Not before the hook has answered.
  expect(await change('Bash(evil *)')).toEqual([]);
  await expect.poll(notice).toMatchObject({
    text: expect.stringMatching(/^The hook .+ objects to the change of .+settings\.local\.json: no$/),
    next: expect.stringMatching(/stays in force in this session/),
  });
  expect(await recorded()).toMatchObject([
    {
      source: 'local_settings',
      file_path: file.local(),
      transcript_path: join(base, 'results', 'transcript.jsonl'),
    },
  ]);
  expect(rules()).toEqual([]);

  expect(await change('Bash(ls)')).toEqual([]);
  await expect.poll(rules).toEqual(['Bash(ls)']);
  expect(await recorded()).toHaveLength(2);

  expect(await change('Bash(evil *)')).toEqual(['Bash(ls)']);
  await expect.poll(async () => (await recorded()).length).toBe(3);
  await expect.poll(() => events.filter((body) => body.type === 'notice').length).toBe(2);
  expect(rules()).toEqual(['Bash(ls)']);
});

it('hears a hook that a change of settings would take away, and decides nothing meanwhile', async () => {
  await put(file.user(), seen('ConfigChange', 'sleep 0.3', 'echo no >&2', 'exit 2'));
  startTurn();
  await put(file.user(), { permissions: { allow: ['Bash(make)'] } });
  const decided = await engine.evaluate(
    {
      toolName: 'Bash',
      isMcp: false,
      isReadOnly: false,
      input: { command: 'make' },
      facts: [{ kind: 'command', command: 'make', cwd: project() }],
      own: { behavior: 'passthrough' },
    },
    { sessionId, folder: project(), cwd: project(), mode: 'default' },
  );
  expect(decided.decision.behavior).toBe('ask');
  expect(events.filter((body) => body.type === 'notice')).toHaveLength(1);
});

it('tells hooks of files that their matchers name', async () => {
  await put(file.user(), { hooks: { FileChanged: [{ matcher: '.env|other', hooks: [shell('true')] }] } });
  startTurn();
  const changed = join(project(), '.env');
  // The watch starts a little later, so the file changes until it was heard of.
  let version = 0;
  await expect
    .poll(
      async () => {
        version += 1;
        await writeFile(changed, `A=${version}`);
        return events.some((body) => body.type === 'hook.ran');
      },
      { timeout: 10_000, interval: 100 },
    )
    .toBe(true);
  expect((await recorded())[0]).toMatchObject({ hook_event_name: 'FileChanged', file_path: changed });
});

it('tells the model later what a hook in the background said', async () => {
  await put(file.user(), hooksFor('PreToolUse', [shell('echo look >&2; exit 2', { asyncRewake: true })]));
  await fire();
  await expect
    .poll(() => events.find((body) => body.type === 'context.added'))
    .toEqual({
      type: 'context.added',
      from: expect.stringMatching(/^the hook “echo look/),
      text: 'look',
    });
});
