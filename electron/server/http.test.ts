import { request } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Transport } from '#shared/rpc/transport';
import { Access } from './access';
import { type LoopbackServer, listen } from './http';

let access: Access;
let server: LoopbackServer;
let accepted: Transport[];
const file = { body: Buffer.from('<p>page</p>'), type: 'text/html; charset=utf-8', immutable: false };

beforeEach(async () => {
  access = new Access();
  accepted = [];
  const accept = (transport: Transport): void => {
    accepted.push(transport);
  };
  server = await listen({ port: 0, access, files: new Map([['/', file]]), accept, onNewLink: () => undefined });
  access.bindPort(server.port);
});
afterEach(() => server.close());

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: server.port, path, headers, method }, (response) => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Opens the link as a browser would and gives the cookie it bought. */
async function letIn(): Promise<string> {
  const { search } = new URL(access.link());
  const answer = await get(`/${search}`);
  expect(answer.status).toBe(303);
  expect(answer.headers.location).toBe('/');
  const cookie = String(answer.headers['set-cookie']);
  expect(cookie).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/);
  return cookie.split(';')[0] ?? '';
}

test('a link lets one browser in, once, and leads to a clean address', async () => {
  const { search } = new URL(access.link());
  const cookie = await letIn();
  expect((await get('/', { cookie })).status).toBe(200);
  expect((await get(`/${search}`)).status).toBe(401);
  expect(new URL(access.link()).search).not.toBe(search);
});

test.each([
  ['no cookie', '/', {}, 'GET', 401],
  ['a wrong cookie', '/', { cookie: 'gatehouse_1=abc' }, 'GET', 401],
  ['a wrong token', '/?token=abc', {}, 'GET', 401],
  ['an empty token', '/?token=', {}, 'GET', 401],
  ['a foreign Host', '/', { host: 'evil.example' }, 'GET', 421],
  ['a Host that only begins like ours', '/', { host: '127.0.0.1.evil.example' }, 'GET', 421],
  ['a foreign Origin', '/', { origin: 'http://evil.example' }, 'GET', 403],
  ['the Origin of another port', '/', { origin: 'http://127.0.0.1:1' }, 'GET', 403],
  ['a method that changes things', '/', {}, 'POST', 405],
  ['an address that is none', '//', {}, 'GET', 400],
])('%s is refused', async (_name, path, headers, method, status) => {
  expect((await get(path, headers, method)).status).toBe(status);
});

test.each(['/../package.json', '/%2e%2e/package.json', '/..%2f..%2fetc/passwd', '/nothing'])(
  '%s is nothing the server has',
  async (path) => {
    expect((await get(path, { cookie: await letIn() })).status).toBe(404);
  },
);

test('the page comes with a policy that allows no inline script and no foreign connection', async () => {
  const { headers } = await get('/', { cookie: await letIn() });
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(headers['x-content-type-options']).toBe('nosniff');
});

function socket(options: { path?: string; headers?: Record<string, string> }): Promise<string | WebSocket> {
  const origin = `http://127.0.0.1:${server.port}`;
  const url = `ws://127.0.0.1:${server.port}${options.path ?? '/rpc'}`;
  const opened = new WebSocket(url, { headers: { origin, ...options.headers } });
  return new Promise((resolve) => {
    opened.on('open', () => resolve(opened));
    opened.on('unexpected-response', (_request, response) => resolve(String(response.statusCode)));
    opened.on('error', () => undefined);
  });
}

test('a socket needs cookie, own Origin, loopback Host and the right path', async () => {
  const cookie = await letIn();
  expect(await socket({})).toBe('401');
  expect(await socket({ headers: { cookie, origin: 'http://evil.example' } })).toBe('403');
  expect(await socket({ headers: { cookie, host: 'evil.example' } })).toBe('421');
  expect(await socket({ path: '/other', headers: { cookie } })).toBe('404');
  expect(accepted).toHaveLength(0);
  const opened = await socket({ headers: { cookie } });
  expect(opened).toBeInstanceOf(WebSocket);
  expect(accepted).toHaveLength(1);
});

test('messages pass both ways; anything but JSON text ends the connection', async () => {
  const opened = await socket({ headers: { cookie: await letIn() } });
  if (typeof opened === 'string') throw new Error(opened);
  const [transport] = accepted;
  const got = new Promise((resolve) => transport?.onMessage(resolve));
  opened.send('{"a":1}');
  expect(await got).toEqual({ a: 1 });
  const back = new Promise((resolve) => opened.on('message', (data) => resolve(String(data))));
  transport?.send({ b: 2 });
  expect(await back).toBe('{"b":2}');
  const closed = new Promise((resolve) => transport?.onClose(resolve));
  opened.send('{broken');
  await closed;
});

test('a frame beyond the limit closes the socket and nothing else', async () => {
  const cookie = await letIn();
  const big = await socket({ headers: { cookie } });
  if (typeof big === 'string') throw new Error(big);
  const closed = new Promise<number>((resolve) => big.on('close', resolve));
  big.send('x'.repeat(9 * 1024 * 1024));
  expect(await closed).toBe(1009);
  expect(await socket({ headers: { cookie } })).toBeInstanceOf(WebSocket);
});
