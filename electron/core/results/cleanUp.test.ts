import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cleanUpResults } from './cleanUp';
import { cleanupPeriodDays } from './cleanupPeriod';

const day = 86_400_000;
const now = Date.UTC(2026, 5, 30);
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'gatehouse-cleanup-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function put(path: string, ageDays: number): Promise<void> {
  const file = join(root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, path);
  const at = new Date(now - ageDays * day);
  await utimes(file, at, at);
}

const cleanUp = (later = 0, kept: readonly string[] = []) =>
  cleanUpResults({
    folder: join(root, 'projects'),
    trash: join(root, 'trash'),
    days: 30,
    now: now + later * day,
    kept: new Set(kept),
  });

async function all(): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

it('moves old results to the trash and deletes them a week later', async () => {
  await put('projects/p/s/tool-results/old.txt', 31);
  await put('projects/p/s/tool-results/new.txt', 29);
  await put('projects/p/s/tool-results/notes.md', 99);
  await put('projects/p/s/other/old.txt', 99);
  await put('projects/p/t/tool-results/old.json', 31);
  await put('projects/q/s/tool-results/old.2.txt', 400);
  expect(await cleanUp()).toEqual({ trashed: 3, deleted: 0, failed: 0 });
  const kept = [
    'projects/p/s/other/old.txt',
    'projects/p/s/tool-results/new.txt',
    'projects/p/s/tool-results/notes.md',
  ];
  expect(await all()).toEqual([...kept, ...[0, 1, 2, 3].map(() => expect.stringMatching(`^trash/${now}/`))]);
  // Empty folders are gone.
  expect((await readdir(join(root, 'projects'))).sort()).toEqual(['p']);
  expect(await cleanUp(0.5)).toEqual({ trashed: 0, deleted: 0, failed: 0 });
  expect((await all()).length).toBe(7);
  await put('projects/p/s/tool-results/new.txt', -5);
  expect(await cleanUp(7)).toEqual({ trashed: 0, deleted: 3, failed: 0 });
  expect(await all()).toEqual(kept);
  expect(await readdir(join(root, 'trash'))).toEqual([]);
});

it('spares what is to be kept', async () => {
  await put('projects/p/s/tool-results/old.txt', 31);
  await put('projects/p/s/tool-results/older.txt', 99);
  expect(await cleanUp(0, ['p/s/tool-results/older.txt'])).toEqual({ trashed: 1, deleted: 0, failed: 0 });
  expect(await all()).toContain('projects/p/s/tool-results/older.txt');
});

it('follows no link out of its folder', async () => {
  await put('elsewhere/tool-results/old.txt', 99);
  await put('elsewhere/old.txt', 99);
  await mkdir(join(root, 'projects/p/s'), { recursive: true });
  await symlink(join(root, 'elsewhere'), join(root, 'projects/p/linked'));
  await symlink(join(root, 'elsewhere'), join(root, 'projects/linked'));
  await symlink(join(root, 'elsewhere'), join(root, 'projects/p/s/tool-results'));
  await mkdir(join(root, 'trash'));
  await symlink(join(root, 'elsewhere'), join(root, 'trash/1'));
  await mkdir(join(root, 'projects/p/t/tool-results'), { recursive: true });
  await symlink(join(root, 'elsewhere/old.txt'), join(root, 'projects/p/t/tool-results/link.txt'));
  expect(await cleanUp()).toEqual({ trashed: 0, deleted: 0, failed: 0 });
  expect(await readFile(join(root, 'elsewhere/old.txt'), 'utf8')).toBe('elsewhere/old.txt');
  expect(await readFile(join(root, 'elsewhere/tool-results/old.txt'), 'utf8')).toBe('elsewhere/tool-results/old.txt');
});

it('finds nothing to do without a folder', async () => {
  expect(await cleanUp()).toEqual({ trashed: 0, deleted: 0, failed: 0 });
});

it.each([
  ['{"cleanupPeriodDays": 7}', 7],
  ['{"cleanupPeriodDays": 0}', 30],
  ['{"cleanupPeriodDays": "7"}', 30],
  ['{}', 30],
  ['{"cleanupPeriodDays": 7', 30],
  ['[]', 30],
])('%s keeps results for %d days', async (settings, days) => {
  await writeFile(join(root, 'settings.json'), settings);
  expect(await cleanupPeriodDays(root)).toBe(days);
});
