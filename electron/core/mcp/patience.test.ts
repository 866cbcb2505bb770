import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Patience } from './patience';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

type What = 'ask' | 'answered' | 'fails' | 'sign' | 'end';

/** What happens at which millisecond to a request that may be silent for 1,000 ms, and when it is late. */
it.each<[string, readonly (readonly [number, What])[], number | null]>([
  ['nothing comes', [], 1_000],
  ['a sign of life', [[900, 'sign']], 1_900],
  ['an answer in time', [[900, 'end']], null],
  [
    'a person who thinks long',
    [
      [500, 'ask'],
      [9_000, 'answered'],
    ],
    10_000,
  ],
  [
    'an answer of the person just before a full time is over',
    [
      [1, 'ask'],
      [1_999, 'answered'],
    ],
    2_999,
  ],
  [
    'a question just before the time is over',
    [
      [999, 'ask'],
      [1_001, 'answered'],
    ],
    2_001,
  ],
  [
    'a sign of life while a person is asked',
    [
      [100, 'ask'],
      [200, 'sign'],
      [5_000, 'answered'],
    ],
    6_000,
  ],
  [
    'a question that fails',
    [
      [100, 'ask'],
      [5_000, 'fails'],
    ],
    6_000,
  ],
  [
    'an end while a person is asked',
    [
      [100, 'ask'],
      [200, 'end'],
      [300, 'answered'],
    ],
    null,
  ],
  [
    'a sign of life after the end',
    [
      [100, 'end'],
      [200, 'sign'],
    ],
    null,
  ],
])('%s', async (_, steps, lateAt) => {
  const began = Date.now();
  const patience = new Patience();
  const late: number[] = [];
  const wait = patience.wait(1_000, () => late.push(Date.now() - began));
  let answer = (_ok: boolean): void => undefined;
  let question: Promise<unknown> = Promise.resolve();
  for (const [at, what] of steps) {
    await vi.advanceTimersByTimeAsync(at - (Date.now() - began));
    if (what === 'sign') wait.anew();
    else if (what === 'end') wait.end();
    else if (what === 'ask')
      question = patience
        .whileAsking(
          () =>
            new Promise<void>((resolve, reject) => {
              answer = (ok) => (ok ? resolve() : reject(new Error('closed')));
            }),
        )
        .catch(() => undefined);
    else {
      answer(what === 'answered');
      await question;
    }
  }
  await vi.advanceTimersByTimeAsync(60_000);
  expect(late).toEqual(lateAt === null ? [] : [lateAt]);
  wait.end();
  expect(vi.getTimerCount()).toBe(0);
});
