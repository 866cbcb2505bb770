// Folders as people choose them: what is in one, and whether a session can work there.
import { constants } from 'node:fs';
import { access, opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderEntry } from '#shared/api/host';
import { fail, ok, type Result } from '#shared/util/result';

/** Entries shown of one folder; more are not worth scrolling through. */
const maxEntries = 1_000;

export interface FolderProblem {
  readonly code: 'notFound' | 'refused';
  readonly message: string;
}

/** The folders in a folder, by name. Links to folders count; what cannot be looked at is left out. */
export async function listFolders(
  folder: string,
  options: { readonly showHidden: boolean },
): Promise<Result<{ entries: FolderEntry[]; truncated: boolean }, FolderProblem>> {
  const entries: FolderEntry[] = [];
  let truncated = false;
  try {
    for await (const item of await opendir(folder)) {
      const hidden = item.name.startsWith('.');
      if (hidden && !options.showHidden) continue;
      const path = join(folder, item.name);
      if (!item.isDirectory() && !(item.isSymbolicLink() && (await isFolder(path)))) continue;
      if (entries.length === maxEntries) {
        truncated = true;
        break;
      }
      entries.push({ name: item.name, path, hidden, repository: await exists(join(path, '.git')) });
    }
  } catch (error) {
    return fail(problemOf(folder, error));
  }
  entries.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
  return ok({ entries, truncated });
}

/** Whether a session can be opened there: it exists, is a folder, and may be listed. */
export async function checkFolder(folder: string): Promise<Result<null, FolderProblem>> {
  try {
    const found = await stat(folder);
    if (!found.isDirectory())
      return fail({ code: 'refused', message: `${folder} is a file, not a folder. Choose a folder.` });
    await access(folder, constants.R_OK | constants.X_OK);
    return ok(null);
  } catch (error) {
    return fail(problemOf(folder, error));
  }
}

function problemOf(folder: string, error: unknown): FolderProblem {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT') return { code: 'notFound', message: `${folder} does not exist. Choose another folder.` };
  if (code === 'ENOTDIR') return { code: 'refused', message: `${folder} is a file, not a folder. Choose a folder.` };
  if (code === 'EACCES' || code === 'EPERM') {
    return {
      code: 'refused',
      message: `${folder} may not be read by your user. Change its permissions or choose another folder.`,
    };
  }
  if (code === '') throw error;
  return { code: 'refused', message: `${folder} cannot be read (${code}). Choose another folder.` };
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // A dangling or unreadable link is nothing to open.
    return false;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}
