// What a change looks like: hunks with three lines of context, bounded in size and in time.
import { isUtf8 } from 'node:buffer';
import { structuredPatch } from 'diff';
import type { DiffHunk } from '#shared/tools/presentation';

const context = 3;
/** Changed parts above this many bytes are counted but not compared line by line. */
const largestCompared = 2_000_000;
const mostLines = 2_000;
const longestLine = 2_000;
/** Longest comparison, in milliseconds. */
const comparisonMs = 500;
const lineFeed = 0x0a;

export interface Change {
  readonly hunks: DiffHunk[];
  readonly added: number;
  readonly removed: number;
  readonly hunksTruncated: boolean;
}

/** Compares two contents of a file. Only what lies between their common start and end is looked at. */
export function describeChange(before: Buffer, after: Buffer): Change {
  if (before.equals(after)) return { hunks: [], added: 0, removed: 0, hunksTruncated: false };
  const start = windowStart(before, after);
  const end = windowEnd(before, after, start.at);
  const old = before.subarray(start.at, before.length - end);
  const changed = after.subarray(start.at, after.length - end);
  const counts = { added: countLines(changed), removed: countLines(old) };
  if (old.length + changed.length > largestCompared || !isUtf8(old) || !isUtf8(changed))
    return { hunks: [], ...counts, hunksTruncated: true };
  const patch = structuredPatch('', '', decode(old), decode(changed), '', '', { context, timeout: comparisonMs });
  if (patch === undefined) return { hunks: [], ...counts, hunksTruncated: true };
  return bounded(
    patch.hunks.map((hunk) => ({
      oldStart: hunk.oldStart + start.line,
      newStart: hunk.newStart + start.line,
      lines: linesOf(hunk.lines, end === 0),
    })),
  );
}

/** `toEnd`: what was compared goes to the end of the file, so that a missing line end is one of the file. */
function linesOf(lines: readonly string[], toEnd: boolean): DiffHunk['lines'] {
  const found: DiffHunk['lines'] = [];
  for (const line of lines) {
    const sign = line[0];
    if (sign !== ' ' && sign !== '+' && sign !== '-') {
      // The remark about a missing line end is about the line before it.
      const last = found.pop();
      if (last !== undefined) found.push(toEnd ? { ...last, end: 'none' } : last);
      continue;
    }
    const whole = line.slice(1);
    const text = whole.replace(/\r$/, '');
    const shown = text.length > longestLine ? `${text.slice(0, longestLine).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
    found.push(whole === text ? { sign, text: shown } : { sign, text: shown, end: 'crlf' });
  }
  return found;
}

function bounded(all: readonly DiffHunk[]): Change {
  const lines = all.flatMap((hunk) => hunk.lines);
  const hunks: DiffHunk[] = [];
  let room = mostLines;
  for (const hunk of all) {
    if (room <= 0) break;
    hunks.push({ ...hunk, lines: hunk.lines.slice(0, room) });
    room -= hunk.lines.length;
  }
  const count = (sign: string) => lines.filter((line) => line.sign === sign).length;
  return { hunks, added: count('+'), removed: count('-'), hunksTruncated: lines.length > mostLines };
}

/** Where to start: some lines before the first difference. `line` counts the lines before it. */
function windowStart(before: Buffer, after: Buffer): { readonly at: number; readonly line: number } {
  let at = commonStart(before, after);
  for (let lines = 0; lines <= context && at > 0; lines += 1) at = before.lastIndexOf(lineFeed, at - 1);
  at = Math.max(0, at < 0 ? 0 : at + (before[at] === lineFeed ? 1 : 0));
  let line = 0;
  for (let next = before.indexOf(lineFeed); next >= 0 && next < at; next = before.indexOf(lineFeed, next + 1))
    line += 1;
  return { at, line };
}

/** How many bytes at the end may be left out, with some lines kept after the last difference. */
function windowEnd(before: Buffer, after: Buffer, start: number): number {
  const most = Math.min(before.length, after.length) - start;
  const common = commonEnd(before, after, most);
  let at = before.length - common;
  for (let lines = 0; lines <= context; lines += 1) {
    const next = before.indexOf(lineFeed, at);
    if (next < 0) return 0;
    at = next + 1;
  }
  return before.length - at;
}

const step = 65_536;

function commonStart(before: Buffer, after: Buffer): number {
  const most = Math.min(before.length, after.length);
  let at = 0;
  while (at + step <= most && before.compare(after, at, at + step, at, at + step) === 0) at += step;
  while (at < most && before[at] === after[at]) at += 1;
  return at;
}

function commonEnd(before: Buffer, after: Buffer, most: number): number {
  let length = 0;
  const [b, a] = [before.length, after.length];
  while (
    length + step <= most &&
    before.compare(after, a - length - step, a - length, b - length - step, b - length) === 0
  )
    length += step;
  while (length < most && before[b - length - 1] === after[a - length - 1]) length += 1;
  return length;
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) lines += 1;
  return bytes.length > 0 && bytes.at(-1) !== lineFeed ? lines + 1 : lines;
}

function decode(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}
