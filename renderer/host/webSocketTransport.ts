import type { Transport } from '#shared/rpc/transport';
import { ListenerSet } from './listenerSet';

/** A frame that is not JSON: the far end is not a Gatehouse. Close code from the range for applications. */
const malformedFrame = 4000;

/** Close code of a socket that never opened or broke without a goodbye. */
const abnormalClosure = 1006;

/**
 * One WebSocket as a transport: JSON in text frames. Usable at once; what is sent before the socket is open waits for
 * it. It never reconnects by itself, see HostLink.
 */
export function createWebSocketTransport(url: string): Transport {
  const socket = new WebSocket(url);
  const messages = new ListenerSet<unknown>();
  const closes = new ListenerSet<string>();
  let unsent: string[] = [];
  let closed = false;
  let opened = false;

  function finish(reason: string): void {
    if (closed) return;
    closed = true;
    unsent = [];
    closes.announce(reason);
  }

  socket.addEventListener('open', () => {
    opened = true;
    for (const text of unsent) socket.send(text);
    unsent = [];
  });
  socket.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (closed) return;
    let message: unknown;
    try {
      message = JSON.parse(String(event.data));
    } catch {
      socket.close(malformedFrame, 'malformed frame');
      finish('Gatehouse sent something that is not a message');
      return;
    }
    messages.announce(message);
  });
  socket.addEventListener('close', (event) => finish(describeClose({ opened, event })));

  return {
    send(message) {
      if (closed) return;
      const text = JSON.stringify(message);
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
      else unsent.push(text);
    },
    onMessage: (listener) => messages.add(listener),
    onClose: (listener) => closes.add(listener),
    close(reason) {
      socket.close(1000);
      finish(reason);
    },
  };
}

function describeClose({ opened, event }: { opened: boolean; event: CloseEvent }): string {
  if (event.reason !== '') return event.reason;
  if (!opened) return 'Gatehouse does not answer at this address';
  return event.code === abnormalClosure
    ? 'Gatehouse stopped or the connection broke'
    : 'Gatehouse closed the connection';
}

/** Address of the message socket that belongs to a page: same origin, path `/rpc`. */
export function socketUrl(page: { readonly protocol: string; readonly host: string }): string {
  return `${page.protocol === 'https:' ? 'wss' : 'ws'}://${page.host}/rpc`;
}
