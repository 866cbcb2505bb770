// Long text in a card: head and tail at first, the rest on demand, so that one output never freezes the page.

export interface Capped<Line> {
  readonly head: readonly Line[];
  readonly hidden: number;
  readonly tail: readonly Line[];
}

/** More lines than this are shown on demand only. */
export const maxInlineLines = 200;

/** Splits lines into head and tail; errors tell their story at the end, so the tail is the larger part. */
export function capLines<Line>(lines: readonly Line[], max: number = maxInlineLines): Capped<Line> {
  if (lines.length <= max) return { head: lines, hidden: 0, tail: [] };
  const head = Math.floor(max / 4);
  const tail = max - head;
  return { head: lines.slice(0, head), hidden: lines.length - max, tail: lines.slice(-tail) };
}
