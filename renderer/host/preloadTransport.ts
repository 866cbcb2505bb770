import type { Transport } from '#shared/rpc/transport';
import { ListenerSet } from './listenerSet';

/** A transport over the object that the desktop preload script exposes. It lives as long as the window. */
export function createPreloadTransport(bridge: GatehouseBridge): Transport {
  const messages = new ListenerSet<unknown>();
  const closes = new ListenerSet<string>();
  let closed = false;
  const stop = bridge.onMessage((text) => {
    if (!closed) messages.announce(JSON.parse(text));
  });
  return {
    send(message) {
      if (!closed) bridge.send(JSON.stringify(message));
    },
    onMessage: (listener) => messages.add(listener),
    onClose: (listener) => closes.add(listener),
    close(reason) {
      if (closed) return;
      closed = true;
      stop();
      closes.announce(reason);
    },
  };
}
