// Connects to addresses that were checked, and to no others.
import { connect as dial, isIP, type Socket } from 'node:net';
import { connect as startTls, type TLSSocket } from 'node:tls';

/** How long one address may take to answer, in milliseconds. */
const dialMs = 10_000;
/** Of many addresses only so many are tried. */
const maxTried = 4;

/** Opens a plain connection; tests give one that leads elsewhere. */
export type Dial = (address: string, port: number) => Socket;

export const systemDial: Dial = (address, port) => dial({ host: address, port, noDelay: true });

export interface ConnectOptions {
  readonly addresses: readonly string[];
  readonly port: number;
  /** The name that the certificate must hold; null for plain http. */
  readonly secureHost: string | null;
  readonly dial: Dial;
  /** Certificates to trust instead of the system's. */
  readonly ca: string | undefined;
  readonly signal: AbortSignal;
}

/** The first connection that comes about, secured where wanted. Rejects with the last address's error. */
export async function connectChecked(options: ConnectOptions): Promise<Socket> {
  const { addresses, secureHost } = options;
  let last: unknown = new Error('There is no address to connect to.');
  for (const address of addresses.slice(0, maxTried)) {
    options.signal.throwIfAborted();
    try {
      const socket = await opened(options.dial(address, options.port), 'connect', options.signal);
      if (secureHost === null) return socket;
      return await opened(secured(socket, secureHost, options.ca), 'secureConnect', options.signal);
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

function secured(socket: Socket, host: string, ca: string | undefined): TLSSocket {
  return startTls({
    socket,
    ALPNProtocols: ['http/1.1'],
    // No name is sent for an address; the certificate is checked against it all the same.
    ...(isIP(host) === 0 ? { servername: host } : { host }),
    ...(ca === undefined ? {} : { ca }),
  });
}

function opened<S extends Socket>(socket: S, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<S> {
  return new Promise((resolve, reject) => {
    const end = (error: Error): void => {
      stop();
      socket.destroy();
      reject(error);
    };
    const late = setTimeout(() => end(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })), dialMs);
    const onAbort = (): void => end(new Error('aborted'));
    const onReady = (): void => {
      stop();
      resolve(socket);
    };
    const stop = (): void => {
      clearTimeout(late);
      signal.removeEventListener('abort', onAbort);
      socket.off('error', end);
      socket.off(event, onReady);
    };
    socket.once(event, onReady);
    socket.once('error', end);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
