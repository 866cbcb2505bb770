// Which parts of the file system a sandboxed command sees, as bubblewrap arguments. The order counts: empty places
// first, then folders from the outside in, so that the more specific one holds.
import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { SandboxPolicy } from '#shared/api/executor';

/** Replaced by empty folders, because sockets in them (session bus, Docker, X11, agents) reach out of any sandbox. */
const emptied = ['/tmp', '/run'];
/** Never bound writable, even when somebody opens the whole disk as a folder. */
const neverWritable = new Set(['/', '/dev', '/proc', '/sys', ...emptied]);

interface Mount {
  readonly path: string;
  readonly args: readonly string[];
  /** Of two mounts on one path the later one holds. */
  readonly rank: number;
}

/**
 * Arguments for the root, the emptied folders, the writable folders, `.git` and the hidden paths. `program` is one that
 * has to be seen wherever it is installed.
 */
export function mountArgs(policy: SandboxPolicy, cwd: string, program?: string): string[] {
  const writable = policy.writable.filter(existsSync).map((path) => ({ given: path, real: realpathSync(path) }));
  const mounts: Mount[] = [];
  for (const { given, real } of writable) {
    if (neverWritable.has(real)) continue;
    if (given !== real && isEmptied(given)) mounts.push({ path: given, args: ['--symlink', real, given], rank: 0 });
    mounts.push({ path: real, args: ['--bind', real, real], rank: 1 });
    // A repository may be given by itself, for a checkout that lies elsewhere.
    mounts.push(...gitMounts(basename(real) === '.git' ? real : join(real, '.git')));
  }
  const covered = writable.some(({ real }) => isInside(real, cwd));
  if (isEmptied(cwd) && !covered) mounts.push({ path: cwd, args: ['--ro-bind', cwd, cwd], rank: 0 });
  for (const path of program === undefined ? [] : installed(program)) {
    const seen = !isEmptied(path) || writable.some(({ real }) => isInside(real, path));
    if (!seen) mounts.push({ path, args: ['--ro-bind', path, path], rank: 0 });
  }
  for (const path of policy.hidden) mounts.push(...hiddenMounts(path));
  if (policy.network === 'open') mounts.push(...resolverMounts());
  mounts.sort((left, right) => depth(left.path) - depth(right.path) || left.rank - right.rank);
  return [
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...emptied.flatMap((path) => ['--tmpfs', path]),
    ...mounts.flatMap((mount) => mount.args),
  ];
}

/**
 * Git runs hooks and programs named in its config outside of any sandbox later, so these two stay read-only. With
 * `.git` itself a mount point it cannot be renamed out of the way either; adding and committing still work.
 */
function gitMounts(git: string): Mount[] {
  const stats = lstatSync(git, { throwIfNoEntry: false });
  if (stats === undefined || stats.isSymbolicLink()) return [];
  // In a linked worktree `.git` is a file that names the real folder.
  if (!stats.isDirectory()) return [{ path: git, args: ['--ro-bind', git, git], rank: 2 }];
  return [git, ...submodules(join(git, 'modules'))].flatMap(repositoryMounts);
}

function repositoryMounts(git: string): Mount[] {
  const hooks = join(git, 'hooks');
  const config = join(git, 'config');
  const readOnlyHooks = existsSync(hooks)
    ? ['--ro-bind', realpathSync(hooks), hooks]
    : ['--tmpfs', hooks, '--remount-ro', hooks];
  return [
    { path: git, args: ['--bind', git, git], rank: 2 },
    { path: hooks, args: readOnlyHooks, rank: 2 },
    { path: config, args: ['--ro-bind', existsSync(config) ? realpathSync(config) : '/dev/null', config], rank: 2 },
  ];
}

/** Repositories of submodules: folders with a HEAD, at any depth because a submodule's name may hold slashes. */
function submodules(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name))
    .flatMap((path) =>
      existsSync(join(path, 'HEAD')) ? [path, ...submodules(join(path, 'modules'))] : submodules(path),
    );
}

function hiddenMounts(given: string): Mount[] {
  if (!existsSync(given)) return [];
  const path = realpathSync(given);
  const args = statSync(path).isDirectory() ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path];
  return [{ path, args, rank: 3 }];
}

/** The folders that a program needs to be seen with: its package folder `node_modules`, else the one it lies in. */
function installed(program: string): string[] {
  const given = dirname(program);
  const real = dirname(realpathSync(program));
  return [...new Set([given, real].map((folder) => /^.*?\/node_modules(?=\/|$)/.exec(folder)?.[0] ?? folder))];
}

/** The resolver's file often is a link into /run, which is emptied. */
function resolverMounts(): Mount[] {
  const given = '/etc/resolv.conf';
  if (!existsSync(given)) return [];
  const real = realpathSync(given);
  return isEmptied(dirname(real)) ? [{ path: real, args: ['--ro-bind', real, real], rank: 1 }] : [];
}

function isEmptied(path: string): boolean {
  return emptied.some((folder) => isInside(folder, path));
}

function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function depth(path: string): number {
  return path.split('/').length;
}
