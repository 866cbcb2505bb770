// One attempt, twice: in the sandbox, where it must be held, and without, where it must get out, or it proves nothing.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxPolicy } from '#shared/api/executor';
import type { Attempt } from './attempt';
import type { Listeners } from './listeners';
import { createWorld, type World } from './world';

/** `unclear`: it did not get out, but what it printed is not what was expected to hold it. */
export interface Outcome {
  readonly verdict: 'contained' | 'escaped' | 'unclear' | 'skipped';
  /** Why, for people. */
  readonly reason: string;
}

export interface Ground {
  readonly root: string;
  readonly listeners: Listeners;
  /** Folder to take a repository from. */
  readonly repository: string | undefined;
  /** Path of an installed program. */
  readonly find: (name: string) => string | undefined;
  /** Runs a command in the sandbox. */
  readonly confined: (about: {
    readonly command: string;
    readonly cwd: string;
    readonly variables: Readonly<Record<string, string>>;
    readonly sandbox: SandboxPolicy;
    readonly timeoutMs: number;
  }) => Promise<{ readonly output: string; readonly sandboxed: boolean }>;
}

const usualTimeoutMs = 10_000;
/** For words that are still on their way to a listener, and processes that are still on their way out. */
const settleMs = 1_000;

export async function runAttempt(attempt: Attempt, ground: Ground): Promise<Outcome> {
  const needs = [...(attempt.needs ?? []), ...(attempt.victim === true ? ['python3'] : [])];
  const missing = needs.find((name) => ground.find(name) === undefined);
  if (missing !== undefined) return { verdict: 'skipped', reason: `${missing} is not installed` };
  const python = ground.find('python3');
  const about = { ...ground, attempt, python };
  const inside = await createWorld(about);
  const outside = await createWorld(about);
  try {
    const held = await runInside(attempt, inside, ground);
    const free = await runOutside(attempt, outside);
    // What stands for missing places goes a moment later.
    await within(() => inside.signs(held.output).length === 0);
    const signs = inside.signs(held.output);
    if (!held.sandboxed) return { verdict: 'escaped', reason: 'it did not run in the sandbox at all' };
    if (held.left || signs.length > 0)
      return {
        verdict: 'escaped',
        reason: `${[...signs, ...(held.left ? ['a process was left'] : [])].join(', ')}; it printed ${JSON.stringify(held.output.slice(-300))}`,
      };
    if (!free.real)
      return {
        verdict: 'skipped',
        reason: `it does not work on this machine without a sandbox either: ${lastLine(free.output)}`,
      };
    if (!attempt.held.test(held.output))
      return {
        verdict: 'unclear',
        reason: `it printed ${JSON.stringify(held.output.slice(-500))}, not ${attempt.held}`,
      };
    return { verdict: 'contained', reason: lastLine(held.output) };
  } finally {
    for (const world of [inside, outside]) {
      for (const pid of world.processes()) end(pid);
      await world.dispose();
      for (const path of [world.place, `/tmp/${world.token}`, `/dev/shm/${world.token}`])
        rmSync(path, { recursive: true, force: true });
    }
  }
}

const scriptOf = (attempt: Attempt): string => `export HOME="$PLACE/home"\n${attempt.script}`;

async function runInside(
  attempt: Attempt,
  world: World,
  ground: Ground,
): Promise<{ readonly output: string; readonly sandboxed: boolean; readonly left: boolean }> {
  const ran = await ground.confined({
    command: scriptOf(attempt),
    cwd: world.work,
    variables: world.variables,
    sandbox: world.policy,
    timeoutMs: attempt.timeoutMs ?? usualTimeoutMs,
  });
  const left = !(await within(() => world.processes().length === 0));
  await runLater(attempt, world);
  return { output: ran.output.replaceAll('\r\n', '\n'), sandboxed: ran.sandboxed, left };
}

async function runOutside(
  attempt: Attempt,
  world: World,
): Promise<{ readonly output: string; readonly real: boolean }> {
  const output = await plain({ script: scriptOf(attempt), world, timeoutMs: attempt.timeoutMs ?? usualTimeoutMs });
  await runLater(attempt, world);
  const real = await within(() => world.signs(output).length > 0 || world.processes().length > 0);
  return { output, real };
}

async function runLater(attempt: Attempt, world: World): Promise<void> {
  if (attempt.later !== undefined)
    await plain({ script: `export HOME="$PLACE/home"\n${attempt.later}`, world, timeoutMs: usualTimeoutMs });
}

/** Runs a script with nothing around it: as any program would that does not confine what it runs. */
async function plain(about: {
  readonly script: string;
  readonly world: World;
  readonly timeoutMs: number;
}): Promise<string> {
  const { script, world, timeoutMs } = about;
  const file = join(world.place, 'printed');
  const printed = openSync(file, 'w');
  const child = spawn('bash', ['-c', script], {
    cwd: world.work,
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', ...world.variables },
    // The last one: a descriptor left open for whoever finds it.
    stdio: ['ignore', printed, printed, 'pipe'],
    detached: true,
  });
  closeSync(printed);
  let said = '';
  child.stdio[3]?.on('data', (bytes: Buffer) => {
    said += bytes.toString('latin1');
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const timer = setTimeout(() => child.pid !== undefined && end(-child.pid, 'SIGTERM'), timeoutMs);
  await Promise.race([gone, sleep(timeoutMs + settleMs)]);
  clearTimeout(timer);
  await new Promise((resolve) => setImmediate(resolve));
  child.stdio[3]?.destroy();
  return `${readFileSync(file, 'latin1')}${said.includes(world.token) ? '\nREACHED by an open descriptor' : ''}`;
}

async function within(holds: () => boolean): Promise<boolean> {
  const deadline = performance.now() + settleMs;
  for (;;) {
    if (holds()) return true;
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
}

function end(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone meanwhile.
  }
}

const lastLine = (text: string): string => (text.trim().split('\n').at(-1) ?? '').slice(0, 200);
