// The loopback host lets in only the page that it served, opened with its own token.
import { createServer, request as httpRequest } from 'node:http';
import WebSocket from 'ws';
import type { App } from '../fixtures/app';
import { testKey } from '../fixtures/app';
import { expect, test } from '../fixtures/test';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A raw request: unlike fetch it sends any Host and Origin. */
function ask(app: App, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const { hostname, port, host } = new URL(app.origin);
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, path, headers: { host, ...headers } }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    request.on('error', reject);
    request.end();
  });
}

/** Tries to open the message socket, with the page's key or without: 'open', or the status that refused it. */
function knock(app: App, headers: Readonly<Record<string, string>>, key: string | null): Promise<string> {
  return new Promise((resolve) => {
    const protocols = key === null ? [] : ['gatehouse', `key.${key}`];
    const socket = new WebSocket(`${app.origin.replace('http', 'ws')}/rpc`, protocols, { headers });
    socket.on('open', () => {
      resolve('open');
      socket.close();
    });
    socket.on('unexpected-response', (_request, response) => {
      resolve(String(response.statusCode));
      response.destroy();
    });
    socket.on('error', () => resolve('refused'));
  });
}

/** Trades the token for the cookie, as a header, and the page's key. */
async function letIn(app: App): Promise<{ readonly cookie: string; readonly key: string }> {
  const { headers } = await ask(app, app.url.slice(app.origin.length));
  const [cookie = ''] = [headers['set-cookie'] ?? []].flat();
  return { cookie: cookie.split(';', 1)[0] ?? '', key: String(headers.location).replace('/#key=', '') };
}

const cookieOf = async (app: App): Promise<string> => (await letIn(app)).cookie;

test('the link leaves a clean address, a strict cookie, and a key that another port of this machine cannot get', async ({
  launch,
  page,
  context,
}) => {
  const app = await launch();
  await page.goto(app.url);
  await expect(page.getByRole('heading', { name: 'Open a folder to begin' })).toBeVisible();
  expect(page.url()).toBe(`${app.origin}/`);
  const [cookie] = await context.cookies(app.origin);
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/', expires: -1 });

  // A server on another port, as a command of the agent may run one, and a person who looks at its page.
  const seen: string[] = [];
  const other = createServer((request, response) => {
    seen.push(request.headers.cookie ?? '');
    response.end('<p>hello</p>');
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  try {
    const address = other.address();
    const look = await context.newPage();
    await look.goto(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`);
    expect(seen[0]).toContain(cookie?.value);
    expect(await look.evaluate(() => Object.keys(localStorage))).toEqual([]);
    expect(await knock(app, { cookie: seen[0] ?? '', origin: app.origin }, null)).toBe('401');
  } finally {
    other.closeAllConnections();
    await new Promise((resolve) => other.close(resolve));
  }
});

test('the page comes with a strict content security policy and cannot be framed', async ({ launch }) => {
  const app = await launch();
  const page = await ask(app, '/', { cookie: await cookieOf(app) });
  expect(page.status).toBe(200);
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe-eval');
  expect(page.headers['x-content-type-options']).toBe('nosniff');
  expect(page.headers['referrer-policy']).toBe('no-referrer');
});

test('without a cookie, with a wrong one or a wrong token nothing is served', async ({ launch }) => {
  const app = await launch();
  const wrongToken = app.url.slice(app.origin.length).replace(/[\w-]{8}$/, 'AAAAAAAA');
  const name = (await cookieOf(app)).split('=', 1)[0];
  const answers = await Promise.all([
    ask(app, '/'),
    ask(app, '/', { cookie: `${name}=wrong` }),
    ask(app, wrongToken),
    ask(app, '/assets/../../package.json'),
  ]);
  for (const answer of answers) {
    expect([401, 403, 404]).toContain(answer.status);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.body).not.toContain('<script');
  }
  // A person who lands here is told what to do.
  expect(answers[0]?.body).toMatch(/address|terminal|token/i);
});

test('files outside the page are never served', async ({ launch }) => {
  const app = await launch();
  const cookie = await cookieOf(app);
  for (const path of [
    '/../server.mjs',
    '/..%2fserver.mjs',
    '/%2e%2e/%2e%2e/package.json',
    '//etc/passwd',
    '/assets/..\\..\\server.mjs',
  ]) {
    const answer = await ask(app, path, { cookie });
    expect([400, 403, 404], path).toContain(answer.status);
  }
});

test('another Host is refused: a name that resolves here is not enough', async ({ launch }) => {
  const app = await launch();
  const cookie = await cookieOf(app);
  const { port } = new URL(app.origin);
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    `127.0.0.1.evil.example:${port}`,
    '[::2]',
    '127.0.0.1@evil.example',
  ]) {
    const answer = await ask(app, '/', { host, cookie });
    expect([400, 403, 421], host).toContain(answer.status);
  }
});

test('the socket opens only for its own page', async ({ launch }) => {
  const app = await launch();
  const { cookie, key } = await letIn(app);
  const origin = app.origin;
  expect(await knock(app, { cookie, origin }, key)).toBe('open');
  expect(await knock(app, { cookie, origin }, null), 'no key').toBe('401');
  expect(await knock(app, { origin }, key), 'no cookie').toBe('401');
  expect(await knock(app, { cookie: `${cookie}x`, origin }, key), 'wrong cookie').toBe('401');
  expect(await knock(app, { cookie }, key), 'no Origin').toBe('403');
  expect(await knock(app, { cookie, origin: 'http://evil.example' }, key), 'foreign Origin').toBe('403');
  expect(await knock(app, { cookie, origin, host: 'evil.example' }, key), 'foreign Host').toBe('421');
});

test('the key never reaches the page, the log or a command', async ({ open, model, page }) => {
  const { app, rpc } = await open();
  const settings = JSON.stringify(await rpc.call('settings.get', {}));
  expect(settings).not.toContain(testKey);
  expect(settings).toContain('4242');
  expect(await page.content()).not.toContain(testKey);
  expect(app.printed()).not.toContain(testKey);
  expect(model.requests).toEqual([]);
});
