// The rows of a text: read from the nearest noted beginning on.
import type { TextRow } from '#shared/api/results';
import type { OpenedFile } from './openedFile';
import { type Row, type RowStart, rowAt, type TextIndex } from './textIndex';
import { byteAfter } from './utf8';

/** Read at once where rows are looked for, in bytes. */
const windowBytes = 131_072;
const lineFeed = 10;

/** Walks over rows one after another. */
export class RowWalk {
  private window: Buffer = Buffer.alloc(0);
  private windowAt = 0;
  private start: RowStart;

  constructor(
    private readonly file: Pick<OpenedFile, 'bytes' | 'size'>,
    start: RowStart,
  ) {
    this.start = start;
  }

  /** Where the next row begins. */
  get position(): RowStart {
    return this.start;
  }

  /** The next row; null after the last. */
  next(): Row | null {
    const row = this.within() ?? (this.load() ? this.within() : null);
    if (row !== null) this.start = row.next;
    return row;
  }

  /** The bytes of the row that `next` has given last. */
  bytesOf(row: Row): Buffer {
    return this.window.subarray(row.byte - this.windowAt, row.end - this.windowAt);
  }

  /** Goes back to a row that was passed. */
  backTo(start: RowStart): this {
    this.start = start;
    return this;
  }

  private within(): Row | null {
    const at = this.start.byte - this.windowAt;
    const to = this.window.length;
    if (at < 0 || at >= to) return null;
    return rowAt(this.window, this.start, { at, to, last: this.windowAt + to >= this.file.size });
  }

  private load(): boolean {
    this.windowAt = this.start.byte;
    this.window = this.file.bytes(this.windowAt, windowBytes);
    return this.window.length > 0;
  }
}

/** Rows of a file by number, line and byte, as far as its index knows them. */
export class TextView {
  constructor(
    private readonly file: Pick<OpenedFile, 'bytes' | 'size'>,
    private readonly index: TextIndex,
  ) {}

  /** At most `count` rows from number `from` on. */
  rows(from: number, count: number): TextRow[] {
    const rows: TextRow[] = [];
    const walk = new RowWalk(this.file, this.index.beforeRow(from));
    while (rows.length < count) {
      const row = walk.next();
      if (row === null) break;
      if (row.row >= from) rows.push(textOf(row, walk.bytesOf(row)));
    }
    return rows;
  }

  /** A walk that begins with the row that holds a byte. */
  walkFromByte(byte: number): RowWalk {
    return this.walkFrom(this.index.beforeByte(byte), (row) => row.next.byte <= byte);
  }

  /** A walk that begins with a row. */
  walkFromRow(row: number): RowWalk {
    return this.walkFrom(this.index.beforeRow(row), (passed) => passed.row < row);
  }

  /** The first row of a line; of one that is not there, the last row. */
  rowOfLine(line: number): RowStart {
    const walk = this.walkFrom(this.index.beforeLine(line), (row) => row.line < line);
    const { position } = walk;
    if (position.byte < this.file.size || position.row === 0) return position;
    return this.walkFromRow(position.row - 1).position;
  }

  /** A whole line, cut after `maxChars` characters. */
  line(line: number, maxChars: number): { readonly text: string; readonly truncated: boolean } {
    const start = this.rowOfLine(line).byte;
    // No character has more than four bytes.
    const bytes = this.file.bytes(start, maxChars * 4 + 4);
    const end = bytes.indexOf(lineFeed);
    const known = end < 0 ? bytes.length : end;
    const cut = byteAfter(bytes, { from: 0, to: known }, maxChars);
    const truncated = cut < known || (end < 0 && start + bytes.length < this.file.size);
    const text = bytes.toString('utf8', 0, cut);
    return { text: truncated ? text : text.replace(/\r$/, ''), truncated };
  }

  private walkFrom(start: RowStart, isBefore: (row: Row) => boolean): RowWalk {
    const walk = new RowWalk(this.file, start);
    for (;;) {
      const at = walk.position;
      const row = walk.next();
      if (row === null || !isBefore(row)) return walk.backTo(at);
    }
  }
}

export const textOf = (row: Row, bytes: Buffer): TextRow => ({
  row: row.row,
  line: row.line,
  part: row.part,
  text: bytes.toString('utf8'),
});
