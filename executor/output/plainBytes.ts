// The plain text of a command's output, made from bytes. Most output holds nothing but characters and line ends, and is
// passed on without ever becoming a string; the rest goes through the screen that understands escapes and redraws.
import { isUtf8 } from 'node:buffer';
import { PlainScreen } from '#shared/terminal/plainScreen';

/** Lines that stay changeable, as a redraw may still reach them; the same number as the screen's. */
const heldLines = 60;
/** With very long lines fewer stay changeable. */
const heldBytes = 65_536;
/** A line longer than this is final up to where it is. */
const longestLine = 16_384;

const LF = 0x0a;
const CR = 0x0d;

/** Kinds of bytes: 0 passes, others need a look. */
const carriageReturn = 1;
const beyondAscii = 2;
const control = 3;
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === CR) return carriageReturn;
  if (byte >= 0x80) return beyondAscii;
  return (byte < 0x20 && byte !== LF && byte !== 0x09) || byte === 0x7f ? control : 0;
});

/** `onFinal` receives UTF-8 that can no longer change, in order; the bytes are good during the call only. */
export class PlainBytes {
  /** NUL bytes and sequences that are no UTF-8. */
  nonText = 0;
  private held: Buffer = Buffer.alloc(0);
  /** The start of a character or of a line end, whose rest has yet to come. */
  private carry: Buffer = Buffer.alloc(0);
  private scratch: Buffer = Buffer.alloc(0);
  private screen: PlainScreen | undefined;
  private readonly onFinal: (bytes: Buffer) => void;

  constructor(onFinal: (bytes: Buffer) => void) {
    this.onFinal = onFinal;
  }

  /** Takes the next bytes; they may be overwritten afterwards. */
  write(bytes: Buffer): void {
    const all = this.carry.length === 0 ? bytes : Buffer.concat([this.carry, bytes]);
    const end = all.length - unfinishedBytes(all);
    this.carry = Buffer.from(all.subarray(end));
    const block = all.subarray(0, end);
    if (this.screen !== undefined || !this.pass(block)) this.throughScreen(block);
  }

  /** Text that may still change. */
  pending(): Buffer {
    const rest = this.carry.toString('utf8').replaceAll('\r', '');
    const text = this.screen?.pending();
    return text === undefined ? Buffer.concat([this.held, Buffer.from(rest)]) : Buffer.from(text + rest);
  }

  /** Nothing comes any more: all is final. */
  end(): void {
    const rest = this.carry;
    this.carry = Buffer.alloc(0);
    if (rest.length > 0) this.throughScreen(rest);
    this.onFinal(this.pending());
    this.held = Buffer.alloc(0);
    this.screen = undefined;
  }

  /** Passes a block of mere text on; false when it holds more than that. */
  private pass(block: Buffer): boolean {
    const start = this.held.length;
    if (this.scratch.length < start + block.length) this.scratch = Buffer.allocUnsafe(start + block.length);
    const end = copyText(block, this.scratch, start);
    if (end < 0) return false;
    this.scratch.set(this.held);
    const text = this.scratch.subarray(0, end);
    const cut = heldFrom(text);
    if (cut > 0) this.onFinal(text.subarray(0, cut));
    this.held = Buffer.from(text.subarray(cut));
    return true;
  }

  private throughScreen(block: Buffer): void {
    // Whole characters, apart from bytes that are none: a decoder would hold those back, behind text that goes another way.
    const text = block.toString('utf8');
    this.nonText += strange(text, block);
    const screen = this.onScreen();
    screen.write(text);
    if (!screen.isSettled()) return;
    this.held = Buffer.from(screen.pending());
    this.screen = undefined;
  }

  private onScreen(): PlainScreen {
    if (this.screen === undefined) {
      this.screen = new PlainScreen((text) => this.onFinal(Buffer.from(text)));
      this.screen.write(this.held.toString('utf8'));
      this.held = Buffer.alloc(0);
    }
    return this.screen;
  }
}

/** Bytes at the end that make sense only with those to come: part of a character, or a carriage return. */
function unfinishedBytes(bytes: Buffer): number {
  const length = bytes.length;
  if (bytes[length - 1] === CR) return 1;
  for (let back = 1; back <= Math.min(3, length); back += 1) {
    const byte = bytes[length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const whole = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return whole > back ? back : 0;
  }
  return 0;
}

/**
 * Copies text to `target` from `at` on, line ends made plain. Answers with the end of what was written, or -1 when the
 * source holds anything but text: escapes, redraws, other controls, what is no UTF-8.
 */
function copyText(source: Buffer, target: Buffer, at: number): number {
  const length = source.length;
  let end = at;
  let ascii = true;
  for (let index = 0; index < length; index += 1) {
    const byte = source[index] ?? 0;
    const kind = kinds[byte];
    if (kind === 0) {
      target[end++] = byte;
    } else if (kind === beyondAscii) {
      ascii = false;
      const next = source[index + 1] ?? 0;
      // C1 controls.
      if (byte === 0xc2 && next >= 0x80 && next <= 0x9f) return -1;
      target[end++] = byte;
    } else if (kind === control || source[index + 1] !== LF) {
      return -1;
    }
  }
  return ascii || isUtf8(source) ? end : -1;
}

/** Where the part of a text begins that stays changeable. */
function heldFrom(text: Buffer): number {
  const lastLine = text.lastIndexOf(LF) + 1;
  if (text.length - lastLine > longestLine) return text.length;
  let from = lastLine;
  for (let lines = 0; lines < heldLines && from > 0; lines += 1) {
    const before = from < 2 ? 0 : text.lastIndexOf(LF, from - 2) + 1;
    if (text.length - before > heldBytes) break;
    from = before;
  }
  return from;
}

/** How much of a decoded block was no text. */
function strange(text: string, bytes: Buffer): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0 || code === 0xfffd) count += 1;
  }
  if (count === 0) return 0;
  // Those that the program printed itself are text.
  for (let at = bytes.indexOf('\uFFFD'); at >= 0; at = bytes.indexOf('\uFFFD', at + 3)) count -= 1;
  return Math.max(0, count);
}
