import { expect, test } from 'vitest';
import { canonicalJson } from './canonicalJson';

test.each([
  { value: { b: 1, a: [true, null, 'x'] }, text: '{"a":[true,null,"x"],"b":1}' },
  { value: { b: undefined, a: { d: 1, c: 2 } }, text: '{"a":{"c":2,"d":1}}' },
  { value: [undefined, 1], text: '[null,1]' },
  { value: { 'ü"': 'line\nbreak' }, text: '{"ü\\"":"line\\nbreak"}' },
])('$text', ({ value, text }) => {
  expect(canonicalJson(value)).toBe(text);
});

test('the same value in another order gives the same text', () => {
  expect(canonicalJson({ a: 1, b: { c: 2, d: 3 } })).toBe(canonicalJson({ b: { d: 3, c: 2 }, a: 1 }));
});
