import type { SandboxPolicy } from '#shared/api/executor';
import type { FolderReport } from '../finalFolder';
import { mountArgs } from './mounts';
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
}

/** Descriptor that the filter is handed over on: beyond those that programs are given. */
const filterChannel = 9;

/** How to start a confined program: bubblewrap, with the kernel's filter of system calls where there is one. */
export function confinedCommand(
  sandbox: { readonly program: string; readonly filters: SeccompFilters | null },
  confined: Confined,
): { readonly file: string; readonly args: string[] } {
  const args = bubblewrapArgs(confined);
  const { program, filters } = sandbox;
  if (filters === null) return { file: program, args };
  const filter = confined.policy.unixSockets === true ? filters.withUnixSockets : filters.strict;
  // A terminal hands on no descriptors of its own, so a shell opens the file and becomes bubblewrap.
  const script = `exec "$0" --seccomp ${filterChannel} "$@" ${filterChannel}<"$GATEHOUSE_FILTER"`;
  return {
    file: '/bin/sh',
    args: ['-c', `GATEHOUSE_FILTER=${quoted(filter)}; ${script}`, program, ...args],
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
export function bubblewrapArgs(confined: Confined): string[] {
  const { policy, cwd, env, file, args, report, showsProgram } = confined;
  return [
    ...mountArgs(policy, cwd, showsProgram === true ? file : undefined),
    ...(report === undefined ? [] : ['--ro-bind', report.script, report.script, '--bind', report.file, report.file]),
    '--unshare-all',
    ...(policy.network === 'open' ? ['--share-net'] : []),
    ...['--unshare-user', '--disable-userns', '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--clearenv'],
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--chdir', cwd, '--', file, ...args],
  ];
}
