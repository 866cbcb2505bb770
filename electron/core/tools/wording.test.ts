import { expect, it } from 'vitest';
import { changeCount, counted, duration, grouped, headOf, oneLine } from './wording';

it.each([
  [counted(1, 'line'), '1 line'],
  [counted(0, 'line'), '0 lines'],
  [counted(1_204, 'character'), '1,204 characters'],
  [counted(2, 'match', 'matches'), '2 matches'],
  [grouped(999), '999'],
  [grouped(-123_456_789), '-123,456,789'],
  [grouped(1_234.5), '1,234.5'],
  [changeCount(3, 1_000), '+3 −1,000'],
  [duration(450.4), '450 ms'],
  [duration(12_300), '12 s'],
  [duration(59_700), '1 min'],
  [duration(125_000), '2 min 5 s'],
  [headOf('abc', 3), 'abc'],
  [headOf('abcd', 3), 'abc'],
  [headOf('ab😀', 3), 'ab'],
  [headOf('ab😀c', 4), 'ab😀'],
  [oneLine('  a\nb\r\nc\rd '), 'a ⏎ b ⏎ c ⏎ d'],
  [oneLine('abcdef', 3), 'abc…'],
])('%s', (made, expected) => {
  expect(made).toBe(expected);
});
