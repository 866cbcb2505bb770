import type { Transport } from '#shared/rpc/transport';
import { TransportListeners } from '#shared/rpc/transportListeners';

/** A transport over the object that the desktop preload script exposes. It lives as long as the window. */
export class PreloadTransport extends TransportListeners implements Transport {
  private readonly stop: () => void;

  constructor(private readonly bridge: GatehouseBridge) {
    super();
    this.stop = bridge.onMessage((text) => {
      if (!this.closed) this.deliver(JSON.parse(text));
    });
  }

  send(message: unknown): void {
    if (!this.closed) this.bridge.send(JSON.stringify(message));
  }

  override close(reason: string): void {
    this.stop();
    super.close(reason);
  }
}
