// What the guards and the classifier make of calls in a turn.
import { expect, test } from 'vitest';
import type { PermissionMode } from '#shared/permissions/modes';
import type { ClassifierAnswer, ClassifierQuestion, ModelClassifier } from '../permissions/classifier';
import type { Classification, PermissionEngine } from '../permissions/engine';
import { ask, bench, deny, echoTool, message } from '../testing/bench';
import type { AnyTool } from '../tools/tool';

const echo = (text: string) => ({ call: 'Echo', input: { text } });
const finished = (body: { readonly type: string }) => body.type === 'turn.finished';

/** Answers each ask as it comes. */
function answering(b: ReturnType<typeof bench>, answer: (askId: string) => void): () => number {
  let asked = 0;
  b.sessions.listen({
    onEvent: (_id, { body }) => {
      if (body.type !== 'call.asked') return;
      asked += 1;
      queueMicrotask(() => answer(body.ask.askId));
    },
    onLive: () => undefined,
    onListChange: () => undefined,
  });
  return () => asked;
}

const denyWith = (b: ReturnType<typeof bench>) => (askId: string) =>
  void b.asks.answer({ sessionId: b.sessionId, askId, answer: { kind: 'deny', words: 'no' } });
const allow = (b: ReturnType<typeof bench>) => (askId: string) =>
  void b.asks.answer({ sessionId: b.sessionId, askId, answer: { kind: 'allowOnce' } });

test('after three denials the fourth is denied without asking; model and person are told', async () => {
  const b = bench({ guarded: true, plays: ['a', 'b', 'c', 'd'].map((text) => message(echo(text))) });
  b.setDecision(() => ask);
  const asked = answering(b, denyWith(b));
  const done = b.until(finished);
  b.agent.send(b.sessionId, 'go');
  await done;
  expect(asked()).toBe(3);
  expect(b.calls().map((call) => call.decision?.reason.type)).toEqual(['user', 'user', 'user', 'denialLimit']);
  expect(JSON.stringify(b.requests.at(-1)?.messages.at(-1))).toContain(
    'Do not repeat it: try another way, or tell the person what you need and why.',
  );
  expect(b.sessions.state(b.sessionId).items.filter((item) => item.kind === 'notice')).toMatchObject([
    {
      level: 'warning',
      text: 'You denied Echo 3 times within five minutes, so it is denied without asking for a while.',
      next: 'To be asked again at once, lift this at the top of the page.',
    },
  ]);
});

test('asks of the same pattern that wait already are settled by the limit', async () => {
  const b = bench({ guarded: true, plays: [message(echo('a'), echo('b'), echo('c'), echo('d'), echo('e'))] });
  b.setDecision(() => ask);
  const askIds: string[] = [];
  let denied = 0;
  const done = b.until(finished);
  b.sessions.listen({
    onEvent: (_id, { body }) => {
      if (body.type !== 'call.asked') return;
      askIds.push(body.ask.askId);
      if (askIds.length < 5) return;
      for (const askId of askIds.slice(0, 3)) {
        denied += 1;
        denyWith(b)(askId);
      }
    },
    onLive: () => undefined,
    onListChange: () => undefined,
  });
  b.agent.send(b.sessionId, 'go');
  await done;
  expect(denied).toBe(3);
  expect(b.calls().map((call) => call.decision?.reason.type)).toEqual([
    'user',
    'user',
    'user',
    'denialLimit',
    'denialLimit',
  ]);
});

test('the third identical call in a row asks though it is allowed; once allowed, counting starts anew', async () => {
  const b = bench({ guarded: true, plays: Array.from({ length: 7 }, () => message(echo('a'))) });
  const asked = answering(b, allow(b));
  const done = b.until(finished);
  b.agent.send(b.sessionId, 'go');
  await done;
  expect(asked()).toBe(2);
  expect(b.calls().map((call) => call.decision?.reason.type)).toEqual([
    'readOnly',
    'readOnly',
    'user',
    'readOnly',
    'readOnly',
    'user',
    'readOnly',
  ]);
});

test('other calls in between are no loop', async () => {
  const b = bench({ guarded: true, plays: ['a', 'a', 'b', 'a', 'a'].map((text) => message(echo(text))) });
  const asked = answering(b, allow(b));
  const done = b.until(finished);
  b.agent.send(b.sessionId, 'go');
  await done;
  expect(asked()).toBe(0);
});

test.each<[PermissionMode, string]>([
  ['dontAsk', 'denied'],
  ['bypassPermissions', 'succeeded'],
])('in %s the third identical call is %s, nobody is asked', async (mode, status) => {
  const b = bench({ guarded: true, plays: Array.from({ length: 3 }, () => message(echo('a'))) });
  b.sessions.append(b.sessionId, { type: 'mode.changed', mode });
  const asked = answering(b, allow(b));
  const done = b.until(finished);
  b.agent.send(b.sessionId, 'go');
  await done;
  expect([asked(), b.calls().at(-1)?.status]).toEqual([0, status]);
});

/** A tool that tells a classifier what it does. */
const told = (): AnyTool => ({ ...echoTool({}), toAutoClassifierInput: () => 'echo something' });

const classification = (more: Partial<Classification> = {}): Pick<PermissionEngine, 'classify'> => ({
  classify: () =>
    Promise.resolve({
      effect: { effect: 'unknown', why: 'not known' },
      descriptions: { allow: ['echoes'], deny: [] },
      mode: 'default',
      open: true,
      problem: '',
      ...more,
    }),
});

function judged(options: {
  readonly classify: ModelClassifier['classify'];
  readonly engine?: Partial<PermissionEngine>;
  readonly calls?: number;
}) {
  const plays = Array.from({ length: options.calls ?? 1 }, (_, index) => message(echo(`c${index}`)));
  const b = bench({
    guarded: true,
    tools: [told()],
    plays,
    classifier: { classify: options.classify },
    engine: options.engine ?? classification(),
  });
  b.setDecision(() => ask);
  return b;
}

const says =
  (behavior: ClassifierAnswer['behavior'], confidence: ClassifierAnswer['confidence'] = 'high') =>
  () =>
    Promise.resolve({ behavior, confidence, reason: 'It only echoes.' });

async function run(b: ReturnType<typeof bench>) {
  const asked = answering(b, allow(b));
  const done = b.until(finished);
  b.agent.send(b.sessionId, 'go');
  await done;
  return { asked: asked(), reasons: b.calls().map((call) => call.decision?.reason) };
}

const because = { type: 'classifier', detail: 'the classifier: It only echoes.' };

test.each([
  ['a sure allow runs it', says('allow'), 0, because],
  ['a sure deny refuses it', says('deny'), 0, because],
  ['an unsure allow asks', says('allow', 'medium'), 1, { type: 'user', answer: 'once' }],
  ['no opinion asks', says('none'), 1, { type: 'user', answer: 'once' }],
  ['a failure asks', () => Promise.reject(new Error('no network')), 1, { type: 'user', answer: 'once' }],
] as const)('%s', async (_name, classify, asked, reason) => {
  expect(await run(judged({ classify }))).toEqual({ asked, reasons: [reason] });
});

test('it is told the call, the folder, the descriptions and what the command does', async () => {
  const questions: ClassifierQuestion[] = [];
  const b = judged({
    classify: (question) => {
      questions.push(question);
      return says('allow')();
    },
  });
  await run(b);
  expect(questions).toEqual([
    {
      toolName: 'Echo',
      call: 'echo something',
      folder: '/folder',
      cwd: '/folder',
      mode: 'default',
      descriptions: { allow: ['echoes'], deny: [] },
      effect: { effect: 'unknown', why: 'not known' },
      model: { id: 'test', label: 'Test', scripted: false },
    },
  ]);
});

test.each<[string, Partial<Classification>]>([
  ['what only reads', { effect: { effect: 'readOnly', why: 'a read' } }],
  ['what rules and mode decide', { open: false }],
  ['anything where nothing is described and the mode is another', { descriptions: { allow: [], deny: [] } }],
])('it is not asked about %s', async (_name, more) => {
  let questions = 0;
  const b = judged({
    classify: () => {
      questions += 1;
      return says('allow')();
    },
    engine: classification(more),
  });
  expect([(await run(b)).asked, questions]).toEqual([1, 0]);
});

test('what a rule decides it does not decide', async () => {
  const b = judged({ classify: says('allow') });
  b.setDecision(() => deny);
  expect((await run(b)).reasons).toEqual([deny.reason]);
  const other = judged({ classify: says('allow') });
  other.setDecision(() => ({ ...ask, reason: { ...deny.reason } }));
  expect(await run(other)).toEqual({ asked: 1, reasons: [{ type: 'user', answer: 'once' }] });
});

test('it is not asked where no model may be, and the ask says why', async () => {
  const b = judged({ classify: says('allow'), engine: classification({ problem: 'nothing is set up' }) });
  const words = classifierWords(b);
  expect((await run(b)).asked).toBe(1);
  expect(words).toEqual(['not asked, because nothing is set up']);
});

test.each([
  ['it is unsure', says('deny', 'low'), 'not sure whether to deny it: It only echoes.'],
  ['it has no opinion', says('none'), 'It only echoes.'],
  ['it fails', () => Promise.reject(new Error('no network')), 'the model could not be asked'],
] as const)('the ask carries its word when %s', async (_name, classify, expected) => {
  const b = judged({ classify });
  const words = classifierWords(b);
  await run(b);
  expect(words).toEqual([expected]);
});

/** What each ask says of the classifier. */
function classifierWords(b: ReturnType<typeof bench>): (string | undefined)[] {
  const words: (string | undefined)[] = [];
  b.sessions.listen({
    onEvent: (_id, { body }) => {
      if (body.type === 'call.asked' && body.ask.kind === 'permission') words.push(body.ask.classifier);
    },
    onLive: () => undefined,
    onListChange: () => undefined,
  });
  return words;
}

/** One letter a call: who decided it. */
const letters = (reasons: readonly ({ readonly type: string } | undefined)[]) =>
  reasons.map((reason) => (reason?.type === 'classifier' ? 'c' : reason?.type === 'user' ? 'p' : '?')).join('');

test.each<[string, readonly ClassifierAnswer['behavior'][], string]>([
  ['three in a row; once a person allowed one it blocks again', Array(9).fill('deny'), 'cccpcccpc'],
  ['three in a row: what it would allow then is the person’s too', ['deny', 'deny', 'deny', 'allow', 'allow'], 'cccpc'],
  ['an allow in between ends the row', ['deny', 'deny', 'allow', 'deny', 'deny', 'allow'], 'cccccc'],
  [
    'twenty in total, never three in a row',
    Array.from({ length: 33 }, (_, index) => (index % 3 === 2 ? 'allow' : 'deny')),
    `${'c'.repeat(29)}p${'c'.repeat(3)}`,
  ],
])('after too many blocks a person is asked again: %s', async (_name, behaviors, expected) => {
  let at = 0;
  const classify = () => says(behaviors[at++] ?? 'none')();
  const { asked, reasons } = await run(judged({ classify, calls: behaviors.length }));
  expect([letters(reasons), asked]).toEqual([expected, expected.split('p').length - 1]);
});

test('a person who denies keeps deciding', async () => {
  const b = judged({ classify: says('deny'), calls: 6 });
  const asked = answering(b, denyWith(b));
  const done = b.until(finished);
  b.agent.send(b.sessionId, 'go');
  await done;
  const reasons = b.calls().map((call) => call.decision?.reason);
  expect([letters(reasons), asked()]).toEqual(['cccppp', 3]);
});
