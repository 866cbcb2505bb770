import type { SandboxPolicy } from '#shared/api/executor';
import type { FolderReport } from '../finalFolder';
import { findProgram, systemPath } from '../programs';
import { limitScript } from './limits';
import type { Identity } from './placeWatch';

/** What runs in the sandbox. `cwd` is a real path. */
export interface Confined {
  readonly policy: SandboxPolicy;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly file: string;
  readonly args: readonly string[];
  /** True for a program that may be installed in a folder that commands do not see. */
  readonly showsProgram?: boolean;
  /** Files through which the shell tells where it ended. */
  readonly report?: FolderReport | undefined;
  /** Descriptors beside stdin, stdout and stderr that it is given. */
  readonly channels?: 0 | 1;
  /** What the command line begins with so that it runs in a network for listed hosts; without it such a policy has none. */
  readonly enter?: readonly string[] | undefined;
}

/** How to start a confined program. */
export interface ConfinedCommand {
  readonly file: string;
  readonly args: string[];
  /** All that it must be started with; values are no arguments, which every user of a machine can read. */
  readonly env: Readonly<Record<string, string>>;
  /** What protects places only as long as nobody outside replaces what lies there. */
  readonly guarded: readonly Identity[];
  /**
   * Puts right what the sandbox could not keep, and takes away what stood in for missing places. To be called once, when
   * all its processes are gone or it was not started after all.
   */
  readonly restore: () => void;
}

/**
 * A shell that sets the limits, closes what descriptors it was handed down beyond those that are meant (terminals of other
 * commands among them), and becomes the sandbox that `script` starts with its arguments. Bash, because others know no
 * descriptors above 9, and with `-p`, so that it reads no file and no function that the environment names.
 */
export function launcherOf(
  { policy, channels = 0 }: Confined,
  { script, args }: { readonly script: string; readonly args: readonly string[] },
): { readonly file: string; readonly args: string[] } {
  const closing = `for fd in /dev/fd/*; do fd=\${fd##*/}; [ "$fd" -le ${2 + channels} ] || eval "exec $fd>&-"; done; `;
  return {
    file: findProgram('bash', systemPath) ?? '/bin/bash',
    args: ['-p', '-c', `${limitScript(policy.limits)}${closing}unset SHLVL OLDPWD; ${script}`, ...args],
  };
}
