import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findProgram, joinPaths } from './programs';

let base: string;
const at = (...names: string[]) => join(base, ...names);

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'gatehouse-programs-'));
  for (const folder of ['first', 'second']) await mkdir(at(folder));
  await writeFile(at('first', 'tool'), 'not to be run');
  await mkdir(at('first', 'folder'));
  for (const name of ['tool', 'folder']) {
    await writeFile(at('second', name), '#!/bin/sh\n');
    await chmod(at('second', name), 0o755);
  }
});
afterEach(() => rm(base, { recursive: true, force: true }));

test.skipIf(process.platform === 'win32').each([
  ['tool', ['first', 'second'], 'second'],
  ['folder', ['first', 'second'], 'second'],
  ['tool', ['first'], undefined],
  ['missing', ['first', 'second'], undefined],
])('%s in %j is found in %s', (name, folders, found) => {
  const path = joinPaths('', ...folders.map((folder) => at(folder)));
  expect(path).toBe(folders.map((folder) => at(folder)).join(delimiter));
  expect(findProgram(name, path)).toBe(found === undefined ? undefined : at(found, name));
});

test('folders that are not absolute do not count', () => {
  expect(findProgram('tool', ['', '.', relative(process.cwd(), at('second'))].join(delimiter))).toBeUndefined();
});
