import type { Confined, ConfinedCommand } from './confined';
import { launcherOf } from './confined';
import { guardRepositories } from './gitGuard';
import { guardLinks } from './linkGuard';
import { planSeatbelt } from './seatbelt';

/** macOS's program, as the probe found it. */
export interface Seatbelt {
  readonly kind: 'seatbelt';
  readonly program: string;
  /** Folder for the temporary files of commands: a real path. They have no temp of their own here. */
  readonly temp: string;
}

/**
 * Starts a program in macOS's sandbox. What it cannot do: processes are not hidden from each other, and what a command
 * leaves running is found by its group alone.
 */
export function seatbeltCommand({ program, temp }: Seatbelt, confined: Confined): ConfinedCommand {
  const { policy, cwd, env, file, args, report } = confined;
  const { profile, links } = planSeatbelt({
    policy,
    temp,
    alsoWritable: report === undefined ? [] : [report.file],
  });
  const unguard = [guardRepositories(policy), guardLinks(links)];
  return {
    ...launcherOf(confined, {
      script: 'cd -- "$0" && exec "$@"',
      args: [cwd, program, '-p', profile, file, ...args],
    }),
    env: { ...env, TMPDIR: temp },
    // Profiles go by names, whatever lies there.
    guarded: [],
    restore() {
      for (const end of unguard) end();
    },
  };
}
