// The proxy that commands with listed hosts reach the network through: HTTP's CONNECT, plain HTTP, SOCKS 5 on one port.
import { createServer, type IncomingMessage, type ServerResponse, request as startRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { bracketed, hostAndPort, hostName, isPort, type Place } from './hostName';
import type { ProxyClient } from './proxyClient';
import { type Reached, type ReachParts, reach } from './reach';
import { readSocksWish } from './socks';
import { holdSocket, join } from './tunnel';

export interface ProxyServer {
  /** Serves one connection of a program. */
  accept(socket: Socket): void;
  /** Ends all connections. */
  dispose(): void;
}

const socksByte = 5;
/** A connection that has not said by then what it wants is ended. */
const handshakeMs = 30_000;
/** Of all programs together, so that none of them takes what the executor itself needs. */
const mostSockets = 1_024;
/** Headers that speak of one connection alone; the proxy's own secret is among them. */
const hopHeaders = new Set([
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export function createProxyServer(options: {
  readonly clientOf: (token: string) => ProxyClient | undefined;
  readonly parts: ReachParts;
}): ProxyServer {
  const { clientOf, parts } = options;
  const sockets = new Set<Duplex>();
  const silent = new Map<Socket, NodeJS.Timeout>();
  const http = createServer({ requestTimeout: 0 });

  /** It has said what it wants. */
  function spoken(socket: Socket): void {
    clearTimeout(silent.get(socket));
    silent.delete(socket);
  }

  function clientFrom(message: IncomingMessage): ProxyClient | undefined {
    const encoded = /^basic +([\w+/=-]+)$/i.exec(message.headers['proxy-authorization'] ?? '')?.[1];
    const pair = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('latin1');
    return clientOf(pair.slice(pair.indexOf(':') + 1));
  }

  /** Runs `use` with what came of it, and counts the connection as the command's until `over` is called. */
  async function connectFor(
    { client, place }: { readonly client: ProxyClient; readonly place: Place },
    gone: AbortSignal,
  ): Promise<Reached> {
    if (!client.entered()) return { kind: 'denied', why: 'The command has too many connections open.' };
    let left = false;
    const leave = (): void => {
      if (!left) client.left();
      left = true;
    };
    const signal = AbortSignal.any([gone, client.ended]);
    const reached = await reach(place, { ...parts, client, signal });
    if (reached.kind !== 'connected') {
      leave();
      return reached;
    }
    const { socket } = reached;
    sockets.add(socket);
    const end = (): void => void socket.destroy();
    client.ended.addEventListener('abort', end, { once: true });
    socket.once('close', () => {
      leave();
      sockets.delete(socket);
      client.ended.removeEventListener('abort', end);
    });
    socket.on('error', () => undefined);
    if (signal.aborted) end();
    return reached;
  }

  http.on('connect', (message: IncomingMessage, duplex: Duplex, head: Buffer) => {
    const socket = duplex as Socket;
    spoken(socket);
    if (head.length > 0) socket.unshift(head);
    const client = clientFrom(message);
    const place = hostAndPort(message.url ?? '');
    if (client === undefined) return endWith(socket, 407, 'This proxy is for commands in the sandbox alone.');
    if (place === null) return endWith(socket, 400, 'That is no host and port.');
    const gone = new AbortController();
    const held = holdSocket(socket, () => gone.abort());
    void connectFor({ client, place }, gone.signal).then((reached) => {
      held.release();
      if (reached.kind !== 'connected') return endWith(socket, reached.kind === 'denied' ? 403 : 502, reached.why);
      if (socket.destroyed) return void reached.socket.destroy();
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      join(socket, reached.socket);
    });
  });

  http.on('request', (message, answer) => {
    void serveRequest(message, answer).catch(() => answer.destroy());
  });

  async function serveRequest(message: IncomingMessage, answer: ServerResponse): Promise<void> {
    spoken(message.socket);
    const client = clientFrom(message);
    const wanted = targetOf(message.url ?? '');
    if (client === undefined) return answerWith(answer, 407, 'This proxy is for commands in the sandbox alone.');
    if (wanted === null) return answerWith(answer, 400, 'This is a proxy: it takes whole http addresses.');
    const gone = new AbortController();
    answer.once('close', () => gone.abort());
    const reached = await connectFor({ client, place: wanted.place }, gone.signal);
    if (reached.kind !== 'connected') return answerWith(answer, reached.kind === 'denied' ? 403 : 502, reached.why);
    if (gone.signal.aborted) return void reached.socket.destroy();
    answer.once('close', () => reached.socket.destroy());
    const sent = startRequest({
      createConnection: () => reached.socket,
      method: message.method ?? 'GET',
      path: wanted.path,
      setHost: false,
      headers: { ...passedOn(message), ...bodyHeader(message), host: wanted.hostHeader, connection: 'close' },
    });
    sent.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.statusMessage ?? '', passedOn(response));
      response.pipe(answer);
      response.on('error', () => answer.destroy());
    });
    sent.on('error', () => {
      if (answer.headersSent) answer.destroy();
      else answerWith(answer, 502, `${wanted.place.host} broke the connection off.`);
    });
    message.pipe(sent);
  }

  async function serveSocks(socket: Socket): Promise<void> {
    const wish = await readSocksWish(socket);
    spoken(socket);
    const client = clientOf(wish.token);
    if (client === undefined || wish.place === null) {
      wish.answer('denied');
      socket.end();
      return;
    }
    const gone = new AbortController();
    const held = holdSocket(socket, () => gone.abort());
    const reached = await connectFor({ client, place: wish.place }, gone.signal);
    held.release();
    if (socket.destroyed) {
      if (reached.kind === 'connected') reached.socket.destroy();
      return;
    }
    wish.answer(reached.kind);
    if (reached.kind === 'connected') join(socket, reached.socket);
    else socket.end();
  }

  return {
    accept(socket) {
      if (sockets.size >= mostSockets) return void socket.destroy();
      sockets.add(socket);
      socket.once('close', () => {
        sockets.delete(socket);
        spoken(socket);
      });
      socket.on('error', () => undefined);
      // A program may end its half and still read the other.
      socket.allowHalfOpen = true;
      silent.set(
        socket,
        setTimeout(() => socket.destroy(), handshakeMs),
      );
      socket.once('readable', () => {
        const first: unknown = socket.read(1);
        if (!Buffer.isBuffer(first)) return void socket.destroy();
        socket.unshift(first);
        if (first[0] === socksByte) serveSocks(socket).catch(() => socket.destroy());
        else http.emit('connection', socket);
      });
    },
    dispose() {
      for (const socket of [...sockets]) socket.destroy();
      http.close();
    },
  };
}

/** The place of an absolute `http://` address, and what is asked of it. */
function targetOf(
  address: string,
): { readonly place: Place; readonly path: string; readonly hostHeader: string } | null {
  const parts = /^http:\/\/(\[[^\]/?#@]*\]|[^:/?#@[\]]+)(?::(\d{1,5}))?([/?][^#]*)?$/i.exec(address);
  const host = hostName(parts?.[1] ?? '');
  const port = parts?.[2] === undefined ? 80 : Number(parts[2]);
  if (host === null || !isPort(port)) return null;
  const rest = parts?.[3] ?? '/';
  return {
    place: { host, port },
    path: rest.startsWith('/') ? rest : `/${rest}`,
    hostHeader: port === 80 ? bracketed(host) : `${bracketed(host)}:${port}`,
  };
}

function passedOn({ headersDistinct, headers }: IncomingMessage): Record<string, string[]> {
  const own = new Set((headers.connection ?? '').toLowerCase().split(/[\s,]+/));
  const kept = Object.entries(headersDistinct).filter(([name]) => !hopHeaders.has(name) && !own.has(name));
  return Object.fromEntries(kept.flatMap(([name, values]) => (values === undefined ? [] : [[name, values]])));
}

/** A body of unknown length needs to be told of; one of a known length has its header already. */
function bodyHeader({ headers }: IncomingMessage): Record<string, string> {
  return headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' };
}

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  403: 'Forbidden',
  407: 'Proxy Authentication Required',
  502: 'Bad Gateway',
};

function headersFor(status: number, body: string): Record<string, string> {
  return {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    ...(status === 407 ? { 'proxy-authenticate': 'Basic realm="Gatehouse"' } : {}),
  };
}

function endWith(socket: Socket, status: number, why: string): void {
  const body = `Gatehouse: ${why}\n`;
  const lines = Object.entries(headersFor(status, body)).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${reasons[status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  // What the program has sent already is of no interest, but unread it would cut the answer off.
  socket.resume();
}

function answerWith(answer: ServerResponse, status: number, why: string): void {
  const body = `Gatehouse: ${why}\n`;
  answer.writeHead(status, headersFor(status, body));
  answer.end(body);
}
