// Which part of a changed line differs: what stands between the common start and end of a removed and an added line.
import type { DiffHunk } from '#shared/tools/presentation';

export interface WordMark {
  readonly from: number;
  readonly to: number;
}

/** Marks by line index; only for runs of as many removed as added lines, where pairs are certain enough to help. */
export function wordMarks(lines: DiffHunk['lines']): Map<number, WordMark> {
  const marks = new Map<number, WordMark>();
  let index = 0;
  while (index < lines.length) {
    const removedFrom = index;
    while (lines[index]?.sign === '-') index += 1;
    const addedFrom = index;
    while (lines[index]?.sign === '+') index += 1;
    const removed = addedFrom - removedFrom;
    if (removed > 0 && removed === index - addedFrom) {
      for (let pair = 0; pair < removed; pair += 1) {
        const before = lines[removedFrom + pair]?.text ?? '';
        const after = lines[addedFrom + pair]?.text ?? '';
        const found = differing(before, after);
        if (found === null) continue;
        marks.set(removedFrom + pair, found.before);
        marks.set(addedFrom + pair, found.after);
      }
    }
    if (index === removedFrom) index += 1;
  }
  return marks;
}

function differing(before: string, after: string): { before: WordMark; after: WordMark } | null {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  // Lines with little in common are new lines, not changed ones: marks would be noise.
  if (start + end < shorter / 3) return null;
  return { before: { from: start, to: before.length - end }, after: { from: start, to: after.length - end } };
}
