// What breaks servers: connections that lie, stop in the middle, never end, come in crowds, or belong to somebody else.
import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { Loopback } from './testing/loopback';

let server: Loopback;
beforeEach(async () => {
  server = await Loopback.start();
});
afterEach(() => server.stop());

const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ';
const goodKey = 'AAAAAAAAAAAAAAAAAAAAAA==';

/** The server still does its work. */
async function expectAlive(): Promise<void> {
  const { cookie } = await server.letIn();
  expect((await server.get('/', { cookie })).status).toBe(200);
}

describe('requests that are none', () => {
  test.each([
    ['no HTTP', 'hello\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['binary', Buffer.from([22, 3, 1, 2, 0, 1, 0, 0, 0]), /^HTTP\/1\.1 400 /],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['an empty Host', 'GET / HTTP/1.1\r\nHost: \r\n\r\n', /^HTTP\/1\.1 421 /],
    ['two Hosts', 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n', /^HTTP\/1\.1 4\d\d /],
    ['an old request without Host', 'GET / HTTP/1.0\r\n\r\n', /^HTTP\/1\.1 421 /],
    ['a whole address', 'GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', /^HTTP\/1\.1 4\d\d /],
    ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', /^(?!HTTP\/1\.1 2)/],
    ['heads that never stop', `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'x'.repeat(40_000)}`, /^HTTP\/1\.1 431 /],
    [
      'two lengths',
      'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      /^HTTP\/1\.1 4\d\d /,
    ],
    ['a split head', 'GET / HTTP/1.1\r\nHost: 127.0.0.1\nX-Evil: 1\r\n\r\n', /^HTTP\/1\.1 4\d\d /],
  ])('%s', async (_name, text, answer) => {
    expect(await server.say(text).ended).toMatch(answer);
    await expectAlive();
  });

  test.each([
    ['no key of the handshake', `${upgrade.replace('Sec-WebSocket-Key: ', '')}X: `, /^HTTP\/1\.1 400 /],
    ['another version', `${upgrade.replace('13', '7')}${goodKey}`, /^HTTP\/1\.1 4\d\d /],
    ['a key that is none', `${upgrade}short`, /^HTTP\/1\.1 400 /],
    ['another protocol', 'Connection: Upgrade\r\nUpgrade: h2c', /^HTTP\/1\.1 4\d\d /],
  ])('a handshake with %s, by a page that is let in', async (_name, heads, answer) => {
    const { cookie, key } = await server.letIn();
    const own = `Host: 127.0.0.1:${server.port}\r\nOrigin: ${server.origin}\r\nCookie: ${cookie}\r\nSec-WebSocket-Protocol: gatehouse, key.${key}`;
    expect(await server.say(`GET /rpc HTTP/1.1\r\n${own}\r\n${heads}\r\n\r\n`).ended).toMatch(answer);
    expect(server.accepted).toEqual([]);
    await expectAlive();
  });
});

describe('connections that end in the wrong place', () => {
  test('a refused handshake whose sender is gone before the answer', async () => {
    for (let at = 0; at < 20; at += 1) {
      const { socket, ended } = server.say(`GET /rpc HTTP/1.1\r\nHost: 127.0.0.1\r\n${upgrade}${goodKey}\r\n\r\n`, {
        keepOpen: true,
      });
      if (at % 2 === 0) await new Promise((resolve) => socket.once('connect', resolve));
      socket.resetAndDestroy();
      await ended;
    }
    await expectAlive();
  });

  test('a refused handshake does not keep its connection, even where the other side does', async () => {
    const { ended } = server.say(`GET /rpc HTTP/1.1\r\nHost: 127.0.0.1\r\n${upgrade}${goodKey}\r\n\r\n`, {
      keepOpen: true,
    });
    expect(await ended).toMatch(/^HTTP\/1\.1 403 /);
  });

  test('a page that vanishes without goodbye ends its transport', async () => {
    const page = await server.page();
    const closed = new Promise((resolve) => server.accepted[0]?.onClose(resolve));
    page.terminate();
    await closed;
    await expectAlive();
  });
});

describe('frames', () => {
  /** Sends bytes behind the library's back. */
  const sendRaw = (page: WebSocket, bytes: readonly number[]): void => {
    const socket: unknown = Reflect.get(page, '_socket');
    if (!(socket instanceof Socket)) throw new Error('The library keeps its socket elsewhere.');
    socket.write(Buffer.from(bytes));
  };
  const mask = [0, 0, 0, 0];

  test.each([
    ['broken JSON', (page: WebSocket) => page.send('{broken'), 1003],
    ['nothing', (page: WebSocket) => page.send(''), 1003],
    ['binary', (page: WebSocket) => page.send(Buffer.from('{"a":1}')), 1003],
    ['more than any page would send', (page: WebSocket) => page.send('x'.repeat(9 * 1024 * 1024)), 1009],
    [
      'a length beyond all memory',
      (page: WebSocket) => sendRaw(page, [0x81, 0xff, 0, 0, 0x0f, 0xff, 0xff, 0xff, 0xff, 0xff, ...mask]),
      1009,
    ],
    ['no mask', (page: WebSocket) => sendRaw(page, [0x81, 2, 0x7b, 0x7d]), 1002],
    ['a reserved bit', (page: WebSocket) => sendRaw(page, [0xc1, 0x82, ...mask, 0x7b, 0x7d]), 1002],
    ['an unknown kind', (page: WebSocket) => sendRaw(page, [0x83, 0x80, ...mask]), 1002],
    ['the middle of a message', (page: WebSocket) => sendRaw(page, [0x80, 0x80, ...mask]), 1002],
    ['text that is no text', (page: WebSocket) => sendRaw(page, [0x81, 0x82, ...mask, 0xc3, 0x28]), 1007],
    [
      'a long ping',
      (page: WebSocket) => sendRaw(page, [0x89, 0xfe, 0, 200, ...mask, ...Array<number>(200).fill(0)]),
      1002,
    ],
  ])('%s ends its own connection and no other', async (_name, send, code) => {
    const other = await server.page();
    const page = await server.page();
    const delivered: unknown[] = [];
    server.accepted[1]?.onMessage((message) => delivered.push(message));
    const ended = new Promise<number>((resolve) => page.on('close', resolve));
    page.on('error', () => undefined);
    send(page);
    expect(await ended).toBe(code);
    expect(delivered).toEqual([]);
    const got = new Promise((resolve) => server.accepted[0]?.onMessage(resolve));
    other.send('{"still":"here"}');
    expect(await got).toEqual({ still: 'here' });
  });

  test('a message in very many pieces stays within the limit', async () => {
    const page = await server.page();
    const ended = new Promise<number>((resolve) => page.on('close', resolve));
    page.on('error', () => undefined);
    const piece = 'x'.repeat(1024 * 1024);
    for (let at = 0; at < 9; at += 1) page.send(piece, { fin: at === 8 });
    expect(await ended).toBe(1009);
    await expectAlive();
  });
});

describe('slow and many', () => {
  test('who never says what it wants is cut off', async () => {
    const slow = await Loopback.start({ requestTimeoutMs: 40 });
    const { socket, ended } = slow.say('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ', { keepOpen: true });
    const drip = setInterval(() => socket.write('x'), 5);
    try {
      expect(await ended).toMatch(/^HTTP\/1\.1 408 /);
    } finally {
      clearInterval(drip);
      await slow.stop();
    }
  });

  test('beyond a number of connections new ones are closed, and pages that are open stay', async () => {
    const few = await Loopback.start({ maxConnections: 8 });
    try {
      const page = await few.page();
      const held = Array.from({ length: 20 }, () => few.say('GET / HTTP/1.1\r\n', { keepOpen: true }));
      await Promise.race(held.map(({ ended }) => ended));
      const got = new Promise((resolve) => few.accepted[0]?.onMessage(resolve));
      page.send('{"a":1}');
      expect(await got).toEqual({ a: 1 });
      for (const { socket } of held) socket.destroy();
      await Promise.all(held.map(({ ended }) => ended));
      await vi.waitFor(async () => expect((await few.get('/')).status).toBe(401));
    } finally {
      await few.stop();
    }
  });

  test('64 pages are served, the next is told that there are too many', async () => {
    const letIn = await server.letIn();
    const opened = await Promise.all(Array.from({ length: 64 }, () => server.socket(letIn)));
    expect(opened.every((socket) => socket instanceof WebSocket)).toBe(true);
    expect(await server.socket(letIn)).toBe('503');
    for (const socket of opened.slice(0, 1)) if (typeof socket !== 'string') socket.close();
    await vi.waitFor(async () => expect(await server.socket(letIn)).toBeInstanceOf(WebSocket));
  });

  test('a page that reads nothing is let go before it fills the memory', async () => {
    const page = await server.page();
    page.pause();
    const [transport] = server.accepted;
    const closed = new Promise((resolve) => transport?.onClose(resolve));
    const text = 'x'.repeat(1024 * 1024);
    for (let at = 0; at < 64; at += 1) transport?.send(text);
    await closed;
    await expectAlive();
  });
});

describe('another user of this computer', () => {
  test('gets neither page nor socket, with whatever was read from the list of processes', async () => {
    let peer: 'own' | 'foreign' = 'own';
    const shared = await Loopback.start({ peerOf: () => peer });
    try {
      const letIn = await shared.letIn();
      peer = 'foreign';
      const path = shared.linkPath;
      const [byLink, byCookie] = [await shared.get(path), await shared.get('/', { cookie: letIn.cookie })];
      expect({
        byLink: [byLink.status, byLink.body, byLink.headers['set-cookie']],
        byCookie: byCookie.status,
        socket: await shared.socket(letIn),
        unused: shared.linkPath === path,
      }).toEqual({
        byLink: [403, 'This Gatehouse belongs to another user of this computer. Start your own.\n', undefined],
        byCookie: 403,
        socket: '403',
        unused: true,
      });
    } finally {
      await shared.stop();
    }
  });
});
