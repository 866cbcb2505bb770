// The JavaScript sessions: one process for each session, started with its first code and ended with the session.
import { realpath, stat } from 'node:fs/promises';
import type { OperationFailure, OperationOf, ReplResult } from '#shared/api/executor';
import type { CancelSignal } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';
import { canonicalJson } from '#shared/util/canonicalJson';
import type { Environment } from '../environment';
import { failure, systemFailure } from '../failure';
import { CommandOutput } from '../output/commandOutput';
import { findProgram, joinPaths, systemPath } from '../programs';
import { guardRepositories } from '../sandbox/gitGuard';
import type { SandboxState } from '../sandbox/probe';
import { joinNetwork, refusedField } from '../sandbox/proxy/joinNetwork';
import type { ListedNetworks, NetworkPass } from '../sandbox/proxy/listedNetworks';
import { ReplSession } from './replSession';

/** A session that nobody used for so long gives its memory back. */
const idleMs = 60 * 60_000;
/** Sessions beyond this many end the one that was idle for longest. */
const maxSessions = 8;

type RunRepl = OperationOf<'repl.run'>;

interface Entry {
  readonly session: ReplSession;
  /** What it was started with; other conditions need another process. */
  readonly conditions: string;
  readonly pass: NetworkPass | undefined;
  idle: NodeJS.Timeout | undefined;
}

export interface ReplRunnerOptions {
  readonly own: Environment;
  readonly sandbox: () => SandboxState;
  readonly networks: Pick<ListedNetworks, 'join'>;
  readonly emit: (piece: { readonly streamId: string; readonly from: number; readonly text: string }) => void;
}

export class ReplRunner {
  private readonly entries = new Map<string, Entry>();
  /** The last call of each session; the next one waits for it. */
  private readonly queues = new Map<string, Promise<unknown>>();
  private readonly outputs = new Map<string, CommandOutput>();
  /** Streams of the code that runs now, by session. */
  private readonly streams = new Map<string, string>();
  private disposed = false;

  constructor(private readonly options: ReplRunnerOptions) {}

  /** The core took characters off a stream; unknown streams are those of others, or just ended. */
  acknowledge(streamId: string, chars: number): void {
    this.outputs.get(streamId)?.acknowledge(chars);
  }

  /** Runs code when the session's earlier code has ended. All its output was emitted and written before this resolves. */
  async run(operation: RunRepl, signal: CancelSignal): Promise<ReplResult | OperationFailure> {
    const { session } = operation;
    const before = this.queues.get(session) ?? Promise.resolve();
    const mine = before.then(
      () => this.runNow(operation, signal),
      () => this.runNow(operation, signal),
    );
    const settled = mine.catch(() => undefined);
    this.queues.set(session, settled);
    try {
      return await mine;
    } finally {
      if (this.queues.get(session) === settled) this.queues.delete(session);
    }
  }

  /** The session is over. */
  async end(session: string): Promise<void> {
    const entry = this.entries.get(session);
    this.entries.delete(session);
    clearTimeout(entry?.idle);
    await entry?.session.stop('aborted');
  }

  async dispose(): Promise<void> {
    this.disposed = true;
    await Promise.all([...this.entries.keys()].map((session) => this.end(session)));
  }

  private async runNow(operation: RunRepl, signal: CancelSignal): Promise<ReplResult | OperationFailure> {
    // Called off while it waited: the session keeps its variables.
    if (signal.cancelled) throw new RpcError('cancelled', 'Cancelled.');
    const startedAt = performance.now();
    const found = await this.sessionFor(operation);
    if ('kind' in found) return found;
    const { fresh, sandboxed } = found;
    const output = new CommandOutput({
      file: operation.output,
      emit: (piece) => this.options.emit({ streamId: operation.streamId, ...piece }),
      onFull: () => void found.stop('full'),
      onFlood: () => undefined,
    });
    this.outputs.set(operation.streamId, output);
    this.streams.set(operation.session, operation.streamId);
    const restoreRepositories = sandboxed ? guardRepositories(operation.sandbox) : () => undefined;
    const stopListening = signal.onCancel(() => void found.stop('aborted'));
    if (signal.cancelled) void found.stop('aborted');
    try {
      const { code, timeoutMs } = operation;
      const outcome = await found.run({ code, timeoutMs, cwd: operation.cwd, onBytes: (bytes) => output.add(bytes) });
      const told = output.end();
      return {
        kind: 'evaluated',
        ...outcome,
        fresh,
        outputChars: output.totalChars,
        ...(told === undefined ? {} : { output: told }),
        durationMs: performance.now() - startedAt,
        sandboxed,
        ...refusedField(this.entries.get(operation.session)?.pass),
      };
    } finally {
      stopListening();
      restoreRepositories();
      this.outputs.delete(operation.streamId);
      this.streams.delete(operation.session);
      output.dispose();
      this.rest(operation.session, found);
    }
  }

  private rest(session: string, used: ReplSession): void {
    const entry = this.entries.get(session);
    if (entry?.session !== used) return;
    clearTimeout(entry.idle);
    if (!used.alive) {
      this.entries.delete(session);
      return;
    }
    entry.idle = setTimeout(() => void this.end(session), idleMs);
    entry.idle.unref();
  }

  private async sessionFor(operation: RunRepl): Promise<ReplSession | OperationFailure> {
    const { session, sandbox: policy, memoryMiB } = operation;
    const conditions = canonicalJson({ policy, memoryMiB });
    const known = this.entries.get(session);
    if (known?.session.alive === true && known.conditions === conditions) {
      clearTimeout(known.idle);
      // The one used last stands last.
      this.entries.delete(session);
      this.entries.set(session, known);
      return known.session;
    }
    await this.end(session);
    let cwd: string;
    try {
      cwd = await realpath(operation.cwd);
      if (!(await stat(cwd)).isDirectory())
        return failure('notFolder', `The working folder ${operation.cwd} is a file. Choose a folder.`);
    } catch (error) {
      return systemFailure(error, `The working folder ${operation.cwd}`);
    }
    const { own } = this.options;
    // Inside Electron the running program is no node.
    const node =
      process.versions.electron === undefined
        ? process.execPath
        : findProgram('node', joinPaths(systemPath, own.PATH ?? ''));
    if (node === undefined) return failure('missing', 'No node was found in PATH. Install Node.js 20.19 or newer.');
    if (this.disposed) return failure('io', 'The executor is ending.');
    await this.makeRoom();
    const pass = await joinNetwork(this.options.networks, policy, () => this.streams.get(session) ?? null);
    if (pass !== undefined && 'kind' in pass) return pass;
    const started = new ReplSession({
      own,
      sandbox: this.options.sandbox(),
      policy,
      file: node,
      cwd,
      memoryMiB,
      pass,
    });
    this.entries.set(session, { session: started, conditions, pass, idle: undefined });
    return started;
  }

  private async makeRoom(): Promise<void> {
    for (const session of [...this.entries.keys()]) {
      if (this.entries.size < maxSessions) return;
      if (!this.queues.has(session)) await this.end(session);
    }
  }
}
