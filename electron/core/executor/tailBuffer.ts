/** The last characters of a growing text, with absolute offsets in UTF-16 code units; older ones are forgotten. */
export class TailBuffer {
  private chunks: string[] = [];
  private length = 0;
  private received = 0;
  private readonly capacity: number;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  /** Characters received so far. */
  get total(): number {
    return this.received;
  }

  append(text: string): void {
    this.chunks.push(text);
    this.length += text.length;
    this.received += text.length;
    // Cutting at twice the capacity makes the cost of cutting constant for each character.
    if (this.length <= 2 * this.capacity) return;
    const kept = withoutHalfPair(this.chunks.join('').slice(-this.capacity));
    this.chunks = [kept];
    this.length = kept.length;
  }

  /** Notes characters that were not received; what came before them is forgotten, so that the kept text has no gap. */
  skip(chars: number): void {
    this.chunks = [];
    this.length = 0;
    this.received += chars;
  }

  /** Everything from an offset on, or from the first kept character after it. */
  since(offset: number): { readonly from: number; readonly text: string } {
    const all = this.chunks.join('');
    this.chunks = [all];
    const start = Math.max(0, offset - (this.received - this.length));
    const text = withoutHalfPair(all.slice(start));
    return { from: this.received - text.length, text };
  }
}

/** Drops a low surrogate at the start, whose high half was cut off. */
function withoutHalfPair(text: string): string {
  const first = text.charCodeAt(0);
  return first >= 0xdc00 && first <= 0xdfff ? text.slice(1) : text;
}
