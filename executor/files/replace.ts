// Replaces a file as a whole: a new file beside it, then a rename, so that nobody ever sees half of it.
import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { access, type FileHandle, lstat, open, readlink, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { OperationFailure } from '#shared/api/executor';
import { errnoOf, failure } from '../failure';
import { type Granted, holdFolderOf, openGranted } from './pinned';
import { hashBytes, presentOr } from './stat';

/** A regular file as it was when looked at, to notice changes until it is replaced. */
export type FileAsFound = Pick<Stats, 'dev' | 'ino' | 'size' | 'mtimeMs' | 'ctimeMs' | 'mode' | 'uid' | 'gid'>;

/** A file that is open. `bytes` reads all of it. */
export interface ExistingFile {
  readonly found: FileAsFound;
  bytes(): Promise<Buffer>;
}

/** Hands the file at a path to `use`: undefined when there is none. A failure when it is no file or may not be changed. */
export async function withExisting<T>(
  granted: Granted,
  use: (existing: ExistingFile | undefined) => Promise<T>,
): Promise<T | OperationFailure> {
  const refused = await refusedAsFile(granted.path);
  if (refused === 'missing') return await use(undefined);
  if (refused !== undefined) return refused;
  let handle: FileHandle | undefined;
  try {
    handle = await openGranted(granted);
    const opened = handle;
    const found = await opened.stat();
    if (!found.isFile()) return noFile(granted.path);
    await access(granted.real ?? granted.path, constants.R_OK | constants.W_OK);
    return await use({ found, bytes: () => opened.readFile() });
  } finally {
    await handle?.close();
  }
}

async function refusedAsFile(path: string): Promise<OperationFailure | 'missing' | undefined> {
  const stats = await presentOr(lstat(path));
  if (stats === undefined) return 'missing';
  if (stats.isSymbolicLink()) {
    const target = resolve(dirname(path), await readlink(path));
    return failure('isLink', `${path} is a link to ${target}. Name ${target} itself if that is the file to change.`);
  }
  if (stats.isDirectory()) return failure('isFolder', `${path} is a folder. Name a file.`);
  return stats.isFile() ? undefined : noFile(path);
}

function noFile(path: string): OperationFailure {
  return failure('io', `${path} is a device, a pipe or a socket, which cannot be edited.`);
}

/**
 * Writes the file and its missing folders; mode and owner of an existing file are kept. `found` is what was there
 * when the new content was made; if that is no longer so, nothing is written. `ready` runs when the new file is whole, before it
 * takes the place.
 */
export async function replaceFile(options: {
  readonly granted: Granted;
  readonly bytes: Buffer;
  readonly found: FileAsFound | undefined;
  readonly ready?: (made: { readonly mode: number; readonly temporary: string }) => Promise<void>;
}): Promise<{ readonly size: number; readonly mtimeMs: number; readonly hash: string } | OperationFailure> {
  const { granted, bytes, found, ready } = options;
  const folder = await holdFolderOf(granted);
  try {
    const name = `.gatehouse-${randomBytes(8).toString('hex')}.tmp`;
    const temporary = { at: join(folder.at, name), real: join(folder.real, name) };
    const place = join(folder.at, basename(granted.real ?? granted.path));
    const failed = await putInPlace({ path: granted.path, place, temporary, bytes, found, ready });
    return failed ?? { size: bytes.length, mtimeMs: (await stat(place)).mtimeMs, hash: hashBytes(bytes) };
  } finally {
    await folder.release();
  }
}

async function putInPlace(about: {
  readonly path: string;
  readonly place: string;
  readonly temporary: { readonly at: string; readonly real: string };
  readonly bytes: Buffer;
  readonly found: FileAsFound | undefined;
  readonly ready: ((made: { readonly mode: number; readonly temporary: string }) => Promise<void>) | undefined;
}): Promise<OperationFailure | undefined> {
  const { path, place, temporary, bytes, found, ready } = about;
  try {
    const handle = await open(temporary.at, 'wx', 0o666);
    try {
      await handle.writeFile(bytes);
      if (found !== undefined) {
        // Without the right to give files away the file becomes ours, as with most editors.
        await handle.chown(found.uid, found.gid).catch(ignorePermission);
        await handle.chmod(found.mode & 0o7777);
      }
      await handle.sync();
      await ready?.({ mode: (await handle.stat()).mode, temporary: temporary.real });
    } finally {
      await handle.close();
    }
    if (!sameFile(await presentOr(lstat(place)), found)) {
      await unlink(temporary.at);
      return failure(
        'changed',
        `${path} was changed by something else at this very moment. Read it again, then try again.`,
      );
    }
    await rename(temporary.at, place);
    return undefined;
  } catch (error) {
    await unlink(temporary.at).catch(() => undefined);
    throw error;
  }
}

function sameFile(now: Stats | undefined, found: FileAsFound | undefined): boolean {
  if (now === undefined || found === undefined) return now === found;
  return (['dev', 'ino', 'size', 'mtimeMs', 'ctimeMs'] as const).every((fact) => now[fact] === found[fact]);
}

function ignorePermission(error: unknown): void {
  if (errnoOf(error) !== 'EPERM' && errnoOf(error) !== 'EINVAL') throw error;
}
