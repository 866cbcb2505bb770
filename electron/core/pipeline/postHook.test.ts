// What hooks do after a call has run, and that they never cost its result.
import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { HookOutcome } from '../hooks/hooks';
import { ToolFailure } from '../tools/tool';
import { answering, fakeHooks } from './testing/fakeHooks';
import { type RuledBench, type RuledBenchOptions, ruledBench } from './testing/ruledBench';

const open: RuledBench[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(open.splice(0).map((one) => one.dispose()));
});

async function world(options: RuledBenchOptions = {}): Promise<RuledBench> {
  const made = await ruledBench({ allow: ['Bash'], ...options });
  open.push(made);
  return made;
}

const make = { command: 'make' };
const failing = { call: () => Promise.reject(new ToolFailure('tool', 'Exit code 2\nno rule')) };
const updatedOutput = (value: unknown): Partial<HookOutcome> => ({ updatedOutput: { value, hook: 'redact.sh' } });

interface Row {
  readonly name: string;
  readonly hook: Partial<HookOutcome>;
  readonly shell?: RuledBenchOptions['shell'];
  readonly text: string;
  readonly step: string;
}

test.each<Row>([
  { name: 'nothing to say', hook: {}, text: 'ran make', step: 'passed: 1 hook' },
  {
    name: 'a block adds its reason beside the result',
    hook: { block: { reason: 'format it first', hook: 'lint.sh' } },
    text: 'ran make\nAfter the call the hook lint.sh: format it first',
    step: 'touched: the hook lint.sh: format it first',
  },
  {
    name: 'text replaces the output of a tool without a schema',
    hook: updatedOutput('ran ***'),
    text: 'ran ***',
    step: 'touched: the hook redact.sh replaced the output',
  },
  {
    name: 'anything else does not fit such a tool',
    hook: updatedOutput({ stdout: '' }),
    text: 'ran make',
    step: 'touched: the hook redact.sh gave an output that does not fit; the tool’s own stays',
  },
  {
    name: 'an output that fits the schema replaces it',
    hook: updatedOutput('short'),
    shell: { outputSchema: () => z.string().max(10) },
    text: 'short',
    step: 'touched: the hook redact.sh replaced the output',
  },
  {
    name: 'an output that does not fit the schema is left aside',
    hook: updatedOutput('much too long'),
    shell: { outputSchema: () => z.string().max(10) },
    text: 'ran make',
    step: 'touched: the hook redact.sh gave an output that does not fit; the tool’s own stays',
  },
  {
    name: 'text for the model',
    hook: { context: ['The build is slow today.'] },
    text: 'ran make',
    step: 'touched: text added for the model',
  },
])('PostToolUse: $name', async ({ hook, shell, text, step }) => {
  const w = await world({ hooks: fakeHooks({ PostToolUse: hook }), ...(shell === undefined ? {} : { shell }) });
  const { call } = await w.run({ input: make });
  expect(call).toMatchObject({ status: 'succeeded', modelText: text });
  const last = call.steps.at(-1);
  expect(`${last?.step} ${last?.outcome}: ${last?.note}`).toBe(`postHook ${step}`);
});

test('PostToolUse is told the output and how long the call took', async () => {
  const hooks = fakeHooks({ PostToolUse: {}, PostToolUseFailure: {} });
  const w = await world({ hooks });
  await w.run({ input: make });
  expect(hooks.fired.map(({ event }) => event)).toEqual([
    {
      name: 'PostToolUse',
      call: { toolName: 'Bash', toolInput: make, toolUseId: 'toolu_1' },
      toolResponse: 'ran make',
      durationMs: expect.any(Number),
    },
  ]);
});

test('PostToolUseFailure is told the error; its reason stands beside it', async () => {
  const hooks = fakeHooks({ PostToolUse: {}, PostToolUseFailure: { block: { reason: 'run configure', hook: 'h' } } });
  const w = await world({ hooks, shell: failing });
  const { call } = await w.run({ input: make });
  expect(call).toMatchObject({
    status: 'failed',
    failure: 'tool',
    modelText: 'Exit code 2\nno rule\nAfter the call the hook h: run configure',
  });
  expect(hooks.fired.map(({ event }) => event)).toMatchObject([
    { name: 'PostToolUseFailure', error: 'Exit code 2\nno rule', isInterrupt: false },
  ]);
});

test.each([
  ['a denied call', { deny: ['Bash'] }, make],
  ['invalid input', {}, { cmd: 'make' }],
])('no hook hears of %s', async (_name, rules, input) => {
  const hooks = fakeHooks({ PostToolUse: {}, PostToolUseFailure: {} });
  const w = await world({ hooks, ...rules });
  await w.run({ input });
  expect(hooks.fired).toEqual([]);
});

test('the notice about an old name stays, whatever becomes of the result', async () => {
  const notice = '\nThe tool name Shell is deprecated; call it Bash from now on.';
  const aliases = ['Shell'];
  const replaced = await world({ hooks: fakeHooks({ PostToolUse: updatedOutput('***') }), shell: { aliases } });
  expect((await replaced.run({ tool: 'Shell', input: make })).call).toMatchObject({ modelText: `***${notice}` });
  const failed = await world({ shell: { aliases, ...failing } });
  expect((await failed.run({ tool: 'Shell', input: make })).call).toMatchObject({
    modelText: `Exit code 2\nno rule${notice}`,
  });
});

test('continue:false keeps the result and ends the turn', async () => {
  const w = await world({ hooks: fakeHooks({ PostToolUse: { stop: { reason: 'done', hook: 'stop.sh' } } }) });
  const { call, after } = await w.run({ input: make });
  expect(call).toMatchObject({ status: 'succeeded', modelText: 'ran make' });
  expect(after).toEqual({ stopTurn: true, stopText: 'The turn was ended by the hook stop.sh: done' });
});

test('hooks that fail cost nothing but themselves', async () => {
  const w = await world({ hooks: answering('PostToolUse', () => Promise.reject(new RangeError('x'))) });
  const { call } = await w.run({ input: make });
  expect(call).toMatchObject({ status: 'succeeded', modelText: 'ran make' });
  expect(call.steps.at(-1)?.note).toBe('hooks failed: RangeError; the result stays');
});

test('a hook that hangs after a call leaves its result as soon as the person stops', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const stop = new AbortController();
  const hooks = answering('PostToolUse', () => {
    queueMicrotask(() => stop.abort());
    return new Promise(() => undefined);
  });
  const w = await world({ hooks });
  const running = w.run({ input: make, signal: stop.signal });
  await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0), { interval: 1 });
  await vi.advanceTimersByTimeAsync(5_000);
  const { call } = await running;
  expect(call).toMatchObject({ status: 'succeeded', modelText: 'ran make' });
  expect(call.steps.at(-1)?.note).toBe('hooks were stopped; the result stays');
});

test('an interrupted call is told to its hooks with a signal of their own', async () => {
  const stop = new AbortController();
  const aborted: boolean[] = [];
  const hooks = answering('PostToolUseFailure', (_event, signal) => {
    aborted.push(signal.aborted);
    return Promise.resolve({});
  });
  const call = () => {
    stop.abort();
    return Promise.reject(new ToolFailure('aborted', 'Stopped after half.'));
  };
  const w = await world({ hooks, shell: { call } });
  expect((await w.run({ input: make, signal: stop.signal })).call.status).toBe('interrupted');
  expect(aborted).toEqual([false]);
  expect(hooks.fired.map(({ event }) => event)).toMatchObject([{ name: 'PostToolUseFailure', isInterrupt: true }]);
});
