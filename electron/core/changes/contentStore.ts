// The contents of files before and after each change: one private folder for a session, each content under its SHA-256.
import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';

/** Name of a session's folder of contents, beside that of its results. */
export const historyName = 'file-history';
/** Notes of changes that are not written down in the session yet. */
export const pendingName = 'pending';

/** Larger files are not kept. */
export const maxFileBytes = 20_000_000;
/** Most bytes for a session; beyond that the oldest content goes. */
export const maxSessionBytes = 500_000_000;

const hashName = /^[0-9a-f]{64}$/;

/** Makes the folder, for its owner alone. Rejects with the errno error. */
export async function makeHistory(folder: string): Promise<void> {
  await mkdir(join(folder, pendingName), { recursive: true, mode: 0o700 });
  for (const each of [folder, join(folder, pendingName)])
    if (!(await lstat(each)).isDirectory()) throw Object.assign(new Error('no folder'), { code: 'ENOTDIR' });
}

/** Keeps bytes whole or not at all and gives their hash. Rejects with the errno error. */
export async function keepBytes(folder: string, bytes: Buffer): Promise<string> {
  const hash = hashOf(bytes);
  const file = join(folder, hash);
  // After a power cut a file may have its size and not its bytes.
  if ((await sizeOf(file)) === bytes.length && (await readPlain(file))?.equals(bytes) === true) {
    const now = new Date();
    await utimes(file, now, now);
    return hash;
  }
  await writePrivate(file, bytes);
  return hash;
}

/** The bytes of this hash; null when they are not there unharmed. */
export async function readBytes(folder: string, hash: string): Promise<Buffer | null> {
  if (!hashName.test(hash)) return null;
  const bytes = await readPlain(join(folder, hash));
  return bytes !== null && hashOf(bytes) === hash ? bytes : null;
}

/** Hashes of all that the folder holds. */
export async function keptHashes(folder: string): Promise<ReadonlySet<string>> {
  return new Set((await namesIn(folder)).filter((name) => hashName.test(name)));
}

/** Drops the contents that were not used for the longest time until the rest fits; says how many went. */
export async function trimHistory(folder: string, maxBytes: number): Promise<number> {
  const files: { readonly path: string; readonly size: number; readonly usedAt: number }[] = [];
  for (const name of (await namesIn(folder)).filter((each) => hashName.test(each))) {
    const path = join(folder, name);
    const found = await lstat(path).catch(() => null);
    if (found?.isFile()) files.push({ path, size: found.size, usedAt: found.mtimeMs });
  }
  let bytes = files.reduce((sum, { size }) => sum + size, 0);
  let dropped = 0;
  for (const { path, size } of files.sort((a, b) => a.usedAt - b.usedAt)) {
    if (bytes <= maxBytes) break;
    await unlink(path).catch(() => undefined);
    bytes -= size;
    dropped += 1;
  }
  return dropped;
}

export function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Writes a file that only its owner can read, whole or not at all. Rejects with the errno error. */
export async function writePrivate(file: string, bytes: Buffer): Promise<void> {
  const temporary = `${file}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

/** The bytes of a regular file; null when there is none. Links are not followed. */
export async function readPlain(path: string): Promise<Buffer | null> {
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return (await handle.stat()).isFile() ? await handle.readFile() : null;
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return null;
  }
}

export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return [];
  }
}

async function sizeOf(file: string): Promise<number> {
  const found = await lstat(file).catch(() => null);
  return found?.isFile() ? found.size : -1;
}

/** The errno name of a system error. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
