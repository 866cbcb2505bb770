import { expect, it } from 'vitest';
import { diffOf } from './diffOf';

it('shows what became of a text line by line, without remarks on line ends', () => {
  expect(diffOf('add', { before: 'a\nb\nc', now: 'a\nx\nc' })).toEqual({
    kind: 'diff',
    path: 'add',
    created: false,
    hunks: [
      {
        oldStart: 1,
        newStart: 1,
        lines: [
          { sign: ' ', text: 'a' },
          { sign: '-', text: 'b' },
          { sign: '+', text: 'x' },
          { sign: ' ', text: 'c' },
        ],
      },
    ],
    added: 1,
    removed: 1,
    truncated: false,
  });
});

it('gives up comparing what has nothing in common, and shows both', () => {
  const many = (letter: string) => Array.from({ length: 3_000 }, (_, index) => `${letter}${index}`).join('\n');
  const view = diffOf('add', { before: many('a'), now: many('b') });
  expect([view.removed, view.added]).toEqual([3_000, 3_000]);
});
