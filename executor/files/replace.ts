// Replaces a file as a whole: a new file beside it, then a rename, so that nobody ever sees half of it.
import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { access, lstat, mkdir, open, readlink, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { OperationFailure } from '#shared/api/executor';
import { errnoOf, failure } from '../failure';
import { hashBytes, presentOr } from './stat';

/** A regular file as it was when looked at, to notice changes until it is replaced. */
export type FileAsFound = Pick<Stats, 'dev' | 'ino' | 'size' | 'mtimeMs' | 'ctimeMs' | 'mode' | 'uid' | 'gid'>;

/** The file at a path; undefined when there is none, a failure when it is no file or may not be changed. */
export async function existingFile(path: string): Promise<FileAsFound | OperationFailure | undefined> {
  const stats = await presentOr(lstat(path));
  if (stats === undefined) return undefined;
  if (stats.isSymbolicLink()) {
    const target = resolve(dirname(path), await readlink(path));
    return failure('isLink', `${path} is a link to ${target}. Name ${target} itself if that is the file to change.`);
  }
  if (stats.isDirectory()) return failure('isFolder', `${path} is a folder. Name a file.`);
  if (!stats.isFile()) return failure('io', `${path} is a device, a pipe or a socket, which cannot be edited.`);
  await access(path, constants.R_OK | constants.W_OK);
  return stats;
}

/**
 * Writes the file and its missing folders; mode and owner of an existing file are kept. `found` is what was there
 * when the new content was made; if that is no longer so, nothing is written. `ready` runs when the new file is whole, before it
 * takes the place.
 */
export async function replaceFile(options: {
  readonly path: string;
  readonly bytes: Buffer;
  readonly found: FileAsFound | undefined;
  readonly ready?: (made: { readonly mode: number; readonly temporary: string }) => Promise<void>;
}): Promise<{ readonly size: number; readonly mtimeMs: number; readonly hash: string } | OperationFailure> {
  const { path, bytes, found, ready } = options;
  await mkdir(dirname(path), { recursive: true });
  const temporary = join(dirname(path), `.gatehouse-${randomBytes(8).toString('hex')}.tmp`);
  try {
    const handle = await open(temporary, 'wx', 0o666);
    try {
      await handle.writeFile(bytes);
      if (found !== undefined) {
        // Without the right to give files away the file becomes ours, as with most editors.
        await handle.chown(found.uid, found.gid).catch(ignorePermission);
        await handle.chmod(found.mode & 0o7777);
      }
      await handle.sync();
      await ready?.({ mode: (await handle.stat()).mode, temporary });
    } finally {
      await handle.close();
    }
    if (!sameFile(await presentOr(lstat(path)), found)) {
      await unlink(temporary);
      return failure(
        'changed',
        `${path} was changed by something else at this very moment. Read it again, then try again.`,
      );
    }
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
  return { size: bytes.length, mtimeMs: (await stat(path)).mtimeMs, hash: hashBytes(bytes) };
}

function sameFile(now: Stats | undefined, found: FileAsFound | undefined): boolean {
  if (now === undefined || found === undefined) return now === found;
  return (['dev', 'ino', 'size', 'mtimeMs', 'ctimeMs'] as const).every((fact) => now[fact] === found[fact]);
}

function ignorePermission(error: unknown): void {
  if (errnoOf(error) !== 'EPERM' && errnoOf(error) !== 'EINVAL') throw error;
}
