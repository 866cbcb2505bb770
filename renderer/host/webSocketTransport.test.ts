import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import WsSocket, { type WebSocket as ServerSocket, WebSocketServer } from 'ws';
import { connectSocket } from './connectHost';
import { socketUrl, WebSocketTransport } from './webSocketTransport';

/** Node 20 has no WebSocket of its own; ws has the browser's interface, but throws where a browser only reports. */
class BrowserLikeSocket extends WsSocket {
  constructor(address: string, protocols?: string[]) {
    super(address, protocols);
    this.on('error', () => undefined);
  }
}

let server: WebSocketServer;
let url: string;

beforeEach(async () => {
  vi.stubGlobal('WebSocket', BrowserLikeSocket);
  server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  url = `ws://127.0.0.1:${address.port}/rpc`;
});

afterEach(() => {
  for (const socket of server.clients) socket.terminate();
  server.close();
  vi.unstubAllGlobals();
});

async function accepted(): Promise<ServerSocket> {
  const [socket] = (await once(server, 'connection')) as [ServerSocket];
  return socket;
}

describe('WebSocket transport', () => {
  it('sends what was sent before it was open, in order', async () => {
    const transport = new WebSocketTransport(url);
    transport.send({ n: 1 });
    transport.send({ n: 2 });
    const far = await accepted();
    const got: string[] = [];
    far.on('message', (data) => got.push(String(data)));
    await vi.waitFor(() => expect(got).toEqual(['{"n":1}', '{"n":2}']));
    transport.close('done');
  });

  it('gives messages as JSON values', async () => {
    const transport = new WebSocketTransport(url);
    const got: unknown[] = [];
    transport.onMessage((message) => got.push(message));
    (await accepted()).send('{"type":"evt"}');
    await vi.waitFor(() => expect(got).toEqual([{ type: 'evt' }]));
    transport.close('done');
  });

  it.each([
    ['closed with words', (far: ServerSocket) => far.close(4001, 'The token is wrong'), 'The token is wrong'],
    ['broken', (far: ServerSocket) => far.terminate(), 'Gatehouse stopped or the connection broke'],
    ['not JSON', (far: ServerSocket) => far.send('<html>'), 'Gatehouse sent something that is not a message'],
  ])('says why it closed: %s', async (_name, act, reason) => {
    const transport = new WebSocketTransport(url);
    const reasons: string[] = [];
    transport.onClose((text) => reasons.push(text));
    const far = await accepted();
    far.on('error', () => undefined);
    transport.send('open');
    await once(far, 'message');
    act(far);
    await vi.waitFor(() => expect(reasons).toEqual([reason]));
  });

  it('says that nobody answers', async () => {
    server.close();
    for (const socket of server.clients) socket.terminate();
    const transport = new WebSocketTransport(url);
    const reasons: string[] = [];
    transport.onClose((text) => reasons.push(text));
    await vi.waitFor(() => expect(reasons).toEqual(['Gatehouse does not answer at this address']));
  });
});

describe('the socket of a page', () => {
  const key = 'k'.repeat(43);

  /** A page whose storage holds `kept`, at a server that refuses sockets without the key and answers HEAD with `head`. */
  async function reasonsOf({ kept, head }: { kept: string | null; head: number | null }): Promise<string[]> {
    server.options.verifyClient = () => false;
    const transport = connectSocket({
      location: { hash: '', pathname: '/', protocol: 'http:', host: new URL(url).host },
      history: { replaceState: () => undefined },
      localStorage: { getItem: () => kept, setItem: () => undefined },
      fetch: async () => {
        if (head === null) throw new TypeError('fetch failed');
        return new Response(null, { status: head });
      },
    });
    const reasons: string[] = [];
    transport.onClose((text) => reasons.push(text));
    await vi.waitFor(() => expect(reasons).toHaveLength(1));
    return reasons;
  }

  it('shows its key as a sub-protocol', async () => {
    const offered = new Promise<string | undefined>((resolve) => {
      server.on('connection', (_socket, request) => resolve(request.headers['sec-websocket-protocol']));
    });
    const transport = connectSocket({
      location: { hash: '', pathname: '/', protocol: 'http:', host: new URL(url).host },
      history: { replaceState: () => undefined },
      localStorage: { getItem: () => key, setItem: () => undefined },
      fetch,
    });
    expect(await offered).toBe(`gatehouse,key.${key}`);
    transport.close('done');
  });

  const notLetIn = 'This page has not been let in. Open the newest link that Gatehouse printed in its terminal';
  it.each([
    ['the page has no key', { kept: null, head: 200 }, notLetIn],
    ['the program was started anew', { kept: key, head: 401 }, notLetIn],
    ['there are too many pages', { kept: key, head: 200 }, 'Gatehouse is open in too many tabs. Close some'],
    ['another program has the port', { kept: key, head: 404 }, 'Gatehouse does not answer at this address'],
    ['nobody is there', { kept: key, head: null }, 'Gatehouse does not answer at this address'],
  ])('says why it was refused when %s', async (_name, at, reason) => {
    expect(await reasonsOf(at)).toEqual([reason]);
  });
});

it.each([
  [{ protocol: 'http:', host: '127.0.0.1:4000' }, 'ws://127.0.0.1:4000/rpc'],
  [{ protocol: 'https:', host: 'box.example' }, 'wss://box.example/rpc'],
])('the socket of %j', (page, expected) => {
  expect(socketUrl(page)).toBe(expected);
});
