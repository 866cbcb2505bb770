// Old results go in two steps: into a trash folder, and from there for good a day later. Links are never followed.
import type { Dirent } from 'node:fs';
import { lstat, mkdir, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isResultName, resultsName } from './names';

const dayMs = 86_400_000;
/** How long the trash keeps what was thrown away. */
const trashMs = dayMs;

export interface CleanUpOptions {
  /** Holds the results of all projects. */
  readonly folder: string;
  /** On the same file system as `folder`. */
  readonly trash: string;
  /** Results that were not changed for so many days go; at least 1. */
  readonly days: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface CleanUp {
  readonly trashed: number;
  readonly deleted: number;
  /** Files that could not be moved or deleted; they stay. */
  readonly failed: number;
}

/** Cleans up. Never rejects for what is on the disk: what cannot be cleaned stays and is counted. */
export async function cleanUpResults(options: CleanUpOptions): Promise<CleanUp> {
  const counts = { trashed: 0, deleted: 0, failed: 0 };
  await emptyTrash(options, counts);
  const oldest = options.now - Math.max(1, options.days) * dayMs;
  const batch = join(options.trash, String(options.now));
  for (const project of await foldersIn(options.folder))
    for (const session of await foldersIn(project)) {
      const results = join(session, resultsName);
      for (const file of await resultsIn(results, oldest)) {
        const name = `${counts.trashed + counts.failed}-${file.name}`;
        await counted(counts, 'trashed', async () => {
          await mkdir(batch, { recursive: true, mode: 0o700 });
          await rename(join(results, file.name), join(batch, name));
        });
      }
      // Only empty ones go.
      for (const folder of [results, session, project]) if (!(await quietly(() => rmdir(folder)))) break;
    }
  return counts;
}

type Counts = { trashed: number; deleted: number; failed: number };

async function emptyTrash({ trash, now }: CleanUpOptions, counts: Counts): Promise<void> {
  for (const batch of await foldersIn(trash)) {
    const movedAt = Number(batch.slice(trash.length + 1));
    if (!(now - movedAt >= trashMs)) continue;
    for (const file of await entriesOf(batch))
      if (file.isFile()) await counted(counts, 'deleted', () => unlink(join(batch, file.name)));
    await quietly(() => rmdir(batch));
  }
}

/** Results that were last changed before a time. */
async function resultsIn(folder: string, before: number): Promise<Dirent[]> {
  const old: Dirent[] = [];
  for (const file of await entriesOf(folder)) {
    if (!file.isFile() || !(isResultName(file.name) || file.name.endsWith('.tmp'))) continue;
    const stats = await lstat(join(folder, file.name)).catch(() => undefined);
    if (stats?.isFile() && stats.mtimeMs < before) old.push(file);
  }
  return old;
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await entriesOf(folder);
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
}

/** What lies in a folder that is none by a link; nothing where it cannot be looked at. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return (await lstat(folder)).isDirectory() ? await readdir(folder, { withFileTypes: true }) : [];
  } catch {
    return [];
  }
}

async function counted(counts: Counts, what: 'trashed' | 'deleted', work: () => Promise<void>): Promise<void> {
  counts[(await quietly(work)) ? what : 'failed'] += 1;
}

async function quietly(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch {
    return false;
  }
}
