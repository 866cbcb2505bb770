import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import WsSocket, { type WebSocket as ServerSocket, WebSocketServer } from 'ws';
import { socketUrl, WebSocketTransport } from './webSocketTransport';

/** Node 20 has no WebSocket of its own; ws has the browser's interface, but throws where a browser only reports. */
class BrowserLikeSocket extends WsSocket {
  constructor(address: string) {
    super(address);
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

it.each([
  [{ protocol: 'http:', host: '127.0.0.1:4000' }, 'ws://127.0.0.1:4000/rpc'],
  [{ protocol: 'https:', host: 'box.example' }, 'wss://box.example/rpc'],
])('the socket of %j', (page, expected) => {
  expect(socketUrl(page)).toBe(expected);
});
