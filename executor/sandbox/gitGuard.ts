import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxPolicy } from '#shared/api/executor';

/**
 * Guards what mounts cannot: a file `.git/commondir` would make git take config and hooks from wherever it says, and no
 * ordinary repository has one. Answers with a function that removes those that were not there before the command.
 */
export function guardRepositories(policy: SandboxPolicy): () => void {
  const absent = policy.writable
    .map((folder) => join(folder, '.git'))
    .filter((git) => statSync(git, { throwIfNoEntry: false })?.isDirectory())
    .map((git) => join(git, 'commondir'))
    .filter((path) => statSync(path, { throwIfNoEntry: false }) === undefined);
  return () => {
    for (const path of absent) rmSync(path, { recursive: true, force: true });
  };
}
