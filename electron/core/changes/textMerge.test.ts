import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { applyHunks, hunksBetween } from './hunks';
import { linesOf, mergeLines, replacements } from './textMerge';

const lines = (text: string) => text.split('');

describe('two changes of one text', () => {
  const cases: [name: string, base: string, mine: string, theirs: string, merged: string, conflicts: string[]][] = [
    ['only mine', 'abcdef', 'aBcdef', 'abcdef', 'aBcdef', []],
    ['only theirs', 'abcdef', 'abcdef', 'abcdEf', 'abcdEf', []],
    ['apart', 'abcdef', 'aBcdef', 'abcdEf', 'aBcdEf', []],
    ['the same', 'abcdef', 'aBcdef', 'aBcdef', 'aBcdef', []],
    ['the same line', 'abcdef', 'aBcdef', 'aXcdef', 'aBcdef', ['b|B|X']],
    ['neighbouring lines', 'abcdef', 'aBcdef', 'abCdef', 'aBcdef', ['bc|Bc|bC']],
    ['deleted and changed', 'abcdef', 'adef', 'abXdef', 'adef', ['bc||bX']],
    ['both insert at one place', 'ab', 'a1b', 'a2b', 'a1b', ['|1|2']],
    ['inserted at either end', 'ab', '0ab', 'ab9', '0ab9', []],
    ['a conflict and a change apart', 'abcdefgh', 'aBcdefgh', 'aXcdefGh', 'aBcdefGh', ['b|B|X']],
  ];
  it.each(cases)('%s', (_name, base, mine, theirs, merged, conflicts) => {
    const result = mergeLines({ base: lines(base), mine: lines(mine), theirs: lines(theirs) });
    expect(result.lines.join('')).toBe(merged);
    expect(
      result.conflicts.map((one) => [one.base, one.mine, one.theirs].map((text) => text.join('')).join('|')),
    ).toEqual(conflicts);
    for (const { from, to, mine: wins } of result.conflicts) expect(result.lines.slice(from, to)).toEqual(wins);
  });
});

const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\r\n', 'd\n', '\n'), { maxLength: 14 });

test('what turns one text into another does so, whole or hunk by hunk in any order', () => {
  fc.assert(
    fc.property(text, text, fc.infiniteStream(fc.nat(9)), (old, changed, order) => {
      const { hunks, truncated, added, removed } = hunksBetween(old, changed, 1_000);
      expect(truncated).toBe(false);
      expect(
        applyHunks(
          old,
          hunks.map(({ at }) => at),
        ),
      ).toBe(changed.join(''));
      expect(changed.length - old.length).toBe(added - removed);
      let now: string[] = [...old];
      let left = hunks.length;
      while (left > 0) {
        const rest = hunksBetween(now, changed, 1_000).hunks;
        const one = rest[(order.next().value ?? 0) % Math.max(1, rest.length)];
        if (one === undefined) break;
        now = linesOf(applyHunks(now, [one.at]));
        left -= 1;
      }
      for (const { oldStart, lines: shown, at } of hunks) {
        const head = shown.findIndex(({ sign }) => sign !== ' ');
        expect(oldStart - 1 + head).toBe(at.from);
      }
    }),
    { numRuns: 200 },
  );
});

test('a merge with an unchanged side is the other side, and a place in theirs is found again', () => {
  fc.assert(
    fc.property(text, text, text, (base, mine, theirs) => {
      expect(mergeLines({ base, mine, theirs: base }).lines).toEqual(mine);
      expect(mergeLines({ base, mine: base, theirs }).lines).toEqual(theirs);
      const merged = mergeLines({ base, mine, theirs });
      if (mine.join() === base.join())
        for (let line = 0; line <= theirs.length; line += 1) expect(merged.place(line)).toBe(line);
      if (replacements(mine, theirs).length === 0) expect(merged.conflicts).toEqual([]);
      for (const { from, to } of merged.conflicts)
        expect(merged.lines.length).toBeGreaterThanOrEqual(Math.max(from, to));
    }),
    { numRuns: 200 },
  );
});
