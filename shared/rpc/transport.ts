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
