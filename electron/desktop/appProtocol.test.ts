import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { registerAppScheme, serveApp } from './appProtocol';
import { callsOf, protocol, protocolHandlers, resetElectron, standIn } from './testing/electronRecorder';

vi.mock('electron', () => import('./testing/electronRecorder'));

let root = '';
beforeEach(() => {
  resetElectron();
  root = mkdtempSync(join(tmpdir(), 'gatehouse-page-'));
  mkdirSync(join(root, 'page/assets'), { recursive: true });
  writeFileSync(join(root, 'secret.txt'), 'secret');
  writeFileSync(join(root, 'page/index.html'), '<p>page</p>');
  writeFileSync(join(root, 'page/assets/main-1.js'), 'run()');
  writeFileSync(join(root, 'page/assets/icon.bin'), 'x');
});
afterEach(() => rmSync(root, { recursive: true }));

async function get(url: string, method = 'GET') {
  const answer = await protocolHandlers.get('app')?.({ url, method });
  return {
    status: answer?.status,
    type: answer?.headers.get('content-type'),
    text: await answer?.text(),
    headers: answer?.headers,
  };
}

it('makes the scheme a secure origin of its own', () => {
  registerAppScheme();
  expect(callsOf('registerSchemesAsPrivileged')).toEqual([
    [[{ scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } }]],
  ]);
});

it('serves the built page', async () => {
  serveApp(standIn(protocol), join(root, 'page'));
  expect(await get('app://gatehouse/')).toMatchObject({
    status: 200,
    type: 'text/html; charset=utf-8',
    text: '<p>page</p>',
  });
  expect(await get('app://gatehouse/assets/main-1.js?v=1#x')).toMatchObject({
    status: 200,
    type: 'text/javascript; charset=utf-8',
    text: 'run()',
  });
  expect(await get('app://gatehouse/assets/icon.bin')).toMatchObject({ status: 200, type: 'application/octet-stream' });
});

it.each([
  ['app://gatehouse/../secret.txt', 404],
  ['app://gatehouse/%2e%2e/secret.txt', 404],
  ['app://gatehouse/..%2fsecret.txt', 404],
  ['app://gatehouse/assets/..%5c..%5csecret.txt', 404],
  ['app://gatehouse//etc/passwd', 404],
  ['app://gatehouse/assets', 404],
  ['app://gatehouse/missing.js', 404],
  ['app://elsewhere/', 403],
  ['app://gatehouse.elsewhere/index.html', 403],
])('refuses %s', async (url, status) => {
  serveApp(standIn(protocol), join(root, 'page'));
  const answer = await get(url);
  expect(answer).toMatchObject({ status, type: 'text/plain;charset=UTF-8' });
  expect(answer.text).not.toContain('secret');
});

it('refuses to be written to', async () => {
  serveApp(standIn(protocol), join(root, 'page'));
  expect(await get('app://gatehouse/', 'POST')).toMatchObject({ status: 403 });
});

it('sends a policy under which no inline script runs and nothing is fetched', async () => {
  serveApp(standIn(protocol), join(root, 'page'));
  for (const url of ['app://gatehouse/', 'app://gatehouse/missing', 'app://elsewhere/']) {
    const policy = (await get(url)).headers?.get('content-security-policy');
    expect(policy?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data: blob:",
      "font-src 'self'",
      "connect-src 'none'",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
  }
});

it('does not start without a built page', () => {
  expect(() => serveApp(standIn(protocol), root)).toThrow(/There is no page in .*npm run build/);
});
