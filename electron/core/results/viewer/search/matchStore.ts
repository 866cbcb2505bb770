// Where a search has found something, in bytes: compact, because there may be very many.

/** More are not kept: the search ends. */
export const maxMatches = 500_000;

/** What a search has found since it told last. */
export interface MatchBatch {
  /** Bytes from the file's start. */
  readonly starts: Float64Array;
  /** In bytes. */
  readonly lengths: Uint32Array;
  /** 1 = the first of its line. */
  readonly firsts: Uint8Array;
  readonly bytesDone: number;
}

export interface ByteMatch {
  readonly start: number;
  readonly end: number;
}

type Column = Float64Array | Uint32Array;

export class MatchStore {
  private starts = new Float64Array(1_024);
  private lengths = new Uint32Array(1_024);
  private lineFirsts = new Uint32Array(1_024);
  private count = 0;
  private lineCount = 0;

  get matches(): number {
    return this.count;
  }

  /** Lines with a match. */
  get lines(): number {
    return this.lineCount;
  }

  get isFull(): boolean {
    return this.count >= maxMatches;
  }

  add({ starts, lengths, firsts }: MatchBatch): void {
    const taken = Math.min(starts.length, maxMatches - this.count);
    this.starts = withRoom(this.starts, this.count, taken);
    this.lengths = withRoom(this.lengths, this.count, taken);
    this.lineFirsts = withRoom(this.lineFirsts, this.lineCount, taken);
    for (let at = 0; at < taken; at += 1) {
      this.starts[this.count] = starts[at] ?? 0;
      this.lengths[this.count] = lengths[at] ?? 0;
      if (firsts[at] === 1) {
        this.lineFirsts[this.lineCount] = this.count;
        this.lineCount += 1;
      }
      this.count += 1;
    }
  }

  /** By number, from 0; null when there is none. */
  at(number: number): ByteMatch | null {
    if (number < 0 || number >= this.count) return null;
    const start = this.starts[number] ?? 0;
    return { start, end: start + (this.lengths[number] ?? 0) };
  }

  /** The number of the first match of a line with matches, these counted from 0. */
  firstOfLine(number: number): number | null {
    return number < 0 || number >= this.lineCount ? null : (this.lineFirsts[number] ?? 0);
  }

  /** The number of the first match that begins at or after a byte. */
  from(byte: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.starts[middle] ?? 0) < byte) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function withRoom<C extends Column>(column: C, used: number, more: number): C {
  if (used + more <= column.length) return column;
  const length = Math.min(maxMatches, Math.max(column.length * 2, used + more));
  const next = column instanceof Float64Array ? new Float64Array(length) : new Uint32Array(length);
  next.set(column);
  return next as C;
}
