import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { pageHeaders, readPage } from './servedPage';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gatehouse-served-'));
  mkdirSync(join(root, 'page/assets'), { recursive: true });
  writeFileSync(join(root, 'secret.txt'), 'secret');
  writeFileSync(join(root, 'page/index.html'), '<p>page</p>');
  writeFileSync(join(root, 'page/icon.svg'), '<svg/>');
  writeFileSync(join(root, 'page/assets/main-1.js'), 'run()');
  writeFileSync(join(root, 'page/assets/data.bin'), 'x');
});
afterEach(() => rmSync(root, { recursive: true }));

it('knows each file by its path, its type and whether it may be kept', () => {
  const page = readPage(join(root, 'page'));
  const rows = [...page].map(([path, file]) => [path, file.type, file.immutable, file.body.toString()]);
  expect(rows.sort()).toEqual([
    ['/', 'text/html; charset=utf-8', false, '<p>page</p>'],
    ['/assets/data.bin', 'application/octet-stream', true, 'x'],
    ['/assets/main-1.js', 'text/javascript; charset=utf-8', true, 'run()'],
    ['/icon.svg', 'image/svg+xml', false, '<svg/>'],
    ['/index.html', 'text/html; charset=utf-8', false, '<p>page</p>'],
  ]);
});

it('follows no link out of the page', () => {
  symlinkSync(join(root, 'secret.txt'), join(root, 'page/link.txt'));
  expect([...readPage(join(root, 'page')).keys()]).not.toContain('/link.txt');
});

it('does not go on without a built page', () => {
  expect(() => readPage(root)).toThrow(/There is no page in .*npm run build/);
});

it('allows connections only where the host says', () => {
  expect(pageHeaders("'none'")['content-security-policy']).toContain("connect-src 'none';");
  expect(pageHeaders("'self' ws://127.0.0.1:1")['content-security-policy']).toContain(
    "connect-src 'self' ws://127.0.0.1:1;",
  );
});
