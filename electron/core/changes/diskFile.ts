// A file as it is on disk now, looked at without following links.
import { constants, type Stats } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { resolveReal } from '../executor/realPath';
import { errnoOf, hashOf, maxFileBytes } from './contentStore';
import type { Side } from './side';

/** What tells that a path still is the file that was looked at. */
export type Identity = Pick<Stats, 'dev' | 'ino' | 'size' | 'mtimeMs' | 'ctimeMs' | 'uid' | 'gid'>;

export type DiskFile =
  | { readonly ok: true; readonly side: Side; readonly identity: Identity | null }
  /** A sentence for people. */
  | { readonly ok: false; readonly problem: string };

/** Reads a file that lies where `path` says, with all links resolved. Never rejects for what is on the disk. */
export async function readDiskFile(path: string): Promise<DiskFile> {
  try {
    if ((await resolveReal(path)) !== path)
      return problem('A link leads somewhere else from here than when the change was recorded. It is not followed.');
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const found = await handle.stat();
      if (!found.isFile()) return problem('There is no regular file here now.');
      if (found.size > maxFileBytes)
        return problem('The file is larger than 20 MB now, so what is in it could not be brought back afterwards.');
      const bytes = await handle.readFile();
      return { ok: true, side: { hash: hashOf(bytes), bytes, mode: modeOf(found) }, identity: found };
    } finally {
      await handle.close();
    }
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT') return { ok: true, side: null, identity: null };
    if (errno === undefined) throw error;
    return problem(errno === 'ENOTDIR' ? 'A part of the path is a file now.' : `The file cannot be read (${errno}).`);
  }
}

/** Whether the path still holds exactly what was read. */
export async function isStill(path: string, identity: Identity | null): Promise<boolean> {
  if ((await resolveReal(path)) !== path) return false;
  try {
    const found = await lstat(path);
    if (identity === null) return false;
    return (['dev', 'ino', 'size', 'mtimeMs', 'ctimeMs'] as const).every((fact) => found[fact] === identity[fact]);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return identity === null;
    throw error;
  }
}

function modeOf({ mode }: Stats): number | null {
  return process.platform === 'win32' ? null : mode & 0o7777;
}

const problem = (words: string): DiskFile => ({ ok: false, problem: words });
