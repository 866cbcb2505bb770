// Questions and answers with one language server. It may say what it likes: all of it is bounded, nothing of it is obeyed.
import { z } from 'zod';
import { FrameReader, FramingError, frame } from './framing';

/** What a server may send from one answer to the next. */
const mostBytes = 64 * 1024 * 1024;
const mostMessages = 200_000;
const methodNotFound = -32_601;

const Message = z.object({
  id: z.union([z.number(), z.string(), z.null()]).optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});

/** The server answered with an error of its own. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** The connection is of no use any more; the message says why as a phrase. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
  constructor(
    readonly how: 'crashed' | 'timeout' | 'badAnswer' | 'stopped',
    message: string,
  ) {
    super(message);
  }
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
  readonly timer: NodeJS.Timeout;
}

export interface ConnectionOptions {
  /** Hands bytes to the server. */
  readonly write: (bytes: Buffer) => void;
  readonly onNotification: (method: string, params: unknown) => void;
  /** Answers what the server asks; undefined: no such method is known. */
  readonly answer: (method: string, params: unknown) => { readonly result: unknown } | undefined;
  /** It is over, once; the process should be ended. */
  readonly onLost: (why: ConnectionLost) => void;
}

export class LanguageConnection {
  private readonly reader = new FrameReader();
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 0;
  private bytes = 0;
  private messages = 0;
  private lost: ConnectionLost | undefined;

  constructor(private readonly options: ConnectionOptions) {}

  /** Rejects with ServerError, or with ConnectionLost: a server that does not answer in time is given up. */
  request(method: string, params: unknown, timeoutMs: number): Promise<unknown> {
    if (this.lost !== undefined) return Promise.reject(this.lost);
    this.nextId += 1;
    const id = this.nextId;
    return new Promise((resolve, reject) => {
      const late = () => this.fail(new ConnectionLost('timeout', `it did not answer ${method} within ${timeoutMs} ms`));
      this.waiting.set(id, { resolve, reject, timer: setTimeout(late, timeoutMs) });
      this.options.write(frame({ jsonrpc: '2.0', id, method, params }));
    });
  }

  notify(method: string, params: unknown): void {
    if (this.lost === undefined) this.options.write(frame({ jsonrpc: '2.0', method, params }));
  }

  /** Bytes from the server. */
  receive(bytes: Buffer): void {
    if (this.lost !== undefined) return;
    this.bytes += bytes.length;
    try {
      for (const message of this.reader.take(bytes)) {
        this.messages += 1;
        this.handle(message);
      }
    } catch (error) {
      if (!(error instanceof FramingError)) throw error;
      this.fail(new ConnectionLost('badAnswer', error.message));
    }
    if (this.bytes > mostBytes || this.messages > mostMessages)
      this.fail(new ConnectionLost('badAnswer', 'it sent far more than was asked for'));
  }

  /** Ends the connection; what waits is told why. Idempotent. */
  fail(why: ConnectionLost): void {
    if (this.lost !== undefined) return;
    this.lost = why;
    for (const { reject, timer } of this.waiting.values()) {
      clearTimeout(timer);
      reject(why);
    }
    this.waiting.clear();
    this.options.onLost(why);
  }

  private handle(raw: unknown): void {
    const message = Message.safeParse(raw).data;
    if (message === undefined) throw new FramingError('it sent something that is no message');
    const { id, method, params, result, error } = message;
    if (method !== undefined) {
      if (id === undefined || id === null) this.options.onNotification(method, params);
      else this.reply(id, method, params);
      return;
    }
    const asked = typeof id === 'number' ? this.waiting.get(id) : undefined;
    if (asked === undefined || typeof id !== 'number') return;
    this.waiting.delete(id);
    clearTimeout(asked.timer);
    this.bytes = 0;
    this.messages = 0;
    if (error === undefined) asked.resolve(result);
    else asked.reject(new ServerError(error.code, error.message.slice(0, 2_000)));
  }

  private reply(id: number | string, method: string, params: unknown): void {
    const answer = this.options.answer(method, params);
    const outcome =
      answer === undefined ? { error: { code: methodNotFound, message: `No method ${method}.` } } : answer;
    this.options.write(frame({ jsonrpc: '2.0', id, ...outcome }));
  }
}
