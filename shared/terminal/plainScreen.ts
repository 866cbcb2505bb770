// Turns terminal output into the text a reader would have seen: redraws collapsed, escapes and control characters gone.
// It follows the cursor within the last lines only; older lines are final and are handed on.

/** Lines that can be redrawn at least; progress displays of build tools use a dozen. */
const window = 60;
/** A longer line is handed on in parts, so that output without line ends stays bounded. */
const longestLine = 16_384;
/** Titles and links are shorter; a longer one is a stray escape in binary data. */
const longestString = 4_096;

type State = 'text' | 'escape' | 'escapeRest' | 'csi' | 'string' | 'stringEscape';

const ESC = 0x1b;
const BEL = 0x07;
const replacement = '\uFFFD';

/** `onFinal` receives text that can no longer change, in order, with `\n` after each whole line. */
export class PlainScreen {
  private lines: string[] = [''];
  private row = 0;
  private column = 0;
  private state: State = 'text';
  private parameters = '';
  private stringLength = 0;
  private readonly onFinal: (text: string) => void;

  constructor(onFinal: (text: string) => void) {
    this.onFinal = onFinal;
  }

  /** Text that may still change. */
  pending(): string {
    return this.lines.join('\n');
  }

  /** Whether the next text goes to the end of what is pending, as if there had never been a sequence. */
  isSettled(): boolean {
    const line = this.lines[this.row] ?? '';
    return this.state === 'text' && this.row === this.lines.length - 1 && this.column === line.length;
  }

  /** Begins anew, outside any sequence; answers with the text that was pending. */
  restart(): string {
    const text = this.pending();
    this.startAfresh();
    this.state = 'text';
    return text;
  }

  write(text: string): void {
    let at = 0;
    while (at < text.length) {
      if (this.state === 'text') {
        const end = endOfPrintable(text, at);
        if (end > at) this.print(text.slice(at, end));
        at = end;
        if (at < text.length) this.control(text.charCodeAt(at++));
      } else this.sequence(text.charCodeAt(at++));
    }
  }

  private print(text: string): void {
    const line = this.lines[this.row] ?? '';
    const filled = line.length < this.column ? line.padEnd(this.column) : line;
    this.lines[this.row] = filled.slice(0, this.column) + text + filled.slice(this.column + text.length);
    this.column += text.length;
    if (this.column > longestLine && this.row === this.lines.length - 1) {
      const last = this.lines.pop() ?? '';
      this.finish(this.lines);
      this.onFinal(last);
      this.startAfresh();
    }
  }

  private control(code: number): void {
    if (code === 0x0a) this.lineFeed();
    else if (code === 0x0d) this.column = 0;
    else if (code === 0x08) this.column = Math.max(0, this.column - 1);
    else if (code === ESC) this.state = 'escape';
    // Names printed with NUL between them must not run into one another.
    else if (code === 0) this.print(replacement);
  }

  private lineFeed(): void {
    this.row += 1;
    this.column = 0;
    if (this.row < this.lines.length) return;
    this.lines.push('');
    // Many at once: handing on line by line costs more than all the rest.
    if (this.lines.length <= 8 * window) return;
    this.finish(this.lines.splice(0, 7 * window));
    this.row -= 7 * window;
  }

  private finish(lines: readonly string[]): void {
    if (lines.length > 0) this.onFinal(`${lines.join('\n')}\n`);
  }

  private startAfresh(): void {
    this.lines = [''];
    this.row = 0;
    this.column = 0;
  }

  private sequence(code: number): void {
    switch (this.state) {
      case 'escape':
        this.afterEscape(code);
        break;
      case 'escapeRest':
        if (code < 0x20 || code > 0x2f) this.state = 'text';
        break;
      case 'csi':
        this.inCsi(code);
        break;
      case 'string':
        this.inString(code);
        break;
      case 'stringEscape':
        if (code === 0x5c) this.state = 'text';
        else this.afterEscape(code);
        break;
      case 'text':
        break;
    }
  }

  private afterEscape(code: number): void {
    if (code === 0x5b) {
      this.state = 'csi';
      this.parameters = '';
    } else if (code === 0x5d || code === 0x50 || code === 0x58 || code === 0x5e || code === 0x5f) {
      this.state = 'string';
      this.stringLength = 0;
    } else if (code >= 0x20 && code <= 0x2f) this.state = 'escapeRest';
    else {
      this.state = 'text';
      if (code < 0x20) this.control(code);
    }
  }

  private inCsi(code: number): void {
    if (code >= 0x20 && code <= 0x3f && this.parameters.length < 64) this.parameters += String.fromCharCode(code);
    else if (code >= 0x40 && code <= 0x7e) {
      this.state = 'text';
      this.command(String.fromCharCode(code));
    } else {
      this.state = 'text';
      if (code < 0x20) this.control(code);
    }
  }

  private inString(code: number): void {
    this.stringLength += 1;
    if (code === ESC) this.state = 'stringEscape';
    else if (code === BEL) this.state = 'text';
    else if (code < 0x20 || this.stringLength > longestString) {
      this.state = 'text';
      if (code < 0x20) this.control(code);
    }
  }

  private command(final: string): void {
    const first = Number.parseInt(this.parameters, 10);
    const count = Number.isNaN(first) || first === 0 ? 1 : first;
    const line = this.lines[this.row] ?? '';
    if (final === 'A' || final === 'F') {
      this.row = Math.max(0, this.row - count);
      if (final === 'F') this.column = 0;
    } else if (final === 'B' || final === 'E') {
      this.row = Math.min(this.lines.length - 1, this.row + count);
      if (final === 'E') this.column = 0;
    } else if (final === 'C') this.column = Math.min(longestLine, this.column + count);
    else if (final === 'D') this.column = Math.max(0, this.column - count);
    else if (final === 'G') this.column = Math.min(longestLine, count - 1);
    else if (final === 'K') {
      if (first === 1) this.lines[this.row] = ' '.repeat(Math.min(this.column, line.length)) + line.slice(this.column);
      else this.lines[this.row] = first === 2 ? '' : line.slice(0, this.column);
    } else if (final === 'J' && !(first > 0)) {
      this.lines.length = this.row + 1;
      this.lines[this.row] = line.slice(0, this.column);
    } else if (final === 'J' && first >= 2) {
      // A cleared screen is still something that was seen: it becomes final.
      this.finish(this.lines.filter((seen) => seen !== ''));
      this.startAfresh();
    }
  }
}

/** Index of the next control character (C0, DEL, C1) other than tab, or the end. */
function endOfPrintable(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if ((code < 0x20 && code !== 0x09) || (code >= 0x7f && code <= 0x9f)) return at;
  }
  return text.length;
}
