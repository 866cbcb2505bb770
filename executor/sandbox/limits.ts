// What the kernel itself holds a command to, as far as it does so for each process by itself. What all processes of a
// command take together is watched, see limitWatch.
import type { SandboxLimits } from '#shared/api/executor';

/** Threads are counted too by what the kernel holds a user to; ordinary programs have some dozens. */
export const tasksPerProcess = 16;

/** Below this bubblewrap itself would not start. */
const leastMemory = 32 * 1_048_576;

/**
 * Text for the bash that then becomes the sandbox; empty without limits. Of memory what a program may write counts:
 * many reserve far more addresses than they ever use. A limit that is stricter already stays.
 */
export function limitScript(limits: SandboxLimits | undefined): string {
  const { memoryBytes, fileBytes } = limits ?? {};
  const lines = [
    ...(memoryBytes === undefined ? [] : [`-d ${Math.ceil(Math.max(memoryBytes, leastMemory) / 1_024)}`]),
    ...(fileBytes === undefined ? [] : [`-f ${Math.ceil(fileBytes / 1_024)}`]),
  ];
  return lines.map((line) => `ulimit ${line} 2>/dev/null || :; `).join('');
}

/**
 * Bubblewrap's arguments so that temp and shared memory, which are memory, are no way round the limit; to be put where
 * `/tmp` and `/run` are made. `sizes`: whether this bubblewrap takes any.
 */
export function emptyFolderArgs(
  folders: readonly string[],
  { limits, sizes }: { readonly limits: SandboxLimits | undefined; readonly sizes: boolean },
): string[] {
  const { memoryBytes } = limits ?? {};
  if (memoryBytes === undefined || !sizes) return folders.flatMap((path) => ['--tmpfs', path]);
  const size = ['--size', String(Math.max(memoryBytes, leastMemory))];
  return [
    ...folders.flatMap((path) => [...size, '--tmpfs', path]),
    ...[...size, '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
  ];
}
