// Runs one command: checks first, then a terminal, then its end by itself, by time or by abort, with its whole tree.
import { realpath, stat } from 'node:fs/promises';
import { constants as osConstants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  LimitReached,
  OperationFailure,
  OperationOf,
  SandboxLimits,
  ShellOutput,
  ShellResult,
} from '#shared/api/executor';
import type { CancelSignal } from '#shared/rpc/contract';
import { commandEnvironment, type Environment } from './environment';
import { failure, systemFailure } from './failure';
import { FinalFolders, type FolderReport, reportEnvironment } from './finalFolder';
import { CommandOutput } from './output/commandOutput';
import { findPowerShell, powerShellArgs } from './powerShell';
import { killRun, membersOf, ownIdentity, type ProcessFacts, type Run, signalRun, startRun } from './processTree';
import { findProgram, joinPaths, systemPath } from './programs';
import { type PtyExit, startPty } from './pty';
import { confinedCommand } from './sandbox/bubblewrap';
import { tasksPerProcess } from './sandbox/limits';
import { LimitWatch } from './sandbox/limitWatch';
import { holdsMount } from './sandbox/mountTable';
import { type Identity, PlaceWatch } from './sandbox/placeWatch';
import type { SandboxState } from './sandbox/probe';
import { joinNetwork, refusedField } from './sandbox/proxy/joinNetwork';
import type { ListedNetworks, NetworkPass } from './sandbox/proxy/listedNetworks';

/** Between TERM and KILL, for programs that tidy up. */
const graceMs = 2_000;
/** What a finished command left running gets less: the call is over. */
const leftoverGraceMs = 50;
/** One argument may be 128 KiB long on Linux; the rest is for the wrapper. */
const longestCommandBytes = 120_000;

type RunShell = OperationOf<'shell.run'>;

/** Starts the command with /dev/null as input. The command is an argument and never part of this text. */
const plainWrapper = 'BASH_ENV="$3" GATEHOUSE_CWD="$4" exec "$0" -c "$1" </dev/null';
/**
 * The same in a session without a terminal, so that what opens /dev/tty to ask a person fails at once instead of
 * waiting. The wrapper stays as parent (a session leader cannot leave its session) and speaks no word itself.
 */
const detachedWrapper =
  'exec 9>&2 2>/dev/null; BASH_ENV="$3" GATEHOUSE_CWD="$4" "$2" "$0" -c "$1" </dev/null 2>&9 9>&-; exit $?';

/** A command that was called off before it began. */
const notStarted: ShellResult = {
  kind: 'exit',
  exitCode: null,
  signal: null,
  timedOut: false,
  aborted: true,
  outputChars: 0,
  durationMs: 0,
  sandboxed: false,
  finalCwd: null,
};

interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** What the sandbox is started with. */
  readonly env?: Readonly<Record<string, string>>;
  readonly sandboxed: boolean;
  /** True for our own wrapping processes, which must outlive the polite signal so that the command can tidy up. */
  readonly isWrapper: (facts: ProcessFacts, rootPid: number) => boolean;
  /** What protects places only as long as nobody outside replaces what lies there. */
  readonly guarded?: readonly Identity[];
  /** Ends what guards the folders of a sandboxed command; once. */
  readonly restore?: () => void;
  /** Its way to listed hosts. */
  readonly pass?: NetworkPass | undefined;
}

export interface ShellRunnerOptions {
  readonly own: Environment;
  readonly sandbox: () => SandboxState;
  readonly networks: Pick<ListedNetworks, 'join'>;
  readonly emit: (piece: { readonly streamId: string; readonly from: number; readonly text: string }) => void;
}

/** The commands that run now. */
export class ShellRunner {
  private readonly options: ShellRunnerOptions;
  private readonly identity = ownIdentity();
  private readonly outputs = new Map<string, CommandOutput>();
  private readonly running = new Set<Stopper>();
  private readonly finalFolders = new FinalFolders();
  private counter = 0;

  constructor(options: ShellRunnerOptions) {
    this.options = options;
  }

  /** The core took characters off a stream; unknown streams are those that just ended. */
  acknowledge(streamId: string, chars: number): void {
    this.outputs.get(streamId)?.acknowledge(chars);
  }

  /** The command has become a background task. */
  detach(streamId: string): void {
    this.outputs.get(streamId)?.detach();
  }

  /** Runs a command to its end. All its output was emitted and written before this resolves. */
  async run(operation: RunShell, signal: CancelSignal): Promise<ShellResult | OperationFailure> {
    const { streamId } = operation;
    const ending: { stopper?: Stopper; full: boolean; quicken: () => void } = { full: false, quicken: () => undefined };
    const stopFull = () => {
      ending.full = true;
      ending.stopper?.stop('full');
    };
    // Known from the start: a command may become a background task before its terminal is there.
    const output = new CommandOutput({
      file: operation.output,
      emit: (piece) => this.options.emit({ streamId, ...piece }),
      onFull: stopFull,
      onFlood: () => ending.quicken(),
    });
    this.outputs.set(streamId, output);
    try {
      return await this.runWith({ operation, signal, output, ending });
    } finally {
      this.outputs.delete(streamId);
      output.dispose();
    }
  }

  private async runWith(about: {
    readonly operation: RunShell;
    readonly signal: CancelSignal;
    readonly output: CommandOutput;
    readonly ending: { stopper?: Stopper; readonly full: boolean; quicken: () => void };
  }): Promise<ShellResult | OperationFailure> {
    const { operation, signal, output, ending } = about;
    const startedAt = performance.now();
    this.counter += 1;
    const runId = `${this.identity}.${this.counter}`;
    const report = this.finalFolders.open();
    const launch = await this.prepare({ operation, runId, report });
    if ('kind' in launch || signal.cancelled) {
      await this.finalFolders.close(report);
      if ('kind' in launch) return launch;
      launch.restore?.();
      launch.pass?.end();
      return notStarted;
    }
    let run: Run | undefined;
    const pty = startPty({
      file: launch.file,
      args: launch.args,
      cwd: launch.cwd,
      env:
        launch.env ??
        commandEnvironment({ own: this.options.own, runId, sandboxed: false, variables: operation.variables }),
      columns: operation.columns,
      onBytes: (bytes) => output.add(bytes),
      // A sandbox takes all its processes with it.
      onGone: () => (run === undefined || launch.sandboxed ? Promise.resolve() : endLeftovers(run)),
    });
    ending.quicken = () => pty.quicken();
    run = startRun(pty.pid, runId);
    const stopper = new Stopper({ run, launch, exit: pty.exit });
    ending.stopper = stopper;
    if (ending.full) stopper.stop('full');
    this.running.add(stopper);
    let replaced: string | undefined;
    const places = new PlaceWatch({
      places: launch.guarded ?? [],
      holds: (path) => holdsMount(pty.pid, path),
      onReplaced(path) {
        replaced = path;
        void stopper.kill('replaced');
      },
    });
    let limit: LimitReached | undefined;
    const watch = watchLimits({ launch, limits: operation.sandbox.limits, rootPid: pty.pid }, (reached) => {
      limit = reached;
      void stopper.kill('limit');
    });
    const { timeoutMs } = operation;
    const timer = timeoutMs === null ? undefined : setTimeout(() => stopper.stop('timedOut'), timeoutMs);
    const stopListening = signal.onCancel(() => stopper.stop('aborted'));
    try {
      const exit = await pty.exit;
      const told = output.end();
      const reported = await this.finalFolders.close(report);
      return {
        kind: 'exit',
        ...describeExit(exit),
        timedOut: stopper.cause === 'timedOut',
        aborted: stopper.cause === 'aborted',
        outputChars: output.totalChars,
        ...outputField(told, stopper.cause),
        durationMs: performance.now() - startedAt,
        sandboxed: launch.sandboxed,
        ...(replaced === undefined ? {} : { replaced }),
        ...limitField(limit ?? fileLimit(exit, launch, operation.sandbox.limits)),
        ...refusedField(launch.pass),
        finalCwd: stopper.cause === undefined ? reported : null,
      };
    } finally {
      clearTimeout(timer);
      watch?.dispose();
      places.dispose();
      stopListening();
      this.running.delete(stopper);
      launch.restore?.();
      launch.pass?.end();
    }
  }

  /** Kills everything that runs, with all descendants. */
  async dispose(): Promise<void> {
    await Promise.all([...this.running].map((stopper) => stopper.kill()));
    this.finalFolders.dispose();
  }

  private async prepare(about: {
    readonly operation: RunShell;
    readonly runId: string;
    readonly report: FolderReport | undefined;
  }): Promise<Launch | OperationFailure> {
    const { operation, runId, report } = about;
    const { command, sandbox: policy, variables } = operation;
    if (Buffer.byteLength(command) > longestCommandBytes)
      return failure('tooLarge', 'The command is longer than 120,000 bytes. Put it into a script file and run that.');
    if (command.includes('\0')) return failure('io', 'The command holds a NUL character, which no command can.');
    let cwd: string;
    try {
      cwd = await realpath(operation.cwd);
      if (operation.real !== undefined && cwd !== operation.real)
        return failure(
          'changed',
          `The working folder ${operation.cwd} leads somewhere else than when this was allowed. Ask again.`,
        );
      if (!(await stat(cwd)).isDirectory())
        return failure('notFolder', `The working folder ${operation.cwd} is a file. Choose a folder.`);
    } catch (error) {
      return systemFailure(error, `The working folder ${operation.cwd}`);
    }
    if (operation.shell === 'powershell') return powerShellLaunch(command, cwd, this.options.own);
    const searchPath = joinPaths(systemPath, this.options.own.PATH ?? '');
    const shell = findProgram('bash', searchPath);
    if (shell === undefined) return failure('missing', 'No bash was found in PATH. Install bash and try again.');
    const sandbox = this.options.sandbox();
    if (policy.enabled && sandbox.available) {
      const joined = await joinNetwork(this.options.networks, policy, () => operation.streamId);
      if (joined !== undefined && 'kind' in joined) return joined;
      const own = {
        ...commandEnvironment({ own: this.options.own, runId, sandboxed: true, variables }),
        ...joined?.environment,
      };
      // What a report begins with takes the shell's input away; a shell around it would cost as much as the first.
      const { env, args: wrapped } =
        report === undefined
          ? { env: own, args: ['-c', plainWrapper, shell, command, '', '', ''] }
          : { env: { ...own, ...reportEnvironment(report, tasksOf(policy.limits)) }, args: ['-c', '--', command] };
      const how = confinedCommand(sandbox, {
        policy,
        cwd,
        env,
        file: shell,
        args: wrapped,
        report,
        enter: joined?.enter,
      });
      return { ...how, pass: joined, cwd: '/', sandboxed: true, isWrapper: (facts) => facts.name === 'bwrap' };
    }
    const setsid = process.platform === 'linux' ? findProgram('setsid', systemPath) : undefined;
    const wrapped = ['-c', setsid === undefined ? plainWrapper : detachedWrapper, shell, command, setsid ?? ''];
    return {
      file: shell,
      args: [...wrapped, report?.script ?? '', report?.file ?? ''],
      cwd,
      sandboxed: false,
      isWrapper: (facts, rootPid) => setsid !== undefined && facts.pid === rootPid,
    };
  }
}

/** Nothing confines it: there is no sandbox where PowerShell is. */
function powerShellLaunch(command: string, cwd: string, own: Environment): Launch | OperationFailure {
  const file = findPowerShell({ own });
  if (file === undefined) return failure('missing', 'There is no PowerShell on this system. Use Bash.');
  const args = powerShellArgs(command);
  if (args === null)
    return failure('tooLarge', 'The command is too long for Windows. Put it into a script file and run that.');
  return { file, args, cwd, sandboxed: false, isWrapper: () => false };
}

function outputField(told: ShellOutput | undefined, cause: StopCause | undefined): Pick<ShellResult, 'output'> {
  if (cause === 'full') return { output: { ...told, full: true } };
  return told === undefined ? {} : { output: told };
}

/** `full`: its output has reached the limit. `limit`: it took more than it may. `replaced`: a place lost its protection. */
type StopCause = 'timedOut' | 'aborted' | 'full' | 'limit' | 'replaced';

/** Ends a command early: TERM for everything it started, KILL for what is left after the grace. */
class Stopper {
  cause: StopCause | undefined;
  private readonly running: { readonly run: Run; readonly launch: Launch; readonly exit: Promise<PtyExit> };

  constructor(running: { readonly run: Run; readonly launch: Launch; readonly exit: Promise<PtyExit> }) {
    this.running = running;
  }

  stop(cause: StopCause): void {
    if (this.cause !== undefined) return;
    this.cause = cause;
    void this.end();
  }

  /** At once, without grace. */
  async kill(cause: StopCause = 'aborted'): Promise<void> {
    this.cause ??= cause;
    // With a sandbox's first process all others end, however many there are and however fast they become more.
    if (this.running.launch.sandboxed) killNow(this.running.run.pid);
    await killRun(this.running.run);
  }

  private async end(): Promise<void> {
    const { run, launch, exit } = this.running;
    let over = false;
    void exit.then(() => {
      over = true;
    });
    const signalled = new Set<number>();
    const deadline = performance.now() + graceMs;
    // Once is enough for each process, but a command that was just starting has its first process yet to come.
    while (!over && performance.now() < deadline) {
      const spare = (facts: ProcessFacts) => signalled.has(facts.pid) || launch.isWrapper(facts, run.pid);
      for (const pid of signalRun({ run, signal: 'SIGTERM', spare })) signalled.add(pid);
      await Promise.race([exit, sleep(100)]);
    }
    if (!over) await killRun(run);
  }
}

/** Ends what a finished command left behind. */
async function endLeftovers(run: Run): Promise<void> {
  if (process.platform === 'linux' && membersOf(run).length === 0) return;
  signalRun({ run, signal: 'SIGTERM', spare: () => false });
  await sleep(leftoverGraceMs);
  await killRun(run);
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone meanwhile.
  }
}

/** Only in a sandbox: its first process is the one whose end ends them all. */
function watchLimits(
  about: { readonly launch: Launch; readonly limits: SandboxLimits | undefined; readonly rootPid: number },
  onReached: (reached: LimitReached) => void,
): LimitWatch | undefined {
  const { launch, limits, rootPid } = about;
  if (!launch.sandboxed || (limits?.memoryBytes ?? limits?.processes) === undefined) return undefined;
  return new LimitWatch({ rootPid, limits: limits ?? {}, onReached });
}

/** For ordinary users; nothing of the kind binds root. */
function tasksOf(limits: SandboxLimits | undefined): number | undefined {
  return limits?.processes === undefined ? undefined : limits.processes * tasksPerProcess;
}

/** The kernel ends a program that writes beyond it; its shell tells of the signal as shells do. */
function fileLimit(exit: PtyExit, launch: Launch, limits: SandboxLimits | undefined): LimitReached | undefined {
  const signal = osConstants.signals.SIGXFSZ;
  const ended = exit.signal === signal || exit.exitCode === 128 + signal;
  if (!launch.sandboxed || !ended || limits?.fileBytes === undefined) return undefined;
  return { what: 'fileSize', allowed: limits.fileBytes };
}

function limitField(limit: LimitReached | undefined): Pick<ShellResult, 'limit'> {
  return limit === undefined ? {} : { limit };
}

function describeExit(exit: PtyExit): { readonly exitCode: number | null; readonly signal: string | null } {
  if (exit.signal === 0) return { exitCode: exit.exitCode, signal: null };
  const name = Object.entries(osConstants.signals).find(([, number]) => number === exit.signal)?.[0];
  return { exitCode: null, signal: name ?? `SIG${exit.signal}` };
}
