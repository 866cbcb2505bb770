// The loopback host lets in only the page that it served, opened with its own token.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import WebSocket from 'ws';
import type { App } from '../fixtures/app';
import { testKey } from '../fixtures/app';
import { expect, test } from '../fixtures/test';
import { ChatPage } from '../pages/chatPage';

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

test('the link leaves a clean address, a strict cookie, and a key that another port of this machine cannot get', async ({
  open,
  model,
  page,
  browser,
  context,
  allowedConsoleErrors,
}) => {
  const { app, rpc } = await open();
  await new ChatPage(page).begin();
  expect(page.url()).toBe(`${app.origin}/`);
  const [cookie] = await context.cookies(app.origin);
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/', expires: -1 });

  // A server on another port, as a command of the agent may run one, and a person who looks at its page.
  const seen: string[] = [];
  const other = createServer((request, response) => {
    seen.push(request.headers.cookie ?? '');
    const link = /another browser: (\S+)/.exec(app.printed())?.[1] ?? '';
    response.setHeader('content-type', 'text/html');
    response.end(`<a href="${link}">Open Gatehouse</a>`);
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  try {
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const look = await context.newPage();
    await look.goto(`http://127.0.0.1:${port}/`);
    expect(seen[0]).toContain(cookie?.value);
    expect(await look.evaluate(() => Object.keys(localStorage))).toEqual([]);
    expect(await knock(app, { cookie: seen[0] ?? '', origin: app.origin }, null)).toBe('401');
    // A link clicked in a page of another site, as in a terminal that is a page itself: strict cookies do not follow.
    const elsewhere = await (await browser.newContext()).newPage();
    await elsewhere.goto(`http://localhost:${port}/`);
    await elsewhere.getByRole('link').click();
    await new ChatPage(elsewhere).begin();
    expect(elsewhere.url()).toBe(`${app.origin}/`);
    await elsewhere.context().close();
  } finally {
    other.closeAllConnections();
    await new Promise((resolve) => other.close(resolve));
  }

  // A script that got into the page all the same would not run, nor reach anything.
  allowedConsoleErrors.push(/Content Security Policy/);
  const ran = await page.evaluate(async () => {
    const script = document.createElement('script');
    script.textContent = 'window.ran = true';
    document.body.append(script);
    const picture = document.createElement('img');
    picture.setAttribute('onerror', 'window.ran = true');
    picture.src = 'data:image/png;base64,AA==';
    document.body.append(picture);
    await new Promise((resolve) => picture.addEventListener('error', resolve));
    const reached = await fetch('http://127.0.0.1:9/').then(
      () => true,
      () => false,
    );
    script.remove();
    picture.remove();
    return { ran: 'ran' in window, reached };
  });
  expect(ran).toEqual({ ran: false, reached: false });

  const settings = JSON.stringify(await rpc.call('settings.get', {}));
  expect(settings).not.toContain(testKey);
  expect(settings).toContain('4242');
  expect(await page.content()).not.toContain(testKey);
  expect(app.printed()).not.toContain(testKey);
  expect(model.requests).toEqual([]);
});

test('nobody else is let in', async ({ launch }) => {
  const app = await launch();
  const { port } = new URL(app.origin);
  // Another user of this machine, who read the link in the list of processes.
  const other = `fetch(${JSON.stringify(app.url)}, { redirect: 'manual' }).then((answer) => console.log(answer.status))`;
  if (process.getuid?.() === 0)
    expect(execFileSync(process.execPath, ['-e', other], { uid: 65_534, gid: 65_534, env: {} }).toString()).toBe(
      '403\n',
    );
  else test.info().annotations.push({ type: 'skipped', description: 'becoming another user needs root' });

  const wrongToken = app.url.slice(app.origin.length).replace(/[\w-]{8}$/, 'AAAAAAAA');
  const { cookie, key } = await letIn(app);
  const refused: readonly [path: string, headers: Readonly<Record<string, string>>, status: number][] = [
    ['/', {}, 401],
    ['/', { cookie: `${cookie.split('=', 1)[0]}=wrong` }, 401],
    [wrongToken, {}, 401],
    ['/../server.mjs', { cookie }, 404],
    ['/..%2fserver.mjs', { cookie }, 404],
    ['/%2e%2e/%2e%2e/package.json', { cookie }, 404],
    ['/assets/..\\..\\server.mjs', { cookie }, 404],
    ['//etc/passwd', { cookie }, 404],
    ['/', { cookie, host: `evil.example:${port}` }, 421],
    ['/', { cookie, host: `127.0.0.1.evil.example:${port}` }, 421],
    ['/', { cookie, origin: 'http://evil.example' }, 403],
  ];
  const answers = await Promise.all(refused.map(([path, headers]) => ask(app, path, headers)));
  expect(answers.map(({ status }) => status)).toEqual(refused.map(([, , status]) => status));
  for (const { headers, body } of answers)
    expect([headers['set-cookie'], /<script/.test(body)]).toEqual([undefined, false]);
  // A person who lands here is told what to do.
  expect(answers[0]?.body).toMatch(/terminal/);

  const page = await ask(app, '/', { cookie });
  expect(page.status).toBe(200);
  expect(page.headers).toMatchObject({
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; script-src 'self';.*frame-ancestors 'none'$/,
    ),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });

  const origin = app.origin;
  expect({
    page: await knock(app, { cookie, origin }, key),
    'no key': await knock(app, { cookie, origin }, null),
    'no cookie': await knock(app, { origin }, key),
    'wrong cookie': await knock(app, { cookie: `${cookie}x`, origin }, key),
    'no Origin': await knock(app, { cookie }, key),
    'foreign Origin': await knock(app, { cookie, origin: 'http://evil.example' }, key),
    'foreign Host': await knock(app, { cookie, origin, host: 'evil.example' }, key),
  }).toEqual({
    page: 'open',
    'no key': '401',
    'no cookie': '401',
    'wrong cookie': '401',
    'no Origin': '403',
    'foreign Origin': '403',
    'foreign Host': '421',
  });
});

test('what is kept is for its owner alone, and no process shows a key to others', async ({ open, page, world }) => {
  // As somebody may have made it by hand.
  mkdirSync(world.data, { recursive: true, mode: 0o755 });
  const { app, rpc } = await open({ answeredBy: 'rehearsal' });
  const chat = new ChatPage(page);
  await chat.begin();
  await chat.send('run `touch x; seq 1 20000`');
  await chat.answer('Allow once');
  await chat.idle();
  await rpc.call('settings.setApiKey', { key: testKey, remember: true });

  const modes = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => (statSync(path).mode & 0o077) !== 0);
  expect(statSync(world.data).mode & 0o777).toBe(0o700);
  expect(modes(world.data)).toEqual([]);
  const [executor] = app.executors();
  for (const pid of [app.pid, executor?.pid ?? 0]) {
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toMatch(/token=|sk-e2e/);
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain(testKey);
  }
});
