import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkFolder, listFolders } from './folders';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gatehouse-folders-'));
  for (const name of ['b10', 'b9', '.hidden', 'repo/.git']) mkdirSync(join(root, name), { recursive: true });
  writeFileSync(join(root, 'file.txt'), '');
  symlinkSync(join(root, 'repo'), join(root, 'link'));
  symlinkSync(join(root, 'gone'), join(root, 'dangling'));
});
afterEach(() => rmSync(root, { recursive: true }));

const names = async (showHidden: boolean) => {
  const listed = await listFolders(root, { showHidden });
  return listed.ok
    ? listed.value.entries.map((entry) => `${entry.name}${entry.repository ? ' (repository)' : ''}`)
    : listed.error;
};

test('folders only, in a natural order, with repositories marked', async () => {
  expect(await names(false)).toEqual(['b9', 'b10', 'link (repository)', 'repo (repository)']);
  expect(await names(true)).toEqual(['.hidden', 'b9', 'b10', 'link (repository)', 'repo (repository)']);
});

test.each([
  ['gone', 'notFound', 'does not exist'],
  ['file.txt', 'refused', 'is a file, not a folder'],
])('%s cannot be opened: cause and next step', async (name, code, words) => {
  const path = join(root, name);
  for (const result of [await listFolders(path, { showHidden: false }), await checkFolder(path)]) {
    expect(result.ok ? null : result.error).toEqual({ code, message: expect.stringContaining(words) });
    expect(result.ok ? '' : result.error.message).toContain('Choose');
  }
});

test.skipIf(process.getuid?.() === 0)('a folder that may not be read says so', async () => {
  chmodSync(join(root, 'b9'), 0);
  const result = await checkFolder(join(root, 'b9'));
  chmodSync(join(root, 'b9'), 0o700);
  expect(result.ok ? '' : result.error.message).toContain('may not be read by your user');
});
