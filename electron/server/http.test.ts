import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { Loopback } from './testing/loopback';

let server: Loopback;

beforeEach(async () => {
  server = await Loopback.start();
});
afterEach(() => server.stop());

describe('the link', () => {
  test('lets one browser in, once, and leads to a clean address with the key behind #', async () => {
    const path = server.linkPath;
    const { status, headers, body } = await server.get(path);
    expect({ status, body, store: headers['cache-control'], links: server.newLinks }).toEqual({
      status: 303,
      body: '',
      store: 'no-store',
      links: 1,
    });
    expect(headers.location).toMatch(/^\/#key=[\w-]{43}$/);
    const [cookie = ''] = headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^gatehouse_\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/);
    expect((await server.get('/', { cookie: cookie.split(';')[0] ?? '' })).status).toBe(200);
    expect((await server.get(path)).status).toBe(401);
    expect(server.linkPath).not.toBe(path);
  });

  test('from another site it leads on from a page of ours, because strict cookies do not follow a redirect', async () => {
    const { status, headers, body } = await server.get(server.linkPath, {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    });
    expect({ status, location: headers.location }).toEqual({ status: 200, location: undefined });
    expect(body).toMatch(/^<!doctype html><meta http-equiv="refresh" content="0; url=\/#key=[\w-]{43}">/);
    expect(headers['set-cookie']).toHaveLength(1);
  });

  test('is not used up by who only looks at it', async () => {
    expect((await server.get(server.linkPath, {}, 'HEAD')).status).toBe(401);
    expect((await server.get(server.linkPath)).status).toBe(303);
  });

  test('a used one leads a browser that is in to the page, without the key', async () => {
    const path = server.linkPath;
    const { cookie } = await server.letIn();
    const { status, headers } = await server.get(path, { cookie });
    expect({ status, location: headers.location, cookies: headers['set-cookie'] }).toEqual({
      status: 303,
      location: '/',
      cookies: undefined,
    });
  });
});

const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

test.each([
  ['no cookie', '/', {}, 'GET', 401],
  ['a wrong cookie', '/', { cookie: 'gatehouse_1=abc' }, 'GET', 401],
  ['a wrong token', '/?token=abc', {}, 'GET', 401],
  ['an empty token', '/?token=', {}, 'GET', 401],
  ['a token twice', '/?token=a&token=b', {}, 'GET', 401],
  ['a foreign Host', '/', { host: 'evil.example' }, 'GET', 421],
  ['a Host that only begins like ours', '/', { host: '127.0.0.1.evil.example' }, 'GET', 421],
  ['a Host with a user in it', '/', { host: 'evil.example@127.0.0.1' }, 'GET', 421],
  ['a Host with a user behind it', '/', { host: '127.0.0.1@evil.example' }, 'GET', 421],
  ['an address that is loopback in other words', '/', { host: '2130706433' }, 'GET', 421],
  ['a name for all addresses', '/', { host: '0.0.0.0' }, 'GET', 421],
  ['a foreign Origin', '/', { origin: 'http://evil.example' }, 'GET', 403],
  ['an opaque Origin', '/', { origin: 'null' }, 'GET', 403],
  ['the Origin of another port', '/', { origin: 'http://127.0.0.1:1' }, 'GET', 403],
  ['another scheme of our Origin', '/', { origin: 'https://127.0.0.1' }, 'GET', 403],
  ['a script of another site', '/', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, 'GET', 403],
  ['a fetch of another port', '/', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }, 'GET', 403],
  ['a frame', '/', { ...navigation, 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'iframe' }, 'GET', 403],
  ['an embedded object', '/', { ...navigation, 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'embed' }, 'GET', 403],
  ['a form of another site', '/', { ...navigation, 'sec-fetch-site': 'cross-site' }, 'POST', 405],
  ['a method that changes things', '/', {}, 'POST', 405],
  ['a question what may be sent', '/', {}, 'OPTIONS', 405],
  ['an echo', '/', {}, 'TRACE', 405],
  ['an address that is none', '//', {}, 'GET', 400],
])('%s is refused, and nothing is given', async (_name, path, headers, method, status) => {
  const answer = await server.get(path, headers, method);
  expect({
    status: answer.status,
    cookies: answer.headers['set-cookie'],
    location: answer.headers.location,
    allowed: answer.headers['access-control-allow-origin'],
  }).toEqual({ status, cookies: undefined, location: undefined, allowed: undefined });
  expect(answer.body).not.toContain('<');
});

test.each([
  '/../package.json',
  '/%2e%2e/package.json',
  '/..%2f..%2fetc/passwd',
  '/assets/..\\..\\package.json',
  '/%00',
  '/etc/passwd',
  '/index.html/',
  '/__proto__',
  '/constructor',
])('%s is nothing the server has', async (path) => {
  const { cookie } = await server.letIn();
  expect((await server.get(path, { cookie })).status).toBe(404);
});

test('a page of another site may lead here, with the strict cookie left at home', async () => {
  expect((await server.get('/', { ...navigation, 'sec-fetch-site': 'cross-site' })).status).toBe(401);
});

test('every answer forbids inline script, foreign connections, framing and devices', async () => {
  const { cookie } = await server.letIn();
  for (const [path, given] of [
    ['/', { cookie }],
    ['/missing', { cookie }],
    ['/', {}],
    ['/?token=wrong', {}],
  ] as const) {
    const { headers } = await server.get(path, given);
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"]),
    );
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
    });
  }
});

describe('the message socket', () => {
  test('needs cookie, key, own Origin, loopback Host and the right path', async () => {
    const { cookie, key } = await server.letIn();
    const other = 'k'.repeat(43);
    expect({
      nothing: await server.socket({}),
      'cookie alone, as another port of this machine gets it': await server.socket({ cookie }),
      'key alone': await server.socket({ key }),
      'wrong key': await server.socket({ cookie, key: other }),
      'empty key': await server.socket({ cookie, key: '' }),
      'wrong cookie': await server.socket({ cookie: `${cookie}x`, key }),
      'cookie of another port': await server.socket({ cookie: cookie.replace(/^[^=]+/, 'gatehouse_1'), key }),
      'foreign Origin': await server.socket({ cookie, key, headers: { origin: 'http://evil.example' } }),
      'opaque Origin': await server.socket({ cookie, key, headers: { origin: 'null' } }),
      'Origin of another port': await server.socket({ cookie, key, headers: { origin: 'http://127.0.0.1:1' } }),
      'foreign Host': await server.socket({ cookie, key, headers: { host: 'evil.example' } }),
      'other path': await server.socket({ cookie, key, path: '/other' }),
      'path with a query': await server.socket({ cookie, key, path: '/rpc?x' }),
      accepted: server.accepted.length,
    }).toEqual({
      nothing: '401',
      'cookie alone, as another port of this machine gets it': '401',
      'key alone': '401',
      'wrong key': '401',
      'empty key': '401',
      'wrong cookie': '401',
      'cookie of another port': '401',
      'foreign Origin': '403',
      'opaque Origin': '403',
      'Origin of another port': '403',
      'foreign Host': '421',
      'other path': '404',
      'path with a query': '404',
      accepted: 0,
    });
    const opened = await server.socket({ cookie, key });
    expect(opened).toBeInstanceOf(WebSocket);
    // The key is not said back.
    expect(typeof opened === 'string' ? opened : opened.protocol).toBe('gatehouse');
    expect(server.accepted).toHaveLength(1);
  });

  test('needs an Origin at all', async () => {
    const { cookie, key } = await server.letIn();
    const headers = `Host: 127.0.0.1\r\nCookie: ${cookie}\r\nSec-WebSocket-Protocol: gatehouse, key.${key}`;
    const { ended } = server.say(
      `GET /rpc HTTP/1.1\r\n${headers}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
    );
    expect(await ended).toMatch(/^HTTP\/1\.1 403 /);
  });

  test('messages pass both ways', async () => {
    const opened = await server.page();
    const [transport] = server.accepted;
    const got = new Promise((resolve) => transport?.onMessage(resolve));
    opened.send('{"a":1}');
    expect(await got).toEqual({ a: 1 });
    const back = new Promise((resolve) => opened.on('message', (data) => resolve(String(data))));
    transport?.send({ b: 2 });
    expect(await back).toBe('{"b":2}');
  });
});
