import { StringDecoder } from 'node:string_decoder';
import { afterPair, beforePair } from '#shared/util/pairs';

const lineFeed = 0x0a;

/** Picks characters of one line out of a stream of bytes, counting all lines. Keeps what was asked for only. */
export class ColumnWindow {
  private readonly line: number;
  private readonly first: number;
  private readonly end: number;
  private readonly decoder = new StringDecoder('utf8');
  private text = '';
  /** The line that the next byte belongs to, from 1. */
  private at = 1;
  private lineHasBytes = false;
  /** Characters of the asked line so far, in UTF-16 code units. */
  private chars = 0;
  private endsWithReturn = false;

  /** `line` and `firstColumn` count from 1, columns in UTF-16 code units. */
  constructor(window: { readonly line: number; readonly firstColumn: number; readonly maxColumns: number }) {
    this.line = window.line;
    this.first = window.firstColumn - 1;
    this.end = this.first + window.maxColumns;
  }

  /** Takes the next bytes; they may be overwritten afterwards. */
  add(bytes: Buffer): void {
    let from = 0;
    while (from < bytes.length) {
      const end = bytes.indexOf(lineFeed, from);
      const next = end < 0 ? bytes.length : end;
      if (this.at === this.line) this.take(this.decoder.write(bytes.subarray(from, next)));
      this.lineHasBytes = end < 0;
      if (end >= 0) this.at += 1;
      from = end < 0 ? next : next + 1;
    }
  }

  /** `truncated`: the line goes on behind `text`. `lineChars` without its line end. */
  result(): {
    readonly text: string;
    readonly lines: number;
    readonly totalLines: number;
    readonly truncated: boolean;
    readonly lineChars: number;
  } {
    this.take(this.decoder.end());
    const totalLines = this.lineHasBytes ? this.at : this.at - 1;
    // A carriage return before the line feed belongs to the line end.
    const isEnded = this.at > this.line;
    const lineChars = this.chars - (isEnded && this.endsWithReturn ? 1 : 0);
    const kept = this.text.slice(0, Math.max(0, lineChars - this.first));
    const start = afterPair(kept, 0);
    const text = kept.slice(start, this.end < lineChars ? beforePair(`${kept} `, kept.length) : kept.length);
    const lines = totalLines >= this.line ? 1 : 0;
    return { text, lines, totalLines, truncated: this.first + start + text.length < lineChars, lineChars };
  }

  private take(text: string): void {
    if (text === '') return;
    const from = Math.max(0, this.first - this.chars);
    const to = Math.max(0, this.end - this.chars);
    this.text += text.slice(from, to);
    this.chars += text.length;
    this.endsWithReturn = text.endsWith('\r');
  }
}
