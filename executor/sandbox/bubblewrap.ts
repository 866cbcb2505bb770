import type { SandboxPolicy } from '#shared/api/executor';
import type { FolderReport } from '../finalFolder';
import { findProgram, systemPath } from '../programs';
import { guardRepositories } from './gitGuard';
import { limitScript } from './limits';
import { guardLinks } from './linkGuard';
import { planMounts } from './mounts';
import { Placeholders } from './placeholders';
import type { SeccompFilters } from './seccompFiles';

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

/** Descriptor that the filter is handed over on: beyond those that programs are given. */
const filterChannel = 9;

/** How to start a confined program. */
export interface ConfinedCommand {
  readonly file: string;
  readonly args: string[];
  /**
   * Puts right what mounts could not keep, and takes away what stood in for missing places. To be called once, when all
   * its processes are gone or it was not started after all.
   */
  readonly restore: () => void;
}

/** The program, as the probe found it. */
export interface Bubblewrap {
  readonly program: string;
  readonly filters: SeccompFilters | null;
  /** Whether it can limit the size of folders that it makes; older ones cannot. */
  readonly sizes?: boolean;
}

/** What stands for all commands of this process. */
export const placeholders = new Placeholders();

/** Bubblewrap, with the kernel's filter of system calls where there is one. */
export function confinedCommand(sandbox: Bubblewrap, confined: Confined): ConfinedCommand {
  const { policy, cwd, file, showsProgram } = confined;
  const stands: string[] = [];
  const plan = planMounts({
    policy,
    cwd,
    program: showsProgram === true ? file : undefined,
    sizes: sandbox.sizes === true,
    makePlaceholder(place) {
      if (!placeholders.make(place)) return false;
      stands.push(place.path);
      return true;
    },
  });
  // Another command may have made some of them before.
  for (const path of plan.mounted) if (!stands.includes(path) && placeholders.hold(path)) stands.push(path);
  const unguard = [guardRepositories(policy), guardLinks(plan.links)];
  return {
    ...launchOf(sandbox, confined, bubblewrapArgs(confined, plan.args)),
    restore() {
      for (const end of unguard) end();
      placeholders.release(stands);
    },
  };
}

/**
 * A shell sets the limits, closes what descriptors it was handed down beyond those that are meant (terminals of other
 * commands among them), opens the filter, which a terminal would not hand on, and becomes bubblewrap. Bash, because others
 * know no descriptors above 9.
 */
function launchOf(
  { program, filters }: Bubblewrap,
  { policy, enter = [], channels = 0 }: Confined,
  args: readonly string[],
): { readonly file: string; readonly args: string[] } {
  const closing = `for fd in /proc/self/fd/*; do fd=\${fd##*/}; [ "$fd" -le ${2 + channels} ] || exec {fd}>&-; done; `;
  const filter = policy.unixSockets === true ? filters?.withUnixSockets : filters?.strict;
  const opening = filter === undefined ? '' : ` ${filterChannel}<${quoted(filter)}`;
  const seccomp = filter === undefined ? [] : ['--seccomp', String(filterChannel)];
  const script = `${limitScript(policy.limits)}${closing}exec "$0" "$@"${opening}`;
  return {
    file: findProgram('bash', systemPath) ?? '/bin/bash',
    args: ['-p', '-c', script, ...enter, program, ...seccomp, ...args],
  };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Arguments that confine a program: everything read-only but the writable folders and a temp of its own, no
 * network unless allowed, no sight of other processes, no capabilities (without `--cap-drop ALL` root inside
 * could simply remount), no terminal to open, and death with the executor.
 */
function bubblewrapArgs(confined: Confined, mountArgs: readonly string[]): string[] {
  const { policy, cwd, env, file, args, report, enter } = confined;
  const sharesNetwork = policy.network === 'open' || (policy.network === 'listed' && enter !== undefined);
  return [
    ...mountArgs,
    ...(report === undefined ? [] : ['--ro-bind', report.script, report.script, '--bind', report.file, report.file]),
    '--unshare-all',
    ...(sharesNetwork ? ['--share-net'] : []),
    ...['--unshare-user', '--disable-userns', '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--clearenv'],
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--chdir', cwd, '--', file, ...args],
  ];
}
