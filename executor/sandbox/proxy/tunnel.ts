// A connection through the proxy before and after there is something at its other end.
import type { Socket } from 'node:net';

/** What a program may send before it is told that it is connected. */
const mostEarlyBytes = 64 * 1024;

/**
 * Waits with a program's socket while somebody decides: what comes early is kept, and `onGone` is called when the program
 * gives up. `release` hands the socket on, with what came early still to be read from it.
 */
export function holdSocket(socket: Socket, onGone: () => void): { readonly release: () => void } {
  const early: Buffer[] = [];
  let bytes = 0;
  const onReadable = (): void => {
    for (;;) {
      const piece: unknown = socket.read();
      if (!Buffer.isBuffer(piece)) return;
      early.push(piece);
      bytes += piece.length;
      if (bytes > mostEarlyBytes) socket.destroy();
    }
  };
  socket.on('readable', onReadable);
  socket.once('end', onGone);
  socket.once('close', onGone);
  return {
    release() {
      socket.off('readable', onReadable);
      socket.off('end', onGone);
      socket.off('close', onGone);
      if (early.length > 0 && !socket.readableEnded) socket.unshift(Buffer.concat(early));
    },
  };
}

/** Joins two sockets until both are done; an error of one ends the other. */
export function join(left: Socket, right: Socket): void {
  for (const [from, to] of [
    [left, right],
    [right, left],
  ] as const) {
    from.setTimeout(0);
    from.setNoDelay(true);
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroySoon());
    from.pipe(to);
  }
}
