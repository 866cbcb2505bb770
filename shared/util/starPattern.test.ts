import { expect, it } from 'vitest';
import { starPattern } from './starPattern';

it.each<[string, string, boolean]>([
  ['', '', true],
  ['', 'a', false],
  ['a', 'a', true],
  ['a', 'ab', false],
  ['*', '', true],
  ['*', 'a\nb', true],
  ['a*', 'a', true],
  ['a*', 'ba', false],
  ['*a', 'ba', true],
  ['*a', 'ab', false],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['a**c', 'abc', true],
  ['a.c', 'abc', false],
  ['[a]{1}*', '[a]{1}x', true],
])('%j on %j: %s', (pattern, text, fits) => {
  expect(starPattern(pattern).test(text)).toBe(fits);
});

it('is quick where a regular expression of as many stars is not, and takes patterns of any length', () => {
  const startedAt = process.cpuUsage();
  expect(starPattern(`${'a*'.repeat(40)}b`).test('a'.repeat(5_000))).toBe(false);
  expect(starPattern('a'.repeat(500_000)).test('a'.repeat(500_000))).toBe(true);
  const { user } = process.cpuUsage(startedAt);
  expect(user / 1_000).toBeLessThan(1_000);
});
