// What the core sees of a command's output while it runs: everything as long as that is little, and of a flood the newest.
import { Coalescer } from '../coalesce';
import { TailBytes } from './growingBytes';
import { charsOf, wholeCharacters } from './headTailBytes';

/** So many characters may come at once without a gap; what the core has not taken yet counts against it too. */
const burstChars = 500_000;
/** And so many a second in the long run. */
const charsPerSecond = 300_000;
/** Of a flood these bytes, the newest, are told, */
const tailBytes = 65_536;
/** so often. */
const floodDelayMs = 100;
/** Bytes that become text at once. */
const sliceBytes = 16_384;

const LF = 0x0a;
const CR = 0x0d;

/** Used by all streams in turn: what is written into it becomes text at once. */
const scratch = Buffer.allocUnsafeSlow(2 * sliceBytes);

export interface ViewerStreamOptions {
  /** `from` is the offset of the text in the whole output. */
  readonly emit: (piece: { readonly from: number; readonly text: string }) => void;
  /** Milliseconds, never going back. */
  readonly now?: () => number;
}

export class ViewerStream {
  /** Characters of the whole output so far, those included that were not told. */
  totalChars = 0;
  /** Some pieces were left out. */
  skipped = false;
  private readonly now: () => number;
  private readonly coalescer: Coalescer;
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  private told = 0;
  private allowance = burstChars;
  private filledAt: number;
  private outstanding = 0;
  /** Bytes of the flood that were not told yet, the newest of them kept. */
  private readonly waiting = new TailBytes(tailBytes);
  private waitingLength = 0;
  private timer: NodeJS.Timeout | undefined;
  private afterReturn = false;

  constructor(options: ViewerStreamOptions) {
    this.now = options.now ?? (() => performance.now());
    this.filledAt = this.now();
    this.coalescer = new Coalescer((text) => {
      options.emit({ from: this.told, text });
      this.told += text.length;
      this.outstanding += text.length;
    });
  }

  /** Takes the next bytes; they may be overwritten afterwards. */
  add(bytes: Buffer): void {
    if (this.waitingLength === 0 && this.mayTell(bytes.length)) this.tell(bytes);
    else this.hold(bytes);
  }

  /** The core took characters off the wire. */
  acknowledge(chars: number): void {
    this.outstanding = Math.max(0, this.outstanding - chars);
  }

  /** Nothing comes any more: tells what waits. */
  end(): void {
    clearTimeout(this.timer);
    this.catchUp();
    this.pass(this.decoder.decode());
    this.coalescer.flush();
    this.coalescer.dispose();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.coalescer.dispose();
  }

  private mayTell(length: number): boolean {
    const now = this.now();
    this.allowance = Math.min(burstChars, this.allowance + ((now - this.filledAt) / 1_000) * charsPerSecond);
    this.filledAt = now;
    return length <= this.allowance && this.outstanding + length <= burstChars;
  }

  private tell(bytes: Buffer): void {
    this.allowance -= bytes.length;
    for (let at = 0; at < bytes.length; at += sliceBytes) {
      this.pass(this.decoder.decode(this.withReturns(bytes.subarray(at, at + sliceBytes)), { stream: true }));
    }
  }

  private pass(text: string): void {
    this.totalChars += text.length;
    this.coalescer.add(text);
  }

  /** A terminal that does not turn line feeds into line ends leaves that to us. */
  private withReturns(bytes: Buffer): Buffer {
    let end = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte === LF && !this.afterReturn) scratch[end++] = CR;
      scratch[end++] = byte;
      this.afterReturn = byte === CR;
    }
    return scratch.subarray(0, end);
  }

  private hold(bytes: Buffer): void {
    this.coalescer.flush();
    this.waiting.add(bytes);
    this.waitingLength += bytes.length;
    this.totalChars += charsOf(bytes);
    this.timer ??= setTimeout(() => this.tryAgain(), floodDelayMs);
  }

  private tryAgain(): void {
    this.timer = undefined;
    if (this.mayTell(tailBytes)) this.catchUp();
    else this.timer = setTimeout(() => this.tryAgain(), floodDelayMs);
  }

  /** Tells the newest of what waits. */
  private catchUp(): void {
    if (this.waitingLength === 0) return;
    const all = this.waiting.bytes();
    const whole = this.waitingLength === all.length;
    const bytes = whole ? all : wholeCharacters(all);
    this.waiting.clear();
    this.waitingLength = 0;
    if (!whole) {
      this.skipped = true;
      this.decoder.decode();
      this.afterReturn = false;
    }
    // What is told now was counted when it came.
    this.totalChars = whole ? this.told : Math.max(this.told, this.totalChars - charsOf(bytes));
    this.told = this.totalChars;
    this.tell(bytes);
  }
}
