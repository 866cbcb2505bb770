import { expect, it } from 'vitest';
import type { DiffHunk } from '#shared/tools/presentation';
import { type DiffLook, diffModel } from './diffModel';

const hunk = (lines: readonly string[], oldStart = 1, newStart = 1): DiffHunk => ({
  oldStart,
  newStart,
  lines: lines.map((line) => {
    const sign = line.charAt(0);
    const end = line.endsWith('\r') ? { end: 'crlf' as const } : line.endsWith('∅') ? { end: 'none' as const } : {};
    return { sign: sign === '+' || sign === '-' ? sign : ' ', text: line.slice(1).replace(/[\r∅]$/, ''), ...end };
  }),
});
const look: DiffLook = { split: false, ignoreBlanks: false, fold: false };

/** `12|13 text` for each row; changes with their number. */
const drawn = (hunks: readonly DiffHunk[], change: Partial<DiffLook> = {}) =>
  diffModel(hunks, { ...look, ...change }).rows.map((row) => {
    if (row.kind !== 'lines') return row.kind === 'gap' ? '⋯' : `${row.count} folded`;
    const text = [row.old?.line.text, row.new?.line.text].filter((one) => one !== undefined);
    return `${row.old?.number ?? ''}|${row.new?.number ?? ''} ${[...new Set(text)].join(' → ')}${row.change < 0 ? '' : ` #${row.change}`}`;
  });

const edit = hunk([' a', '-b', '-c', '+B', ' d', '+e'], 10, 20);

it.each<readonly [string, readonly DiffHunk[], Partial<DiffLook>, readonly string[]]>([
  ['unified', [edit], {}, ['10|20 a', '11| b #0', '12| c #0', '|21 B #0', '13|22 d', '|23 e #1']],
  ['split', [edit], { split: true }, ['10|20 a', '11|21 b → B #0', '12| c #0', '13|22 d', '|23 e #1']],
  ['folded', [edit], { fold: true }, ['1 folded', '11| b #0', '12| c #0', '|21 B #0', '1 folded', '|23 e #1']],
  ['two hunks', [hunk(['-a']), hunk(['+b'], 9, 8)], {}, ['1| a #0', '⋯', '|8 b #1']],
  [
    'blanks do not count',
    [hunk(['-if (a) {', '-  b();', '+if (a) {', '+\tb();', '+  c();'])],
    { ignoreBlanks: true },
    ['1|1 if (a) {', '2|2 \tb();', '|3   c(); #0'],
  ],
  ['nothing but blanks', [hunk(['-a ', '+a'])], { ignoreBlanks: true }, ['1|1 a']],
])('%s', (_name, hunks, change, expected) => {
  expect(drawn(hunks, change)).toEqual(expected);
});

it.each([
  ['line feeds', [hunk(['-a', '+b'])], null],
  ['Windows', [hunk([' a\r', '-b\r', '+c\r'])], 'Lines end with CRLF.'],
  ['changed', [hunk(['-a\r', '+a'])], 'Line ends change from CRLF to LF.'],
  ['a new file', [hunk(['+a\r', '+b'])], 'Lines end with LF and CRLF.'],
  ['a missing end is no Windows', [hunk(['-a∅', '+b∅'])], null],
] as const)('tells line ends: %s', (_name, hunks, expected) => {
  expect(diffModel(hunks, look).ends).toBe(expected);
});
