import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SandboxPolicy } from '#shared/api/executor';
import { mountArgs } from './mounts';

let work: string;
beforeEach(() => {
  work = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-mounts-')));
});
afterEach(() => rmSync(work, { recursive: true, force: true }));

const base = '--ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --tmpfs /run';
const args = (change: { writable?: string[]; hidden?: string[] }, cwd = work) =>
  mountArgs({ enabled: true, network: 'off', writable: [work], hidden: [], ...change }, cwd)
    .join(' ')
    .replace(`${base} `, '')
    .replaceAll(work, 'W');

test('the whole starts read-only, with temp and sockets out of sight', () => {
  expect(mountArgs({ enabled: true, network: 'off', writable: [], hidden: [] }, '/').join(' ')).toBe(base);
});

test('a repository with a submodule', () => {
  for (const folder of ['.git/hooks', '.git/modules/lib/core/hooks'])
    mkdirSync(join(work, folder), { recursive: true });
  for (const file of ['.git/config', '.git/modules/lib/core/config', '.git/modules/lib/core/HEAD'])
    writeFileSync(join(work, file), '');
  expect(args({})).toBe(
    [
      '--bind W W --bind W/.git W/.git',
      '--ro-bind W/.git/hooks W/.git/hooks --ro-bind W/.git/config W/.git/config',
      '--bind W/.git/modules/lib/core W/.git/modules/lib/core',
      '--ro-bind W/.git/modules/lib/core/hooks W/.git/modules/lib/core/hooks',
      '--ro-bind W/.git/modules/lib/core/config W/.git/modules/lib/core/config',
    ].join(' '),
  );
});

test('a program installed where commands do not look is shown with its packages, read-only', () => {
  const program = join(work, 'tools/node_modules/.bin/server');
  mkdirSync(join(work, 'tools/node_modules/.bin'), { recursive: true });
  mkdirSync(join(work, 'tools/node_modules/server'));
  writeFileSync(join(work, 'tools/node_modules/server/main'), '');
  symlinkSync('../server/main', program);
  const policy: SandboxPolicy = { enabled: true, network: 'off', writable: [], hidden: [] };
  expect(mountArgs(policy, '/', program).join(' ').replaceAll(work, 'W')).toBe(
    `${base} --ro-bind W/tools/node_modules W/tools/node_modules`,
  );
  expect(mountArgs(policy, '/', '/usr/bin/env').join(' ')).toBe(base);
  expect(
    mountArgs({ ...policy, writable: [work] }, '/', program)
      .join(' ')
      .replaceAll(work, 'W'),
  ).toBe(`${base} --bind W W`);
});

test.each([
  { name: 'no repository', prepare: () => undefined, change: {}, is: '--bind W W' },
  {
    name: 'linked worktree',
    prepare: () => writeFileSync(join(work, '.git'), 'gitdir: /elsewhere'),
    change: {},
    is: '--bind W W --ro-bind W/.git W/.git',
  },
  {
    name: 'repository without hooks and config',
    prepare: () => mkdirSync(join(work, '.git')),
    change: {},
    is: '--bind W W --bind W/.git W/.git --tmpfs W/.git/hooks --remount-ro W/.git/hooks --ro-bind /dev/null W/.git/config',
  },
])('$name', ({ prepare, change, is }) => {
  prepare();
  expect(args(change)).toBe(is);
});

test('hidden inside writable, writable inside hidden', () => {
  mkdirSync(join(work, 'secret/open'), { recursive: true });
  writeFileSync(join(work, 'key'), '');
  const [secret, open, key] = [join(work, 'secret'), join(work, 'secret/open'), join(work, 'key')];
  expect(args({ writable: [open, work], hidden: [key, secret, join(work, 'none')] })).toBe(
    '--bind W W --ro-bind /dev/null W/key --tmpfs W/secret --bind W/secret/open W/secret/open',
  );
});

test('what may never be writable, what does not exist', () => {
  expect(args({ writable: ['/', '/tmp', '/proc', join(work, 'none')] }, '/usr')).toBe(base);
});

test('a link under /tmp is made again; a working folder there that is not writable can be seen', () => {
  const link = join(work, 'link');
  mkdirSync(join(work, 'real'));
  symlinkSync(join(work, 'real'), link);
  expect(args({ writable: [link] }, join(work, 'real'))).toBe('--symlink W/real W/link --bind W/real W/real');
  expect(args({ writable: [] })).toBe('--ro-bind W W');
});
