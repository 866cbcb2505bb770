import { expect, it } from 'vitest';
import { LineMatcher, PatternTooSlow } from './lineMatcher';

it.each([
  [/ready/, ['a', 'not yet', 'server ready', 'ready'], 2],
  [/^ready$/i, ['x ready', 'READY'], 1],
  [/a/g, ['b', 'a'], 1],
  [/z/, [], -1],
  [/end$/, [`${'x'.repeat(10_000)}end`], -1],
  [/^x+/, ['x'.repeat(10_000_000)], 0],
])('%s', (pattern, lines, found) => {
  const matcher = new LineMatcher(pattern);
  expect([matcher.find(lines), matcher.find(lines)]).toEqual([found, found]);
});

it.each([
  [/^(a+)+$/, `${'a'.repeat(60)}b`],
  [/(x|x|x)*y$/, 'x'.repeat(60)],
  [/^(.*a){30}$/, 'a'.repeat(4_000)],
])('%s ends before it holds everything up', (pattern, line) => {
  const startedAt = performance.now();
  expect(() => new LineMatcher(pattern).find([line])).toThrow(PatternTooSlow);
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});

it('counts slow looks together', () => {
  const matcher = new LineMatcher(/^(.*)(.*)(.*)b$/);
  const looks = () => {
    for (let round = 0; round < 1_000; round += 1) matcher.find(['a'.repeat(300)]);
  };
  expect(looks).toThrow(PatternTooSlow);
});

it('takes any number of quick looks', () => {
  const matcher = new LineMatcher(/ready/);
  for (let round = 0; round < 20_000; round += 1) matcher.find(['not yet']);
  expect(matcher.find(['ready'])).toBe(0);
});
