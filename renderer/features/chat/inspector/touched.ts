// Which lines of a file a call touched, found again in the file as it is now.
import type { ToolCall } from '#shared/session/toolCall';
import { viewOf } from '../cards/openCards';

/** A part of the file as the call left or saw it. */
export interface TouchedPart {
  /** Number of the first line, from 1. */
  readonly from: number;
  readonly lines: readonly string[];
  /** Lines among them that the call wrote (by position in `lines`); empty: it only read them. */
  readonly written: readonly number[];
}

export interface Touched {
  readonly what: 'changed' | 'read';
  readonly parts: readonly TouchedPart[];
}

/** What the call says of lines of its file; null where it says nothing. */
export function touchedBy(call: ToolCall): Touched | null {
  const view = viewOf(call);
  if (view?.kind === 'diff')
    return {
      what: 'changed',
      parts: view.hunks.map((hunk) => {
        const lines = hunk.lines.filter((line) => line.sign !== '-');
        const written = lines.flatMap((line, index) => (line.sign === '+' ? [index] : []));
        return { from: hunk.newStart, lines: lines.map((line) => line.text), written };
      }),
    };
  if (view?.kind === 'text' && view.firstLine !== undefined)
    return {
      what: 'read',
      parts: [{ from: view.firstLine, lines: view.text.replace(/\n$/, '').split('\n'), written: [] }],
    };
  return null;
}

export interface Marks {
  /** Lines by number. */
  readonly lines: ReadonlySet<number>;
  /** The first of them; null: there are none. */
  readonly first: number | null;
  /** Parts that are not in the file any more as they were. */
  readonly lost: number;
  /** Parts that stand on other lines now. */
  readonly moved: number;
}

/** Finds the parts in the lines of a file, which begin with number `firstLine`. */
export function findTouched(
  touched: Touched,
  file: { readonly lines: readonly string[]; readonly firstLine: number },
): Marks {
  const marks = new Set<number>();
  let lost = 0;
  let moved = 0;
  for (const part of touched.parts) {
    const at = placeOf(part, file);
    if (at === null) {
      lost += 1;
      continue;
    }
    if (at !== part.from) moved += 1;
    const own = touched.what === 'changed' ? part.written : part.lines.map((_, index) => index);
    for (const index of own) marks.add(at + index);
  }
  const first = marks.size === 0 ? null : Math.min(...marks);
  return { lines: marks, first, lost, moved };
}

/** The number of the line where a part stands now, the nearest to where it stood; null: nowhere. */
function placeOf(
  part: TouchedPart,
  file: { readonly lines: readonly string[]; readonly firstLine: number },
): number | null {
  const { lines, firstLine } = file;
  const [first] = part.lines;
  if (first === undefined) return null;
  const fits = (start: number) => part.lines.every((line, index) => lines[start - firstLine + index] === line);
  if (fits(part.from)) return part.from;
  let best: number | null = null;
  for (let index = lines.indexOf(first); index !== -1; index = lines.indexOf(first, index + 1)) {
    const start = index + firstLine;
    if (fits(start) && (best === null || Math.abs(start - part.from) < Math.abs(best - part.from))) best = start;
  }
  return best;
}
