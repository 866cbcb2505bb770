// Changes a settings file: under a lock, on what is in it now, whole or not at all, with a copy of what was there.
import { createHash, randomUUID } from 'node:crypto';
import { copyFile, mkdir, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fail, ok, type Result } from '#shared/util/result';
import { lockFile } from './fileLock';

/** Copies kept of each file. */
const keptBackups = 20;

export interface SettingsWriter {
  /**
   * Changes one file. `edit` gets the present text (null: no file) and gives the new one; the same text means that
   * nothing is written. The error is for people.
   */
  change(path: string, edit: (text: string | null) => Result<string>): Promise<Result<{ readonly text: string }>>;
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

async function readText(path: string): Promise<string | null> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** A link stays a link: its target is written. */
async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return path;
    throw error;
  }
}

async function writeWhole(path: string, text: string): Promise<void> {
  const mode = await stat(path).then(
    (found) => found.mode & 0o777,
    () => 0o644,
  );
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.chmod(mode);
      await handle.writeFile(text, 'utf8');
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function backUp(path: string, folder: string): Promise<void> {
  const place = join(folder, `${createHash('sha256').update(path).digest('hex').slice(0, 12)}-${basename(path)}`);
  await mkdir(place, { recursive: true, mode: 0o700 });
  const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}.json`;
  await copyFile(path, join(place, name));
  const all = (await readdir(place)).sort();
  for (const old of all.slice(0, Math.max(0, all.length - keptBackups))) await rm(join(place, old), { force: true });
}

function reasonOf(error: unknown): string {
  const code = errorCode(error);
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return 'it may not be written';
  if (code === 'ENOSPC') return 'the disk is full';
  if (error instanceof TypeError) return 'it is not UTF-8 text';
  return error instanceof Error ? error.message : 'unknown reason';
}

/** Makes a writer that keeps its copies in `backups`. */
export function createSettingsWriter(options: { readonly backups: string }): SettingsWriter {
  return {
    async change(path, edit) {
      try {
        await mkdir(dirname(path), { recursive: true });
        const target = await targetOf(path);
        const lock = await lockFile(target);
        if (lock === null)
          return fail(`Another program is changing ${path}. Try again; if none is running, delete ${target}.lock.`);
        try {
          const text = await readText(target);
          const edited = edit(text);
          if (!edited.ok) return fail(`${path}: ${edited.error}`);
          if (edited.value === text) return ok({ text: edited.value });
          if (text !== null) await backUp(target, options.backups);
          if (!(await lock.isHeld())) return fail(`${path} was being changed by another program. Try again.`);
          await writeWhole(target, edited.value);
          return ok({ text: edited.value });
        } finally {
          await lock.release();
        }
      } catch (error) {
        return fail(`${path} was not changed: ${reasonOf(error)}.`);
      }
    },
  };
}

/** The text of a settings file; null when there is none. The error is for people. */
export async function readIfThere(path: string): Promise<Result<string | null>> {
  try {
    return ok(await readText(path));
  } catch (error) {
    return fail(`${path} cannot be read: ${reasonOf(error)}.`);
  }
}
