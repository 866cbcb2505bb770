import type { WebSocket } from 'ws';
import type { Transport } from '#shared/rpc/transport';
import { TransportListeners } from '#shared/rpc/transportListeners';

/** Bytes that may wait for a slow page; beyond it the connection is closed and the page takes up again from its seq. */
const maxBufferedBytes = 32 * 1024 * 1024;
/** A page that answers no ping for this long is gone, in milliseconds. */
const pingEveryMs = 30_000;

/** A Transport over one WebSocket, JSON in text frames. */
export class WebSocketTransport extends TransportListeners implements Transport {
  private answered = true;
  private readonly pinging = setInterval(() => this.ping(), pingEveryMs);

  constructor(private readonly socket: WebSocket) {
    super();
    this.pinging.unref();
    socket.on('pong', () => {
      this.answered = true;
    });
    socket.on('message', (data, isBinary) => {
      const message = isBinary ? undefined : parse(data.toString());
      if (message === undefined) socket.close(1003, 'malformed message');
      else this.deliver(message);
    });
    socket.on('close', (_code, reason) => this.end(reason.toString() || 'the page went away'));
    socket.on('error', (error) => this.end(error.message));
  }

  send(message: unknown): void {
    if (this.closed || this.socket.readyState !== this.socket.OPEN) return;
    if (this.socket.bufferedAmount > maxBufferedBytes) this.socket.terminate();
    else this.socket.send(JSON.stringify(message));
  }

  override close(reason: string): void {
    this.socket.close(1000, reason.slice(0, 100));
    this.end(reason);
  }

  private end(reason: string): void {
    clearInterval(this.pinging);
    super.close(reason);
  }

  private ping(): void {
    if (!this.answered) this.socket.terminate();
    this.answered = false;
    this.socket.ping();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
