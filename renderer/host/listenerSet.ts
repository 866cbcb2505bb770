import type { Unsubscribe } from '#shared/rpc/transport';

/** Listeners of one kind of event. A listener may unsubscribe itself while it is being called. */
export class ListenerSet<Payload> {
  private readonly listeners = new Set<(payload: Payload) => void>();

  add(listener: (payload: Payload) => void): Unsubscribe {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  announce(payload: Payload): void {
    for (const listener of [...this.listeners]) listener(payload);
  }
}
