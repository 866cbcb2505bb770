import { type Confined, type ConfinedCommand, launcherOf } from './confined';
import { guardRepositories } from './gitGuard';
import { guardLinks } from './linkGuard';
import { planMounts } from './mounts';
import { Placeholders } from './placeholders';
import { identitiesOf } from './placeWatch';
import { type Seatbelt, seatbeltCommand } from './seatbeltCommand';
import type { SeccompFilters } from './seccompFiles';

/** Descriptor that the filter is handed over on: beyond those that programs are given. */
const filterChannel = 9;

/** The program, as the probe found it. */
export interface Bubblewrap {
  readonly kind?: 'bubblewrap';
  readonly program: string;
  readonly filters: SeccompFilters | null;
  /** Whether it can limit the size of folders that it makes; older ones cannot. */
  readonly sizes?: boolean;
}

/** What stands for all commands of this process. */
export const placeholders = new Placeholders();

/** How to start a program in the sandbox that there is. */
export function confinedCommand(sandbox: Bubblewrap | Seatbelt, confined: Confined): ConfinedCommand {
  return sandbox.kind === 'seatbelt' ? seatbeltCommand(sandbox, confined) : bubblewrapCommand(sandbox, confined);
}

/**
 * With the kernel's filter of system calls where there is one. Landlock would hold the same places a second time, but only
 * a program built for each kind of machine could ask the kernel for it.
 */
function bubblewrapCommand(sandbox: Bubblewrap, confined: Confined): ConfinedCommand {
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
    env: confined.env,
    guarded: identitiesOf(plan.protecting),
    restore() {
      for (const end of unguard) end();
      placeholders.release(stands);
    },
  };
}

/** The filter is opened by the launching shell: a terminal would not hand on its descriptor. */
function launchOf({ program, filters }: Bubblewrap, confined: Confined, args: readonly string[]) {
  const { policy, enter = [] } = confined;
  const filter = policy.unixSockets === true ? filters?.withUnixSockets : filters?.strict;
  const opening = filter === undefined ? '' : ` ${filterChannel}<${quoted(filter)}`;
  const seccomp = filter === undefined ? [] : ['--seccomp', String(filterChannel)];
  return launcherOf(confined, {
    script: `exec "$0" "$@"${opening}`,
    args: [...enter, program, ...seccomp, ...args],
  });
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
  const { policy, cwd, file, args, report, enter } = confined;
  const sharesNetwork = policy.network === 'open' || (policy.network === 'listed' && enter !== undefined);
  return [
    ...mountArgs,
    ...(report === undefined ? [] : ['--ro-bind', report.script, report.script, '--bind', report.file, report.file]),
    '--unshare-all',
    ...(sharesNetwork ? ['--share-net'] : []),
    ...['--unshare-user', '--disable-userns', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...['--chdir', cwd, '--', file, ...args],
  ];
}
