// Lines of a file that comes in pieces, as bytes. A line of any length costs at most the longest that is taken.

/** A longer line is passed over: nothing that a session writes for a call comes near it. */
export const maxLineBytes = 8 * 1024 * 1024;

const lineEnd = 10;

export class LineSplitter {
  private pieces: Buffer[] = [];
  private length = 0;
  private discarding = false;
  private complete = 0;

  constructor(private readonly maxBytes: number = maxLineBytes) {}

  /** Bytes up to the end of the last complete line. */
  get completeBytes(): number {
    return this.complete;
  }

  /** What stands behind the last line end; null when that is too long to be a line. */
  get rest(): Buffer | null {
    return this.discarding ? null : Buffer.concat(this.pieces);
  }

  /** Calls `onLine` for each line that ends in this piece, without its end; null stands for a line that is too long. */
  push(piece: Buffer, onLine: (line: Buffer | null) => void): void {
    let from = 0;
    for (let end = piece.indexOf(lineEnd); end >= 0; end = piece.indexOf(lineEnd, from)) {
      this.add(piece.subarray(from, end));
      this.complete += this.length + 1;
      onLine(this.discarding ? null : this.taken());
      this.pieces = [];
      this.length = 0;
      this.discarding = false;
      from = end + 1;
    }
    this.add(piece.subarray(from));
  }

  private add(part: Buffer): void {
    this.length += part.length;
    if (this.length > this.maxBytes) {
      this.discarding = true;
      this.pieces = [];
    } else if (part.length > 0) this.pieces.push(part);
  }

  private taken(): Buffer {
    const [only] = this.pieces;
    return this.pieces.length === 1 && only !== undefined ? only : Buffer.concat(this.pieces);
  }
}
