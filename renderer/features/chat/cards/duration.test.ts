import { expect, test } from 'vitest';
import { formatDuration, formatElapsed } from './duration';

test.each([
  [-1, '0.0 ms'],
  [0.13, '0.1 ms'],
  [4.2, '4 ms'],
  [999, '999 ms'],
  [999.7, '1.0 s'],
  [2_140, '2.1 s'],
  [59_940, '59.9 s'],
  [59_960, '1 m 0 s'],
  [72_000, '1 m 12 s'],
  [7_500_000, '2 h 5 m'],
])('%d ms is %s', (ms, expected) => {
  expect(formatDuration(ms)).toBe(expected);
});

test.each([
  [-5, '0 s'],
  [12_900, '12 s'],
  [72_000, '1 m 12 s'],
  [3_660_000, '1 h 1 m'],
])('%d ms running is %s', (ms, expected) => {
  expect(formatElapsed(ms)).toBe(expected);
});
