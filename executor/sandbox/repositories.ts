// What git runs or reads its orders from, outside of any sandbox and later: hooks and config of the repositories that lie
// in writable folders, also those that linked worktrees and links lead to.
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { placesOfConfig, treeOf } from './gitConfig';
import { innerRepositories } from './gitIndex';
import type { KeptPlace, PlaceFinder } from './places';
import { readRegularFile } from './regularFile';

export type { KeptPlace } from './places';

const longestPointer = 10_000;
const longestConfig = 1_000_000;

/** As deep as repositories in repositories are looked for. */
const deepest = 5;

/**
 * Files that name repositories, and hooks and config of each repository, also those that its index names, for one writable
 * folder given as a real path.
 */
export function repositoryPlaces(folder: string, finder: PlaceFinder, depth = 0): KeptPlace[] {
  // A repository may be given by itself, for a checkout that lies elsewhere.
  const given = basename(folder) === '.git' ? folder : join(folder, '.git');
  const place = finder.find(given);
  if (place === undefined || place.missing.length > 0) return [];
  const tree = dirname(given);
  const own = place.kind === 'folder' ? given : namedFolder(place.real);
  const kept: KeptPlace[] = place.kind === 'folder' ? [] : [{ path: given, shape: 'file' }];
  if (own === null) return kept;
  const inner = depth >= deepest ? [] : innerRepositories(own);
  return [
    ...kept,
    ...withSubmodules(place.kind === 'folder' ? own : sharedFolder(own), tree),
    ...inner.flatMap((name) => repositoryPlaces(join(tree, name), finder, depth + 1)),
  ];
}

function withSubmodules(git: string, tree: string): KeptPlace[] {
  return [
    ...ordersOf(git, tree),
    ...submodules(join(git, 'modules')).flatMap((folder) => ordersOf(folder, treeOf(folder, folder))),
  ];
}

function ordersOf(git: string, tree: string): KeptPlace[] {
  const config = join(git, 'config');
  // Only then git reads the configs of single worktrees.
  const perWorktree = /worktreeconfig/i.test(textOf(config, longestConfig))
    ? [git, ...worktreesOf(git)].map((folder): KeptPlace => ({ path: join(folder, 'config.worktree'), shape: 'file' }))
    : [];
  return [
    { path: join(git, 'hooks'), shape: 'folder' },
    { path: config, shape: 'file' },
    ...perWorktree,
    ...[config, ...perWorktree.map(({ path }) => path)].flatMap((path) => placesOfConfig({ path, tree })),
  ];
}

/** Repositories that a command may make of writable folders, given as real paths. */
export function comingRepositories(roots: readonly string[], finder: PlaceFinder): readonly string[] {
  return roots.map((root) => join(root, '.git')).filter((git) => finder.find(git)?.missing.length === 1);
}

/** The folder that a `.git` file names, as linked worktrees and submodules have one; null when it names none. */
export function namedFolder(pointer: string): string | null {
  const named = /^gitdir:\s*(.+?)\s*$/m.exec(textOf(pointer, longestPointer))?.[1];
  return named === undefined ? null : resolve(pointer, '..', named);
}

/** The folder that a repository's own one shares with others; itself for most. */
export function sharedFolder(git: string): string {
  const common = textOf(join(git, 'commondir'), longestPointer).trim();
  return common === '' ? git : resolve(git, common);
}

/** Own folders of linked worktrees. */
export function worktreesOf(git: string): readonly string[] {
  const folder = join(git, 'worktrees');
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** Repositories of submodules: folders with a HEAD, at any depth because a submodule's name may hold slashes. */
export function submodules(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name))
    .flatMap((path) =>
      existsSync(join(path, 'HEAD')) ? [path, ...submodules(join(path, 'modules'))] : submodules(path),
    );
}

/** Empty for what is no file, or longer. */
function textOf(path: string, longest: number): string {
  return readRegularFile(path, longest)?.toString() ?? '';
}
