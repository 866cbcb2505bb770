// Old results go in two steps: into the trash, and from there for good some days later. Links are never followed.
import { lstat, rmdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { emptyTrash, entriesOf, throwAway } from './browser/trash';
import { isResultName, resultsName } from './names';

const dayMs = 86_400_000;

export interface CleanUpOptions {
  /** Holds the results of all projects. */
  readonly folder: string;
  /** On the same file system as `folder`. */
  readonly trash: string;
  /** Results that were not changed for so many days go; at least 1. */
  readonly days: number;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Files that stay whatever their age: paths below `folder`, with `/`. */
  readonly kept: ReadonlySet<string>;
}

export interface CleanUp {
  readonly trashed: number;
  readonly deleted: number;
  /** Files that could not be moved or deleted; they stay. */
  readonly failed: number;
}

/** Cleans up. What single files make impossible stays and is counted; rejects when there is no trash to be had. */
export async function cleanUpResults(options: CleanUpOptions): Promise<CleanUp> {
  const { folder, kept, now } = options;
  const trash = { folder: options.trash, results: folder };
  const emptied = await emptyTrash(trash, now);
  const oldest = now - Math.max(1, options.days) * dayMs;
  const old: string[] = [];
  for (const project of await foldersIn(folder))
    for (const session of await foldersIn(project)) {
      const results = join(session, resultsName);
      for (const file of await resultsIn(results, oldest))
        if (!kept.has(relative(folder, file).split(sep).join('/'))) old.push(file);
    }
  const { batch, failed } = await throwAway(trash, old, now);
  await removeEmptyFolders(folder);
  return { trashed: batch?.files ?? 0, deleted: emptied.deleted, failed: emptied.failed + failed };
}

/** Folders of results that nothing is in any more, and those around them. */
async function removeEmptyFolders(folder: string): Promise<void> {
  for (const project of await foldersIn(folder))
    for (const session of await foldersIn(project))
      for (const empty of [join(session, resultsName), session, project]) {
        try {
          // Only empty ones go; a link is none.
          await rmdir(empty);
        } catch {
          break;
        }
      }
}

/** Results that were last changed before a time. */
async function resultsIn(folder: string, before: number): Promise<string[]> {
  const old: string[] = [];
  for (const file of await entriesOf(folder)) {
    if (!file.isFile() || !(isResultName(file.name) || file.name.endsWith('.tmp'))) continue;
    const stats = await lstat(join(folder, file.name)).catch(() => undefined);
    if (stats?.isFile() && stats.mtimeMs < before) old.push(join(folder, file.name));
  }
  return old;
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await entriesOf(folder);
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
}
