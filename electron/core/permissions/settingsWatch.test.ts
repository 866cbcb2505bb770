import { mkdir, mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SettingsWatch } from './settingsWatch';

let folder = '';
let watch: SettingsWatch;
let changes: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watch-'));
  changes = [];
  watch = new SettingsWatch({
    onChange: (changed) => changes.push(changed),
    onError: (error) => changes.push(String(error)),
  });
});
afterEach(async () => {
  await watch.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** A settings file whose watch has settled. */
async function watched(): Promise<string> {
  await mkdir(join(folder, '.claude'));
  const file = join(folder, '.claude', 'settings.json');
  await writeFile(file, '{}');
  watch.add({ folder, files: [file], wholeFolders: [] });
  await vi.waitFor(() => expect(changes).toContain(folder), 10_000);
  changes.length = 0;
  return file;
}

test('a file that changes before the watch has settled is looked at again', async () => {
  await mkdir(join(folder, '.claude'));
  const file = join(folder, '.claude', 'settings.json');
  await writeFile(file, '{}');
  watch.add({ folder, files: [file], wholeFolders: [] });
  await writeFile(file, '{"changed":true}');
  await vi.waitFor(() => expect(changes).toContain(folder), 10_000);
});

test('later changes are told as they come', async () => {
  const file = await watched();
  await writeFile(file, '{"changed":true}');
  await vi.waitFor(() => expect(changes).toContain(folder), 10_000);
});

test('a change in the same instant as another one, which makes no event, is seen a moment later', async () => {
  const file = await watched();
  await writeFile(file, '');
  await vi.waitFor(() => expect(changes).toEqual([folder]), { timeout: 10_000, interval: 5 });
  changes.length = 0;
  // Where read and written seem to lie before what the watch saw, it takes the file for unchanged.
  const { mtimeMs } = await stat(file);
  await writeFile(file, '{"changed":true}');
  await utimes(file, mtimeMs / 1_000 + 1, mtimeMs / 1_000);
  changes.length = 0;
  await vi.waitFor(() => expect(changes).toContain(folder), 10_000);
});
