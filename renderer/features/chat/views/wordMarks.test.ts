import { expect, test } from 'vitest';
import type { DiffHunk } from '#shared/tools/presentation';
import { type WordMark, wordMarks } from './wordMarks';

const lines = (...texts: string[]): DiffHunk['lines'] =>
  texts.map((text) => ({ sign: text.startsWith('+') ? '+' : text.startsWith('-') ? '-' : ' ', text: text.slice(1) }));

const cases: readonly [name: string, lines: DiffHunk['lines'], expected: [number, WordMark][]][] = [
  [
    'one changed word',
    lines(' a', '-return foo(1)', '+return bar(1)'),
    [
      [1, { from: 7, to: 10 }],
      [2, { from: 7, to: 10 }],
    ],
  ],
  [
    'an insertion at the end',
    lines('-let a', '+let a = 1'),
    [
      [0, { from: 5, to: 5 }],
      [1, { from: 5, to: 9 }],
    ],
  ],
  ['unequal runs have no pairs', lines('-a1', '+a2', '+a3'), []],
  ['lines with nothing in common', lines('-alpha', '+0123456'), []],
  ['added lines only', lines(' a', '+b'), []],
];
test.each(cases)('%s', (_name, given, expected) => {
  expect([...wordMarks(given)]).toEqual(expected);
});
