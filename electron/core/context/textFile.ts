// Reads small text files that people and repositories keep for the model. Files of a repository are hostile: no special
// files, no links out of the place where they are expected, nothing of unbounded size.
import { constants } from 'node:fs';
import { open, readdir, realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import { fail, ok, type Result } from '#shared/util/result';

/** Largest file that is read, in bytes. */
export const maxFileBytes = 200_000;
/** Entries of one folder that are looked at. */
const maxEntries = 1_000;

export interface TextFile {
  readonly text: string;
  /** Links followed. */
  readonly real: string;
}

/**
 * Reads a file. `within`: real folders, in one of which its real path must lie. Fails with `absent` when there is none,
 * else with what is wrong, as a phrase for people.
 */
export async function readTextFile(path: string, within: readonly string[] | null): Promise<Result<TextFile>> {
  try {
    const real = await realpath(path);
    if (within !== null && !within.some((folder) => liesIn(real, folder)))
      return fail(`it is a link to ${real}, which lies elsewhere`);
    // A pipe must not hold anybody up.
    const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const about = await file.stat();
      if (!about.isFile()) return fail('it is no regular file');
      if (about.size > maxFileBytes) return fail(`it is larger than ${maxFileBytes / 1_000} kB`);
      const bytes = await file.readFile();
      if (bytes.length > maxFileBytes) return fail(`it is larger than ${maxFileBytes / 1_000} kB`);
      if (bytes.includes(0)) return fail('it is no text');
      return ok({ text: bytes.toString('utf8').replace(/^\uFEFF/, ''), real });
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return fail(code === 'ENOENT' || code === 'ENOTDIR' ? 'absent' : `it could not be read (${code})`);
  }
}

/** A folder's entries by name, sorted; none where it cannot be listed. Links are told as links. */
export async function listFolder(
  path: string,
): Promise<readonly { readonly name: string; readonly kind: 'file' | 'folder' | 'link' }[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries
      .slice(0, maxEntries)
      .flatMap((entry) => {
        const kind = entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : null;
        return kind === null ? [] : [{ name: entry.name, kind } as const];
      })
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** The real path, or the path itself where there is nothing yet. */
export async function realOr(path: string): Promise<string> {
  return await realpath(path).catch(() => path);
}

/** Whether a path is a folder or lies in it; both absolute. */
export function liesIn(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
