// Results that were thrown away: each batch in a folder of its own with a record of where its files lay, until it is emptied.
import { constants, type Dirent } from 'node:fs';
import { link, lstat, mkdir, open, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import type { TrashBatch } from '#shared/api/results';
import { isResultPath } from '../names';
import { makePrivateFolder } from '../persist';

const dayMs = 86_400_000;
/** How long the trash keeps what was thrown away. */
export const trashMs = 7 * dayMs;

const recordName = 'record.json';
const maxRecordBytes = 50_000_000;

const Entry = z.object({
  /** In the batch's folder. */
  name: z.string(),
  /** Where it lay, below the folder of all results, with `/`. */
  from: z.string(),
});
const BatchRecord = z.object({ files: z.array(Entry) });
type Entry = z.infer<typeof Entry>;

export interface Trash {
  /** On the same file system as `results`. */
  readonly folder: string;
  /** Holds the results of all projects. */
  readonly results: string;
}

export interface Thrown {
  /** Null when nothing could be moved. */
  readonly batch: TrashBatch | null;
  readonly failed: number;
  /** Why the first could not be moved; empty when all could. */
  readonly problem: string;
}

/** Moves files into the trash as one batch. Never rejects for single files: those stay and are counted. */
export async function throwAway(trash: Trash, files: readonly string[], now: number): Promise<Thrown> {
  if (files.length === 0) return { batch: null, failed: 0, problem: '' };
  const batchId = await newBatch(trash.folder, now);
  const folder = join(trash.folder, batchId);
  const planned = files.map((file, at): Entry & { readonly file: string } => {
    const from = relative(trash.results, file).split(sep).join('/');
    return { name: `${at}-${from.slice(from.lastIndexOf('/') + 1)}`, from, file };
  });
  const write = async (entries: readonly Entry[]): Promise<void> =>
    writeFileAtomic(
      join(folder, recordName),
      JSON.stringify({ files: entries.map(({ name, from }) => ({ name, from })) }),
      { mode: 0o600 },
    );
  // Written first: what is moved can be found again whatever happens meanwhile.
  await write(planned);
  const moved: Entry[] = [];
  let bytes = 0;
  let problem = '';
  for (const entry of planned) {
    try {
      const stats = await lstat(entry.file);
      if (!stats.isFile()) throw Object.assign(new Error('it is no plain file'), { code: 'no plain file' });
      await rename(entry.file, join(folder, entry.name));
      bytes += stats.size;
      moved.push(entry);
    } catch (error) {
      if (problem === '') problem = `${entry.from.slice(entry.from.lastIndexOf('/') + 1)}: ${codeOf(error)}`;
    }
  }
  const failed = planned.length - moved.length;
  if (moved.length === 0) {
    await removeBatch(folder);
    return { batch: null, failed, problem };
  }
  if (failed > 0) await write(moved);
  const at = Number(batchId);
  return { batch: { batchId, at, files: moved.length, bytes, goneAt: at + trashMs }, failed, problem };
}

/** Batches that can be brought back, newest first. */
export async function batchesIn(trash: Trash): Promise<TrashBatch[]> {
  const batches: TrashBatch[] = [];
  for (const batchId of await batchIds(trash.folder)) {
    const sizes = await Promise.all(
      (await recordOf(trash, batchId)).map(async ({ name }) => {
        const stats = await lstat(join(trash.folder, batchId, name)).catch(() => null);
        return stats?.isFile() === true ? stats.size : null;
      }),
    );
    const present = sizes.filter((size) => size !== null);
    const at = Number(batchId);
    const bytes = present.reduce((sum, size) => sum + size, 0);
    if (present.length > 0) batches.push({ batchId, at, files: present.length, bytes, goneAt: at + trashMs });
  }
  return batches.sort((a, b) => b.at - a.at);
}

/** Puts a batch's files back where they lay, never over what is there. Those paths that it restored. */
export async function restoreBatch(
  trash: Trash,
  batchId: string,
): Promise<{ readonly restored: readonly string[]; readonly left: number }> {
  if (!(await batchIds(trash.folder)).includes(batchId)) return { restored: [], left: 0 };
  const folder = join(trash.folder, batchId);
  const restored: string[] = [];
  let left = 0;
  for (const { name, from } of await recordOf(trash, batchId)) {
    const source = join(folder, name);
    const stats = await lstat(source).catch(() => null);
    if (stats?.isFile() !== true) continue;
    const target = join(trash.results, from);
    try {
      await makePrivateFolders(trash.results, dirname(target));
      // Unlike a rename, a link never takes another file's place.
      await link(source, target);
      await unlink(source);
      restored.push(target);
    } catch {
      left += 1;
    }
  }
  if (left === 0) await removeBatch(folder);
  return { restored, left };
}

/** Deletes for good what has been in the trash long enough. */
export async function emptyTrash(
  trash: Trash,
  now: number,
): Promise<{ readonly deleted: number; readonly failed: number }> {
  let deleted = 0;
  let failed = 0;
  for (const batchId of await batchIds(trash.folder)) {
    if (!(now - Number(batchId) >= trashMs)) continue;
    const folder = join(trash.folder, batchId);
    for (const file of await entriesOf(folder)) {
      if (!file.isFile() || file.name === recordName) continue;
      if (await quietly(() => unlink(join(folder, file.name)))) deleted += 1;
      else failed += 1;
    }
    if (failed === 0) await quietly(() => unlink(join(folder, recordName)));
    await quietly(() => rmdir(folder));
  }
  return { deleted, failed };
}

/** Makes the folder of a batch: named by its time, or a moment later where there is one. */
async function newBatch(trash: string, now: number): Promise<string> {
  await makePrivateFolder(trash);
  for (let at = Math.round(now); ; at += 1) {
    try {
      await mkdir(join(trash, String(at)), { mode: 0o700 });
      return String(at);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}

async function batchIds(trash: string): Promise<string[]> {
  const entries = await entriesOf(trash);
  return entries.filter((entry) => entry.isDirectory() && /^\d{1,16}$/.test(entry.name)).map(({ name }) => name);
}

/** The files of a batch as its record has them; of a record that cannot be trusted, nothing. */
async function recordOf(trash: Trash, batchId: string): Promise<Entry[]> {
  try {
    const handle = await open(join(trash.folder, batchId, recordName), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      if ((await handle.stat()).size > maxRecordBytes) return [];
      const { files } = BatchRecord.parse(JSON.parse(await handle.readFile('utf8')));
      return files.filter(
        ({ name, from }) =>
          /^\d+-[A-Za-z0-9_.-]+$/.test(name) && isResultPath(trash.results, join(trash.results, from)),
      );
    } finally {
      await handle.close();
    }
  } catch {
    return [];
  }
}

/** Each folder on the way, none of them by a link. */
async function makePrivateFolders(root: string, folder: string): Promise<void> {
  let path = root;
  for (const part of relative(root, folder).split(sep)) {
    path = join(path, part);
    await makePrivateFolder(path);
  }
}

async function removeBatch(folder: string): Promise<void> {
  await quietly(() => unlink(join(folder, recordName)));
  await quietly(() => rmdir(folder));
}

/** What lies in a folder that is none by a link; nothing where it cannot be looked at. */
export async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return (await lstat(folder)).isDirectory() ? await readdir(folder, { withFileTypes: true }) : [];
  } catch {
    return [];
  }
}

async function quietly(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch {
    return false;
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
