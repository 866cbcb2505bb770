// Where the rows of a text begin: every so many bytes one beginning is noted, the others are found by reading on from there.
import type { TextIndex as IndexState } from '#shared/api/results';
import type { LineCounter } from './lineCounter';
import { maxRowBytes, rowBytes, rowCut } from './rowCut';

/** So far apart are noted beginnings at least, in bytes. */
const stride = 65_536;
/** More are not noted: then they lie further apart. */
const maxNoted = 131_072;

const lineFeed = 10;
const carriageReturn = 13;

/** A place where a row begins. */
export interface RowStart {
  readonly byte: number;
  readonly row: number;
  /** From 1. */
  readonly line: number;
  readonly part: number;
}

export interface Row extends RowStart {
  /** Where its text ends; a line end is no text. */
  readonly end: number;
  readonly next: RowStart;
}

/**
 * The row that begins at `start`, which lies at `at` in `bytes`; `to` is where they end. Null when more must be read to tell,
 * and at the end of the file (`last`) when nothing follows.
 */
export function rowAt(
  bytes: Buffer,
  start: RowStart,
  place: { readonly at: number; readonly to: number; readonly last: boolean },
): Row | null {
  const { at, to, last } = place;
  if (at >= to) return null;
  const searched = Math.min(to, at + maxRowBytes);
  const found = bytes.subarray(at, searched).indexOf(lineFeed);
  const lineEnd = found < 0 ? -1 : at + found;
  const row = start.row + 1;
  if (lineEnd >= 0 && lineEnd - at <= rowBytes) {
    const end = lineEnd > at && bytes[lineEnd - 1] === carriageReturn ? lineEnd - 1 : lineEnd;
    const next = { byte: start.byte + lineEnd + 1 - at, row, line: start.line + 1, part: 0 };
    return { ...start, end: start.byte + end - at, next };
  }
  if (lineEnd < 0 && !last && to - at < maxRowBytes) return null;
  if (lineEnd < 0 && last && to - at <= rowBytes) {
    const end = start.byte + to - at;
    return { ...start, end, next: { byte: end, row, line: start.line, part: start.part + 1 } };
  }
  const end = start.byte + rowCut(bytes, at, lineEnd < 0 ? to : lineEnd) - at;
  return { ...start, end, next: { byte: end, row, line: start.line, part: start.part + 1 } };
}

export class TextIndex {
  private bytes = new Float64Array(1_024);
  private rowNumbers = new Float64Array(1_024);
  private lineNumbers = new Float64Array(1_024);
  private parts = new Float64Array(1_024);
  private noted = 0;
  private apart = stride;

  // The beginning of the first row that is not counted yet.
  private byte = 0;
  private row = 0;
  private line = 1;
  private part = 0;
  /** Whether the file ends without a line end: then a row follows that may still grow. */
  private openRow = false;
  private done = false;
  private doneBytes = 0;

  constructor() {
    this.note();
  }

  /** From where the next bytes are wanted. */
  get position(): number {
    return this.byte;
  }

  /** How far it is. */
  get state(): IndexState {
    const open = this.openRow ? 1 : 0;
    return {
      rows: this.row + open,
      lines: this.line - 1 + (open === 1 || this.part > 0 ? 1 : 0),
      bytesDone: this.doneBytes,
      done: this.done,
    };
  }

  /** The file has grown: goes on from the last line end. */
  reopen(): void {
    this.done = false;
    this.openRow = false;
  }

  /**
   * Takes the first `length` bytes of the counter's piece, which begin at `position`; `last` when the file ends with them. Of
   * what does not end a row, nothing is taken: it must come again with more behind it.
   */
  add(counter: LineCounter, length: number, last: boolean): void {
    const { piece } = counter;
    const origin = this.byte;
    let from = 0;
    while (from + rowBytes <= length) {
      const behind = counter.lastEnd(from, from + rowBytes);
      // So many bytes that no line in them can be too long for a row.
      if (behind > 0) from = this.pass({ origin, to: behind, lines: counter.count });
      else {
        const found = piece.subarray(from, length).indexOf(lineFeed);
        from = this.cutLine(piece, { origin, from, end: found < 0 ? length : from + found, ends: found >= 0 || last });
        if (found < 0) break;
        from = this.pass({ origin, to: piece.indexOf(lineFeed, from) + 1, lines: 1 });
      }
    }
    for (let end = piece.indexOf(lineFeed, from); end >= 0 && end < length; end = piece.indexOf(lineFeed, from)) {
      from = this.cutLine(piece, { origin, from, end, ends: true });
      from = this.pass({ origin, to: end + 1, lines: 1 });
    }
    from = this.cutLine(piece, { origin, from, end: length, ends: last });
    this.openRow = last && from < length;
    this.doneBytes = last ? origin + length : this.byte;
    this.done = last;
  }

  /** Counts lines up to their end; where the next begins. */
  private pass({
    origin,
    to,
    lines,
  }: {
    readonly origin: number;
    readonly to: number;
    readonly lines: number;
  }): number {
    this.byte = origin + to;
    this.row += lines;
    this.line += lines;
    this.part = 0;
    if (this.byte - (this.bytes[this.noted - 1] ?? 0) >= this.apart) this.note();
    return to;
  }

  /** Counts the parts of a long line, up to its end where that is known (`ends`) without the last; where that begins. */
  private cutLine(
    piece: Buffer,
    about: { readonly origin: number; readonly from: number; readonly end: number; readonly ends: boolean },
  ): number {
    const { origin, end, ends } = about;
    let { from } = about;
    while (end - from > rowBytes && (ends || end - from >= maxRowBytes)) {
      from = rowCut(piece, from, end);
      this.byte = origin + from;
      this.row += 1;
      this.part += 1;
      if (this.byte - (this.bytes[this.noted - 1] ?? 0) >= this.apart) this.note();
    }
    return from;
  }

  /** A beginning that is noted, at or before a row, and near it. */
  beforeRow(row: number): RowStart {
    return this.at(this.find(this.rowNumbers, row));
  }

  beforeByte(byte: number): RowStart {
    return this.at(this.find(this.bytes, byte));
  }

  /** At or before the first row of a line. */
  beforeLine(line: number): RowStart {
    const at = this.find(this.lineNumbers, line);
    // Of a long line, many parts are noted.
    return (this.parts[at] ?? 0) > 0 ? this.at(this.find(this.lineNumbers, line - 1)) : this.at(at);
  }

  private at(index: number): RowStart {
    return {
      byte: this.bytes[index] ?? 0,
      row: this.rowNumbers[index] ?? 0,
      line: this.lineNumbers[index] ?? 1,
      part: this.parts[index] ?? 0,
    };
  }

  /** The last noted one of which the value is at most `wanted`. */
  private find(values: Float64Array, wanted: number): number {
    let low = 0;
    let high = this.noted - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((values[middle] ?? 0) <= wanted) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private note(): void {
    if (this.noted === maxNoted) this.thin();
    if (this.noted === this.bytes.length) this.grow();
    this.bytes[this.noted] = this.byte;
    this.rowNumbers[this.noted] = this.row;
    this.lineNumbers[this.noted] = this.line;
    this.parts[this.noted] = this.part;
    this.noted += 1;
  }

  private get columns(): Float64Array[] {
    return [this.bytes, this.rowNumbers, this.lineNumbers, this.parts];
  }

  private thin(): void {
    const kept = this.noted >> 1;
    for (const column of this.columns) for (let at = 0; at < kept; at += 1) column[at] = column[at * 2] ?? 0;
    this.noted = kept;
    this.apart *= 2;
  }

  private grow(): void {
    const longer = (column: Float64Array): Float64Array<ArrayBuffer> => {
      const next = new Float64Array(column.length * 2);
      next.set(column);
      return next;
    };
    this.bytes = longer(this.bytes);
    this.rowNumbers = longer(this.rowNumbers);
    this.lineNumbers = longer(this.lineNumbers);
    this.parts = longer(this.parts);
  }
}
