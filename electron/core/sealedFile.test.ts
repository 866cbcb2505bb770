import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Keychain, sealedFile } from './sealedFile';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-sealed-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const keychain: Keychain = {
  name: 'KWallet',
  encrypt: (text) => Buffer.from(`sealed:${Buffer.from(text).toString('base64')}`),
  decrypt(sealed) {
    if (!sealed.toString().startsWith('sealed:')) throw new Error('Error while decrypting the ciphertext provided.');
    return Buffer.from(sealed.toString().slice('sealed:'.length), 'base64').toString();
  },
};

it('keeps the key encrypted, for its owner alone, and removes it', () => {
  const file = join(folder, 'data', 'key.encrypted');
  const store = sealedFile(file, keychain);
  expect(store.protection).toBe('Encrypted with KWallet.');
  expect(store.read()).toBeNull();
  store.write('sk-secret');
  expect(readFileSync(file, 'utf8')).not.toContain('sk-secret');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(sealedFile(file, keychain).read()).toBe('sk-secret');
  store.write(null);
  store.write(null);
  expect(store.read()).toBeNull();
});

it('has no key where the keychain is another one', () => {
  const file = join(folder, 'key.encrypted');
  writeFileSync(file, 'from elsewhere');
  expect(sealedFile(file, keychain).read()).toBeNull();
});

it('keeps what was there when the keychain refuses', () => {
  const file = join(folder, 'key.encrypted');
  sealedFile(file, keychain).write('sk-old');
  const locked = sealedFile(file, {
    ...keychain,
    encrypt: () => {
      throw new Error('the keyring is locked');
    },
  });
  expect(() => locked.write('sk-new')).toThrow('the keyring is locked');
  expect(locked.read()).toBe('sk-old');
});
