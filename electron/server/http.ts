// HTTP and WebSocket on loopback: the page, and one RPC connection per tab.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Transport } from '#shared/rpc/transport';
import { type PageFile, pageHeaders } from '../core/servedPage';
import { type Peer, peerOf } from '../node/peerUser';
import { type Access, socketProtocol } from './access';
import { WebSocketTransport } from './webSocketTransport';

/** A message larger than this is no honest page's. */
const maxMessageBytes = 8 * 1024 * 1024;
/** Pages at once; a person has a handful of tabs. */
const maxPages = 64;

interface Refusal {
  readonly status: number;
  readonly why: string;
}

const notLetIn: Refusal = {
  status: 401,
  why: 'This browser has not been let in. Open the link that Gatehouse printed in its terminal.',
};
const usedLink: Refusal = {
  status: 401,
  why: 'This link was used already or is wrong. Open the newest link that Gatehouse printed in its terminal.',
};

const otherUser: Refusal = {
  status: 403,
  why: 'This Gatehouse belongs to another user of this computer. Start your own.',
};

export interface LoopbackServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Listens on 127.0.0.1. Rejects with the system's error when the port cannot be had. */
export async function listen(options: {
  readonly port: number;
  readonly access: Access;
  readonly files: ReadonlyMap<string, PageFile>;
  readonly accept: (transport: Transport) => void;
  /** A link was used up; the new one should be shown. */
  readonly onNewLink: () => void;
  /** Whose program is at the far end of a connection. */
  readonly peerOf?: (socket: Socket) => Peer;
  /** Connections at once, let in or not; a browser opens six for each tab. */
  readonly maxConnections?: number;
  /** Whoever has not said what it wants by then is cut off; a page's requests are a few hundred bytes. */
  readonly requestTimeoutMs?: number;
}): Promise<LoopbackServer> {
  const { access, files, maxConnections = 512, requestTimeoutMs = 10_000 } = options;
  const peers = new WeakMap<Socket, Peer>();
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    handleProtocols: () => socketProtocol,
  });

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '/';
    const refused = pageRefusal(request);
    if (refused !== null) refuse(response, refused);
    else if (!URL.canParse(path, 'http://127.0.0.1')) refuse(response, { status: 400, why: 'This is no address.' });
    else answerUrl(request, response, new URL(path, 'http://127.0.0.1'));
  }

  function answerUrl(request: IncomingMessage, response: ServerResponse, url: URL): void {
    const token = url.searchParams.get('token');
    const file = files.get(url.pathname);
    // Who only looks at a link (HEAD) has not opened it.
    if (token !== null && request.method === 'GET') answerLink(request, response, token);
    else if (!access.hasCookie(request)) refuse(response, notLetIn);
    else if (file === undefined) refuse(response, { status: 404, why: 'There is nothing here.' });
    else sendFile(request, response, file);
  }

  function answerLink(request: IncomingMessage, response: ServerResponse, token: string): void {
    const fresh = access.redeem(token);
    if (!fresh && !access.hasCookie(request)) {
      refuse(response, usedLink);
      return;
    }
    const sent = {
      ...headers(request.headers.host ?? ''),
      'cache-control': 'no-store',
      ...(fresh ? { 'set-cookie': access.setCookie() } : {}),
    };
    const target = fresh ? access.landing() : '/';
    if (request.headers['sec-fetch-site'] === 'cross-site') {
      // A redirect from another site would come without the strict cookie; from a page of ours it has it.
      response.writeHead(200, { ...sent, 'content-type': 'text/html; charset=utf-8' });
      response.end(`<!doctype html><meta http-equiv="refresh" content="0; url=${target}"><title>Gatehouse</title>`);
    } else {
      response.writeHead(303, { ...sent, location: target });
      response.end();
    }
    if (fresh) options.onNewLink();
  }

  /** Asked of the system once for each connection. */
  function isOwnUser(socket: Socket): boolean {
    const peer = peers.get(socket) ?? (options.peerOf ?? peerOf)(socket);
    peers.set(socket, peer);
    return peer !== 'foreign';
  }

  function pageRefusal(request: IncomingMessage): Refusal | null {
    if (!isOwnUser(request.socket)) return otherUser;
    if (!access.hostAllowed(request))
      return { status: 421, why: 'This server answers to 127.0.0.1 and localhost only.' };
    if (!access.originAllowed(request, { required: false }) || !access.siteAllowed(request)) {
      return { status: 403, why: 'Other sites may not use this server.' };
    }
    const reads = request.method === 'GET' || request.method === 'HEAD';
    return reads ? null : { status: 405, why: 'Only GET is served.' };
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const reason = socketRefusal(request);
    if (reason !== null) {
      // Node has let go of the socket: an error nobody listens to would end the program, and an open half would stay.
      socket.on('error', () => socket.destroy());
      socket.end(`HTTP/1.1 ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => options.accept(new WebSocketTransport(webSocket)));
  }

  function socketRefusal(request: IncomingMessage): string | null {
    if (!isOwnUser(request.socket)) return '403 Forbidden';
    if (!access.hostAllowed(request)) return '421 Misdirected Request';
    if (!access.originAllowed(request, { required: true })) return '403 Forbidden';
    if (!access.hasCookie(request) || !access.hasPageKey(request)) return '401 Unauthorized';
    if (request.url !== '/rpc') return '404 Not Found';
    return sockets.clients.size >= maxPages ? '503 Service Unavailable' : null;
  }

  const server = createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: requestTimeoutMs / 2,
  });
  server.on('request', answer);
  server.maxConnections = maxConnections;
  server.on('upgrade', upgrade);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', () => resolve());
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  return { port, close: () => close(server, sockets) };
}

/** The page may open its own socket and nothing else. */
function headers(host: string): Record<string, string> {
  return pageHeaders(`'self' ws://${host}`);
}

function sendFile(request: IncomingMessage, response: ServerResponse, file: PageFile): void {
  response.writeHead(200, {
    ...headers(request.headers.host ?? ''),
    'content-type': file.type,
    'content-length': file.body.length,
    'cache-control': file.immutable ? 'private, max-age=31536000, immutable' : 'no-store',
  });
  response.end(request.method === 'HEAD' ? undefined : file.body);
}

function refuse(response: ServerResponse, { status, why }: Refusal): void {
  response.writeHead(status, {
    ...headers('127.0.0.1'),
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(`${why}\n`);
}

async function close(server: Server, sockets: WebSocketServer): Promise<void> {
  for (const client of sockets.clients) client.close(1001, 'Gatehouse is closing');
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const client of sockets.clients) client.terminate();
  server.closeAllConnections();
  await closed;
}
