import { StringDecoder } from 'node:string_decoder';

const lineFeed = 0x0a;

/** Picks a window of lines out of a stream of bytes, counting all lines. Keeps at most `maxBytes`. */
export class LineWindow {
  private readonly firstLine: number;
  private readonly lastLine: number;
  private room: number;
  private readonly kept: Buffer[] = [];
  /** The line that the next byte belongs to, from 1. */
  private line = 1;
  private lineHasBytes = false;
  private cut = false;

  constructor(window: { readonly firstLine: number; readonly maxLines: number; readonly maxBytes: number }) {
    this.firstLine = window.firstLine;
    this.lastLine = window.firstLine + window.maxLines - 1;
    this.room = window.maxBytes;
  }

  /** Takes the next bytes; they may be overwritten afterwards. */
  add(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      const end = bytes.indexOf(lineFeed, at);
      const next = end < 0 ? bytes.length : end + 1;
      if (this.line >= this.firstLine && this.line <= this.lastLine) this.keep(bytes.subarray(at, next));
      this.lineHasBytes = end < 0;
      if (end >= 0) this.line += 1;
      at = next;
    }
  }

  /**
   * `text` has plain line feeds and none at the end; `lines` counts its lines; `truncated` says that `maxBytes` cut
   * it off, within a line or before the last line asked for.
   */
  result(): {
    readonly text: string;
    readonly lines: number;
    readonly totalLines: number;
    readonly truncated: boolean;
  } {
    const totalLines = this.lineHasBytes ? this.line : this.line - 1;
    const decoder = new StringDecoder('utf8');
    const decoded = decoder.write(Buffer.concat(this.kept)) + (this.cut ? '' : decoder.end());
    const plain = decoded.replaceAll('\r\n', '\n');
    const ended = plain.endsWith('\n');
    const text = ended ? plain.slice(0, -1) : plain;
    const lines = plain === '' ? 0 : text.split('\n').length;
    return { text, lines, totalLines, truncated: this.cut };
  }

  private keep(bytes: Buffer): void {
    if (this.cut) return;
    const taken = bytes.subarray(0, this.room);
    this.kept.push(Buffer.from(taken));
    this.room -= taken.length;
    this.cut = taken.length < bytes.length;
  }
}
