// Git worktrees of a session: where they lie, what they are called, and the commands that make and remove them.
import { isAbsolute, join, relative, sep } from 'node:path';

/** Below the session's folder, so that rules, trust and sandbox of the main checkout hold for them unchanged. */
const home = ['.claude', 'worktrees'] as const;

/** Letters, digits, dots, lines and hyphens, beginning with a letter or digit: nothing that a shell or git could read otherwise. */
export const worktreeName = /^[a-z0-9](?:[a-z0-9_-]|\.(?=[a-z0-9_-])){0,39}$/i;

/** Names that git or a file system takes for something else. */
export function isWorktreeName(name: string): boolean {
  return worktreeName.test(name) && !name.toLowerCase().endsWith('.lock') && name.toLowerCase() !== 'head';
}

export interface Worktree {
  readonly name: string;
  readonly branch: string;
  /** Absolute. */
  readonly path: string;
  /** From the session's folder. */
  readonly below: string;
}

/** `name` must be one that `isWorktreeName` takes. */
export function worktreeNamed(folder: string, name: string): Worktree {
  return { name, branch: `worktree-${name}`, path: join(folder, ...home, name), below: [...home, name].join('/') };
}

/** The worktree that a folder lies in; null where it lies in none of this session's. */
export function worktreeAt(folder: string, cwd: string): Worktree | null {
  const way = relative(folder, cwd);
  if (isAbsolute(way)) return null;
  const [first, second, name] = way.split(sep);
  if (first !== home[0] || second !== home[1] || name === undefined || !isWorktreeName(name)) return null;
  return worktreeNamed(folder, name);
}

/** Whether a folder is a worktree of some session, or lies in one. */
export function isInWorktrees(folder: string): boolean {
  const names = folder.split(sep);
  return names.some(
    (name, index) => name === home[0] && names[index + 1] === home[1] && names[index + 2] !== undefined,
  );
}

/** Folders on the way to the worktrees, outermost first: none may be a link. */
export function waysTo(folder: string): readonly string[] {
  return home.map((_, index) => join(folder, ...home.slice(0, index + 1)));
}

/** To be run in the session's folder, each on its own. Names need no quoting: see `worktreeName`. */
export const gitCommands = {
  /** `from`: a branch of another worktree; left out: what the main checkout is on. */
  add: ({ branch, below }: Worktree, from = 'HEAD') => `git worktree add --quiet -b ${branch} ${below} ${from}`,
  /** Prints what is not committed; nothing where all is. */
  uncommitted: ({ below }: Worktree) => `git -C ${below} status --porcelain --untracked-files=all`,
  /** Prints commits that only the worktree has: at its head or on its branch, on no other branch, tag or remote. */
  unmerged: ({ below, branch }: Worktree) =>
    `git --no-pager -C ${below} log --no-decorate --oneline --max-count=20 HEAD ${branch} --not --exclude=${branch} --branches --tags --remotes`,
  remove: ({ below, branch }: Worktree) => `git worktree remove ${below} && git branch --quiet -D ${branch}`,
  discard: ({ below, branch }: Worktree) => `git worktree remove --force ${below} && git branch --quiet -D ${branch}`,
} as const;
