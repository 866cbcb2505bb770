import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ApiKey } from './apiKey';
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

it('says that there is a key which the keychain does not open, until another one is saved', () => {
  const file = join(folder, 'key.encrypted');
  writeFileSync(file, 'from elsewhere');
  const store = sealedFile(file, keychain);
  const key = new ApiKey(null, store);
  const opened = 'Encrypted with KWallet.';
  expect(key.state()).toEqual({
    source: 'none',
    hint: '',
    protection: `A key is kept, but KWallet does not open it. Unlock it and start Gatehouse again, or save the key anew. ${opened}`,
    canStore: true,
  });
  key.setApiKey('sk-new-1234', true);
  expect([key.state().protection, sealedFile(file, keychain).read()]).toEqual([opened, 'sk-new-1234']);
});

it('takes away what it cannot open when the person removes the key', () => {
  const file = join(folder, 'key.encrypted');
  writeFileSync(file, 'from elsewhere');
  const key = new ApiKey(null, sealedFile(file, keychain));
  key.setApiKey(null, false);
  expect([existsSync(file), key.state().protection]).toEqual([false, 'Encrypted with KWallet.']);
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
