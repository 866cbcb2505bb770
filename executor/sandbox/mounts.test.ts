import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SandboxPolicy } from '#shared/api/executor';
import { kernelOrders } from './kernelOrders';
import { planMounts } from './mounts';

let work: string;
beforeEach(() => {
  work = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-mounts-')));
});
afterEach(() => rmSync(work, { recursive: true, force: true }));

const orders = kernelOrders()
  .map((path) => `--ro-bind ${path} ${path} `)
  .join('');
const base = `--ro-bind / / --dev /dev --proc /proc ${orders}--tmpfs /tmp --tmpfs /run`;
const folder = (name: string) => mkdirSync(join(work, name), { recursive: true });
const file = (name: string, text = '') => writeFileSync(join(work, name), text);
const inWork = (paths: readonly string[] = []) => paths.map((path) => (path.startsWith('/') ? path : join(work, path)));

type Change = Partial<Pick<SandboxPolicy, 'writable' | 'hidden' | 'readOnly' | 'readable'>>;

/** Paths of a policy are relative to the working folder, shown as `W`. */
function plan(change: Change, options: { readonly cwd?: string; readonly program?: string } = {}) {
  const made: string[] = [];
  const { args, links } = planMounts({
    policy: {
      enabled: true,
      network: 'off',
      writable: inWork(change.writable ?? ['']).map((path) => realOrGiven(path)),
      hidden: inWork(change.hidden),
      readOnly: inWork(change.readOnly),
      readable: inWork(change.readable),
    },
    cwd: options.cwd ?? work,
    program: options.program,
    sizes: true,
    makePlaceholder({ path, shape }) {
      made.push(`${shape} ${path}`);
      return true;
    },
  });
  const short = (text: string) => text.replaceAll(work, 'W').replaceAll('W/ ', 'W ');
  return {
    args: short(args.join(' ')).replace(base, '').trim(),
    made: made.map(short),
    links: links.map(short),
  };
}

const realOrGiven = (path: string) => (path === join(work, '') ? work : path);
const args = (change: Change, options?: { readonly cwd?: string }) => plan(change, options).args;

test('the whole starts read-only, with temp and sockets out of sight', () => {
  expect(args({ writable: [] }, { cwd: '/' })).toBe('');
});

describe('repositories', () => {
  test('one with a submodule', () => {
    for (const name of ['.git/hooks', '.git/modules/lib/core/hooks']) folder(name);
    for (const name of ['.git/config', '.git/modules/lib/core/config', '.git/modules/lib/core/HEAD']) file(name);
    expect(args({})).toBe(
      [
        '--bind W W --bind W/.git W/.git --ro-bind W/.git/config W/.git/config',
        '--ro-bind W/.git/hooks W/.git/hooks --bind W/.git/modules W/.git/modules',
        '--bind W/.git/modules/lib W/.git/modules/lib --bind W/.git/modules/lib/core W/.git/modules/lib/core',
        '--ro-bind W/.git/modules/lib/core/config W/.git/modules/lib/core/config',
        '--ro-bind W/.git/modules/lib/core/hooks W/.git/modules/lib/core/hooks',
      ].join(' '),
    );
  });

  test('what git would look for is made and kept', () => {
    folder('.git');
    expect(plan({})).toEqual({
      args: '--bind W W --bind W/.git W/.git --ro-bind W/.git/config W/.git/config --ro-bind W/.git/hooks W/.git/hooks',
      made: ['folder W/.git/hooks', 'file W/.git/config'],
      links: [],
    });
  });

  test('configs of single worktrees, where git reads them', () => {
    folder('.git/hooks');
    folder('.git/worktrees/side');
    file('.git/config', '[extensions]\n\tworktreeConfig = true\n');
    expect(plan({}).made).toEqual(['file W/.git/config.worktree', 'file W/.git/worktrees/side/config.worktree']);
  });

  test('a linked worktree keeps its pointer, and what it points to in another writable folder', () => {
    folder('side');
    folder('main/.git/hooks');
    folder('main/.git/worktrees/side');
    file('main/.git/config');
    file('main/.git/worktrees/side/commondir', '../..\n');
    file('side/.git', `gitdir: ${join(work, 'main/.git/worktrees/side')}\n`);
    expect(args({ writable: ['side', 'main/.git'] })).toBe(
      [
        '--ro-bind W W --bind W/side W/side --bind W/main/.git W/main/.git --ro-bind W/side/.git W/side/.git',
        '--ro-bind W/main/.git/config W/main/.git/config --ro-bind W/main/.git/hooks W/main/.git/hooks',
      ].join(' '),
    );
  });

  test('a repository behind a link', () => {
    folder('store/hooks');
    file('store/config');
    symlinkSync('store', join(work, '.git'));
    expect(plan({})).toEqual({
      args: '--bind W W --bind W/store W/store --ro-bind W/store/config W/store/config --ro-bind W/store/hooks W/store/hooks',
      made: [],
      links: ['W/.git'],
    });
  });

  test('one that is yet to be made can be made', () => {
    expect(plan({ readOnly: ['.git/hooks', '.git/config'] })).toEqual({ args: '--bind W W', made: [], links: [] });
  });
});

describe('read-only places', () => {
  test.each<{ name: string; prepare?: () => void; change: Change; is: string; made?: string[]; links?: string[] }>([
    {
      name: 'a file and a folder',
      prepare: () => [folder('.claude'), file('.mcp.json')],
      change: { readOnly: ['.claude', '.mcp.json'] },
      is: '--bind W W --ro-bind W/.claude W/.claude --ro-bind W/.mcp.json W/.mcp.json',
    },
    {
      name: 'missing ones are made, and so is the way to them',
      change: { readOnly: ['.claude', 'a/b/c'] },
      is: '--bind W W --ro-bind W/.claude W/.claude --bind W/a W/a --bind W/a/b W/a/b --ro-bind W/a/b/c W/a/b/c',
      made: ['folder W/.claude', 'folder W/a', 'folder W/a/b', 'folder W/a/b/c'],
    },
    {
      name: 'within a missing one nothing is made: Gatehouse itself may write there meanwhile',
      change: { readOnly: ['.claude/settings.json', '.claude', '.claude/deep/er'] },
      is: '--bind W W --ro-bind W/.claude W/.claude',
      made: ['folder W/.claude'],
    },
    {
      name: 'folders on the way cannot be renamed',
      prepare: () => folder('a/b/c'),
      change: { readOnly: ['a/b/c'] },
      is: '--bind W W --bind W/a W/a --bind W/a/b W/a/b --ro-bind W/a/b/c W/a/b/c',
    },
    {
      name: 'where a file is in the way, it stays',
      prepare: () => file('a'),
      change: { readOnly: ['a/b'] },
      is: '--bind W W --bind W/a W/a',
    },
    {
      name: 'a link and what it leads to',
      prepare: () => [folder('a/shared'), symlinkSync('a/shared', join(work, '.claude'))],
      change: { readOnly: ['.claude/settings.json'] },
      is: '--bind W W --bind W/a W/a --bind W/a/shared W/a/shared --ro-bind W/a/shared/settings.json W/a/shared/settings.json',
      made: ['folder W/a/shared/settings.json'],
      links: ['W/.claude'],
    },
    {
      name: 'a link that leads nowhere yet',
      prepare: () => symlinkSync('later', join(work, '.mcp.json')),
      change: { readOnly: ['.mcp.json'] },
      is: '--bind W W --ro-bind W/later W/later',
      made: ['folder W/later'],
      links: ['W/.mcp.json'],
    },
    {
      name: 'a ring of links',
      prepare: () => [symlinkSync('b', join(work, 'a')), symlinkSync('a', join(work, 'b'))],
      change: { readOnly: ['a'] },
      is: '--bind W W',
    },
    {
      name: 'more specific writable folders do not lift them',
      prepare: () => folder('.claude/hooks'),
      change: { writable: ['', '.claude/hooks'], readOnly: ['.claude'] },
      is: '--bind W W --ro-bind W/.claude W/.claude',
    },
    {
      name: 'but the worktree of a session can be worked in, except for its own places',
      prepare: () => folder('.claude/worktrees/one/.claude'),
      change: {
        writable: ['', '.claude/worktrees/one'],
        readOnly: ['.claude', '.claude/worktrees/one/.claude'],
      },
      is: [
        '--bind W W --ro-bind W/.claude W/.claude --bind W/.claude/worktrees/one W/.claude/worktrees/one',
        '--ro-bind W/.claude/worktrees/one/.claude W/.claude/worktrees/one/.claude',
      ].join(' '),
    },
    {
      name: 'outside of writable folders nothing has to be done',
      change: { readOnly: ['/etc/none', '/usr/lib', '/tmp/none/none', '/proc/self'] },
      is: '--bind W W',
    },
  ])('$name', ({ prepare, change, is, made = [], links = [] }) => {
    prepare?.();
    expect(plan(change)).toEqual({ args: is, made, links });
  });

  test('what cannot be made here cannot be made by the command', () => {
    const { args: planned } = planMounts({
      policy: { enabled: true, network: 'off', writable: [work], readOnly: [join(work, '.claude')], hidden: [] },
      cwd: work,
      sizes: true,
      makePlaceholder: () => false,
    });
    expect(planned.join(' ').replaceAll(work, 'W')).toBe(`${base} --bind W W`);
  });
});

describe('hidden and readable places', () => {
  beforeEach(() => {
    folder('secret/open/key');
    file('key');
  });

  test.each<{ name: string; change: Change; is: string; made?: string[] }>([
    {
      name: 'hidden inside writable, writable inside hidden',
      change: { writable: ['secret/open', ''], hidden: ['key', 'secret'] },
      is: '--bind W W --ro-bind /dev/null W/key --tmpfs W/secret --bind W/secret/open W/secret/open --remount-ro W/secret',
    },
    {
      name: 'readable inside hidden inside writable: to be read, not written',
      change: { hidden: ['secret'], readable: ['secret/open'] },
      is: '--bind W W --tmpfs W/secret --ro-bind W/secret/open W/secret/open --remount-ro W/secret',
    },
    {
      name: 'hidden again inside readable',
      change: { writable: [], hidden: ['secret', 'secret/open/key'], readable: ['secret/open'] },
      is: '--ro-bind W W --tmpfs W/secret --ro-bind W/secret/open W/secret/open --tmpfs W/secret/open/key --remount-ro W/secret --remount-ro W/secret/open/key',
    },
    {
      name: 'hidden and readable at once: hidden',
      change: { writable: [], hidden: ['secret'], readable: ['secret', 'none'] },
      is: '--ro-bind W W --tmpfs W/secret --remount-ro W/secret',
    },
    {
      name: 'readable around hidden lifts nothing',
      change: { hidden: ['secret/open'], readable: ['secret', ''] },
      is: '--bind W W --bind W/secret W/secret --tmpfs W/secret/open --remount-ro W/secret/open',
    },
    {
      name: 'missing hidden places cannot be made',
      change: { hidden: ['.ssh', 'key/none', '/nowhere/none'] },
      is: '--bind W W --tmpfs W/.ssh --bind W/key W/key --remount-ro W/.ssh',
      made: ['folder W/.ssh'],
    },
    {
      name: 'read-only around hidden: a missing one cannot be made anyway',
      change: { hidden: ['secret/none'], readOnly: ['secret'] },
      is: '--bind W W --ro-bind W/secret W/secret',
    },
  ])('$name', ({ change, is, made = [] }) => {
    expect(plan(change)).toEqual({ args: is, made, links: [] });
  });

  test('a hidden link hides what it leads to, and stays', () => {
    symlinkSync('secret', join(work, 'way'));
    expect(plan({ hidden: ['way'] })).toEqual({
      args: '--bind W W --tmpfs W/secret --remount-ro W/secret',
      made: [],
      links: ['W/way'],
    });
  });
});

test('a program installed where commands do not look is shown with its packages, read-only', () => {
  const program = join(work, 'tools/node_modules/.bin/server');
  folder('tools/node_modules/.bin');
  folder('tools/node_modules/server');
  file('tools/node_modules/server/main');
  symlinkSync('../server/main', program);
  const shown = (writable: string[], wanted: string) => plan({ writable }, { cwd: '/', program: wanted }).args;
  expect(shown([], program)).toBe('--ro-bind W/tools/node_modules W/tools/node_modules');
  expect(shown([], '/usr/bin/env')).toBe('');
  expect(shown([''], program)).toBe('--bind W W');
});

test('what may never be writable, what does not exist', () => {
  expect(
    args({ writable: ['/', '/tmp', '/proc', '/proc/sys', '/sys/kernel', '/dev/shm', 'none'] }, { cwd: '/usr' }),
  ).toBe('');
});

test('a link under /tmp is made again; a working folder there that is not writable can be seen', () => {
  folder('real');
  symlinkSync(join(work, 'real'), join(work, 'link'));
  expect(args({ writable: ['link'] }, { cwd: join(work, 'real') })).toBe(
    '--symlink W/real W/link --bind W/real W/real',
  );
  expect(args({ writable: [] })).toBe('--ro-bind W W');
});
