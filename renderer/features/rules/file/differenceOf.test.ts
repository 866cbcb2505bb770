// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { differenceOf } from './CodeEditor';

test.each([
  ['abc', 'abc'],
  ['', 'abc'],
  ['abc', ''],
  ['abc', 'abXc'],
  ['aaa', 'aaaa'],
  ['aaaa', 'aa'],
  ['one two', 'one 2 two'],
])('%j becomes %j', (before, after) => {
  const { from, to, insert } = differenceOf(before, after);
  expect(before.slice(0, from) + insert + before.slice(to)).toBe(after);
  expect(to - from + insert.length).toBeLessThanOrEqual(Math.abs(after.length - before.length) + 1);
});
