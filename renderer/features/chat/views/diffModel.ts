// A change as rows to look at: what counts as changed, which lines stand beside each other, what is folded away.
import { diffArrays } from 'diff';
import type { DiffHunk } from '#shared/tools/presentation';
import { type WordMark, wordMarks } from './wordMarks';

type Line = DiffHunk['lines'][number];

/** A line with its numbers and the part of it that differs. */
export interface Side {
  readonly line: Line;
  readonly number: number;
  readonly mark: WordMark | undefined;
}

export type DiffRow =
  /** Both sides alike, or one of them alone; `change` counts the changes that follow one another from 0, -1: none. */
  | {
      readonly kind: 'lines';
      readonly key: string;
      readonly old: Side | null;
      readonly new: Side | null;
      readonly change: number;
      /** The first row of its change. */
      readonly first: boolean;
    }
  /** Lines between two hunks, which the change does not hold. */
  | { readonly kind: 'gap'; readonly key: string }
  /** Lines alike that are folded away. */
  | { readonly kind: 'folded'; readonly key: string; readonly count: number };

export interface DiffLook {
  readonly split: boolean;
  readonly ignoreBlanks: boolean;
  readonly fold: boolean;
}

export interface DiffModel {
  readonly rows: readonly DiffRow[];
  readonly changes: number;
  /** Whether one side ends its lines otherwise than the other; null: nothing to tell. */
  readonly ends: string | null;
}

/** Above this many lines in one place, differences of blanks are not looked for: comparing them would take too long. */
const mostCompared = 2_000;

function bare(text: string): string {
  return text.replace(/\s+/g, '');
}

/** A hunk in which lines that differ only in blanks are alike. The new side's text is shown. */
export function withoutBlanks(hunk: DiffHunk): DiffHunk {
  const lines: Line[] = [];
  for (const block of blocksOf(hunk.lines)) {
    const { removed, added } = block;
    if (removed.length === 0 || added.length === 0 || removed.length + added.length > mostCompared) {
      lines.push(...block.same, ...removed, ...added);
      continue;
    }
    let [old, fresh] = [0, 0];
    const pieces = diffArrays(
      removed.map((line) => bare(line.text)),
      added.map((line) => bare(line.text)),
    );
    for (const piece of pieces) {
      const { length } = piece.value;
      if (piece.removed === true) lines.push(...removed.slice(old, old + length));
      else if (piece.added === true) lines.push(...added.slice(fresh, fresh + length));
      else lines.push(...added.slice(fresh, fresh + length).map((line) => ({ ...line, sign: ' ' as const })));
      if (piece.added !== true) old += length;
      if (piece.removed !== true) fresh += length;
    }
    lines.push(...block.same);
  }
  return { ...hunk, lines };
}

/** Runs of lines alike, and of removed and then added ones. */
function blocksOf(lines: readonly Line[]) {
  const blocks: { same: Line[]; removed: Line[]; added: Line[] }[] = [];
  let block = { same: [] as Line[], removed: [] as Line[], added: [] as Line[] };
  const flush = () => {
    if (block.same.length + block.removed.length + block.added.length > 0) blocks.push(block);
    block = { same: [], removed: [], added: [] };
  };
  for (const line of lines) {
    const changes = block.removed.length + block.added.length > 0;
    if (line.sign === ' ') {
      if (changes) flush();
      block.same.push(line);
    } else {
      if (block.same.length > 0 || (line.sign === '-' && block.added.length > 0)) flush();
      block[line.sign === '-' ? 'removed' : 'added'].push(line);
    }
  }
  flush();
  return blocks;
}

/** The rows of a change. */
export function diffModel(hunks: readonly DiffHunk[], look: DiffLook): DiffModel {
  const rows: DiffRow[] = [];
  let change = -1;
  for (const [at, given] of hunks.entries()) {
    const hunk = look.ignoreBlanks ? withoutBlanks(given) : given;
    const marks = wordMarks(hunk.lines);
    let index = 0;
    // Numbers are those of the hunk as it came: lines that only lost blanks stand on both sides.
    let [oldLine, newLine] = [hunk.oldStart, hunk.newStart];
    const side = (line: Line, number: number): Side => ({ line, number, mark: marks.get(index) });
    if (at > 0) rows.push({ kind: 'gap', key: `gap-${at}` });
    for (const block of blocksOf(hunk.lines)) {
      if (block.same.length > 0 && look.fold) {
        rows.push({ kind: 'folded', key: `${at}-${index}`, count: block.same.length });
        index += block.same.length;
        oldLine += block.same.length;
        newLine += block.same.length;
      }
      for (const line of look.fold ? [] : block.same) {
        const both = { old: side(line, oldLine), new: side(line, newLine) };
        rows.push({ kind: 'lines', key: `${at}-${index}`, ...both, change: -1, first: false });
        index += 1;
        oldLine += 1;
        newLine += 1;
      }
      const { removed, added } = block;
      if (removed.length + added.length === 0) continue;
      change += 1;
      const olds = removed.map(
        (line, offset): Side => ({ line, number: oldLine + offset, mark: marks.get(index + offset) }),
      );
      const news = added.map(
        (line, offset): Side => ({
          line,
          number: newLine + offset,
          mark: marks.get(index + removed.length + offset),
        }),
      );
      const pairs: readonly (readonly [Side | null, Side | null])[] = look.split
        ? Array.from({ length: Math.max(olds.length, news.length) }, (_, row) => [olds[row] ?? null, news[row] ?? null])
        : [...olds.map((one) => [one, null] as const), ...news.map((one) => [null, one] as const)];
      for (const [row, [old, fresh]] of pairs.entries())
        rows.push({ kind: 'lines', key: `${at}-${index}-${row}`, old, new: fresh, change, first: row === 0 });
      index += removed.length + added.length;
      oldLine += removed.length;
      newLine += added.length;
    }
  }
  return { rows, changes: change + 1, ends: endsOf(hunks) };
}

function endsOf(hunks: readonly DiffHunk[]): string | null {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const windows = (signs: string) => {
    const side = lines.filter((line) => signs.includes(line.sign) && line.end !== 'none');
    const crlf = side.filter((line) => line.end === 'crlf').length;
    return crlf === 0 ? 'LF' : crlf === side.length ? 'CRLF' : 'LF and CRLF';
  };
  const [old, fresh] = [windows(' -'), windows(' +')];
  if (lines.every((line) => line.sign !== '-')) return fresh === 'LF' ? null : `Lines end with ${fresh}.`;
  if (old !== fresh && lines.some((line) => line.sign === '+')) return `Line ends change from ${old} to ${fresh}.`;
  return old === 'LF' ? null : `Lines end with ${old}.`;
}
