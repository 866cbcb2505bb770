import { expect, test } from 'vitest';
import { type ModelEvent, ModelFailure } from '../model/client';
import { maxAttempts, modelStep } from './modelStep';

const block: ModelEvent = { type: 'block', index: 0, block: { type: 'text', text: 'x' }, cutOff: false };
const overloaded = new ModelFailure('Overloaded.', { next: '', retryable: true });

/** Each attempt plays its events, then throws its error if there is one. */
async function attempts(
  plays: { events?: ModelEvent[]; error?: ModelFailure }[],
  abortAfter = Number.POSITIVE_INFINITY,
) {
  const abort = new AbortController();
  const waits: number[] = [];
  let count = 0;
  const step = modelStep({
    client: {
      scripted: false,
      listModels: () => Promise.resolve([]),
      async *stream() {
        const play = plays[Math.min(count, plays.length - 1)];
        count += 1;
        await Promise.resolve();
        yield* play?.events ?? [];
        if (play?.error !== undefined) throw play.error;
      },
    },
    request: { model: 'm', system: '', tools: [], messages: [], signal: abort.signal },
    onEvent: () => undefined,
    onRetry: ({ waitMs }) => waits.push(waitMs),
    sleep: () => {
      if (waits.length >= abortAfter) abort.abort();
      return Promise.resolve();
    },
    random: () => 1,
  });
  const outcome = await step.then(
    () => 'done',
    (error: unknown) => (error instanceof ModelFailure ? error.message : error),
  );
  return { outcome, count, waits };
}

const wish = (retryAfterMs: number) => new ModelFailure('Limited.', { next: '', retryable: true, retryAfterMs });

test.each([
  ['first attempt answers', [{}], { outcome: 'done', count: 1, waits: [] }],
  [
    'waits double',
    [{ error: overloaded }, { error: overloaded }, {}],
    { outcome: 'done', count: 3, waits: [500, 1_000] },
  ],
  ["the server's wish counts", [{ error: wish(3_000) }, {}], { outcome: 'done', count: 2, waits: [3_000] }],
  [
    'nothing is replayed after a whole block',
    [{ events: [block], error: overloaded }],
    { outcome: 'Overloaded.', count: 1, waits: [] },
  ],
  [
    'attempts end',
    [{ error: overloaded }],
    {
      outcome: 'Overloaded.',
      count: maxAttempts,
      waits: [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 32_000, 32_000],
    },
  ],
  [
    'people hear sooner of a server that cannot be reached',
    [{ error: new ModelFailure('Unreachable.', { next: '', retryable: true, mostAttempts: 3 }) }],
    { outcome: 'Unreachable.', count: 3, waits: [500, 1_000] },
  ],
])('%s', async (_name, plays, expected) => {
  expect(await attempts(plays)).toEqual(expected);
});

test('stopping while it waits ends at once', async () => {
  expect(await attempts([{ error: overloaded }], 1)).toEqual({ outcome: 'Overloaded.', count: 1, waits: [500] });
});
