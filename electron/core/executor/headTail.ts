import { beforePair } from '#shared/util/pairs';
import { TailBuffer } from './tailBuffer';

/** Keeps the first and the last part of a growing text; what lies between is only counted. Offsets are UTF-16 code units. */
export class HeadTail {
  private head = '';
  private readonly tail: TailBuffer;
  private readonly half: number;

  /** `capacity`: characters kept in all, half of them from the start. */
  constructor(capacity: number) {
    this.half = Math.floor(capacity / 2);
    this.tail = new TailBuffer(this.half);
  }

  get total(): number {
    return this.head.length + this.tail.total;
  }

  append(text: string): void {
    const room = this.half - this.head.length;
    if (this.tail.total > 0 || room <= 0) {
      this.tail.append(text);
      return;
    }
    const cut = beforePair(text, room);
    this.head += text.slice(0, cut);
    if (cut < text.length) this.tail.append(text.slice(cut));
  }

  /** Notes characters that were not received: they lie between head and tail. */
  skip(chars: number): void {
    this.tail.skip(chars);
  }

  parts(): { readonly head: string; readonly tail: string; readonly hidden: number } {
    const { text } = this.tail.since(this.tail.total - this.half);
    return { head: this.head, tail: text, hidden: this.tail.total - text.length };
  }
}
