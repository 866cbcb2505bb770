/** Bytes gathered in one buffer that is used again and again: a flood must not leave a trail of garbage. */
export class GrowingBytes {
  private buffer: Buffer = Buffer.alloc(0);
  private used = 0;
  private readonly capacity: number;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  get length(): number {
    return this.used;
  }

  /** How many more bytes fit. */
  get room(): number {
    return this.capacity - this.used;
  }

  /** Adds bytes, for which there must be room. */
  add(bytes: Buffer): void {
    const length = this.used + bytes.length;
    if (length > this.buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(this.capacity, Math.max(2 * this.buffer.length, length, 1_024)));
      this.buffer.copy(larger, 0, 0, this.used);
      this.buffer = larger;
    }
    bytes.copy(this.buffer, this.used);
    this.used = length;
  }

  /** All bytes; good until the next change. */
  bytes(): Buffer {
    return this.buffer.subarray(0, this.used);
  }

  /** Keeps only the last bytes. */
  keepLast(count: number): void {
    const from = Math.max(0, this.used - count);
    this.buffer.copyWithin(0, from, this.used);
    this.used -= from;
  }

  clear(): void {
    this.used = 0;
  }
}

/** The last bytes of a stream. */
export class TailBytes {
  private readonly kept: GrowingBytes;
  private readonly capacity: number;

  constructor(capacity: number) {
    this.capacity = capacity;
    // With twice the room, moving what is kept costs the same for each byte.
    this.kept = new GrowingBytes(2 * capacity);
  }

  add(bytes: Buffer): void {
    const last = bytes.subarray(-this.capacity);
    if (last.length > this.kept.room) this.kept.keepLast(this.capacity);
    this.kept.add(last);
  }

  /** At most `capacity` bytes; good until the next change. */
  bytes(): Buffer {
    return this.kept.bytes().subarray(-this.capacity);
  }

  clear(): void {
    this.kept.clear();
  }
}
