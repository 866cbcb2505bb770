import { expect, test } from 'vitest';
import { RpcError } from '#shared/rpc/errors';
import type { AskAnswer } from '#shared/session/ask';
import { ask, bench, deny, echoTool, message } from '../testing/bench';

/** A bench whose model asks for one call that has to ask. */
async function waiting(count = 1) {
  const call = (text: string) => ({ call: 'Echo', input: { text } });
  const b = bench({ plays: [message(...Array.from({ length: count }, (_, index) => call(`c${index}`)))] });
  b.setDecision(() => ask);
  let asked = 0;
  const all = b.until((body) => body.type === 'call.asked' && ++asked === count);
  const done = b.until((body) => body.type === 'turn.finished');
  b.agent.send(b.sessionId, 'go');
  await all;
  const askIds = b.events.flatMap(({ body }) => (body.type === 'call.asked' ? [body.ask.askId] : []));
  const answer = (askId: string | undefined, value: AskAnswer) =>
    b.asks.answer({ sessionId: b.sessionId, askId: askId ?? '', answer: value });
  return { b, askIds, answer, done };
}

const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: unknown) => (error instanceof RpcError ? error.code : error),
  );

test('allow once runs this call and says so', async () => {
  const { b, askIds, answer, done } = await waiting();
  await answer(askIds[0], { kind: 'allowOnce' });
  await done;
  expect(b.calls()[0]).toMatchObject({
    status: 'succeeded',
    decision: { behavior: 'allow', reason: { type: 'user', answer: 'once' } },
  });
  const permission = b.calls()[0]?.steps.find((step) => step.step === 'permission');
  expect(permission?.waitedMs).toBeGreaterThan(0);
});

test('the first answer wins; the second learns that it was late', async () => {
  const { askIds, answer, done } = await waiting();
  const first = answer(askIds[0], { kind: 'allowOnce' });
  expect(await code(answer(askIds[0], { kind: 'deny' }))).toBe('conflict');
  await first;
  await done;
});

test('two saving answers at once: one is carried out', async () => {
  const { askIds, answer, done } = await waiting();
  const always: AskAnswer = { kind: 'allowAlways', rules: ['Echo'], source: 'session' };
  const answers = await Promise.all([code(answer(askIds[0], always)), code(answer(askIds[0], always))]);
  expect(answers.sort()).toEqual(['conflict', 'none']);
  await done;
});

test('deny with words goes on and the words reach the model; deny without words ends the turn', async () => {
  const withWords = await waiting();
  await withWords.answer(withWords.askIds[0], { kind: 'deny', words: 'use the other file' });
  await withWords.done;
  expect(JSON.stringify(withWords.b.requests[1]?.messages.at(-1))).toContain('use the other file');
  const without = await waiting();
  await without.answer(without.askIds[0], { kind: 'deny' });
  await without.done;
  expect(without.b.requests).toHaveLength(1);
  expect(without.b.calls()[0]?.status).toBe('denied');
});

test('a rule that would not let the call through is refused and the ask stays', async () => {
  const { b, askIds, answer, done } = await waiting();
  const saved = answer(askIds[0], { kind: 'allowAlways', rules: ['!Echo'], source: 'localSettings' });
  await expect(saved).rejects.toThrow('Not saved: it would still not run. An ask rule in user settings matches.');
  expect(b.calls()[0]?.status).toBe('asking');
  await answer(askIds[0], { kind: 'allowOnce' });
  await done;
});

test('a saved rule settles the other asks it covers', async () => {
  const { b, askIds, answer, done } = await waiting(3);
  const allowing = { ...ask, behavior: 'allow' as const };
  b.setDecision(({ input }) => (input.text === 'c2' ? ask : allowing));
  await b.until((body) => body.type === 'call.answered' && body.by === 'rule');
  await answer(askIds[2], { kind: 'deny', words: 'no' });
  await done;
  expect(b.calls().map((call) => call.status)).toEqual(['succeeded', 'succeeded', 'denied']);
});

test('the answer names the other waiting calls that the saved rule answered, and only those', async () => {
  let saved = false;
  const b = bench({
    plays: [message(...['c0', 'c1', 'c2'].map((text) => ({ call: 'Echo', input: { text } })))],
    engine: {
      saveRules: () => {
        saved = true;
        return Promise.resolve({ ok: true, value: { where: 'this session', file: null, step: '1' } });
      },
    },
  });
  b.setDecision(({ input }) => (saved && input.text !== 'c2' ? { ...ask, behavior: 'allow' } : ask));
  let asked = 0;
  const all = b.until((body) => body.type === 'call.asked' && ++asked === 3);
  const done = b.until((body) => body.type === 'turn.finished');
  b.agent.send(b.sessionId, 'go');
  await all;
  const [first, , third] = b.events.flatMap(({ body }) => (body.type === 'call.asked' ? [body.ask.askId] : []));
  const about = { sessionId: b.sessionId, askId: first ?? '' };
  const answer = { kind: 'allowAlways' as const, rules: ['Echo'], source: 'session' as const };
  expect(await b.asks.answer({ ...about, answer })).toEqual({
    rules: ['Echo'],
    where: 'this session',
    step: expect.any(String),
    settled: ['Echo wants to run'],
  });
  await b.asks.answer({ ...about, askId: third ?? '', answer: { kind: 'deny', words: 'no' } });
  await done;
});

test('only rules of the session end by themselves', async () => {
  const { askIds, answer, done } = await waiting();
  const always = { kind: 'allowAlways' as const, rules: ['Echo'], lifetime: 'hour' as const };
  expect(await code(answer(askIds[0], { ...always, source: 'localSettings' }))).toBe('invalid');
  expect(await code(answer(askIds[0], { ...always, source: 'session' }))).toBe('none');
  await done;
});

test('a deny that appears while the person thinks holds against "allow once"', async () => {
  const { b, askIds, answer, done } = await waiting();
  b.setDecision(() => deny);
  await done;
  expect(await code(answer(askIds[0], { kind: 'allowOnce' }))).toBe('conflict');
  expect(b.calls()[0]?.status).toBe('denied');
});

test('stopping withdraws what waits, with one result each', async () => {
  const { b, askIds, answer } = await waiting(2);
  await b.agent.stop(b.sessionId);
  expect(b.calls().map((call) => call.status)).toEqual(['interrupted', 'interrupted']);
  expect(await code(answer(askIds[0], { kind: 'allowOnce' }))).toBe('conflict');
  const finished = b.events.filter(({ body }) => body.type === 'call.finished');
  expect(finished).toHaveLength(2);
});

test('an answer of the wrong kind is refused and changes nothing', async () => {
  const { b, askIds, answer, done } = await waiting();
  expect(await code(answer(askIds[0], { kind: 'answers', answers: {} }))).toBe('invalid');
  expect(await code(answer('a_unknown', { kind: 'allowOnce' }))).toBe('conflict');
  expect(b.calls()[0]?.status).toBe('asking');
  await answer(askIds[0], { kind: 'deny' });
  await done;
});

test('questions are answered with labels or declined with words', async () => {
  const questions = [{ question: 'Which?', header: 'Pick', multiSelect: false, options: [] }];
  const tool = echoTool({ run: async (_text, context) => JSON.stringify(await context.askPerson(questions)) });
  const b = bench({ tools: [tool], plays: [message({ call: 'Echo', input: { text: 'q' } })] });
  const asked = b.until((body) => body.type === 'call.asked');
  const done = b.until((body) => body.type === 'turn.finished');
  b.agent.send(b.sessionId, 'go');
  const event = await asked;
  const askId = event.type === 'call.asked' ? event.ask.askId : '';
  const answering = b.asks.answer({
    sessionId: b.sessionId,
    askId,
    answer: { kind: 'answers', answers: { 'Which?': ['A'] } },
  });
  expect(await answering).toBeNull();
  await done;
  expect(b.calls()[0]).toMatchObject({
    status: 'succeeded',
    modelText: '{"answered":true,"answers":{"Which?":["A"]}}',
  });
});
