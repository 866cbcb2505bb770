// Keeps worktrees out of the main checkout's `git status`: git's own list of what a person ignores, which is not committed.
import { constants } from 'node:fs';
import { lstat, mkdir, open, readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { worktreesOf } from '../sandbox/protectedPlaces';

const line = '/.claude/worktrees/';
/** Lines of people that come to the same. */
const covers = /^\/?\.claude(?:\/|\/\*|\/\*\*|\/worktrees(?:\/\*{0,2})?)?$/;
/** Nobody's list is longer; what is, stays as it is. */
const maxBytes = 1_000_000;

/**
 * Makes the folder that worktrees lie in, which no command in the sandbox can begin, and keeps it out of `git status`.
 * Throws as `excludeWorktrees`.
 */
export async function prepareWorktrees(folder: string): Promise<void> {
  await mkdir(worktreesOf(folder), { recursive: true });
  await excludeWorktrees(folder);
}

/**
 * Adds the folder of worktrees to `info/exclude` of a checkout's repository, once. `folder` is the top of a checkout, itself
 * perhaps a linked worktree. Links are not followed; throws where the file cannot be read or written.
 */
export async function excludeWorktrees(folder: string): Promise<void> {
  const info = join(await commonFolder(folder), 'info');
  await mkdir(info, { recursive: true });
  if (!(await lstat(info)).isDirectory()) throw new Error(`${info} is no folder`);
  const { O_RDWR, O_CREAT, O_APPEND, O_NOFOLLOW } = constants;
  const file = await open(join(info, 'exclude'), O_RDWR | O_CREAT | O_APPEND | (O_NOFOLLOW ?? 0), 0o644);
  try {
    const stat = await file.stat();
    if (!stat.isFile() || stat.size > maxBytes) throw new Error(`${join(info, 'exclude')} is no list of patterns`);
    const text = await file.readFile('utf8');
    if (text.split(/\r?\n/).some((pattern) => covers.test(pattern.trim()))) return;
    await file.writeFile(`${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`);
  } finally {
    await file.close();
  }
}

/** Where the repository keeps what its worktrees share. */
async function commonFolder(folder: string): Promise<string> {
  const git = join(folder, '.git');
  const found = await lstat(git);
  if (found.isDirectory()) return git;
  if (!found.isFile()) throw new Error(`${git} is neither a folder nor a file`);
  const own = /^gitdir:\s*(.+?)\s*$/m.exec(await readFile(git, 'utf8'))?.[1];
  if (own === undefined) throw new Error(`${git} names no repository`);
  const linked = isAbsolute(own) ? own : resolve(dirname(git), own);
  const common = (await readFile(join(linked, 'commondir'), 'utf8')).trim();
  return isAbsolute(common) ? common : resolve(linked, common);
}
