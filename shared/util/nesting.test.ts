import { expect, it } from 'vitest';
import { isNestedTooDeep } from './nesting';

const nested = (depth: number, open: string, close: string): unknown =>
  JSON.parse(`${open.repeat(depth)}1${close.repeat(depth)}`);

// As functions, because a test's title cannot show the values.
it.each<[string, () => unknown, boolean]>([
  ['a number', () => 5, false],
  ['an empty list', () => [], false],
  ['many side by side', () => Array.from({ length: 10_000 }, () => [[{}]]), false],
  ['lists as people nest them', () => nested(100, '[', ']'), false],
  ['lists without end', () => nested(100_000, '[', ']'), true],
  ['objects without end', () => nested(100_000, '{"a":', '}'), true],
])('%s', (_name, value, tooDeep) => {
  expect(isNestedTooDeep(value())).toBe(tooDeep);
});
