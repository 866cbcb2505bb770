// A loopback server with one page file, and a client that sends exactly what a test says.
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import type { Transport } from '#shared/rpc/transport';
import type { Peer } from '../../node/peerUser';
import { Access } from '../access';
import { type LoopbackServer, listen } from '../http';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** What a browser has after it opened a link. */
export interface LetIn {
  readonly cookie: string;
  readonly key: string;
}

export class Loopback {
  readonly accepted: Transport[] = [];
  newLinks = 0;
  private readonly opened: WebSocket[] = [];
  private readonly raw: Socket[] = [];

  private constructor(
    readonly access: Access,
    readonly server: { current: LoopbackServer | undefined },
  ) {}

  static async start(
    options: {
      readonly peerOf?: () => Peer;
      readonly maxConnections?: number;
      readonly requestTimeoutMs?: number;
    } = {},
  ): Promise<Loopback> {
    const access = new Access();
    const loopback = new Loopback(access, { current: undefined });
    const file = { body: Buffer.from('<p>page</p>'), type: 'text/html; charset=utf-8', immutable: false };
    const server = await listen({
      port: 0,
      access,
      files: new Map([['/', file]]),
      accept: (transport) => {
        loopback.accepted.push(transport);
      },
      onNewLink: () => {
        loopback.newLinks += 1;
      },
      ...options,
    });
    access.bindPort(server.port);
    loopback.server.current = server;
    return loopback;
  }

  get port(): number {
    return this.server.current?.port ?? 0;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Path and query of the newest link. */
  get linkPath(): string {
    return `/${new URL(this.access.link()).search}`;
  }

  get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port: this.port, path, headers, method, agent: false }, (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          body += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  /** Opens the link as a browser would: the cookie and the key that it brings. */
  async letIn(): Promise<LetIn> {
    const { headers } = await this.get(this.linkPath);
    const cookie = String(headers['set-cookie']).split(';')[0] ?? '';
    return { cookie, key: /^\/#key=([\w-]{43})$/.exec(headers.location ?? '')?.[1] ?? '' };
  }

  /** Opens the message socket: the status that refused it, or the socket. Missing parts are as the page sends them. */
  socket(options: {
    readonly cookie?: string;
    readonly key?: string;
    readonly path?: string;
    readonly headers?: Record<string, string>;
  }): Promise<string | WebSocket> {
    const { cookie, key, path = '/rpc', headers } = options;
    const protocols = key === undefined ? [] : ['gatehouse', `key.${key}`];
    const opened = new WebSocket(`ws://127.0.0.1:${this.port}${path}`, protocols, {
      headers: { origin: this.origin, ...(cookie === undefined ? {} : { cookie }), ...headers },
    });
    this.opened.push(opened);
    return new Promise((resolve) => {
      opened.on('open', () => resolve(opened));
      opened.on('unexpected-response', (_request, response) => resolve(String(response.statusCode)));
      opened.on('error', () => resolve('broken'));
    });
  }

  async page(): Promise<WebSocket> {
    const socket = await this.socket(await this.letIn());
    if (typeof socket === 'string') throw new Error(`The socket was refused: ${socket}`);
    return socket;
  }

  /** A connection that says just what it is given; resolves to all that came back when the server ended it. */
  say(
    text: string | Buffer,
    options: { readonly keepOpen?: boolean } = {},
  ): { socket: Socket; ended: Promise<string> } {
    const socket = connect({ host: '127.0.0.1', port: this.port });
    this.raw.push(socket);
    let came = '';
    socket.on('data', (chunk) => {
      came += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.write(text);
    if (options.keepOpen !== true) socket.end();
    return { socket, ended: new Promise((resolve) => socket.on('close', () => resolve(came))) };
  }

  async stop(): Promise<void> {
    for (const socket of this.raw) socket.destroy();
    for (const socket of this.opened) {
      socket.on('error', () => undefined);
      socket.terminate();
    }
    await this.server.current?.close();
  }
}
