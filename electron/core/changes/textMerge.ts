// Joins two changes of one text line by line, and says where they do not go together.
import { diffArrays } from 'diff';

/** Longest comparison, in milliseconds; beyond it what differs counts as one piece. */
const comparisonMs = 300;

/** Lines `from` up to, not including, `to` of the old text become `lines`. */
export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/** A place where both changes touch the same or neighbouring lines; what the first one wants stands in the merged text. */
export interface Conflict {
  /** Lines of the merged text. */
  readonly from: number;
  readonly to: number;
  readonly base: readonly string[];
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
}

export interface Merged {
  readonly lines: readonly string[];
  readonly conflicts: readonly Conflict[];
  /** Where a line boundary of `theirs` lies in the merged text. */
  readonly place: (line: number) => number;
}

/** Lines with their ends; joined they are the text again. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** What turns one list of lines into the other, in order, none touching the next. */
export function replacements(old: readonly string[], changed: readonly string[]): Replacement[] {
  const most = Math.min(old.length, changed.length);
  let start = 0;
  while (start < most && old[start] === changed[start]) start += 1;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === changed.at(-1 - end)) end += 1;
  const before = old.slice(start, old.length - end);
  const after = changed.slice(start, changed.length - end);
  if (before.length === 0 && after.length === 0) return [];
  const whole = { from: start, to: old.length - end, lines: after };
  if (before.length === 0 || after.length === 0) return [whole];
  const parts = diffArrays(before, after, { timeout: comparisonMs });
  if (parts === undefined) return [whole];
  const found: Replacement[] = [];
  let at = start;
  let open: { from: number; to: number; lines: string[] } | null = null;
  for (const part of parts) {
    if (!part.added && !part.removed) {
      if (open !== null) found.push(open);
      open = null;
      at += part.value.length;
      continue;
    }
    open ??= { from: at, to: at, lines: [] };
    if (part.removed) {
      at += part.value.length;
      open.to = at;
    } else open.lines = open.lines.concat(part.value);
  }
  if (open !== null) found.push(open);
  return found;
}

/** Puts the change from `base` to `mine` on `theirs`, which is another change of `base`. */
export function mergeLines(texts: {
  readonly base: readonly string[];
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
}): Merged {
  const { base, mine, theirs } = texts;
  const own = replacements(base, mine);
  const others = replacements(base, theirs);
  const lines: string[] = [];
  const conflicts: Conflict[] = [];
  /** Pieces of `theirs` that stand in the merged text as they are, and those that something else took the place of. */
  const pieces: { theirs: number; merged: number; length: number; kept: boolean }[] = [];
  let at = 0;
  let theirsAt = 0;
  const keep = (kept: readonly string[]): void => {
    pieces.push({ theirs: theirsAt, merged: lines.length, length: kept.length, kept: true });
    for (const line of kept) lines.push(line);
    theirsAt += kept.length;
  };
  let [o, t] = [0, 0];
  while (o < own.length || t < others.length) {
    const region = nextRegion(own, others, o, t);
    keep(base.slice(at, region.from));
    const [mineHere, theirsHere] = [
      apply(base, region, own.slice(o, region.own)),
      apply(base, region, others.slice(t, region.others)),
    ];
    if (region.own === o) keep(theirsHere);
    else {
      const from = lines.length;
      const agree = equal(mineHere, theirsHere);
      if (agree) keep(theirsHere);
      else {
        pieces.push({ theirs: theirsAt, merged: from, length: theirsHere.length, kept: false });
        for (const line of mineHere) lines.push(line);
        theirsAt += theirsHere.length;
        if (region.others > t)
          conflicts.push({
            from,
            to: lines.length,
            base: base.slice(region.from, region.to),
            mine: mineHere,
            theirs: theirsHere,
          });
      }
    }
    at = region.to;
    o = region.own;
    t = region.others;
  }
  keep(base.slice(at));
  const place = (line: number): number => {
    const piece = pieces.findLast(({ theirs: start }) => start <= line);
    if (piece === undefined) return 0;
    return piece.kept ? piece.merged + Math.min(line - piece.theirs, piece.length) : piece.merged;
  };
  return { lines, conflicts, place };
}

interface Region {
  from: number;
  to: number;
  /** Index behind the last replacement of each side that belongs to it. */
  own: number;
  others: number;
}

/** The next place where something changes, grown until nothing else touches it. */
function nextRegion(own: readonly Replacement[], others: readonly Replacement[], o: number, t: number): Region {
  const first = [own[o], others[t]]
    .flatMap((one) => (one === undefined ? [] : [one]))
    .sort((a, b) => a.from - b.from)[0];
  const region: Region = { from: first?.from ?? 0, to: first?.from ?? 0, own: o, others: t };
  let begun = false;
  for (;;) {
    const [mine, theirs] = [own[region.own], others[region.others]];
    if (mine !== undefined && touches(region, mine, begun)) {
      region.own += 1;
      region.to = Math.max(region.to, mine.to);
    } else if (theirs !== undefined && touches(region, theirs, begun)) {
      region.others += 1;
      region.to = Math.max(region.to, theirs.to);
    } else return region;
    begun = true;
  }
}

function touches(region: Region, one: Replacement, begun: boolean): boolean {
  return begun ? one.from <= region.to : one.from === region.from;
}

function apply(base: readonly string[], region: Region, changes: readonly Replacement[]): string[] {
  let lines: string[] = [];
  let at = region.from;
  for (const change of changes) {
    lines = lines.concat(base.slice(at, change.from), change.lines);
    at = change.to;
  }
  return lines.concat(base.slice(at, region.to));
}

function equal(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}
