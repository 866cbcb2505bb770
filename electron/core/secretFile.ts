import { chmodSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import type { SecretStore } from './apiKey';

const Contents = z.object({ apiKey: z.string().min(1) });

/** Keeps a key in a file that only its owner can read; for hosts without a keychain. It is not encrypted. */
export function secretFile(file: string): SecretStore {
  return {
    protection: `Kept in ${file}, readable by your user only. It is not encrypted; commands in the sandbox cannot see it.`,
    read() {
      try {
        const contents = Contents.safeParse(JSON.parse(readFileSync(file, 'utf8')));
        return contents.success ? contents.data.apiKey : null;
      } catch (error) {
        if (error instanceof SyntaxError || (error instanceof Error && 'code' in error)) return null;
        throw error;
      }
    },
    write(secret) {
      if (secret === null) {
        rmSync(file, { force: true });
        return;
      }
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileAtomic.sync(file, `${JSON.stringify({ apiKey: secret })}\n`, { mode: 0o600 });
      chmodSync(file, 0o600);
    },
  };
}
