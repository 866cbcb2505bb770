import { expect, test } from 'vitest';
import { ask, bench, deny, echoTool, message } from '../testing/bench';
import { ToolFailure } from '../tools/tool';

const ended = (body: { type: string }) => body.type === 'turn.finished';

async function run(options: Parameters<typeof bench>[0]) {
  const b = bench(options);
  const done = b.until(ended);
  b.agent.send(b.sessionId, 'go');
  await done;
  return b;
}

const steps = (call: { steps: readonly { step: string; outcome: string }[] } | undefined) =>
  call?.steps.map((step) => `${step.step} ${step.outcome}`);

test('a call passes the seven steps in order and its result reaches the model', async () => {
  const b = await run({ plays: [message({ call: 'Echo', input: { text: 'hello' } })] });
  const [call] = b.calls();
  expect(call).toMatchObject({ status: 'succeeded', modelText: 'hello', note: 'echoed' });
  expect(steps(call)).toEqual([
    'lookup passed',
    'input passed',
    'validation passed',
    'preHook skipped',
    'permission passed',
    'execution passed',
    'postHook skipped',
  ]);
  expect(b.requests[1]?.messages.at(-1)).toEqual({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'u0', content: [{ type: 'text', text: 'hello' }] }],
  });
  for (const step of call?.steps ?? []) expect(step.endedAt).toBeGreaterThanOrEqual(step.startedAt);
});

test.each([
  ['unknown tool', { call: 'Ecko', input: {} }, ['lookup stopped'], 'Did you mean Echo?'],
  [
    'invalid input',
    { call: 'Echo', input: { text: 5, more: 1 } },
    ['lookup passed', 'input stopped'],
    'unknown field `more`',
  ],
  ['input cut off', { call: 'Echo', input: {}, cutOff: true as const }, ['lookup passed', 'input stopped'], 'cut off'],
])('%s: never asks, tells the model what is wrong', async (_name, block, expected, words) => {
  const b = bench({ plays: [message(block)] });
  b.setDecision(() => ask);
  const done = b.until(ended);
  b.agent.send(b.sessionId, 'go');
  await done;
  const [call] = b.calls();
  expect(call?.status).toBe('failed');
  expect(steps(call)).toEqual(expected);
  expect(call?.status === 'failed' ? call.modelText : '').toContain(words);
  expect(call?.status === 'failed' ? call.modelText : '').toContain('<tool_use_error>');
});

test('an old name works and the result says what to call it now', async () => {
  const b = await run({ plays: [message({ call: 'OldEcho', input: { text: 'x' } })] });
  expect(b.calls()[0]).toMatchObject({
    status: 'succeeded',
    modelText: 'x\nThe tool name OldEcho is deprecated; call it Echo from now on.',
  });
});

test('a denied call is never run; the model learns which rule and that it concerns this call', async () => {
  const ran: string[] = [];
  const tool = echoTool({
    run: (text) => {
      ran.push(text);
      return Promise.resolve(text);
    },
  });
  const b = bench({ tools: [tool], plays: [message({ call: 'Echo', input: { text: 'x' } })] });
  b.setDecision(() => deny);
  const done = b.until(ended);
  b.agent.send(b.sessionId, 'go');
  await done;
  expect(ran).toEqual([]);
  const [call] = b.calls();
  expect(call).toMatchObject({ status: 'denied', note: 'denied by Echo · user, line 3' });
  expect(b.requests).toHaveLength(2);
  expect(JSON.stringify(b.requests[1]?.messages.at(-1))).toContain(
    'The rule is about Echo as a whole: use another tool.',
  );
});

test.each([
  [
    'expected failure',
    () => Promise.reject(new ToolFailure('notFound', 'No such file. Search first.')),
    'notFound',
    'No such file. Search first.',
  ],
  [
    'a fault of ours',
    () => Promise.reject(Object.assign(new Error('/secret/path'), { code: 'EIO' })),
    'internal',
    'Error:EIO',
  ],
  ['not even an error', () => Promise.reject('text'), 'internal', 'UnknownError'],
])('a tool that fails gives one error result: %s', async (_name, fail, failure, words) => {
  const b = await run({ tools: [echoTool({ run: fail })], plays: [message({ call: 'Echo', input: { text: 'x' } })] });
  const [call] = b.calls();
  expect(call).toMatchObject({ status: 'failed', failure });
  expect(call?.status === 'failed' ? call.modelText : '').toContain(words);
  expect(call?.status === 'failed' ? call.modelText : '').not.toContain('/secret/path');
  expect(b.requests[1]?.messages.at(-1)).toMatchObject({ content: [{ type: 'tool_result', is_error: true }] });
});

test('a failing call cancels no sibling', async () => {
  const tool = echoTool({
    run: (text) => (text === 'bad' ? Promise.reject(new ToolFailure('tool', 'bad')) : Promise.resolve(text)),
  });
  const b = await run({
    tools: [tool],
    plays: [message({ call: 'Echo', input: { text: 'bad' } }, { call: 'Echo', input: { text: 'good' } })],
  });
  expect(b.calls().map((call) => call.status)).toEqual(['failed', 'succeeded']);
});

test('a long result is bounded for the model and says how much is missing', async () => {
  const b = await run({
    tools: [echoTool({ run: () => Promise.resolve('x'.repeat(50_000)) })],
    plays: [message({ call: 'Echo', input: { text: 'x' } })],
  });
  const [call] = b.calls();
  const text = call?.status === 'succeeded' ? call.modelText : '';
  expect(text).toContain('30,000 characters left out');
  expect(text.length).toBeLessThan(20_100);
});

test('what a call printed before it was stopped stays visible, and the track shows where it ended', async () => {
  const view = { kind: 'terminal' as const, command: 'make', output: 'half' };
  const tool = echoTool({
    run: (_text, { signal }) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new ToolFailure('aborted', 'Stopped after half.', { view }))),
      ),
  });
  const b = bench({ tools: [tool], plays: [message({ call: 'Echo', input: { text: 'x' } })] });
  const started = b.until((body) => body.type === 'call.started');
  b.agent.send(b.sessionId, 'go');
  await started;
  await b.agent.stop(b.sessionId);
  const [call] = b.calls();
  expect(call).toMatchObject({ status: 'interrupted', modelText: 'Stopped after half.', view });
  expect(steps(call)?.at(-1)).toBe('execution stopped');
});
