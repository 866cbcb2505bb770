/** Returned by every `on…`: call it to stop listening. Calling it twice is harmless. */
export type Unsubscribe = () => void;

/**
 * A two-way message channel that knows nothing of its medium (Electron ipc, WebSocket, process port, linked
 * pair). Messages are JSON values. `send` after close does nothing.
 */
export interface Transport {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): Unsubscribe;
  onClose(listener: (reason: string) => void): Unsubscribe;
  close(reason: string): void;
}

/** Two ends of one in-process channel, delivered asynchronously in order, as a real medium would. */
export function createLinkedPair(): [Transport, Transport] {
  const left = new LinkedEnd();
  const right = new LinkedEnd();
  left.other = right;
  right.other = left;
  return [left, right];
}

class LinkedEnd implements Transport {
  other: LinkedEnd | undefined;
  private readonly messageListeners = new Set<(message: unknown) => void>();
  private readonly closeListeners = new Set<(reason: string) => void>();
  private closed = false;

  send(message: unknown): void {
    const copy: unknown = JSON.parse(JSON.stringify(message));
    void Promise.resolve().then(() => {
      if (!this.closed) this.other?.deliver(copy);
    });
  }

  onMessage(listener: (message: unknown) => void): Unsubscribe {
    this.messageListeners.add(listener);
    return () => this.messageListeners.delete(listener);
  }

  onClose(listener: (reason: string) => void): Unsubscribe {
    this.closeListeners.add(listener);
    return () => this.closeListeners.delete(listener);
  }

  close(reason: string): void {
    if (this.closed) return;
    this.closed = true;
    for (const listener of [...this.closeListeners]) listener(reason);
    this.other?.close(reason);
  }

  private deliver(message: unknown): void {
    if (this.closed) return;
    for (const listener of [...this.messageListeners]) listener(message);
  }
}
