// The beginning of a stream, bounded in memory; the rest is only counted.
import { StringDecoder } from 'node:string_decoder';

export class KeptOutput {
  private readonly decoder = new StringDecoder('utf8');
  private kept = '';
  private keptBytes = 0;
  private seenBytes = 0;

  constructor(private readonly maxBytes: number) {}

  add(chunk: Uint8Array): void {
    this.seenBytes += chunk.length;
    const room = this.maxBytes - this.keptBytes;
    if (room <= 0) return;
    const part = chunk.subarray(0, room);
    this.keptBytes += part.length;
    this.kept += this.decoder.write(Buffer.from(part));
  }

  /** Bytes that came, kept or not. */
  get bytes(): number {
    return this.seenBytes;
  }

  /** Whether more came than was kept. */
  get cut(): boolean {
    return this.seenBytes > this.keptBytes;
  }

  /** What was kept, without NUL; an unfinished character at its end is left out. */
  get text(): string {
    return this.kept.replaceAll('\0', '');
  }
}
