import { expect, it } from 'vitest';
import { succeeded } from '../testing/samples';
import { findTouched, touchedBy } from './touched';

const edit = succeeded({
  view: {
    kind: 'diff',
    path: '/srv/app/a.ts',
    created: false,
    added: 1,
    removed: 1,
    truncated: false,
    hunks: [
      {
        oldStart: 4,
        newStart: 4,
        lines: [
          { sign: ' ', text: 'three' },
          { sign: '-', text: 'four' },
          { sign: '+', text: 'FOUR' },
        ],
      },
    ],
  },
});

const found = (lines: readonly string[], firstLine = 1) => {
  const touched = touchedBy(edit);
  const marks = touched === null ? null : findTouched(touched, { lines, firstLine });
  return marks === null ? null : [[...marks.lines], marks.moved, marks.lost];
};

it.each([
  ['where it was', ['', '', '', 'three', 'FOUR'], [[5], 0, 0]],
  ['further down', ['new', '', '', '', 'three', 'FOUR'], [[6], 1, 0]],
  ['the nearest of two', ['three', 'FOUR', '', '', 'three', 'FOUR'], [[6], 1, 0]],
  ['written anew', ['', '', '', 'three', 'five'], [[], 0, 1]],
])('finds a change %s', (_name, lines, expected) => {
  expect(found(lines)).toEqual(expected);
});

it('counts from the first line that is there', () => {
  expect(found(['x', 'three', 'FOUR'], 1_000)).toEqual([[1_002], 1, 0]);
});

it('marks what was read, and nothing for other calls', () => {
  const read = touchedBy(succeeded({ view: { kind: 'text', text: 'a\nb\n', firstLine: 7 } }));
  expect(read === null ? null : [...findTouched(read, { lines: ['a', 'b'], firstLine: 7 }).lines]).toEqual([7, 8]);
  expect(touchedBy(succeeded())).toBeNull();
});
