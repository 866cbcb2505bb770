import { expect, test } from 'vitest';
import { traced } from './traced';

const deep = { a: { b: { c: { d: { e: { f: { g: 1 } } } } } } };
const round: Record<string, unknown> = {};
round.self = round;
const sly = Object.defineProperty({}, 'x', {
  enumerable: true,
  get: () => {
    throw new Error('no');
  },
});

test.each([
  ['plain values', { a: 1, b: [true, null, 'x'], c: undefined }, { a: 1, b: [true, null, 'x'] }],
  [
    'what is no JSON',
    [undefined, () => 1, Number.NaN, 5n, Symbol('s')],
    ['(undefined)', '(function)', 'NaN', '(bigint)', '(symbol)'],
  ],
  ['depth', deep, { a: { b: { c: { d: { e: { f: '…' } } } } } }],
  ['a circle', round, { self: { self: { self: { self: { self: { self: '…' } } } } } }],
  ['a throwing getter', sly, '(could not be read)'],
  [
    'long lists',
    Array.from({ length: 32 }, (_, index) => index),
    [...Array.from({ length: 30 }, (_, index) => index), '… 2 more'],
  ],
  ['long text', 'x'.repeat(2_000), `${'x'.repeat(1_000)}… (2,000 characters)`],
  ['a pair at the cut', `${'x'.repeat(999)}😀x`, `${'x'.repeat(999)}… (1,002 characters)`],
])('%s', (_name, value, expected) => {
  expect(traced(value)).toEqual(expected);
});

test('many long texts together stay bounded', () => {
  const value = Array.from({ length: 30 }, () =>
    Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`k${i}`, 'y'.repeat(5_000)])),
  );
  expect(JSON.stringify(traced(value)).length).toBeLessThan(40_000);
});
