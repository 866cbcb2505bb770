import type { Transport, Unsubscribe } from './transport';

/** The listening half of a Transport, the same for every medium. After `close` nothing is delivered any more. */
export class TransportListeners implements Pick<Transport, 'onMessage' | 'onClose' | 'close'> {
  private readonly messageListeners = new Set<(message: unknown) => void>();
  private readonly closeListeners = new Set<(reason: string) => void>();
  private ended = false;

  get closed(): boolean {
    return this.ended;
  }

  onMessage(listener: (message: unknown) => void): Unsubscribe {
    this.messageListeners.add(listener);
    return () => this.messageListeners.delete(listener);
  }

  onClose(listener: (reason: string) => void): Unsubscribe {
    this.closeListeners.add(listener);
    return () => this.closeListeners.delete(listener);
  }

  deliver(message: unknown): void {
    if (this.ended) return;
    for (const listener of [...this.messageListeners]) listener(message);
  }

  /** Tells the reason to who waits for the end, once. */
  close(reason: string): void {
    if (this.ended) return;
    this.ended = true;
    for (const listener of [...this.closeListeners]) listener(reason);
  }
}
