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
  return {
    protection: `Encrypted with ${keychain.name}.`,
    read() {
      try {
        return keychain.decrypt(readFileSync(file));
      } catch {
        // Absent, or encrypted for another user or by an older keychain: the person types it again.
        return null;
      }
    },
    write(secret) {
      if (secret === null) {
        rmSync(file, { force: true });
        return;
      }
      const sealed = keychain.encrypt(secret);
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileAtomic.sync(file, sealed, { mode: 0o600 });
    },
  };
}
