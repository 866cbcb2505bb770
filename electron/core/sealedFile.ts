import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import type { SecretStore } from './apiKey';

/** A system's keychain: encrypts for the person who is logged in. Both throw when it cannot be used. */
export interface Keychain {
  readonly name: string;
  encrypt(text: string): Buffer;
  decrypt(sealed: Buffer): string;
}

/** Keeps a key in a file that only the keychain's owner can decrypt. */
export function sealedFile(file: string, keychain: Keychain): SecretStore {
  let trouble: string | null = null;
  return {
    protection: `Encrypted with ${keychain.name}.`,
    trouble: () => trouble,
    read() {
      trouble = null;
      const sealed = contentOf(file);
      if (sealed === null) return null;
      try {
        return keychain.decrypt(sealed);
      } catch {
        // Encrypted for another user, by an older keychain, or the keychain is locked.
        trouble = `A key is kept, but ${keychain.name} does not open it. Unlock it and start Gatehouse again, or save the key anew.`;
        return null;
      }
    },
    write(secret) {
      if (secret === null) rmSync(file, { force: true });
      else {
        const sealed = keychain.encrypt(secret);
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        writeFileAtomic.sync(file, sealed, { mode: 0o600 });
      }
      trouble = null;
    },
  };
}

function contentOf(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}
