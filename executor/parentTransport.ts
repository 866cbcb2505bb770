// The channel to the process that started this one: Electron's parentPort in a utility process, else Node's ipc.
import type { Transport } from '#shared/rpc/transport';

/** What this needs of Electron's `process.parentPort`. */
interface ParentPort {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown;
  postMessage(message: unknown): void;
}

/** Opens the channel of `own`, this process. Throws when the program was not started by Gatehouse. */
export function openParentTransport(own: NodeJS.Process): Transport {
  const port: unknown = Reflect.get(own, 'parentPort');
  if (isParentPort(port)) return parentPortTransport(port);
  if (own.send === undefined) throw new Error('The executor is started by Gatehouse itself, not by hand.');
  return ipcTransport(own);
}

function ipcTransport(own: NodeJS.Process): Transport {
  const closeListeners = new Set<(reason: string) => void>();
  let closed = false;
  const close = (reason: string) => {
    if (closed) return;
    closed = true;
    for (const listener of [...closeListeners]) listener(reason);
    if (own.connected) own.disconnect();
  };
  own.on('disconnect', () => close('the parent is gone'));
  return {
    send(message) {
      // A failed write means that the channel is going; 'disconnect' follows.
      if (!closed && own.connected) own.send?.(message, undefined, undefined, () => undefined);
    },
    onMessage(listener) {
      own.on('message', listener);
      return () => own.off('message', listener);
    },
    onClose(listener) {
      closeListeners.add(listener);
      return () => closeListeners.delete(listener);
    },
    close,
  };
}

/** A utility process ends with its parent, so there is no word of closing to pass on. */
function parentPortTransport(port: ParentPort): Transport {
  const messageListeners = new Set<(message: unknown) => void>();
  const closeListeners = new Set<(reason: string) => void>();
  let closed = false;
  port.on('message', (event) => {
    if (!closed) for (const listener of [...messageListeners]) listener(event.data);
  });
  return {
    send(message) {
      if (!closed) port.postMessage(message);
    },
    onMessage(listener) {
      messageListeners.add(listener);
      return () => messageListeners.delete(listener);
    },
    onClose(listener) {
      closeListeners.add(listener);
      return () => closeListeners.delete(listener);
    },
    close(reason) {
      if (closed) return;
      closed = true;
      for (const listener of [...closeListeners]) listener(reason);
    },
  };
}

function isParentPort(value: unknown): value is ParentPort {
  return typeof value === 'object' && value !== null && 'postMessage' in value && 'on' in value;
}
