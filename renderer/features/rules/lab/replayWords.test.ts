import { expect, test } from 'vitest';
import { headline } from './replayWords';
import { replay } from './testing/samples';

const row = (allow: number, ask: number, deny: number) => ({ allow, ask, deny });

test.each([
  [replay({}), 30, 'Over 30 days, 8,412 calls: 202 prompts fewer, 3 newly allowed, 0 newly denied, 54 undetermined'],
  [
    replay({
      calls: 1,
      matrix: { allow: row(0, 1, 0), ask: row(0, 0, 0), deny: row(0, 0, 0) },
      undetermined: [],
    }),
    7,
    'Over 7 days, 1 call: 1 prompt more, 0 newly allowed, 0 newly denied, 0 undetermined',
  ],
  [
    replay({
      matrix: { allow: row(0, 0, 2), ask: row(0, 0, 3), deny: row(0, 0, 0) },
      undetermined: [
        { reason: 'a', calls: 1 },
        { reason: 'b', calls: 2 },
      ],
    }),
    90,
    'Over 90 days, 8,412 calls: 3 prompts fewer, 0 newly allowed, 5 newly denied, 3 undetermined',
  ],
])('%#', (found, days, words) => {
  expect(headline(found, days)).toBe(words);
});
