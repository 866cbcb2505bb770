import { expect, test } from 'vitest';
import type { SandboxEntry } from '#shared/api/sandbox';
import type { PermissionMode } from '#shared/permissions/modes';
import { activityOf } from '#shared/session/state';
import type { RuleEditor } from '../permissions/ruleEditor';
import type { SandboxDomains } from '../sandbox/createSandbox';
import { openDatabase } from '../sessions/database';
import { SessionService } from '../sessions/service';
import { SessionStore } from '../sessions/store';
import { NetworkAsks, type NetworkServices } from './networkAsks';

const user = '/home/me/.claude/settings.json';
const from = { kind: 'setting', source: 'userSettings', path: user, line: 3 } as const;
const list = (...texts: string[]): SandboxEntry[] => texts.map((text) => ({ text, from }));

function setUp(
  how: { canAsk?: boolean; mode?: PermissionMode; trusted?: boolean; domains?: Partial<SandboxDomains> } = {},
) {
  const { database } = openDatabase({ folder: ':memory:', nativeBinding: undefined });
  let time = 1_000;
  const sessions = new SessionService(new SessionStore(database, () => undefined), () => ++time);
  const model = { id: 'm', label: 'M', scripted: false };
  const sessionId = sessions.create({ folder: '/srv/app', title: 'T', mode: how.mode ?? 'default', model });
  const off = { on: false, from: { kind: 'default' } as const };
  let domains: SandboxDomains = {
    allowed: [],
    denied: [],
    strict: off,
    managedOnly: false,
    unixSockets: off,
    httpProxyPort: null,
    socksProxyPort: null,
    ...how.domains,
  };
  const written: { path: string; label: string; text: string | null }[] = [];
  let changed: (sessionId: string) => void = () => undefined;
  let fault: string | null = null;
  const editFile: RuleEditor['editFile'] = async (_session, { path, label, edit }) => {
    if (fault !== null) return { ok: false, error: { code: 'refused', message: fault } };
    const text = edit(null);
    written.push({ path, label, text: text.ok ? text.value : null });
    return { ok: true, value: { id: 'step', label, at: 1, files: [] } };
  };
  const engine = {
    editor: { editFile },
    onChange: (listener: (sessionId: string) => void) => {
      changed = listener;
      return () => undefined;
    },
    settings: () => ({ version: 1, files: [{ source: 'userSettings', path: user }] }),
    view: () => ({ trust: { trusted: how.trusted ?? true } }),
  };
  const services = { sessions, engine, domains: () => domains, canAsk: () => how.canAsk ?? true };
  const asks = new NetworkAsks(services as object as NetworkServices);
  const command = (text = 'npm install') => asks.forCommand({ sessionId, callId: 'c1', text });
  return {
    sessions,
    sessionId,
    asks,
    command,
    written,
    setDomains(change: Partial<SandboxDomains>) {
      domains = { ...domains, ...change };
      changed(sessionId);
    },
    failWriting(why: string) {
      fault = why;
    },
    waiting: () => sessions.state(sessionId).networkAsks.map(({ ask }) => ask),
    only() {
      const [ask] = sessions.state(sessionId).networkAsks;
      if (ask === undefined) throw new Error('nothing is asked');
      return ask.ask;
    },
    outcomes: () =>
      sessions
        .eventsSince(sessionId, 0)
        .flatMap(({ body }) => (body.type === 'network.answered' ? [body.outcome] : [])),
  };
}

const never = (): AbortSignal => new AbortController().signal;
const npm = { host: 'registry.npmjs.org', port: 443 };
const allowed = { allowed: true, privateAllowed: false, why: '' };

test('an unlisted host is asked about while the command waits, and the session says that it waits', async () => {
  const world = setUp();
  const decided = world.command().decide(npm, never());
  expect(world.only()).toEqual({
    askId: expect.any(String),
    callId: 'c1',
    ...npm,
    command: 'npm install',
    agent: null,
    patterns: ['registry.npmjs.org', '*.npmjs.org'],
  });
  expect(activityOf(world.sessions.state(world.sessionId))).toBe('waiting');
  const { askId } = world.only();
  const answer = { sessionId: world.sessionId, askId, answer: { kind: 'allowOnce' as const } };
  expect(await world.asks.answer(answer)).toEqual({ saved: null, settled: [] });
  expect(await decided).toEqual(allowed);
  expect(activityOf(world.sessions.state(world.sessionId))).toBe('idle');
  await expect(world.asks.answer(answer)).rejects.toMatchObject({ code: 'conflict' });
});

test.each<[string, Parameters<typeof setUp>[0], { host: string; port: number; address?: string }, object]>([
  ['a listed name', { domains: { allowed: list('registry.npmjs.org') } }, npm, { allowed: true, privateAllowed: true }],
  ['one below a pattern', { domains: { allowed: list('*.npmjs.org') } }, npm, allowed],
  [
    'a denied one, whatever is allowed',
    { domains: { allowed: list('*'), denied: list('*.npmjs.org') } },
    npm,
    {
      allowed: false,
      why: expect.stringContaining(`“*.npmjs.org” in sandbox.network.deniedDomains (${user}, line 3)`),
    },
  ],
  [
    'a policy of its own list',
    { domains: { managedOnly: true } },
    npm,
    { allowed: false, why: expect.stringContaining('administrator') },
  ],
  [
    'a strict list',
    { domains: { strict: { on: true, from } } },
    npm,
    { allowed: false, why: expect.stringContaining('strictAllowlist') },
  ],
  [
    'nobody to ask',
    { canAsk: false },
    npm,
    { allowed: false, why: expect.stringContaining('nobody is here who could be asked') },
  ],
  [
    'a mode that asks about nothing',
    { mode: 'dontAsk' },
    npm,
    { allowed: false, why: expect.stringContaining('this mode asks about nothing') },
  ],
])('%s is decided without an ask', async (_what, how, wish, verdict) => {
  const world = setUp(how);
  expect(await world.command().decide(wish, never())).toMatchObject(verdict);
  expect(world.waiting()).toEqual([]);
});

test('a pattern does not open where a name leads within a private network: that is asked about, and never broadly saved', () => {
  const world = setUp({ domains: { allowed: list('*.npmjs.org') } });
  void world.command().decide({ ...npm, address: '10.0.0.5' }, never());
  expect(world.only()).toMatchObject({
    address: '10.0.0.5',
    warning: 'registry.npmjs.org leads to 10.0.0.5, which lies within your own network.',
    patterns: ['registry.npmjs.org'],
  });
});

test.each([
  ['10.0.0.5', { warning: expect.stringContaining('own network') }],
  ['169.254.169.254', { warning: expect.stringContaining('credentials') }],
  ['8.8.8.8', { warning: expect.stringContaining('without a name') }],
  ['wiki.internal', { warning: expect.stringContaining('own network') }],
  ['xn--80ak6aa92e.com', { readable: 'аррӏе.com', warning: expect.stringContaining('аррӏе.com') }],
])('%s is asked about with a warning', (host, shown) => {
  const world = setUp();
  void world.command().decide({ host, port: 80 }, never());
  expect(world.only()).toMatchObject(shown);
});

test('what a person says for a command counts until it ends, and for no other', async () => {
  const world = setUp();
  const first = world.command();
  const decided = first.decide(npm, never());
  await world.asks.answer({ sessionId: world.sessionId, askId: world.only().askId, answer: { kind: 'deny' } });
  const refusal = { allowed: false, why: expect.stringContaining('The person did not allow') };
  expect([await decided, await first.decide(npm, never())]).toMatchObject([refusal, refusal]);
  expect(world.waiting()).toEqual([]);
  void world.command().decide(npm, never());
  expect(world.waiting()).toHaveLength(1);
});

test('many connections of a command to one place are one ask; it is withdrawn when nobody wants it any more', async () => {
  const world = setUp();
  const command = world.command();
  const [one, two] = [new AbortController(), new AbortController()];
  const both = [command.decide(npm, one.signal), command.decide(npm, two.signal)];
  expect(world.waiting()).toHaveLength(1);
  one.abort();
  expect(world.waiting()).toHaveLength(1);
  two.abort();
  expect(world.waiting()).toEqual([]);
  expect((await Promise.all(both)).map((verdict) => verdict.allowed)).toEqual([false, false]);
  void command.decide(npm, never());
  command.end();
  expect([world.waiting(), world.outcomes()]).toEqual([
    [],
    [
      { by: 'abort', allowed: false },
      { by: 'abort', allowed: false },
    ],
  ]);
});

test('a command cannot bury the person under asks', async () => {
  const world = setUp();
  const command = world.command();
  const verdicts = Array.from({ length: 12 }, (_, at) =>
    command.decide({ host: `h${at}.example`, port: 443 }, never()),
  );
  expect(world.waiting().map(({ host }) => host)).toEqual(Array.from({ length: 10 }, (_, at) => `h${at}.example`));
  expect(await Promise.all(verdicts.slice(10))).toMatchObject([{ allowed: false }, { allowed: false }]);
  command.end();
  expect(await Promise.all(verdicts)).toMatchObject(verdicts.map(() => ({ allowed: false })));
});

test('an answer for the session settles the same question of its other commands, and no other question', async () => {
  const world = setUp();
  const [first, second, other] = [
    world.command().decide(npm, never()),
    world.command('npm ci').decide(npm, never()),
    world.command().decide({ ...npm, port: 22 }, never()),
  ];
  const answer = { kind: 'allowSession' as const };
  const answered = await world.asks.answer({ sessionId: world.sessionId, askId: world.only().askId, answer });
  expect(answered).toEqual({ saved: null, settled: ['registry.npmjs.org'] });
  expect([await first, await second]).toEqual([allowed, allowed]);
  expect(world.waiting().map(({ port }) => port)).toEqual([22]);
  expect(await world.command().decide(npm, never())).toEqual(allowed);
  world.asks.dispose();
  expect(await other).toMatchObject({ allowed: false });
});

test('an answer for always is written as a step, and lets the command on', async () => {
  const world = setUp();
  const decided = world.command().decide(npm, never());
  const { askId } = world.only();
  const answer = { kind: 'allowAlways' as const, pattern: '*.npmjs.org', source: 'userSettings' as const };
  expect(await world.asks.answer({ sessionId: world.sessionId, askId, answer })).toEqual({
    saved: { pattern: '*.npmjs.org', where: user, step: 'step' },
    settled: [],
  });
  expect(await decided).toEqual(allowed);
  expect(world.written).toMatchObject([{ path: user, text: expect.stringContaining('"*.npmjs.org"') }]);
  expect(world.outcomes()).toEqual([{ by: 'person', allowed: true, lasts: 'always', pattern: '*.npmjs.org' }]);
});

test.each<[string, Parameters<typeof setUp>[0], { pattern: string; source: 'userSettings' | 'localSettings' }, string]>(
  [
    ['a pattern that was not offered', {}, { pattern: '*', source: 'userSettings' }, 'invalid'],
    [
      'a folder that is not trusted',
      { trusted: false },
      { pattern: 'registry.npmjs.org', source: 'localSettings' },
      'refused',
    ],
  ],
)('%s is not saved, and the ask stays', async (_what, how, wanted, code) => {
  const world = setUp(how);
  void world.command().decide(npm, never());
  const answer = { kind: 'allowAlways' as const, ...wanted };
  const { askId } = world.only();
  await expect(world.asks.answer({ sessionId: world.sessionId, askId, answer })).rejects.toMatchObject({ code });
  expect([world.written, world.waiting().length]).toEqual([[], 1]);
});

test('a file that cannot be written leaves the ask open, with the reason', async () => {
  const world = setUp();
  world.failWriting('The disk is full.');
  void world.command().decide(npm, never());
  const answer = { kind: 'allowAlways' as const, pattern: 'registry.npmjs.org', source: 'userSettings' as const };
  const { askId } = world.only();
  const answered = world.asks.answer({ sessionId: world.sessionId, askId, answer });
  await expect(answered).rejects.toMatchObject({ code: 'refused', message: 'Not saved: The disk is full.' });
  await world.asks.answer({ sessionId: world.sessionId, askId, answer: { kind: 'deny' } });
  expect(world.waiting()).toEqual([]);
});

test('changed lists, and the network switched on, answer what waits', async () => {
  const world = setUp();
  const first = world.command().decide(npm, never());
  world.setDomains({ denied: list('*.npmjs.org') });
  expect(await first).toMatchObject({ allowed: false, why: expect.stringContaining('denied by') });
  world.setDomains({ denied: [] });
  const second = world.command().decide(npm, never());
  world.sessions.append(world.sessionId, { type: 'network.changed', network: true });
  world.setDomains({});
  expect(await second).toEqual({ allowed: true, privateAllowed: true, why: '' });
});

test('the session’s switch opens nothing where the administrator keeps the list', async () => {
  const world = setUp({ domains: { managedOnly: true } });
  world.sessions.append(world.sessionId, { type: 'network.changed', network: true });
  expect(await world.command().decide(npm, never())).toMatchObject({ allowed: false });
});

test('asks of a program that ended are closed when the session is opened again', () => {
  const world = setUp();
  void world.command().decide(npm, never());
  const { ask } = { ask: world.only() };
  world.sessions.append(world.sessionId, { type: 'network.asked', ask: { ...ask, askId: 'old' } });
  world.asks.repair(world.sessionId);
  expect(world.waiting()).toEqual([ask]);
});
