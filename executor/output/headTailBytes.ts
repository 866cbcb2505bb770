import { isAscii } from 'node:buffer';
import { afterPair, beforePair } from '#shared/util/pairs';
import { GrowingBytes, TailBytes } from './growingBytes';

/** Characters of each end that are told, at least. */
const leastHalf = 32_768;
/** A character has at most four bytes. */
const bytesEach = 4;

/** The first and the last characters of a growing text that comes as whole characters in UTF-8. */
export class HeadTailBytes {
  /** Characters so far, in UTF-16 code units. */
  totalChars = 0;
  private readonly half: number;
  private readonly head: GrowingBytes;
  private readonly tail: TailBytes;
  private totalBytes = 0;

  /** `wholeChars`: a text that is no longer is kept whole. */
  constructor(wholeChars = 0) {
    this.half = Math.max(leastHalf, Math.ceil(wholeChars / 2));
    this.head = new GrowingBytes(bytesEach * this.half);
    this.tail = new TailBytes(bytesEach * this.half);
  }

  /** Takes the next bytes; they may be overwritten afterwards. */
  add(bytes: Buffer): void {
    this.totalChars += charsOf(bytes);
    this.totalBytes += bytes.length;
    if (this.head.room > 0) this.head.add(bytes.subarray(0, this.head.room));
    this.tail.add(bytes);
  }

  /** Characters from each end, which do not overlap. */
  parts(): { readonly head: string; readonly tail: string; readonly totalChars: number } {
    const { totalChars, half } = this;
    const start = this.head.bytes().toString('utf8');
    const head = start.slice(0, beforePair(start, half));
    const end = this.totalBytes <= bytesEach * half ? start : wholeCharacters(this.tail.bytes()).toString('utf8');
    const length = Math.min(half, totalChars - head.length);
    const tail = length <= 0 ? '' : end.slice(afterPair(end, Math.max(0, end.length - length)));
    return { head, tail, totalChars };
  }
}

/** Length of UTF-8 in UTF-16 code units. */
export function charsOf(bytes: Buffer): number {
  return isAscii(bytes) ? bytes.length : bytes.toString('utf8').length;
}

/** Without the rest of a character at the start. */
export function wholeCharacters(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start);
}
