// What hooks of the permission step do: they answer in place of a person, change rules and hear of refusals.
import { afterEach, expect, test, vi } from 'vitest';
import type { HookOutcome } from '../hooks/hooks';
import { permissionHookMs } from './permissionHook';
import { answering, fakeHooks, opinion, updatedInput } from './testing/fakeHooks';
import { type RuledBench, type RuledBenchOptions, ruledBench } from './testing/ruledBench';

const open: RuledBench[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(open.splice(0).map((one) => one.dispose()));
});

async function world(options: RuledBenchOptions = {}): Promise<RuledBench> {
  const made = await ruledBench(options);
  open.push(made);
  return made;
}

const make = { command: 'make all' };

interface Row {
  readonly name: string;
  readonly hook: Partial<HookOutcome>;
  readonly canAsk?: false;
  readonly rules?: Pick<RuledBenchOptions, 'allow' | 'ask' | 'deny'>;
  readonly mode?: 'default' | 'bypassPermissions' | 'dontAsk' | 'plan' | 'auto';
  readonly command?: string;
  /** What was run, whether a person was asked, and how the decision names itself. */
  readonly ran: readonly string[];
  readonly asked: number;
  readonly reason: string | undefined;
}

const asking = (outcome: Partial<HookOutcome>) => fakeHooks({ PermissionRequest: outcome });

const requestRows: readonly Row[] = [
  { name: 'no answer leaves it to the person', hook: {}, ran: ['make all'], asked: 1, reason: 'user' },
  { name: 'allow answers', hook: opinion('allow'), ran: ['make all'], asked: 0, reason: 'hook' },
  { name: 'deny answers', hook: opinion('deny'), ran: [], asked: 0, reason: 'hook' },
  { name: 'a block denies', hook: { block: { reason: 'failed', hook: 'x' } }, ran: [], asked: 0, reason: 'hook' },
  {
    name: 'allow opens a critical removal',
    hook: opinion('allow'),
    command: 'rm -rf /',
    ran: ['rm -rf /'],
    asked: 0,
    reason: 'hook',
  },
  {
    name: 'allow opens no ask rule',
    hook: opinion('allow'),
    rules: { ask: ['Bash(make *)'] },
    ran: ['make all'],
    asked: 1,
    reason: 'user',
  },
  {
    name: 'deny holds against an ask rule',
    hook: opinion('deny'),
    rules: { ask: ['Bash(make *)'] },
    ran: [],
    asked: 0,
    reason: 'hook',
  },
  {
    name: 'changed input that a deny rule names is denied',
    hook: { ...opinion('allow'), ...updatedInput({ command: 'curl x' }) },
    rules: { deny: ['Bash(curl *)'] },
    ran: [],
    asked: 0,
    reason: 'rule',
  },
  {
    name: 'changed input that an ask rule names is asked',
    hook: { ...opinion('allow'), ...updatedInput({ command: 'curl x' }) },
    rules: { ask: ['Bash(curl *)'] },
    ran: ['curl x'],
    asked: 1,
    reason: 'user',
  },
  {
    name: 'changed input runs',
    hook: { ...opinion('allow'), ...updatedInput({ command: 'make one' }) },
    ran: ['make one'],
    asked: 0,
    reason: 'hook',
  },
  {
    name: 'invalid changed input runs nothing',
    hook: { ...opinion('allow'), ...updatedInput({ no: 1 }) },
    ran: [],
    asked: 0,
    reason: undefined,
  },
  {
    name: 'where nobody is asked it may allow',
    hook: opinion('allow'),
    mode: 'dontAsk',
    ran: ['make all'],
    asked: 0,
    reason: 'hook',
  },
  { name: 'where nobody is asked no answer is a deny', hook: {}, mode: 'dontAsk', ran: [], asked: 0, reason: 'mode' },
  {
    name: 'where nobody is there it may allow',
    hook: opinion('allow'),
    canAsk: false,
    ran: ['make all'],
    asked: 0,
    reason: 'hook',
  },
  {
    name: 'where nobody is there no answer is a deny',
    hook: {},
    canAsk: false,
    ran: [],
    asked: 0,
    reason: 'nobodyToAsk',
  },
  {
    name: 'where nobody is there an ask rule is a deny',
    hook: opinion('allow'),
    canAsk: false,
    rules: { ask: ['Bash'] },
    ran: [],
    asked: 0,
    reason: 'nobodyToAsk',
  },
];

test.each(requestRows)(
  'PermissionRequest: $name',
  async ({ hook, rules, mode = 'default', command = 'make all', canAsk, ...expected }) => {
    const hooks = asking(hook);
    const w = await world({ hooks, ...rules, ...(canAsk === undefined ? {} : { canAsk }) });
    const { call } = await w.run({ input: { command }, mode });
    expect({ ran: w.ran, asked: w.asked.length, reason: call.decision?.reason.type }).toEqual({
      ran: expected.ran,
      asked: expected.asked,
      reason: expected.reason,
    });
    expect(hooks.fired.map(({ event }) => event.name)).toEqual(['PermissionRequest']);
  },
);

test.each([
  ['an allow rule', { allow: ['Bash'] }],
  ['a deny rule', { deny: ['Bash'] }],
] as const)('PermissionRequest does not fire where %s has decided', async (_name, rules) => {
  const hooks = asking(opinion('allow'));
  const w = await world({ hooks, ...rules });
  await w.run({ input: make });
  expect(hooks.fired).toEqual([]);
});

test('without hooks a call that would ask where nobody is there is denied, and says what would have been asked', async () => {
  const w = await world({ canAsk: false });
  const { call } = await w.run({ input: make });
  expect(call.decision?.reason).toMatchObject({
    type: 'nobodyToAsk',
    detail: expect.stringContaining('nobody can be asked here, and this needs an answer: '),
  });
});

test('a PermissionRequest hook may end the turn with its deny', async () => {
  const w = await world({ hooks: asking({ ...opinion('deny', 'no'), interrupt: true }) });
  expect((await w.run({ input: make })).after).toEqual({
    stopTurn: true,
    stopText: 'The turn was ended by the hook guard.sh: no',
  });
});

test('changes that come with an allow are made; what may not be changed is told', async () => {
  const w = await world({
    hooks: asking({
      ...opinion('allow'),
      permissionUpdates: [
        { type: 'addRules', behavior: 'allow', rules: ['Bash(make *)'], destination: 'session' },
        { type: 'addRules', behavior: 'deny', rules: ['Bash(curl *)'], destination: 'localSettings' },
        { type: 'addDirectories', directories: ['/srv/more'] },
        { type: 'setMode', mode: 'acceptEdits' },
        { type: 'addRules', behavior: 'allow', rules: ['Bash(('], destination: 'session' },
      ],
    }),
  });
  await w.run({ input: make });
  const view = w.engine.view(w.sessionId);
  expect(view.rules.map((rule) => `${rule.source} ${rule.behavior} ${rule.text}`)).toEqual(
    expect.arrayContaining(['session allow Bash(make *)', 'localSettings deny Bash(curl *)']),
  );
  expect(view.folders).toContain('/srv/more');
  expect(w.bench.sessions.state(w.sessionId).mode).toBe('acceptEdits');
  expect(w.notices()).toEqual([
    expect.stringContaining('A change asked for by the hook guard.sh: because was not made'),
  ]);
  await w.run({ input: { command: 'make two' }, mode: 'acceptEdits' });
  expect([w.ran, w.asked]).toEqual([['make all', 'make two'], []]);
});

test('a mode that is locked stays locked', async () => {
  const hooks = asking({ ...opinion('allow'), permissionUpdates: [{ type: 'setMode', mode: 'bypassPermissions' }] });
  const modeAvailable = () => ({ available: false, reason: 'Bypass must be enabled when Gatehouse is started.' });
  const w = await world({ hooks, engine: { modeAvailable } });
  await w.run({ input: make });
  expect(w.bench.sessions.state(w.sessionId).mode).toBe('default');
  expect(w.notices()[0]).toContain('Bypass must be enabled');
});

test('a deny brings no changes', async () => {
  const permissionUpdates = [{ type: 'setMode', mode: 'acceptEdits' }] as const;
  const w = await world({ hooks: asking({ ...opinion('deny'), permissionUpdates }) });
  await w.run({ input: make });
  expect(w.bench.sessions.state(w.sessionId).mode).toBe('default');
});

test('hooks that take too long do not keep the person from being asked', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const w = await world({ hooks: answering('PermissionRequest', () => new Promise(() => undefined)) });
  const running = w.run({ input: make });
  await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0), { interval: 1 });
  await vi.advanceTimersByTimeAsync(permissionHookMs + 5_000);
  expect((await running).call.status).toBe('succeeded');
  expect(w.asked).toHaveLength(1);
});

test('PermissionDenied hears of what the classifier refuses in auto, and may let the model try again', async () => {
  const hooks = fakeHooks({ PermissionDenied: { retry: true } });
  const w = await world({
    hooks,
    shell: { toAutoClassifierInput: ({ command }) => command },
    classifier: { classify: () => Promise.resolve({ behavior: 'deny', confidence: 'high', reason: 'It deletes.' }) },
  });
  const { call } = await w.run({ input: make, mode: 'auto' });
  expect(call.status).toBe('denied');
  expect('modelText' in call ? call.modelText : '').toContain('A hook says that you may try this call again.');
  expect(hooks.fired.map(({ event }) => event)).toMatchObject([
    { name: 'PermissionDenied', reason: 'the classifier: It deletes.' },
  ]);
});

test('the time of a person is told apart from that of hooks and of the tool', async () => {
  let clock = 1_000;
  const takes = (ms: number) => {
    clock += ms;
  };
  const hooks = answering('PermissionRequest', () => {
    takes(40);
    return Promise.resolve({});
  });
  const questions = [{ question: 'Which?', header: 'Which', options: [], multiSelect: false }];
  const w = await world({
    hooks,
    services: { now: () => clock },
    shell: {
      async call({ command }, context) {
        takes(7);
        await context.askPerson(questions);
        return command;
      },
    },
  });
  w.bench.sessions.listen({
    onEvent: (_id, { body }) => {
      if (body.type !== 'call.asked') return;
      takes(500);
      if (body.ask.kind !== 'question') return;
      const { askId } = body.ask;
      const answer = { kind: 'answers' as const, answers: { 'Which?': ['a'] } };
      queueMicrotask(() => void w.bench.asks.answer({ sessionId: w.sessionId, askId, answer }));
    },
    onLive: () => undefined,
    onListChange: () => undefined,
  });
  const { call } = await w.run({ input: make });
  const times = (name: string) => {
    const step = call.steps.find((one) => one.step === name);
    return step === undefined ? null : [step.endedAt - step.startedAt, step.waitedMs, step.output];
  };
  expect(times('permission')).toEqual([
    540,
    500,
    expect.objectContaining({ behavior: 'allow', askedPerson: true, hooks: { output: { ran: 1 }, tookMs: 40 } }),
  ]);
  expect(times('execution')).toEqual([507, 500, expect.objectContaining({ durationMs: 7 })]);
});
