// Runs a command handler: a process group of its own, input on stdin alone, ended as a whole when it takes too long.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { CommandAction } from './handler';
import { KeptOutput } from './keptOutput';
import { familyMark, killFamily, signalFamily } from './runFamily';
import type { Ended } from './verdict';

/** Kept of each stream. More than any useful answer; a flood beyond `floodBytes` ends the handler. */
const keptBytes = 1_000_000;
const floodBytes = 64 * 1024 * 1024;

/** From TERM to KILL. */
const graceMs = 1_000;

/** A process that has ended is read until nothing came for so long: its children may hold the pipe open for ever. */
const quietMs = 100;
const drainAtMostMs = 2_000;

export interface CommandRun {
  readonly action: CommandAction;
  /** The input, one line of JSON. */
  readonly stdin: string;
  /** Folder to run in; where it is gone, `projectFolder`. */
  readonly cwd: string;
  readonly projectFolder: string;
  /** Everything that the process sees. */
  readonly environment: Readonly<Record<string, string>>;
  readonly platform: 'linux' | 'darwin' | 'win32' | 'other';
  /** Milliseconds; null: it may take as long as it wants. */
  readonly timeoutMs: number | null;
  readonly signal: AbortSignal;
}

/** Program and arguments. What a hook is told of a call never becomes part of them. */
function commandLine({ action, projectFolder, platform }: CommandRun): readonly [string, readonly string[]] {
  const { command, args, shell } = action;
  if (args !== undefined) {
    const filled = (text: string): string => text.replace(/\$\{CLAUDE_PROJECT_DIR\}/g, () => projectFolder);
    return [filled(command), args.map(filled)];
  }
  if (shell === 'powershell') {
    const program = platform === 'win32' ? 'powershell.exe' : 'pwsh';
    return [program, ['-NoProfile', '-NonInteractive', '-Command', command]];
  }
  return [shell === 'bash' || platform === 'win32' ? 'bash' : 'sh', ['-c', command]];
}

/** Runs the handler to its end. Never rejects. */
export async function runCommand(run: CommandRun): Promise<Ended> {
  if (run.signal.aborted) return { kind: 'cancelled' };
  const cwd = [run.cwd, run.projectFolder].find((folder) => existsSync(folder));
  if (cwd === undefined) return { kind: 'failed', problem: `it could not start: ${run.cwd} is not there` };
  const [program, args] = commandLine(run);
  const mark = randomUUID();
  let child: ChildProcess;
  try {
    // A session and process group of its own: no terminal to ask on, and one signal reaches all that it started.
    child = spawn(program, args, {
      cwd,
      env: { ...run.environment, [familyMark]: mark },
      detached: run.platform !== 'win32',
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  } catch (error) {
    return { kind: 'failed', problem: `it could not start: ${error instanceof Error ? error.message : 'unknown'}` };
  }
  return await watch({ child, run, program, mark });
}

function watch(started: {
  readonly child: ChildProcess;
  readonly run: CommandRun;
  readonly program: string;
  readonly mark: string;
}): Promise<Ended> {
  const { child, run, program, mark } = started;
  const family =
    run.platform !== 'linux' || child.pid === undefined
      ? null
      : { pid: child.pid, mark, ended: () => child.exitCode !== null || child.signalCode !== null };
  const end = (signal: 'SIGTERM' | 'SIGKILL'): void => {
    // Who has left the group is found while its parents live.
    if (family !== null) signalFamily(family, signal);
    endGroup(child, run.platform, signal);
  };
  const { stdin, stdout, stderr } = child;
  const kept = { out: new KeptOutput(keptBytes), err: new KeptOutput(keptBytes) };
  return new Promise((resolve) => {
    let why: 'timeout' | 'cancelled' | 'flood' | null = null;
    let done = false;
    const timers: NodeJS.Timeout[] = [];

    const stop = (reason: 'timeout' | 'cancelled' | 'flood'): void => {
      if (why !== null || done) return;
      why = reason;
      end('SIGTERM');
      timers.push(setTimeout(() => end('SIGKILL'), graceMs));
    };
    const onAbort = (): void => stop('cancelled');
    const settle = (ended: Ended): void => {
      if (done) return;
      done = true;
      for (const timer of timers) clearTimeout(timer);
      run.signal.removeEventListener('abort', onAbort);
      for (const stream of [stdin, stdout, stderr]) stream?.destroy();
      if (why === null) {
        resolve(ended);
        return;
      }
      // What is left of a handler that had to be ended goes with it.
      end('SIGKILL');
      const gone = family === null ? Promise.resolve() : killFamily(family);
      void gone.finally(() => resolve(ended));
    };
    const finish = (exitCode: number | null, signal: string | null): void => {
      if (why === 'timeout') settle({ kind: 'timeout', seconds: (run.timeoutMs ?? 0) / 1000 });
      else if (why === 'cancelled') settle({ kind: 'cancelled' });
      else if (why === 'flood') settle({ kind: 'failed', problem: 'it printed without end and was stopped' });
      else {
        const { out, err } = kept;
        settle({ kind: 'exited', exitCode, signal, stdout: out.text, stderr: err.text, cut: out.cut });
      }
    };

    for (const [stream, into] of [
      [stdout, kept.out],
      [stderr, kept.err],
    ] as const) {
      stream?.on('data', (chunk: Buffer) => {
        into.add(chunk);
        if (into.bytes > floodBytes) stop('flood');
      });
      stream?.on('error', () => undefined);
    }
    child.once('error', (error) => {
      const missing = 'code' in error && error.code === 'ENOENT';
      const cause = missing ? `there is no program “${program}”` : error.message;
      settle({ kind: 'failed', problem: `it could not start: ${cause}` });
    });
    child.once('close', finish);
    child.once('exit', (exitCode, signal) => {
      const until = performance.now() + drainAtMostMs;
      const look = (before: number): void => {
        const now = kept.out.bytes + kept.err.bytes;
        if (done) return;
        if (now === before || performance.now() > until) finish(exitCode, signal);
        else drain();
      };
      // What lies in the pipes is read between the timer and what it sets off, however late the timer was.
      const drain = (): void => {
        const before = kept.out.bytes + kept.err.bytes;
        timers.push(setTimeout(() => setImmediate(() => look(before)), quietMs));
      };
      drain();
    });
    // A handler may end without reading its input.
    stdin?.on('error', () => undefined);
    stdin?.end(`${run.stdin}\n`);

    if (run.timeoutMs !== null) timers.push(setTimeout(() => stop('timeout'), run.timeoutMs));
    run.signal.addEventListener('abort', onAbort, { once: true });
    if (run.signal.aborted) onAbort();
  });
}

function endGroup(child: ChildProcess, platform: CommandRun['platform'], signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  if (platform === 'win32') {
    if (child.exitCode !== null || child.signalCode !== null) return;
    // Only this ends the children too.
    spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on(
      'error',
      () => undefined,
    );
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Nobody of the group is left.
  }
}
