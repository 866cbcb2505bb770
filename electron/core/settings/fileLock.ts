// One writer at a time for a file, also between processes.
import { open, readFile, stat, unlink } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** A writer holds the lock for some milliseconds. An older lock belongs to a program that ended in the middle. */
const staleAfterMs = 10_000;
const giveUpAfterMs = 15_000;

export interface FileLock {
  /** False when somebody took the lock for abandoned: then nothing may be written. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

let counter = 0;

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

async function takeAbandoned(path: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > staleAfterMs) await unlink(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** Waits for the lock file beside `target`. Null when others held it for too long. Throws when it cannot be made. */
export async function lockFile(target: string): Promise<FileLock | null> {
  const path = `${target}.lock`;
  const token = `${process.pid} ${Date.now()} ${counter++} ${Math.random()}`;
  const start = Date.now();
  for (;;) {
    try {
      const handle = await open(path, 'wx', 0o600);
      try {
        await handle.writeFile(token);
      } finally {
        await handle.close();
      }
      break;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
      if (Date.now() - start > giveUpAfterMs) return null;
      await takeAbandoned(path);
      // An uneven wait keeps two writers from meeting again and again.
      await wait(3 + Math.random() * 20);
    }
  }
  const isHeld = async () => {
    try {
      return (await readFile(path, 'utf8')) === token;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    }
  };
  return {
    isHeld,
    async release() {
      if (await isHeld()) await unlink(path);
    },
  };
}
