// http handlers against a server on loopback.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { noHookOutcome } from './hooks';
import { bash, type HookBench, hookBench, hooksFor, settingsOf } from './testing/hookBench';

let bench: HookBench;
let server: Server;
let base: string;
let answer: (request: IncomingMessage, response: ServerResponse, body: string) => void;
let requests: {
  readonly method: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}[];

beforeEach(async () => {
  bench = await hookBench();
  requests = [];
  answer = (_request, response) => response.end();
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      requests.push({ method: request.method, headers: request.headers, body });
      answer(request, response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await bench.dispose();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const use = (more: object = {}, settings: object = {}): void =>
  bench.use(
    settingsOf({ ...hooksFor('PreToolUse', [{ type: 'http', url: `${base}/check?key=k`, ...more }]), ...settings }),
  );

const deny = {
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' },
};

it('posts the event, with the headers that it may have', async () => {
  use({
    headers: { Authorization: `Bearer \${HOOK_TOKEN}`, 'X-Other': '$HOME', 'X-Plain': 'a' },
    allowedEnvVars: ['HOOK_TOKEN'],
  });
  await bench.fire(bash('ls'));
  expect(requests).toMatchObject([
    {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: 'Bearer for headers',
        'x-other': '',
        'x-plain': 'a',
      },
    },
  ]);
  expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({ tool_input: { command: 'ls' } });
  expect(JSON.stringify(bench.appended)).not.toContain('for headers');
  expect(bench.runs()[0]?.label).toBe(`${base}/check`);
});

it('fills in only variables that the settings allow as well', async () => {
  use({ headers: { 'X-A': '$HOOK_TOKEN' }, allowedEnvVars: ['HOOK_TOKEN'] }, { httpHookAllowedEnvVars: ['OTHER'] });
  await bench.fire(bash('ls'));
  expect(requests[0]?.headers['x-a']).toBe('');
});

it.each([
  ['a 2xx with a decision', 200, JSON.stringify(deny), { block: null, deny: true, messages: 0 }],
  ['an empty 2xx', 204, '', { block: null, deny: false, messages: 0 }],
  ['a 2xx with text', 200, 'fine', { block: null, deny: false, messages: 0 }],
  ['a 2xx with broken JSON', 200, '{"a": }', { block: null, deny: false, messages: 1 }],
  ['an error with a decision', 500, JSON.stringify(deny), { block: null, deny: false, messages: 1 }],
  ['a refusal', 403, '', { block: null, deny: false, messages: 1 }],
] as const)('%s', async (_name, status, body, expected) => {
  answer = (_request, response) => response.writeHead(status).end(body);
  use();
  const outcome = await bench.fire(bash('ls'));
  expect({
    block: outcome.block,
    deny: outcome.opinion?.behavior === 'deny',
    messages: outcome.messages.length,
  }).toEqual(expected);
  use({ onFailure: 'block' });
  expect((await bench.fire(bash('ls'))).block !== null).toBe(expected.messages === 1);
});

it('follows no redirect', async () => {
  answer = (request, response) => {
    if (request.url === '/elsewhere') response.end(JSON.stringify(deny));
    else response.writeHead(302, { location: '/elsewhere' }).end();
  };
  use();
  const outcome = await bench.fire(bash('ls'));
  expect(outcome.messages).toEqual([expect.stringContaining('answered with status 302')]);
  expect(requests).toHaveLength(1);
});

it.each([
  [['http://127.0.0.1:*'], true],
  [['*/check?key=k'], true],
  [['https://hooks.example.com/*'], false],
  [[], false],
])('with allowedHttpHookUrls %j it may ask: %s', async (allowed, may) => {
  use({}, { allowedHttpHookUrls: allowed });
  const outcome = await bench.fire(bash('ls'));
  expect([requests.length === 1, outcome.messages.length === 0]).toEqual([may, may]);
});

it('is ended when the server hangs, floods or is gone', async () => {
  answer = () => undefined;
  use({ timeout: 0.3 });
  expect((await bench.fire(bash('ls'))).messages).toEqual([expect.stringContaining('longer than 0.3 s')]);
  answer = (_request, response) => {
    const flood = (): void => {
      while (!response.destroyed && response.write(`{${'x'.repeat(100_000)}`));
    };
    response.on('drain', flood);
    flood();
  };
  use({ timeout: 20 });
  expect((await bench.fire(bash('ls'))).messages).toEqual([expect.stringContaining('printed too much for JSON')]);
  bench.use(settingsOf(hooksFor('PreToolUse', [{ type: 'http', url: 'http://127.0.0.1:1/' }])));
  expect((await bench.fire(bash('ls'))).messages).toEqual([expect.stringContaining('its server could not be reached')]);
});

it('is stopped with the turn', async () => {
  const stop = new AbortController();
  answer = () => stop.abort();
  use();
  expect(await bench.fire(bash('ls'), stop.signal)).toEqual({ ...noHookOutcome, ran: 1 });
  expect(bench.runs()).toMatchObject([{ outcome: 'cancelled' }]);
});
