import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineSplitter } from './lineSplitter';

function split(pieces: readonly Buffer[], maxBytes = 1_000) {
  const splitter = new LineSplitter(maxBytes);
  const lines: (string | null)[] = [];
  for (const piece of pieces) splitter.push(piece, (line) => lines.push(line?.toString('latin1') ?? null));
  return { lines, rest: splitter.rest?.toString('latin1') ?? null, complete: splitter.completeBytes };
}

it('gives the same lines however the file comes in pieces', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 60 }),
      fc.array(fc.nat(60)),
      (text, cuts) => {
        const ends = [...cuts.map((cut) => Math.min(cut, text.length)), text.length].sort((a, b) => a - b);
        const pieces = ends.map((end, index) => Buffer.from(text.slice(ends[index - 1] ?? 0, end)));
        const lines = text.split('\n');
        const rest = lines.pop() ?? '';
        expect(split(pieces)).toEqual({ lines, rest, complete: text.length - rest.length });
      },
    ),
  );
});

it('passes a line over that is too long, holding none of it, and goes on behind it', () => {
  const long = Buffer.alloc(600, 'x');
  const { lines, rest, complete } = split([Buffer.from('a\n'), long, long, long, Buffer.from('\nb\nc')]);
  expect(lines).toEqual(['a', null, 'b']);
  expect([rest, complete]).toEqual(['c', 2 + 1_801 + 2]);
  expect(split([long, long]).rest).toBe(null);
});
