import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import type { SecretStore } from './apiKey';
import { keepFilePrivate, wasOpenToOthers } from './privateFile';

const Contents = z.object({ apiKey: z.string().min(1) });

/** Keeps a key in a file that only its owner can read; for hosts without a keychain. It is not encrypted. */
export function secretFile(file: string): SecretStore {
  let trouble: string | null = null;
  return {
    protection: `Kept in ${file}, readable by your user only. It is not encrypted; commands in the sandbox cannot see it.`,
    trouble: () => trouble,
    read() {
      trouble = null;
      try {
        const text = readFileSync(file, 'utf8');
        if (wasOpenToOthers(file))
          trouble = `Until now other users of this computer could read ${file}. If there are any, replace the key.`;
        const contents = Contents.safeParse(JSON.parse(text));
        if (contents.success) return contents.data.apiKey;
        trouble = damaged(file);
        return null;
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : '';
        if (!(error instanceof SyntaxError) && code === '') throw error;
        if (code !== 'ENOENT') trouble = code === '' ? damaged(file) : `${file} cannot be read (${code}).`;
        return null;
      }
    },
    write(secret) {
      trouble = null;
      if (secret === null) {
        rmSync(file, { force: true });
        return;
      }
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileAtomic.sync(file, `${JSON.stringify({ apiKey: secret })}\n`, { mode: 0o600 });
      keepFilePrivate(file);
    },
  };
}

const damaged = (file: string): string => `What was kept in ${file} is damaged. Save the key again.`;
