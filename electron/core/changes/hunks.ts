// A change as pieces that can be chosen one by one.
import { createHash } from 'node:crypto';
import type { DiffHunk } from '#shared/tools/presentation';
import { type Replacement, replacements } from './textMerge';

const context = 3;
const longestLine = 2_000;

export interface ChosenHunks {
  readonly hunks: readonly (DiffHunk & { readonly hunkId: string; readonly at: Replacement })[];
  readonly added: number;
  readonly removed: number;
  /** There are more lines than `room`; the rest is left out. */
  readonly truncated: boolean;
}

/** Every run of changed lines is a hunk of its own, with at most three lines around it, none of them in two hunks. */
export function hunksBetween(old: readonly string[], changed: readonly string[], room: number): ChosenHunks {
  const found = replacements(old, changed);
  const hunks: (DiffHunk & { hunkId: string; at: Replacement })[] = [];
  let [shift, used, truncated] = [0, 0, false];
  for (const [index, at] of found.entries()) {
    const [before, after] = [found[index - 1], found[index + 1]];
    const gapBefore = at.from - (before?.to ?? 0);
    const gapAfter = (after?.from ?? old.length) - at.to;
    // Between two hunks the lines are shared out: the first gets the smaller half.
    const head = Math.min(context, before === undefined ? gapBefore : Math.ceil(gapBefore / 2));
    const tail = Math.min(context, after === undefined ? gapAfter : Math.floor(gapAfter / 2));
    const lines = [
      ...old.slice(at.from - head, at.from).map((line) => lineOf(' ', line)),
      ...old.slice(at.from, at.to).map((line) => lineOf('-', line)),
      ...at.lines.map((line) => lineOf('+', line)),
      ...old.slice(at.to, at.to + tail).map((line) => lineOf(' ', line)),
    ];
    if (used + lines.length > room) truncated = true;
    else {
      const oldStart = at.from - head + 1;
      hunks.push({ oldStart, newStart: oldStart + shift, lines, hunkId: idOf(old, at), at });
      used += lines.length;
    }
    shift += at.lines.length - (at.to - at.from);
  }
  const count = (of: (at: Replacement) => number) => found.reduce((sum, at) => sum + of(at), 0);
  return { hunks, added: count((at) => at.lines.length), removed: count((at) => at.to - at.from), truncated };
}

/** Applies some of the hunks to the lines that they were made from. */
export function applyHunks(old: readonly string[], chosen: readonly Replacement[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const hunk of [...chosen].sort((a, b) => a.from - b.from)) {
    parts.push(old.slice(at, hunk.from).join(''), hunk.lines.join(''));
    at = hunk.to;
  }
  parts.push(old.slice(at).join(''));
  return parts.join('');
}

/** The same for the same change at the same place. */
function idOf(old: readonly string[], { from, to, lines }: Replacement): string {
  const what = JSON.stringify([from, old.slice(from, to), lines]);
  return createHash('sha256').update(what).digest('hex').slice(0, 16);
}

/** A line of a text has a line feed, so that one without is its last. */
function lineOf(sign: ' ' | '+' | '-', line: string): DiffHunk['lines'][number] {
  const text = shown(line);
  if (line.endsWith('\r\n')) return { sign, text, end: 'crlf' };
  return line.endsWith('\n') ? { sign, text } : { sign, text, end: 'none' };
}

/** A line without its end, cut, for people. */
function shown(line: string): string {
  const text = line.replace(/\r?\n$/, '').replace(/^\uFEFF/, '');
  return text.length > longestLine ? `${text.slice(0, longestLine).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}

/** A conflict's texts for people. */
export function shownLines(lines: readonly string[], most: number): string[] {
  const rest = lines.length - most;
  return [...lines.slice(0, most).map(shown), ...(rest > 0 ? [`… ${rest} more lines`] : [])];
}
