// The channel to the process that started this one: Electron's parentPort in a utility process, else Node's ipc.
import type { Transport } from '#shared/rpc/transport';
import { TransportListeners } from '#shared/rpc/transportListeners';

/** What this needs of Electron's `process.parentPort`. */
interface ParentPort {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown;
  postMessage(message: unknown): void;
}

/** Opens the channel of `own`, this process. Throws when the program was not started by Gatehouse. */
export function openParentTransport(own: NodeJS.Process): Transport {
  const port: unknown = Reflect.get(own, 'parentPort');
  if (isParentPort(port)) return new ParentPortTransport(port);
  if (own.send === undefined) throw new Error('The executor is started by Gatehouse itself, not by hand.');
  return new IpcTransport(own);
}

class IpcTransport extends TransportListeners implements Transport {
  constructor(private readonly own: NodeJS.Process) {
    super();
    own.on('message', (message) => this.deliver(message));
    own.on('disconnect', () => this.close('the parent is gone'));
  }

  send(message: unknown): void {
    // A failed write means that the channel is going; 'disconnect' follows.
    if (!this.closed && this.own.connected) this.own.send?.(message, undefined, undefined, () => undefined);
  }

  override close(reason: string): void {
    super.close(reason);
    if (this.own.connected) this.own.disconnect();
  }
}

/** A utility process ends with its parent, so there is no word of closing to pass on. */
class ParentPortTransport extends TransportListeners implements Transport {
  constructor(private readonly port: ParentPort) {
    super();
    port.on('message', (event) => this.deliver(event.data));
  }

  send(message: unknown): void {
    if (!this.closed) this.port.postMessage(message);
  }
}

function isParentPort(value: unknown): value is ParentPort {
  return typeof value === 'object' && value !== null && 'postMessage' in value && 'on' in value;
}
