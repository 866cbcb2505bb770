import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ApiKey } from './apiKey';
import { secretFile } from './secretFile';

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-key-'));
  file = join(folder, 'deep', 'secrets.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('what was typed last counts, then what is stored, then the environment', () => {
  const key = new ApiKey('env-key-1111', secretFile(file));
  expect([key.apiKey(), key.state().source, key.state().hint]).toEqual(['env-key-1111', 'environment', '1111']);
  key.setApiKey('stored-key-2222', true);
  expect([key.apiKey(), key.state().source]).toEqual(['stored-key-2222', 'stored']);
  key.setApiKey('typed-key-3333', false);
  expect([key.apiKey(), key.state().source]).toEqual(['typed-key-3333', 'memory']);
  expect(new ApiKey(null, secretFile(file)).apiKey()).toBeNull();
  key.setApiKey(null, false);
  expect(key.state().source).toBe('environment');
});

test('a stored key survives a restart, readable by its owner only, and goes when removed', () => {
  new ApiKey(null, secretFile(file)).setApiKey('stored-key-2222', true);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const next = new ApiKey(null, secretFile(file));
  expect(next.apiKey()).toBe('stored-key-2222');
  next.setApiKey(null, true);
  expect(() => readFileSync(file)).toThrow('ENOENT');
});

test.each([
  ['damaged', (at: string) => writeFileSync(at, '{'), null, /^What was kept in .* is damaged\. Save the key again\./],
  ['of another form', (at: string) => writeFileSync(at, '{"key":1}', { mode: 0o600 }), null, /is damaged/],
  ['a folder', (at: string) => mkdirSync(at), null, /cannot be read \(EISDIR\)/],
  [
    'readable for other users',
    (at: string) => {
      writeFileSync(at, '{"apiKey":"stored-key-2222"}');
      chmodSync(at, 0o644);
    },
    'stored-key-2222',
    /^Until now other users of this computer could read .*\. If there are any, replace the key\. Kept in /,
  ],
])('a store that is %s says so', (_name, make, expected, words) => {
  const at = join(folder, 'secrets.json');
  make(at);
  const key = new ApiKey(null, secretFile(at));
  expect(key.apiKey()).toBe(expected);
  expect(key.state().protection).toMatch(words);
  if (expected !== null) expect(statSync(at).mode & 0o777).toBe(0o600);
});

test('a damaged store counts as empty and a host without one says so', () => {
  writeFileSync(join(folder, 'broken.json'), '{');
  expect(new ApiKey(null, secretFile(join(folder, 'broken.json'))).apiKey()).toBeNull();
  const none = new ApiKey(null, null);
  expect(none.state()).toMatchObject({ source: 'none', canStore: false });
  expect(() => none.setApiKey('some-key-0000', true)).toThrow('cannot keep a key');
});
