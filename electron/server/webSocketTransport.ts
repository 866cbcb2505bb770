import type { WebSocket } from 'ws';
import type { Transport } from '#shared/rpc/transport';

/** Bytes that may wait for a slow page; beyond it the connection is closed and the page takes up again from its seq. */
const maxBufferedBytes = 32 * 1024 * 1024;
/** A page that answers no ping for this long is gone, in milliseconds. */
const pingEveryMs = 30_000;

/** A Transport over one WebSocket, JSON in text frames. */
export function webSocketTransport(socket: WebSocket): Transport {
  const messageListeners = new Set<(message: unknown) => void>();
  const closeListeners = new Set<(reason: string) => void>();
  let closed = false;
  let answered = true;

  function finish(reason: string): void {
    if (closed) return;
    closed = true;
    clearInterval(pinging);
    for (const listener of [...closeListeners]) listener(reason);
  }

  const pinging = setInterval(() => {
    if (!answered) socket.terminate();
    answered = false;
    socket.ping();
  }, pingEveryMs);
  pinging.unref();
  socket.on('pong', () => {
    answered = true;
  });
  socket.on('message', (data, isBinary) => {
    const message = isBinary ? undefined : parse(data.toString());
    if (message === undefined) {
      socket.close(1003, 'malformed message');
      return;
    }
    for (const listener of [...messageListeners]) listener(message);
  });
  socket.on('close', (_code, reason) => finish(reason.toString() || 'the page went away'));
  socket.on('error', (error) => finish(error.message));

  return {
    send(message) {
      if (closed || socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount > maxBufferedBytes) {
        socket.terminate();
        return;
      }
      socket.send(JSON.stringify(message));
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
      socket.close(1000, reason.slice(0, 100));
      finish(reason);
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
