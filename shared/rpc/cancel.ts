import type { CancelSignal } from './contract';

/** A signal and the means to fire it. */
export class CancelSource implements CancelSignal {
  private readonly listeners = new Set<() => void>();
  private fired = false;

  get cancelled(): boolean {
    return this.fired;
  }

  onCancel(listener: () => void): () => void {
    if (this.fired) {
      listener();
      return () => undefined;
    }
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  cancel(): void {
    if (this.fired) return;
    this.fired = true;
    const waiting = [...this.listeners];
    this.listeners.clear();
    for (const listener of waiting) listener();
  }
}
