// One viewer of a running call's output: attaches, keeps its place by character offsets, acknowledges what was drawn
// and notices what it missed.
import type { AppContract } from '#shared/api/app';
import { RpcError } from '#shared/rpc/errors';
import type { Connected } from '#shared/rpc/peer';

export type OutputLink = Pick<Connected<AppContract>, 'call' | 'on'>;

/** Where the output is drawn. */
export interface OutputScreen {
  /** Draws text; `done` runs when it is on screen, which lets more come. */
  write(text: string, done: () => void): void;
  /** Wipes everything, because `skipped` characters were not shown. */
  reset(skipped: number): void;
  /** Something came in. `totalChars` counts the whole output so far. */
  onActivity(totalChars: number): void;
}

interface Chunk {
  readonly from: number;
  readonly text: string;
}

export class OutputViewer {
  private readonly link: OutputLink;
  private readonly id: { readonly sessionId: string; readonly callId: string };
  private readonly screen: OutputScreen;
  private readonly stopListening: () => void;
  /** Chunks that came before the answer to attach; null from then on. */
  private early: Chunk[] | null = [];
  /** Offset after the last character that was handed to the screen. */
  private position = 0;
  private disposed = false;

  constructor(options: {
    readonly link: OutputLink;
    readonly sessionId: string;
    readonly callId: string;
    readonly screen: OutputScreen;
  }) {
    this.link = options.link;
    this.id = { sessionId: options.sessionId, callId: options.callId };
    this.screen = options.screen;
    this.stopListening = this.link.on('output.data', ({ sessionId, callId, from, text }) => {
      if (sessionId !== this.id.sessionId || callId !== this.id.callId) return;
      if (this.early === null) this.take({ from, text });
      else this.early.push({ from, text });
    });
    void this.attach();
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.stopListening();
    this.quietly(this.link.call('sessions.detachOutput', this.id));
  }

  private async attach(): Promise<void> {
    try {
      const { from, tail } = await this.link.call('sessions.attachOutput', this.id);
      if (this.disposed) return;
      if (from > 0) this.screen.reset(from);
      this.position = from;
      this.take({ from, text: tail });
      const early = this.early ?? [];
      this.early = null;
      for (const chunk of early) this.take(chunk);
    } catch (error) {
      // The call may have ended meanwhile; its card then shows the finished output.
      if (!(error instanceof RpcError)) throw error;
    }
  }

  private take({ from, text }: Chunk): void {
    if (this.disposed) return;
    const end = from + text.length;
    if (end <= this.position) return;
    if (from > this.position) this.screen.reset(from - this.position);
    const fresh = from < this.position ? text.slice(this.position - from) : text;
    this.position = end;
    this.screen.write(fresh, () => {
      if (!this.disposed) this.quietly(this.link.call('sessions.ackOutput', { ...this.id, upTo: end }));
    });
    this.screen.onActivity(end);
  }

  /** A lost connection or an ended call is shown elsewhere. */
  private quietly(request: Promise<unknown>): void {
    request.catch(() => undefined);
  }
}
