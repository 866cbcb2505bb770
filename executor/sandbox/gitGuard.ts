import { lstatSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { SandboxPolicy } from '#shared/api/executor';

/**
 * Guards what mounts cannot: a file `commondir` makes git take config and hooks from wherever it says. No ordinary
 * repository has one; its worktrees have, and must be able to be removed. Answers with a function that removes those that
 * were not there before the command, and writes the others as they were.
 */
export function guardRepositories(policy: SandboxPolicy): () => void {
  const repositories = policy.writable
    .map((folder) => (basename(folder) === '.git' ? folder : join(folder, '.git')))
    .filter((git) => statSync(git, { throwIfNoEntry: false })?.isDirectory());
  const absent = repositories
    .map((git) => join(git, 'commondir'))
    .filter((path) => statSync(path, { throwIfNoEntry: false }) === undefined);
  const before = repositories.flatMap((git) =>
    worktreesOf(git).map((folder) => ({ folder, text: textOf(join(folder, 'commondir')) })),
  );
  return () => {
    for (const path of absent) rmSync(path, { recursive: true, force: true });
    for (const { folder, text } of before) {
      const path = join(folder, 'commondir');
      if (text === null || !isFolder(folder) || textOf(path) === text) continue;
      rmSync(path, { recursive: true, force: true });
      writeFileSync(path, text, { flag: 'wx' });
    }
  };
}

function worktreesOf(git: string): readonly string[] {
  const folder = join(git, 'worktrees');
  return isFolder(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Null: no file of a size that git would write. */
function textOf(path: string): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size < 10_000 ? readFileSync(path, 'utf8') : null;
}
