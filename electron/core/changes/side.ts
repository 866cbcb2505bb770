// What a file is at a moment, and how three such moments go together.
import { isUtf8 } from 'node:buffer';
import { type Conflict, linesOf, mergeLines } from './textMerge';

/** Larger texts are not compared by lines. */
const largestCompared = 2_000_000;

/** A file with its bytes; null: it is not there. `mode`: permission bits, null where the system has none. */
export type Side = { readonly hash: string; readonly bytes: Buffer; readonly mode: number | null } | null;

/** A side of which the bytes are not looked at yet. */
export type SideFacts = { readonly hash: string; readonly mode: number | null } | null;

export function isText(side: Side): boolean {
  return side === null || (isUtf8(side.bytes) && !side.bytes.includes(0));
}

/** Whether it can be shown and merged by lines. */
export function isComparable(side: Side): boolean {
  return side === null || (side.bytes.length <= largestCompared && isText(side));
}

export const sameContent = (one: SideFacts, other: SideFacts): boolean => one?.hash === other?.hash;

/** Lines with their ends; none of a file that is not there. A byte order mark belongs to the first line. */
export function linesIn(side: Side): string[] {
  return side === null ? [] : linesOf(side.bytes.toString('utf8'));
}

export interface MergedSide {
  readonly bytes: Buffer | null;
  readonly mode: number | null;
  readonly conflicts: readonly Conflict[];
  /** Both changed it, and not by lines that could be compared: mine stands. */
  readonly whole: boolean;
  readonly place: (line: number) => number;
}

const unmoved = (line: number): number => line;

/** Puts the change from `base` to `mine` on `theirs`. Where they collide, mine stands and the place is named. */
export function mergeSides(sides: { readonly base: Side; readonly mine: Side; readonly theirs: Side }): MergedSide {
  const { base, mine, theirs } = sides;
  const result = (side: Side, whole = false): MergedSide => ({
    bytes: side?.bytes ?? null,
    mode: side === null ? null : mergedMode(sides),
    conflicts: [],
    whole,
    place: unmoved,
  });
  if (sameContent(theirs, base)) return result(mine);
  if (sameContent(mine, base) || sameContent(mine, theirs)) return result(theirs);
  if (base === null || mine === null || theirs === null) return result(mine, true);
  if (![base, mine, theirs].every(isComparable)) return result(mine, true);
  const merged = mergeLines({ base: linesIn(base), mine: linesIn(mine), theirs: linesIn(theirs) });
  const { conflicts, place } = merged;
  return { bytes: Buffer.from(merged.lines.join('')), mode: mergedMode(sides), conflicts, whole: false, place };
}

/** Permission bits that somebody changed since stay as they are. */
function mergedMode({
  base,
  mine,
  theirs,
}: { readonly [side in 'base' | 'mine' | 'theirs']: SideFacts }): number | null {
  if (mine === null || theirs === null) return (mine ?? theirs)?.mode ?? null;
  return base === null || base.mode === theirs.mode ? mine.mode : theirs.mode;
}
