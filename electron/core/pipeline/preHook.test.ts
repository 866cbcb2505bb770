// What PreToolUse hooks make of a call before it runs: their word and their input.
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { HookOutcome } from '../hooks/hooks';
import { buildTool } from '../tools/buildTool';
import { answering, fakeHooks, opinion, updatedInput } from './testing/fakeHooks';
import { type RuledBench, type RuledBenchOptions, ruledBench } from './testing/ruledBench';

const open: RuledBench[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.dispose()));
});

async function world(options: RuledBenchOptions = {}): Promise<RuledBench> {
  const made = await ruledBench(options);
  open.push(made);
  return made;
}

const pre = (outcome: Partial<HookOutcome>) => fakeHooks({ PreToolUse: outcome });
const make = { command: 'make all' };

interface Row {
  readonly name: string;
  readonly hook: Partial<HookOutcome>;
  readonly rules?: Pick<RuledBenchOptions, 'allow' | 'ask' | 'deny'>;
  readonly mode?: 'default' | 'bypassPermissions' | 'dontAsk' | 'plan' | 'auto';
  readonly command?: string;
  /** What was run, whether a person was asked, and how the decision names itself. */
  readonly ran: readonly string[];
  readonly asked: number;
  readonly reason: string | undefined;
}

const rows: readonly Row[] = [
  { name: 'no opinion leaves it to the rules', hook: {}, ran: ['make all'], asked: 1, reason: 'user' },
  { name: 'allow saves the question', hook: opinion('allow'), ran: ['make all'], asked: 0, reason: 'hook' },
  {
    name: 'deny holds against an allow rule',
    hook: opinion('deny'),
    rules: { allow: ['Bash'] },
    ran: [],
    asked: 0,
    reason: 'hook',
  },
  { name: 'deny holds in bypass', hook: opinion('deny'), mode: 'bypassPermissions', ran: [], asked: 0, reason: 'hook' },
  {
    name: 'ask is a floor under an allow rule',
    hook: opinion('ask'),
    rules: { allow: ['Bash'] },
    ran: ['make all'],
    asked: 1,
    reason: 'user',
  },
  {
    name: 'ask is a floor in bypass',
    hook: opinion('ask'),
    mode: 'bypassPermissions',
    ran: ['make all'],
    asked: 1,
    reason: 'user',
  },
  {
    name: 'ask is a deny where nobody is asked',
    hook: opinion('ask'),
    rules: { allow: ['Bash'] },
    mode: 'dontAsk',
    ran: [],
    asked: 0,
    reason: 'mode',
  },
  {
    name: 'defer asks where nobody takes it over',
    hook: opinion('defer'),
    rules: { allow: ['Bash'] },
    ran: ['make all'],
    asked: 1,
    reason: 'user',
  },
  {
    name: 'allow never beats a deny rule',
    hook: opinion('allow'),
    rules: { deny: ['Bash(make *)'] },
    ran: [],
    asked: 0,
    reason: 'rule',
  },
  {
    name: 'allow never beats an ask rule',
    hook: opinion('allow'),
    rules: { ask: ['Bash(make *)'] },
    ran: ['make all'],
    asked: 1,
    reason: 'user',
  },
  {
    name: 'allow opens no critical removal',
    hook: opinion('allow'),
    command: 'rm -rf /',
    ran: ['rm -rf /'],
    asked: 1,
    reason: 'user',
  },
  {
    name: 'allow changes nothing in plan mode',
    hook: opinion('allow'),
    mode: 'plan',
    ran: ['make all'],
    asked: 1,
    reason: 'user',
  },
  {
    name: 'a block is a deny whatever else is said',
    hook: { ...opinion('allow'), block: { reason: 'stop it', hook: 'block.sh' } },
    rules: { allow: ['Bash'] },
    ran: [],
    asked: 0,
    reason: 'hook',
  },
  {
    name: 'changed input runs instead',
    hook: { ...opinion('allow'), ...updatedInput({ command: 'make one' }) },
    ran: ['make one'],
    asked: 0,
    reason: 'hook',
  },
  {
    name: 'changed input without an opinion is decided by the rules',
    hook: updatedInput({ command: 'make one' }),
    rules: { allow: ['Bash(make one)'] },
    ran: ['make one'],
    asked: 0,
    reason: 'rule',
  },
  {
    name: 'a deny rule sees the changed input',
    hook: { ...opinion('allow'), ...updatedInput({ command: 'curl x' }) },
    rules: { deny: ['Bash(curl *)'] },
    ran: [],
    asked: 0,
    reason: 'rule',
  },
  {
    name: 'a deny rule sees the original input',
    hook: { ...opinion('allow'), ...updatedInput({ command: 'ls' }) },
    rules: { deny: ['Bash(make *)'] },
    ran: [],
    asked: 0,
    reason: 'rule',
  },
  {
    name: 'an ask rule sees the original input',
    hook: { ...opinion('allow'), ...updatedInput({ command: 'ls' }) },
    rules: { ask: ['Bash(make *)'] },
    ran: ['ls'],
    asked: 1,
    reason: 'user',
  },
  {
    name: 'invalid changed input runs nothing',
    hook: { ...opinion('allow'), ...updatedInput({ cmd: 'ls' }) },
    ran: [],
    asked: 0,
    reason: undefined,
  },
  {
    name: 'changed input that is no JSON runs nothing',
    hook: { ...opinion('allow'), ...updatedInput({ command: () => 1 }) },
    ran: [],
    asked: 0,
    reason: undefined,
  },
  {
    name: 'a deny with invalid changed input is a deny',
    hook: { ...opinion('deny'), ...updatedInput(5) },
    ran: [],
    asked: 0,
    reason: 'hook',
  },
  {
    name: 'the end of the turn beats an allow',
    hook: { ...opinion('allow'), stop: { reason: 'enough', hook: 'stop.sh' } },
    rules: { allow: ['Bash'] },
    ran: [],
    asked: 0,
    reason: 'hook',
  },
];

test.each(rows)('PreToolUse: $name', async ({ hook, rules, mode = 'default', command = 'make all', ...expected }) => {
  const w = await world({ hooks: pre(hook), ...rules });
  const { call } = await w.run({ input: { command }, mode });
  expect({ ran: w.ran, asked: w.asked.length, reason: call.decision?.reason.type }).toEqual({
    ran: expected.ran,
    asked: expected.asked,
    reason: expected.reason,
  });
});

test('what a hook says reaches the model, what it wants to say to the person becomes a notice', async () => {
  const block = { reason: 'not on a Friday', hook: 'guard.sh' };
  const w = await world({ hooks: pre({ block, context: ['It is Friday.'], messages: ['guard.sh: be careful'] }) });
  const { call, after } = await w.run({ input: make });
  expect(call).toMatchObject({ status: 'denied', note: 'denied by the hook guard.sh: not on a Friday' });
  expect('modelText' in call ? call.modelText : '').toContain('Denied: the hook guard.sh: not on a Friday.');
  expect(after).toEqual({ stopTurn: false });
  expect(w.notices()).toEqual(['guard.sh: be careful']);
  expect(w.bench.events.map(({ body }) => body).filter((body) => body.type === 'context.added')).toEqual([
    { type: 'context.added', from: 'PreToolUse hook', text: 'It is Friday.' },
  ]);
  expect(call.steps.find((step) => step.step === 'preHook')).toMatchObject({
    outcome: 'touched',
    note: 'denied by the hook guard.sh: not on a Friday',
    input: make,
    output: { ran: 1, block },
  });
});

test('continue:false denies the call and ends the turn, with the reason for the person', async () => {
  const w = await world({ hooks: pre({ stop: { reason: 'budget used up', hook: 'stop.sh' } }), allow: ['Bash'] });
  const { call, after } = await w.run({ input: make });
  expect(call.status).toBe('denied');
  expect(after).toEqual({ stopTurn: true, stopText: 'The turn was ended by the hook stop.sh: budget used up' });
});

test('hooks see the observable input, the call gets the model’s own', async () => {
  const hooks = pre({});
  const given: unknown[] = [];
  const w = await world({
    hooks,
    allow: ['Bash'],
    shell: {
      observableInput: (input, place) => ({ ...input, cwd: place.cwd }),
      call: (input) => {
        given.push(input);
        return Promise.resolve('');
      },
    },
  });
  const { call } = await w.run({ input: make });
  expect(hooks.fired).toEqual([
    {
      event: {
        name: 'PreToolUse',
        call: { toolName: 'Bash', toolInput: { command: 'make all', cwd: w.folder }, toolUseId: 'toolu_1' },
      },
      place: { sessionId: w.sessionId, callId: 'm.1', folder: w.folder, cwd: w.folder, mode: 'default' },
    },
  ]);
  expect(given).toEqual([make]);
  expect(call.input).toEqual(make);
});

test('a hook that gives back what it was shown has changed nothing', async () => {
  const observed = { command: 'make all', cwd: '' };
  const w = await world({
    hooks: answering('PreToolUse', (event) =>
      Promise.resolve(updatedInput('call' in event ? event.call.toolInput : null)),
    ),
    allow: ['Bash'],
    shell: { observableInput: (input) => ({ ...observed, ...input }) },
  });
  const { call } = await w.run({ input: make });
  expect([w.ran, call.status, call.steps.find((step) => step.step === 'preHook')?.outcome]).toEqual([
    ['make all'],
    'succeeded',
    'passed',
  ]);
});

test('the person is shown what would run, the transcript keeps what the model asked for', async () => {
  const w = await world({ hooks: pre(updatedInput({ command: 'make one' })) });
  const { call } = await w.run({ input: make });
  expect(w.asked).toEqual([{ input: { command: 'make one' } }]);
  expect(call.input).toEqual(make);
  expect(call.presentation.summary).toBe('make one');
});

test('changed input that the tool’s own validation rejects says so to the model and names the hook', async () => {
  const w = await world({
    hooks: pre(updatedInput({ command: 'bad' })),
    allow: ['Bash'],
    shell: {
      validateInput: ({ command }) =>
        Promise.resolve(
          command === 'bad' ? { verdict: 'reject', message: 'Too bad.', errorCode: 'bad' } : { verdict: 'ok' },
        ),
    },
  });
  const { call } = await w.run({ input: make });
  expect(call).toMatchObject({
    status: 'failed',
    failure: 'input',
    note: 'the hook rewrite.sh made the input invalid',
  });
  const text = 'modelText' in call ? call.modelText : '';
  expect(text).toContain('Too bad.');
  expect(text.match(/tool_use_error>/g)).toHaveLength(2);
  expect(call.steps.map((step) => `${step.step} ${step.outcome}`).at(-1)).toBe('preHook stopped');
});

test('what the tool itself says counts for both inputs', async () => {
  const w = await world({
    hooks: pre({ ...opinion('allow'), ...updatedInput({ command: 'ls' }) }),
    shell: {
      checkPermissions: ({ command }) =>
        command === 'make all' ? { behavior: 'deny', detail: 'never' } : { behavior: 'passthrough' },
    },
  });
  expect((await w.run({ input: make })).call.decision?.reason).toEqual({ type: 'tool', detail: 'never' });
});

test('a deferral that the host takes over ends the call unrun and the turn', async () => {
  const taken: unknown[] = [];
  const services = {
    deferCall: (deferral: unknown) => {
      taken.push(deferral);
      return true;
    },
  };
  const w = await world({ hooks: pre(opinion('defer', 'ask at night')), services, allow: ['Bash'] });
  const { call, after } = await w.run({ input: make });
  expect([call.status, w.ran, after.stopTurn]).toEqual(['interrupted', [], true]);
  expect(taken).toEqual([{ sessionId: w.sessionId, callId: 'm.1', hook: 'guard.sh', reason: 'ask at night' }]);
});

/** A tool that is itself a question. */
const question = (answered: unknown[]) =>
  buildTool<{ text: string }, string>({
    name: 'Question',
    prompt: 'Asks.',
    icon: 'question',
    inputSchema: () => z.strictObject({ text: z.string() }),
    requiresUserInteraction: () => true,
    facts: () => [],
    call: ({ text }) => {
      answered.push(text);
      return Promise.resolve(text);
    },
    mapResult: (output) => [{ type: 'text', text: output }],
    getToolUseSummary: ({ text }) => text,
    getActivityDescription: () => 'Asking',
    renderUse: ({ text }) => ({ kind: 'text', text }),
    renderResult: (output) => ({ view: { kind: 'text', text: output }, note: 'asked' }),
  });

test.each([
  ['a bare allow counts for nothing', opinion('allow'), 1],
  ['an allow with its input counts', { ...opinion('allow'), ...updatedInput({ text: 'answered' }) }, 0],
])('a tool that is a question: %s', async (_name, hook, asks) => {
  const answered: unknown[] = [];
  const w = await world({ hooks: pre(hook), tools: [question(answered)] });
  await w.run({ tool: 'Question', input: { text: 'why' } });
  expect(w.asked).toHaveLength(asks);
});

test('the classifier judges what a hook made of the call, never its first form', async () => {
  const judged: string[] = [];
  const w = await world({
    hooks: pre(updatedInput({ command: 'make one' })),
    shell: { toAutoClassifierInput: ({ command }) => command },
    classifier: {
      classify: ({ call }) => {
        judged.push(call);
        return Promise.resolve({ behavior: 'allow', confidence: 'high', reason: 'fine' });
      },
    },
  });
  const { call } = await w.run({ input: make, mode: 'auto' });
  expect(judged).toContain('make one');
  expect([w.ran, call.decision?.reason.type]).toEqual([['make one'], 'classifier']);
});
