import type { Transport } from '#shared/rpc/transport';
import { TransportListeners } from '#shared/rpc/transportListeners';

/** A frame that is not JSON: the far end is not a Gatehouse. Close code from the range for applications. */
const malformedFrame = 4000;

/** Close code of a socket that never opened or broke without a goodbye. */
const abnormalClosure = 1006;

/**
 * One WebSocket as a transport: JSON in text frames. Usable at once; what is sent before the socket is open waits for
 * it. It never reconnects by itself, see HostLink.
 */
export class WebSocketTransport extends TransportListeners implements Transport {
  private readonly socket: WebSocket;
  private unsent: string[] = [];
  private opened = false;

  /** `protocols` are offered to the far end. `whyRefused` is asked when the socket never opened. */
  constructor(
    url: string,
    options: { readonly protocols?: readonly string[]; readonly whyRefused?: () => Promise<string | null> } = {},
  ) {
    super();
    this.socket = new WebSocket(url, [...(options.protocols ?? [])]);
    this.socket.addEventListener('open', () => {
      this.opened = true;
      for (const text of this.unsent) this.socket.send(text);
      this.unsent = [];
    });
    this.socket.addEventListener('message', (event: MessageEvent<unknown>) => this.receive(String(event.data)));
    this.socket.addEventListener('close', (event) => {
      const reason = describeClose({ opened: this.opened, event });
      const why = this.opened ? undefined : options.whyRefused?.();
      if (why === undefined) this.end(reason);
      else void why.then((known) => this.end(known ?? reason));
    });
  }

  send(message: unknown): void {
    if (this.closed) return;
    const text = JSON.stringify(message);
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
    else this.unsent.push(text);
  }

  override close(reason: string): void {
    this.socket.close(1000);
    this.end(reason);
  }

  private receive(text: string): void {
    if (this.closed) return;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      this.socket.close(malformedFrame, 'malformed frame');
      this.end('Gatehouse sent something that is not a message');
      return;
    }
    this.deliver(message);
  }

  private end(reason: string): void {
    this.unsent = [];
    super.close(reason);
  }
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
