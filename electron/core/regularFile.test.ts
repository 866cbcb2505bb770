import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isTracked } from './permissions/tracked';
import { readRegularFile } from './regularFile';
import { readIfThere, readNow } from './settings/settingsWriter';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-regular-'));
  writeFileSync(join(folder, 'file'), 'text');
  symlinkSync('file', join(folder, 'link'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  execFileSync('git', ['init', '-q', join(folder, 'work')]);
  execFileSync('mkfifo', [join(folder, 'work/.git/index')]);
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['file', 'text'],
  ['link', 'text'],
  ['none', 'ENOENT'],
  ['.', 'EISDIR'],
  ['pipe', 'EINVAL'],
])('%s', (name, expected) => {
  const read = () => {
    try {
      return readRegularFile(join(folder, name)).toString();
    } catch (error) {
      return error instanceof Error && 'code' in error ? error.code : error;
    }
  };
  expect(read()).toBe(expected);
});

test('a pipe in the place of settings or of the index of a repository holds nobody up', async () => {
  expect(readNow(join(folder, 'pipe')).ok).toBe(false);
  expect((await readIfThere(join(folder, 'pipe'))).ok).toBe(false);
  expect(isTracked(join(folder, 'work/file'), { ignoreCase: false })).toBe(true);
});
