import { expect, test } from 'vitest';
import { capLines } from './lineCap';

test.each([
  { name: 'nothing', lines: [], expected: { head: [], hidden: 0, tail: [] } },
  { name: 'just fits', lines: [1, 2, 3, 4], expected: { head: [1, 2, 3, 4], hidden: 0, tail: [] } },
  { name: 'head and a larger tail', lines: [1, 2, 3, 4, 5, 6, 7], expected: { head: [1], hidden: 3, tail: [5, 6, 7] } },
])('$name', ({ lines, expected }) => {
  expect(capLines(lines, 4)).toEqual(expected);
});
