import { createServer as createHttp, request } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { HostAsk } from './hostAsks';
import { HostAsks } from './hostAsks';
import { ProxyClient } from './proxyClient';
import { createProxyServer } from './proxyServer';

const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const one of open.splice(0).reverse()) one.close();
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  return (server.address() as AddressInfo).port;
}

type Judge = (ask: HostAsk) => { allowed: boolean; privateAllowed?: boolean; why?: string } | 'wait';

/** A proxy of one client; names lead where `names` says, and every connection goes to `upstream` in truth. */
async function setUp(how: {
  readonly judge: Judge;
  readonly names?: Readonly<Record<string, readonly string[]>>;
  readonly upstream?: number;
  readonly streamId?: string | null;
  readonly ownProxy?: { kind: 'http' | 'socks'; port: number };
}) {
  const seen: HostAsk[] = [];
  const gone: string[] = [];
  const lookups: string[] = [];
  const dialled: string[] = [];
  const asks: HostAsks = new HostAsks({
    ask: (ask) => {
      seen.push(ask);
      const verdict = how.judge(ask);
      if (verdict !== 'wait')
        queueMicrotask(() => asks.answer({ askId: ask.askId, privateAllowed: false, why: 'no', ...verdict }));
    },
    gone: (askId) => gone.push(askId),
  });
  const streamId = how.streamId === undefined ? 's1' : how.streamId;
  const client = new ProxyClient(() => streamId, how.ownProxy);
  const server = createProxyServer({
    clientOf: (token) => (token === client.token ? client : undefined),
    parts: {
      asks,
      resolve: (host) => {
        lookups.push(host);
        const found = how.names?.[host];
        return found === undefined
          ? Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))
          : Promise.resolve(found);
      },
      dial: (address, port) => {
        dialled.push(`${address} ${port}`);
        return connect(how.upstream ?? 1, '127.0.0.1');
      },
    },
  });
  open.push({ close: () => server.dispose() });
  const port = await listen(createServer((socket) => server.accept(socket)));
  const auth = `Proxy-Authorization: Basic ${Buffer.from(`gatehouse:${client.token}`).toString('base64')}\r\n`;
  const asked = () => seen.map(({ streamId: stream, host, port: at, address }) => ({ stream, host, at, address }));
  return { port, auth, client, asks, seen, asked, gone, lookups, dialled };
}

/** Sends text and gathers what comes until the other side ends. */
function talk(port: number, text: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let said = '';
    socket.setEncoding('latin1').on('data', (piece: string) => {
      said += piece;
    });
    socket.on('close', () => resolve(said));
    socket.on('error', reject);
    socket.write(text);
  });
}

/** Says what it got, once, and ends. */
async function echo(): Promise<number> {
  return await listen(
    createServer((socket: Socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (piece) => socket.end(`echo ${piece.toString('latin1')}`));
    }),
  );
}

const names = {
  'example.com': ['93.184.215.14'],
  'inner.example': ['10.0.0.5'],
  'rebound.example': ['127.0.0.1'],
  'cloud.example': ['8.8.8.8', '169.254.169.254'],
  'reserved.example': ['203.0.113.80'],
  'a.localhost': ['127.0.0.1'],
};
const yes: Judge = () => ({ allowed: true });

test('a tunnel to an allowed name goes to the address that was looked up, and carries bytes both ways', async () => {
  const proxy = await setUp({ judge: yes, names, upstream: await echo() });
  const said = await talk(proxy.port, `CONNECT Example.com.:443 HTTP/1.1\r\n${proxy.auth}\r\nhello`);
  expect(said).toBe('HTTP/1.1 200 Connection established\r\n\r\necho hello');
  expect([proxy.asked(), proxy.lookups, proxy.dialled, proxy.client.takeRefused()]).toEqual([
    [{ stream: 's1', host: 'example.com', at: 443, address: undefined }],
    ['example.com'],
    ['93.184.215.14 443'],
    [],
  ]);
});

test('what is refused is never looked up, and says why to the program and in the result', async () => {
  const proxy = await setUp({ judge: () => ({ allowed: false, why: 'evil.example is on no list.' }), names });
  const said = await talk(proxy.port, `CONNECT evil.example:443 HTTP/1.1\r\n${proxy.auth}\r\n`);
  expect(said).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n[\s\S]*\r\n\r\nGatehouse: evil\.example is on no list\.\n$/);
  expect([proxy.lookups, proxy.dialled]).toEqual([[], []]);
  const refused = [{ host: 'evil.example', port: 443, why: 'evil.example is on no list.' }];
  expect([proxy.client.takeRefused(), proxy.client.takeRefused()]).toEqual([refused, []]);
});

test.each([
  ['http', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', ['HTTP/1.1 200 fine\r\nX: y\r\n\r\n']],
  ['socks', '\x05\x01\x00\x05\x01\x00\x03\x0bexample.com\x01\xbb', ['\x05\x00', '\x05\x00\x00\x01\0\0\0\0\0\0']],
] as const)('through a proxy of the person’s own (%s) names go as they are', async (kind, wanted, answers) => {
  let heard = '';
  const own = await listen(
    createServer((socket) => {
      let answered = 0;
      socket.setEncoding('latin1').on('data', (piece: string) => {
        heard += piece;
        const due = [answers.length === 1 ? wanted.length : 3, wanted.length][answered];
        if (due !== undefined && answered < answers.length && heard.length >= due)
          socket.write(Buffer.from(answers[answered++] ?? '', 'latin1'));
        if (heard.endsWith('hello')) socket.end('from there');
      });
    }),
  );
  const ownProxy = { kind, port: 3_128 };
  const proxy = await setUp({ judge: ({ host }) => ({ allowed: host !== 'evil.example' }), upstream: own, ownProxy });
  const connect = (host: string) => talk(proxy.port, `CONNECT ${host}:443 HTTP/1.1\r\n${proxy.auth}\r\nhello`);
  expect(await connect('example.com')).toBe('HTTP/1.1 200 Connection established\r\n\r\nfrom there');
  expect([heard, proxy.lookups, proxy.dialled]).toEqual([`${wanted}hello`, [], ['127.0.0.1 3128']]);
  // What is denied, and what lies within by its looks alone, does not get that far.
  expect([await connect('evil.example'), await connect('localhost'), await connect('10.0.0.5')].join()).toMatch(
    /^HTTP\/1\.1 403[\s\S]*,HTTP\/1\.1 403/,
  );
});

test('a refusal of the person’s own proxy is told as such', async () => {
  const own = await listen(createServer((socket) => socket.end('HTTP/1.1 403 No\r\n\r\n')));
  const proxy = await setUp({ judge: yes, upstream: own, ownProxy: { kind: 'http', port: 3_128 } });
  const said = await talk(proxy.port, `CONNECT example.com:443 HTTP/1.1\r\n${proxy.auth}\r\n`);
  expect(said).toMatch(/502[\s\S]*Your own proxy on port 3128 refused example\.com \(403\)\./);
});

test.each([
  ['no secret', ''],
  ['a wrong one', `Proxy-Authorization: Basic ${Buffer.from('gatehouse:x').toString('base64')}\r\n`],
  ['another scheme', 'Proxy-Authorization: Bearer x\r\n'],
])('with %s nobody is asked', async (_what, auth) => {
  const proxy = await setUp({ judge: yes, names });
  expect(await talk(proxy.port, `CONNECT example.com:443 HTTP/1.1\r\n${auth}\r\n`)).toContain('407');
  expect(await talk(proxy.port, `GET http://example.com/ HTTP/1.1\r\nHost: a\r\n${auth}\r\n`)).toContain('407');
  expect(proxy.seen).toEqual([]);
});

test.each([
  ['CONNECT example.com HTTP/1.1'],
  ['CONNECT user@example.com:443 HTTP/1.1'],
  ['CONNECT example.com:99999 HTTP/1.1'],
  ['CONNECT exa%6dple.com:443 HTTP/1.1'],
  ['GET / HTTP/1.1\r\nHost: example.com'],
  ['GET ftp://example.com/ HTTP/1.1\r\nHost: example.com'],
  ['GET https://example.com/ HTTP/1.1\r\nHost: example.com'],
  ['GET http://user@example.com/ HTTP/1.1\r\nHost: example.com'],
  ['GET http://example.com\\@evil.example/ HTTP/1.1\r\nHost: example.com'],
])('%j is no place', async (line) => {
  const proxy = await setUp({ judge: yes, names });
  expect(await talk(proxy.port, `${line}\r\n${proxy.auth}\r\n`)).toMatch(/^HTTP\/1\.1 400/);
  expect(proxy.seen).toEqual([]);
});

test.each<[string, string, Judge, { host: string; dialled: string[]; asked: number; said: RegExp }]>([
  [
    'an allowed name of a private network is asked about again',
    'inner.example:80',
    yes,
    { host: 'inner.example', dialled: ['10.0.0.5 80'], asked: 2, said: /200/ },
  ],
  [
    'and not let through where that is denied',
    'inner.example:80',
    ({ address }) => ({ allowed: address === undefined }),
    { host: 'inner.example', dialled: [], asked: 2, said: /403/ },
  ],
  [
    'one that was named may lie there',
    'inner.example:80',
    () => ({ allowed: true, privateAllowed: true }),
    { host: 'inner.example', dialled: ['10.0.0.5 80'], asked: 1, said: /200/ },
  ],
  [
    'a name never leads to this machine',
    'rebound.example:80',
    () => ({ allowed: true, privateAllowed: true }),
    { host: 'rebound.example', dialled: [], asked: 1, said: /403/ },
  ],
  [
    'nor is that asked about',
    'rebound.example:80',
    yes,
    { host: 'rebound.example', dialled: [], asked: 1, said: /403/ },
  ],
  [
    'so does one to where clouds hand out credentials, beside other addresses',
    'cloud.example:80',
    () => ({ allowed: true, privateAllowed: true }),
    { host: 'cloud.example', dialled: [], asked: 1, said: /403/ },
  ],
  [
    'a name of addresses that are reserved is asked about again',
    'reserved.example:80',
    yes,
    { host: 'reserved.example', dialled: ['203.0.113.80 80'], asked: 2, said: /200/ },
  ],
  [
    'a name of this machine is asked about again',
    'a.localhost:80',
    yes,
    { host: 'a.localhost', dialled: ['127.0.0.1 80'], asked: 2, said: /200/ },
  ],
  [
    'an address of this machine that was named',
    '127.1:80',
    () => ({ allowed: true, privateAllowed: true }),
    { host: '127.0.0.1', dialled: ['127.0.0.1 80'], asked: 1, said: /200/ },
  ],
  [
    'where clouds hand out credentials, unless named',
    '[::ffff:169.254.169.254]:80',
    ({ address }) => ({ allowed: address === undefined }),
    { host: '::ffff:a9fe:a9fe', dialled: [], asked: 2, said: /403/ },
  ],
])('%s', async (_what, place, judge, wanted) => {
  const proxy = await setUp({ judge, names, upstream: await echo() });
  const said = await talk(proxy.port, `CONNECT ${place} HTTP/1.1\r\n${proxy.auth}\r\nx`);
  expect(said).toMatch(wanted.said);
  expect({ host: proxy.seen[0]?.host, dialled: proxy.dialled, asked: proxy.seen.length }).toEqual({
    host: wanted.host,
    dialled: wanted.dialled,
    asked: wanted.asked,
  });
});

test('plain HTTP: the request goes on without the secret, with the host of its address and its body', async () => {
  const got: unknown[] = [];
  const upstream = await listen(
    createHttp((message, answer) => {
      let body = '';
      message.setEncoding('utf8').on('data', (piece: string) => {
        body += piece;
      });
      message.on('end', () => {
        got.push({ method: message.method, url: message.url, headers: message.headers, body });
        answer.writeHead(201, { 'x-kept': ['a', 'b'], connection: 'close' });
        answer.end('made');
      });
    }),
  );
  const proxy = await setUp({ judge: yes, names, upstream });
  const said = await talk(
    proxy.port,
    `POST http://EXAMPLE.com:8080?q=1 HTTP/1.1\r\nHost: evil.example\r\nX-Own: 1\r\nTransfer-Encoding: chunked\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\n${proxy.auth}\r\n3\r\nabc\r\n0\r\n\r\n`,
  );
  expect(said).toMatch(/^HTTP\/1\.1 201 Created\r\n[\s\S]*x-kept: a\r\nx-kept: b\r\n[\s\S]*made/i);
  expect(got).toEqual([
    {
      method: 'POST',
      url: '/?q=1',
      headers: { host: 'example.com:8080', connection: 'close', 'x-own': '1', 'transfer-encoding': 'chunked' },
      body: 'abc',
    },
  ]);
});

test('each request of a kept connection is decided by itself', async () => {
  const upstream = await listen(createHttp((_message, answer) => answer.end('fine')));
  const proxy = await setUp({ judge: ({ host }) => ({ allowed: host === 'example.com' }), names, upstream });
  const line = (host: string, last = '') =>
    `GET http://${host}/ HTTP/1.1\r\nHost: example.com\r\n${last}${proxy.auth}\r\n`;
  const said = await talk(proxy.port, line('example.com') + line('evil.example', 'Connection: close\r\n'));
  expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 403']);
});

test('SOCKS 5: the name goes to the core, and the tunnel carries bytes both ways', async () => {
  const proxy = await setUp({
    judge: ({ host }) => ({ allowed: host === 'example.com' }),
    names,
    upstream: await echo(),
  });
  const wish = (host: string) =>
    Buffer.concat([
      Buffer.from([5, 1, 2, 1, 1, 0x67, proxy.client.token.length]),
      Buffer.from(proxy.client.token),
      Buffer.from([5, 1, 0, 3, host.length]),
      Buffer.from(host),
      Buffer.from([0, 80]),
      Buffer.from('hello'),
    ]);
  expect(await talk(proxy.port, wish('example.com'))).toBe('\x05\x02\x01\x00\x05\x00\x00\x01\0\0\0\0\0\0echo hello');
  expect(await talk(proxy.port, wish('evil.example'))).toBe('\x05\x02\x01\x00\x05\x02\x00\x01\0\0\0\0\0\0');
  expect(await talk(proxy.port, Buffer.from([5, 1, 0]))).toBe('\x05\xff');
  expect(proxy.lookups).toEqual(['example.com']);
});

test.each([
  ['a program that gives up', (socket: Socket) => socket.destroy()],
  ['a command that ends', (_socket: Socket, client: ProxyClient) => client.end()],
])('%s withdraws its question', async (_what, end) => {
  const proxy = await setUp({ judge: () => 'wait', names });
  const socket = connect(proxy.port, '127.0.0.1');
  socket.on('error', () => undefined).resume();
  socket.write(`CONNECT example.com:443 HTTP/1.1\r\n${proxy.auth}\r\n`);
  await expect.poll(() => proxy.seen.length).toBe(1);
  end(socket, proxy.client);
  await expect.poll(() => proxy.gone).toEqual(proxy.seen.map(({ askId }) => askId));
  socket.destroy();
});

test('a command that ends takes its connections along, and its secret opens nothing more', async () => {
  const held: Socket[] = [];
  const upstream = await listen(createServer((socket) => held.push(socket.on('error', () => undefined).resume())));
  const proxy = await setUp({ judge: yes, names, upstream });
  const socket = connect(proxy.port, '127.0.0.1');
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const answered = new Promise<void>((resolve) => socket.once('data', () => resolve()));
  socket.write(`CONNECT example.com:443 HTTP/1.1\r\n${proxy.auth}\r\n`);
  await answered;
  proxy.client.end();
  await closed;
  expect(await talk(proxy.port, `CONNECT example.com:443 HTTP/1.1\r\n${proxy.auth}\r\n`)).toContain('403');
});

test('code whose call is over connects to nothing', async () => {
  const proxy = await setUp({ judge: yes, names, streamId: null });
  expect(await talk(proxy.port, `CONNECT example.com:443 HTTP/1.1\r\n${proxy.auth}\r\n`)).toContain('403');
  expect(proxy.seen).toEqual([]);
});

test('a host that cannot be reached is a fault of the network, not a refusal', async () => {
  const proxy = await setUp({ judge: yes, names, upstream: 1 });
  const send = request({
    port: proxy.port,
    host: '127.0.0.1',
    method: 'CONNECT',
    path: 'nowhere.example:443',
    headers: { 'proxy-authorization': proxy.auth.slice(21).trim() },
  });
  const status = await new Promise((resolve) => send.once('connect', (answer) => resolve(answer.statusCode)).end());
  expect([status, proxy.client.takeRefused()]).toEqual([502, []]);
});
