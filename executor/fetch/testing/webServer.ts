// For tests: small web servers on loopback, and a way to fetch from them under any name.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { systemDial } from '../connect';
import type { FetchParts } from '../fetchPage';
import { readablePage } from '../readable';
import { testCertificate, testKey } from './certificate';

export interface WebServer {
  readonly port: number;
  /** Targets of the requests, in order, with the host that they name. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** Starts a server that answers by `serve`; with `secure` over TLS. */
export async function startWebServer(
  serve: (request: IncomingMessage, response: ServerResponse) => void,
  { secure = false }: { readonly secure?: boolean } = {},
): Promise<WebServer> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const heard = (request: IncomingMessage, response: ServerResponse): void => {
    asked.push(`${request.headers.host ?? ''}${request.url ?? ''}`);
    serve(request, response);
  };
  const server = secure ? createSecureServer({ cert: testCertificate, key: testKey }, heard) : createServer(heard);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    port: address.port,
    asked,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Parts of a fetch in which names lead where `names` says, and connections to any address end at the server: `dialled` tells
 * which address was meant. Read in this thread, by `readablePage`.
 */
export function partsFor(
  names: Readonly<Record<string, readonly string[] | (() => readonly string[])>>,
  port: number,
): FetchParts & { readonly dialled: string[]; readonly resolved: string[] } {
  const dialled: string[] = [];
  const resolved: string[] = [];
  return {
    dialled,
    resolved,
    ca: testCertificate,
    resolve(host) {
      resolved.push(host);
      const found = names[host];
      if (found === undefined) return Promise.reject(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }));
      return Promise.resolve(typeof found === 'function' ? found() : found);
    },
    dial(address, meant) {
      dialled.push(`${address} ${meant}`);
      return systemDial('127.0.0.1', port);
    },
    readPage: ({ html, url }) => Promise.resolve(readablePage(html, url)),
  };
}
