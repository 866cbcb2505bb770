// Messages of a language server as they come over its pipe: a header with a length, an empty line, JSON.

/** A message that is longer is none: the largest answers (all symbols of a project) stay far below. */
const longestMessage = 32 * 1024 * 1024;
const longestHeader = 4_096;

/** What came is no protocol: nothing after it can be understood. */
export class FramingError extends Error {
  override readonly name = 'FramingError';
}

/** One message with its header. */
export function frame(message: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(message), 'utf8');
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`, 'latin1'), body]);
}

/** Puts messages together from pieces of any size. Never holds more than one message and one piece. */
export class FrameReader {
  private pieces: Buffer[] = [];
  private size = 0;
  /** Length of the body that is being read; null while the header is. */
  private expected: number | null = null;

  /** Takes the next bytes and answers with the messages that are complete. Throws FramingError. */
  take(bytes: Buffer): unknown[] {
    this.pieces.push(bytes);
    this.size += bytes.length;
    const messages: unknown[] = [];
    for (;;) {
      this.expected ??= this.header();
      if (this.expected === null || this.size < this.expected) return messages;
      const all = this.joined();
      const body = all.toString('utf8', 0, this.expected);
      this.keep(all.subarray(this.expected));
      this.expected = null;
      messages.push(parsed(body));
    }
  }

  /** Length of the body that a complete header announces; null: it is not complete. */
  private header(): number | null {
    const all = this.joined();
    const end = all.indexOf('\r\n\r\n');
    if (end < 0) {
      if (all.length > longestHeader) throw new FramingError('it sent a header without an end');
      return null;
    }
    const header = all.toString('latin1', 0, Math.min(end, longestHeader));
    const length = /^content-length: *(\d{1,12}) *$/im.exec(header)?.[1];
    if (end > longestHeader || length === undefined) throw new FramingError('it sent something that is no message');
    if (Number(length) > longestMessage) throw new FramingError(`it announced a message of ${length} bytes`);
    this.keep(all.subarray(end + 4));
    return Number(length);
  }

  private joined(): Buffer {
    const [first] = this.pieces;
    const all = this.pieces.length === 1 && first !== undefined ? first : Buffer.concat(this.pieces);
    this.pieces = [all];
    return all;
  }

  private keep(rest: Buffer): void {
    this.pieces = [rest];
    this.size = rest.length;
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new FramingError('it sent a message that is no JSON, or of another length than it said');
  }
}
