import type { Transport } from './transport';
import { TransportListeners } from './transportListeners';

/** Two ends of one in-process channel, delivered asynchronously in order, as a real medium would. */
export function createLinkedPair(): [Transport, Transport] {
  const left = new LinkedEnd();
  const right = new LinkedEnd();
  left.other = right;
  right.other = left;
  return [left, right];
}

class LinkedEnd extends TransportListeners implements Transport {
  other: LinkedEnd | undefined;

  send(message: unknown): void {
    const copy: unknown = JSON.parse(JSON.stringify(message));
    void Promise.resolve().then(() => {
      if (!this.closed) this.other?.deliver(copy);
    });
  }

  override close(reason: string): void {
    if (this.closed) return;
    super.close(reason);
    this.other?.close(reason);
  }
}
