import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { innerRepositories, readLinks } from './gitIndex';

let folder: string;
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-index-'));
  git('init', '-q');
  const commit = '0123456789012345678901234567890123456789';
  for (const name of ['a', 'deep/er/b', 'deep/er/bb', 'z'.repeat(300)])
    git('update-index', '--add', '--cacheinfo', `160000,${commit},${name}`);
  mkdirSync(join(folder, 'deep'), { recursive: true });
  for (const name of ['deep/file', 'deep/file2', 'm']) {
    writeFileSync(join(folder, name), '');
    git('add', name);
  }
  git('add', '-N', 'm');
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  { form: 'as git makes it', args: [] },
  { form: 'version 4', args: ['update-index', '--index-version', '4'] },
  { form: 'split in two', args: ['update-index', '--split-index'] },
])('an index, $form', ({ args }) => {
  if (args.length > 0) git(...args);
  expect([...innerRepositories(join(folder, '.git'))].sort()).toEqual([
    'a',
    'deep/er/b',
    'deep/er/bb',
    'z'.repeat(300),
  ]);
});

test('what is no index, and one that was cut anywhere, names nothing or what is whole', () => {
  const bytes = readFileSync(join(folder, '.git/index'));
  for (let length = 0; length < bytes.length; length += 1)
    for (const ids of [20, 32] as const) expect([null, []]).toContainEqual(readLinks(bytes.subarray(0, length), ids));
  expect(innerRepositories(join(folder, 'none'))).toEqual([]);
});
