import { type FSWatcher, lstatSync, realpathSync, watch, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { SandboxPolicy } from '#shared/api/executor';
import { innerRepositories } from './gitIndex';
import { inFolder, isThere, setAside } from './heldFolder';
import { neutralizeRepository } from './newRepository';
import { readRegularFile } from './regularFile';
import { namedFolder, worktreesOf } from './repositories';

/** As deep as repositories in repositories are looked for. */
const deepest = 5;

/** What changes in a repository's folder when it comes to have a `commondir`, or to know of other repositories. */
const telling = /^(?:commondir|index|sharedindex\..*)$/;
/** Git writes an index beside its place first. */
const settleMs = 30;

/**
 * Guards what mounts cannot: a file `commondir` makes git take config and hooks from wherever it says. No ordinary
 * repository has one; its worktrees have, and must be able to be removed. While the command runs and in any case when it has
 * ended, those that were not there before are set aside, the others are as they were, and orders are taken out of
 * repositories that the command has made known to one of a writable folder; at its end also out of those that it has made of
 * a writable folder. Answers with what ends the guard.
 */
export function guardRepositories(policy: SandboxPolicy): () => void {
  const roots = policy.writable.flatMap((folder) => realOf(folder) ?? []);
  const gits = roots.map((folder) => (basename(folder) === '.git' ? folder : join(folder, '.git')));
  const repositories = gits.flatMap((git) => realOf(git) ?? []).filter(isRealFolder);
  const coming = gits.filter((git) => !isThere(git));
  // Where git finds no `.git` it takes the folder itself for a repository if it looks like one.
  const bare = coming.map((git) => join(git, '..')).filter((folder) => !looksLikeRepository(folder));
  const absent = repositories.filter((git) => !isThere(join(git, 'commondir')));
  const known = new Set(gits.flatMap((git) => innerOf(git)).filter(isThere));
  const before = repositories.flatMap((git) =>
    worktreesOf(git).map((folder) => ({ folder, text: textOf(join(folder, 'commondir')) })),
  );
  const putRight = () => {
    for (const git of absent)
      inFolder(git, (at) => {
        if (isThere(join(at, 'commondir'))) setAside(at, 'commondir');
      });
    for (const { folder, text } of before) {
      if (text === null || textOf(join(folder, 'commondir')) === text) continue;
      inFolder(folder, (at) => {
        if (isThere(join(at, 'commondir'))) setAside(at, 'commondir');
        writeFileSync(join(at, 'commondir'), text, { flag: 'wx' });
      });
    }
    for (const git of gits.flatMap((given) => innerOf(given)))
      if (!known.has(git) && isThere(git)) neutralizeRepository(git, roots);
  };
  let timer: NodeJS.Timeout | undefined;
  const watchers = repositories.flatMap((git) =>
    watching(git, (name) => {
      if (telling.test(name)) timer ??= setTimeout(later, settleMs).unref();
    }),
  );
  function later(): void {
    timer = undefined;
    putRight();
  }
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
    for (const git of coming) if (isThere(git)) neutralizeRepository(git, roots);
    putRight();
    for (const folder of bare) if (looksLikeRepository(folder)) neutralizeRepository(folder, roots);
  };
}

/** Empty where no more can be watched on this system: the end of the command is looked at in any case. */
function watching(folder: string, onChange: (name: string) => void): FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => onChange(name ?? ''));
    watcher.on('error', () => undefined);
    return [watcher];
  } catch {
    return [];
  }
}

/** Where the repositories lie that git looks into from this one, and from those in turn. */
function innerOf(git: string, depth = 0): string[] {
  const real = realOf(git);
  const own = real === undefined || isRealFolder(real) ? real : namedFolder(real);
  if (own === undefined || own === null || depth >= deepest) return [];
  return innerRepositories(own)
    .map((name) => join(git, '..', name, '.git'))
    .flatMap((inner) => [inner, ...innerOf(inner, depth + 1)]);
}

function looksLikeRepository(folder: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => isThere(join(folder, name)));
}

/** Not by way of a link that the command may have put there: what it leads to is not to be touched. */
function isRealFolder(path: string): boolean {
  return realOf(path) === path && lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Null: no file of a size that git would write. */
function textOf(path: string): string | null {
  // What a link leads to can be changed later.
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null;
  return readRegularFile(path, 10_000)?.toString() ?? null;
}
