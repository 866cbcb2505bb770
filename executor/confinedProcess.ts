// A process that stays and talks over pipes, in the same sandbox and with the same environment as shell commands.
import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { SandboxPolicy } from '#shared/api/executor';
import { commandEnvironment, type Environment } from './environment';
import { killRun, ownIdentity, type Run, startRun } from './processTree';
import { confinedCommand } from './sandbox/bubblewrap';
import { LimitWatch } from './sandbox/limitWatch';
import { holdsMount } from './sandbox/mountTable';
import { PlaceWatch } from './sandbox/placeWatch';
import type { SandboxState } from './sandbox/probe';
import type { NetworkPass } from './sandbox/proxy/listedNetworks';

export interface ConfinedOptions {
  readonly own: Environment;
  readonly sandbox: SandboxState;
  readonly policy: SandboxPolicy;
  /** Absolute, must exist. */
  readonly file: string;
  readonly args: readonly string[];
  /** A real path. */
  readonly cwd: string;
  /** Variables beside those that commands get. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Its way to listed hosts; it ends with the process. */
  readonly pass?: NetworkPass | undefined;
  /** Pipes beside stdin, stdout and stderr. */
  readonly channels: 0 | 1;
}

export interface ConfinedProcess {
  readonly child: ChildProcess;
  readonly run: Run;
  readonly sandboxed: boolean;
  /** Resolves with its exit code when it is gone; 128 and the number of the signal that ended it; null: it could not be started. */
  readonly exit: Promise<number | null>;
  /** Ends it with all that it started. */
  kill(): Promise<void>;
}

const identity = ownIdentity();
let counter = 0;

/** Starts it. One that cannot be started has `exit` resolve to null. */
export function startConfined(options: ConfinedOptions): ConfinedProcess {
  const { own, sandbox, policy, file, args, cwd, variables = {}, channels, pass } = options;
  counter += 1;
  const runId = `${identity}.p${counter}`;
  const sandboxed = policy.enabled && sandbox.available;
  const env = { ...commandEnvironment({ own, runId, sandboxed }), ...variables, ...pass?.environment };
  const how =
    sandboxed && sandbox.available
      ? {
          ...confinedCommand(sandbox, {
            policy,
            cwd,
            env,
            file,
            args,
            showsProgram: true,
            enter: pass?.enter,
            channels,
          }),
          cwd: '/',
        }
      : { file, args: [...args], env, cwd, guarded: [], restore: () => undefined };
  const child = spawn(how.file, how.args, {
    cwd: how.cwd,
    env: how.env,
    stdio: ['pipe', 'pipe', 'pipe', ...Array.from({ length: channels }, () => 'pipe' as const)],
    // A group of its own: where nothing else is known of its children, the group is what can be ended.
    detached: true,
  });
  const exit = new Promise<number | null>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? (signal === null ? null : 128 + constants.signals[signal])));
    child.once('error', () => resolve(null));
  });
  const { pid } = child;
  const run = startRun(pid ?? -1, runId);
  const places = new PlaceWatch({
    places: how.guarded,
    holds: (path) => holdsMount(run.pid, path),
    onReplaced: () => void killRun(run),
  });
  const { limits } = policy;
  const limitWatch =
    sandboxed && limits !== undefined
      ? new LimitWatch({ rootPid: run.pid, limits, onReached: () => void killRun(run) })
      : undefined;
  void exit.then(() => {
    places.dispose();
    limitWatch?.dispose();
    how.restore();
    pass?.end();
  });
  // Writing to one that is gone is no fault; `exit` tells.
  for (const stream of child.stdio) stream?.on('error', () => undefined);
  return {
    child,
    run,
    sandboxed,
    exit,
    kill: async () => {
      if (pid === undefined) return;
      await killRun(run);
      await exit;
    },
  };
}
