import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
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

test('a file that changes before the watch has settled is looked at again', async () => {
  await mkdir(join(folder, '.claude'));
  const file = join(folder, '.claude', 'settings.json');
  await writeFile(file, '{}');
  watch.add({ folder, files: [file], wholeFolders: [] });
  await writeFile(file, '{"changed":true}');
  await vi.waitFor(() => expect(changes).toContain(folder), 10_000);
});

test('later changes are told as they come', async () => {
  await mkdir(join(folder, '.claude'));
  const file = join(folder, '.claude', 'settings.json');
  await writeFile(file, '{}');
  watch.add({ folder, files: [file], wholeFolders: [] });
  await vi.waitFor(() => expect(changes).toContain(folder), 10_000);
  changes.length = 0;
  await writeFile(file, '{"changed":true}');
  await vi.waitFor(() => expect(changes).toContain(folder), 10_000);
});
