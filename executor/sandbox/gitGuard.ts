import { lstatSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { SandboxPolicy } from '#shared/api/executor';
import { innerRepositories } from './gitIndex';
import { neutralizeRepository } from './newRepository';
import { namedFolder, worktreesOf } from './repositories';

/** As deep as repositories in repositories are looked for. */
const deepest = 5;

/**
 * Guards what mounts cannot: a file `commondir` makes git take config and hooks from wherever it says. No ordinary
 * repository has one; its worktrees have, and must be able to be removed. Answers with a function that removes those that
 * were not there before the command, writes the others as they were, and takes the orders out of repositories that the
 * command has made of a writable folder, or has made known to the repository of one.
 */
export function guardRepositories(policy: SandboxPolicy): () => void {
  const roots = policy.writable.flatMap((folder) => realOf(folder) ?? []);
  const gits = roots.map((folder) => (basename(folder) === '.git' ? folder : join(folder, '.git')));
  const repositories = gits.flatMap((git) => realOf(git) ?? []).filter(isRealFolder);
  const coming = gits.filter(isMissing);
  // Where git finds no `.git` it takes the folder itself for a repository if it looks like one.
  const bare = coming.map((git) => join(git, '..')).filter((folder) => !looksLikeRepository(folder));
  const absent = repositories.map((git) => join(git, 'commondir')).filter(isMissing);
  const known = new Set(gits.flatMap((git) => innerOf(git)).filter((git) => !isMissing(git)));
  const before = repositories.flatMap((git) =>
    worktreesOf(git).map((folder) => ({ folder, text: textOf(join(folder, 'commondir')) })),
  );
  return () => {
    for (const path of absent) if (isRealFolder(join(path, '..'))) rmSync(path, { recursive: true, force: true });
    for (const { folder, text } of before) {
      const path = join(folder, 'commondir');
      if (text === null || !isRealFolder(folder) || textOf(path) === text) continue;
      rmSync(path, { recursive: true, force: true });
      writeFileSync(path, text, { flag: 'wx' });
    }
    for (const git of coming) if (!isMissing(git)) neutralizeRepository(git, roots);
    for (const git of gits.flatMap((git) => innerOf(git)))
      if (!known.has(git) && !isMissing(git)) neutralizeRepository(git, roots);
    for (const folder of bare) if (looksLikeRepository(folder)) neutralizeRepository(folder, roots);
  };
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
  return !['HEAD', 'objects', 'refs'].some((name) => isMissing(join(folder, name)));
}

function isMissing(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined;
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
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size < 10_000 ? readFileSync(path, 'utf8') : null;
}
