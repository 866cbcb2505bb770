import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { excludeWorktrees } from './excludeWorktrees';

let top: string;
let folder: string;
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], { cwd, encoding: 'utf8' });
const exclude = () => join(folder, '.git', 'info', 'exclude');

beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'gatehouse-exclude-'));
  folder = join(top, 'app');
  git(top, 'init', '--quiet', '--initial-branch=main', 'app');
  git(folder, 'commit', '--quiet', '--allow-empty', '--message=one');
});
afterEach(() => rm(top, { recursive: true, force: true }));

it.each([
  ['no line yet', '# mine\n*.log\n', '# mine\n*.log\n/.claude/worktrees/\n'],
  ['no line break at the end', '*.log', '*.log\n/.claude/worktrees/\n'],
  ['empty', '', '/.claude/worktrees/\n'],
  ['there already', '/.claude/worktrees/\r\n', '/.claude/worktrees/\r\n'],
  ['all of .claude', '.claude/\n', '.claude/\n'],
  ['the opposite', '!/.claude/worktrees/\n', '!/.claude/worktrees/\n/.claude/worktrees/\n'],
])('%s', async (_, before, after) => {
  await writeFile(exclude(), before);
  await excludeWorktrees(folder);
  await excludeWorktrees(folder);
  expect(await readFile(exclude(), 'utf8')).toBe(after);
});

it('makes the list where there is none', async () => {
  await rm(join(folder, '.git', 'info'), { recursive: true });
  await excludeWorktrees(folder);
  expect(await readFile(exclude(), 'utf8')).toBe('/.claude/worktrees/\n');
});

it('finds the repository of a linked worktree', async () => {
  git(folder, 'worktree', 'add', '--quiet', '-b', 'side', '../side');
  await excludeWorktrees(join(top, 'side'));
  expect(await readFile(exclude(), 'utf8')).toContain('\n/.claude/worktrees/\n');
});

it('follows no link, and says so where there is no repository', async () => {
  await rm(exclude(), { force: true });
  await writeFile(join(top, 'other'), 'keep\n');
  await symlink(join(top, 'other'), exclude());
  await expect(excludeWorktrees(folder)).rejects.toThrow('ELOOP');
  expect(await readFile(join(top, 'other'), 'utf8')).toBe('keep\n');
  await expect(excludeWorktrees(top)).rejects.toThrow('ENOENT');
});
