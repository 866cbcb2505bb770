// The language servers that run: one for each server and folder, kept warm, ended when idle or when there are too many.
import { realpath } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { LanguageServerResult, OperationOf } from '#shared/api/executor';
import type { CancelSignal } from '#shared/rpc/contract';
import { canonicalJson } from '#shared/util/canonicalJson';
import type { Environment } from '../environment';
import { findProgram, joinPaths, systemPath } from '../programs';
import type { SandboxState } from '../sandbox/probe';
import { ConnectionLost } from './connection';
import { FileProblem } from './documents';
import { LanguageServer } from './server';

type Question = OperationOf<'lsp.query'>;
type Failure = Extract<LanguageServerResult, { kind: 'failure' }>;

export interface LanguageServerLimits {
  readonly idleMs: number;
  readonly startMs: number;
  readonly mostServers: number;
  /** Ends of one server within `crashWindowMs` after which it is not started again for now. */
  readonly mostCrashes: number;
  readonly crashWindowMs: number;
}

const usualLimits: LanguageServerLimits = {
  idleMs: 15 * 60_000,
  startMs: 60_000,
  mostServers: 6,
  mostCrashes: 3,
  crashWindowMs: 10 * 60_000,
};

interface Entry {
  readonly server: LanguageServer;
  idle: NodeJS.Timeout | undefined;
  asking: number;
}

export class LanguageServers {
  private readonly entries = new Map<string, Entry>();
  /** When servers ended that were not stopped, on the clock of `performance.now()`. */
  private readonly crashes = new Map<string, number[]>();
  private readonly limits: LanguageServerLimits;
  private disposed = false;

  constructor(
    private readonly options: {
      readonly own: Environment;
      readonly sandbox: () => SandboxState;
      readonly limits?: Partial<LanguageServerLimits>;
    },
  ) {
    this.limits = { ...usualLimits, ...options.limits };
  }

  /** Answers one question; every fault of a server is a failure in words. */
  async ask(question: Question, signal: CancelSignal): Promise<LanguageServerResult> {
    const { policy, available } = { policy: question.sandbox, available: this.options.sandbox().available };
    if (policy.enabled && !available)
      return failure('refused', 'The sandbox in which language servers run is not available any more.');
    const key = canonicalJson({ server: question.server, root: question.root, policy });
    const { name } = question.server;
    try {
      const entry = this.entries.get(key) ?? (await this.start(key, question));
      if ('kind' in entry) return entry;
      return await this.askEntry(entry, question, signal);
    } catch (error) {
      if (error instanceof FileProblem) return failure('file', error.message);
      if (!(error instanceof ConnectionLost)) throw error;
      if (error.how === 'stopped')
        return failure('crashed', `${name} was stopped while it worked (${error.message}). Ask again.`);
      this.noteCrash(key);
      const again = this.mayStart(key) ? ' The next question starts it again.' : '';
      return failure(error.how, `${name} was given up: ${error.message}.${again}`);
    }
  }

  /** Kills all of them. */
  async dispose(): Promise<void> {
    this.disposed = true;
    await Promise.all([...this.entries.keys()].map((key) => this.stop(key, 'at once')));
  }

  private async askEntry(entry: Entry, question: Question, signal: CancelSignal): Promise<LanguageServerResult> {
    clearTimeout(entry.idle);
    entry.asking += 1;
    const stopped = new Promise<LanguageServerResult>((resolve) => {
      signal.onCancel(() => resolve(failure('timeout', 'Cancelled.')));
    });
    try {
      return await Promise.race([entry.server.ask(question), stopped]);
    } finally {
      entry.asking -= 1;
      if (entry.asking === 0) this.rest(entry);
    }
  }

  private rest(entry: Entry): void {
    const key = [...this.entries].find(([, one]) => one === entry)?.[0];
    if (key === undefined) return;
    // The one used last stands last.
    this.entries.delete(key);
    this.entries.set(key, entry);
    clearTimeout(entry.idle);
    entry.idle = setTimeout(() => void this.stop(key, 'politely'), this.limits.idleMs);
    entry.idle.unref();
  }

  private async start(key: string, question: Question): Promise<Entry | Failure> {
    const { name, command, args } = question.server;
    if (!this.mayStart(key)) {
      const minutes = Math.round(this.limits.crashWindowMs / 60_000);
      return failure(
        'crashed',
        `${name} failed ${this.limits.mostCrashes} times within ${minutes} minutes and is not started again for now. Do without it, with Grep and Read; the person can look why it fails.`,
      );
    }
    const { own } = this.options;
    const file = isAbsolute(command) ? command : findProgram(command, joinPaths(own.PATH ?? '', systemPath));
    if (file === undefined || command.includes('\0'))
      return failure('missing', `The language server ${name} (${command}) was not found in PATH.`);
    const cwd = await realpath(question.root).catch(() => undefined);
    if (cwd === undefined) return failure('file', `The folder ${question.root} does not exist.`);
    await this.makeRoom();
    const known = this.entries.get(key);
    if (known !== undefined) return known;
    if (this.disposed) return failure('refused', 'The executor is ending.');
    const server = new LanguageServer({
      own,
      sandbox: this.options.sandbox(),
      policy: question.sandbox,
      file,
      args,
      cwd,
      root: question.root,
      startTimeoutMs: Math.min(this.limits.startMs, question.timeoutMs),
    });
    const entry: Entry = { server, idle: undefined, asking: 0 };
    this.entries.set(key, entry);
    void server.ended.then(() => {
      clearTimeout(entry.idle);
      if (this.entries.get(key) === entry) this.entries.delete(key);
    });
    return entry;
  }

  private async makeRoom(): Promise<void> {
    for (const [key, entry] of [...this.entries]) {
      if (this.entries.size < this.limits.mostServers) return;
      if (entry.asking === 0) await this.stop(key, 'politely');
    }
  }

  private async stop(key: string, how: 'politely' | 'at once'): Promise<void> {
    const entry = this.entries.get(key);
    this.entries.delete(key);
    clearTimeout(entry?.idle);
    await entry?.server.stop(how);
  }

  private noteCrash(key: string): void {
    this.entries.delete(key);
    this.crashes.set(key, [...this.recentCrashes(key), performance.now()]);
  }

  private mayStart(key: string): boolean {
    return this.recentCrashes(key).length < this.limits.mostCrashes;
  }

  private recentCrashes(key: string): number[] {
    const since = performance.now() - this.limits.crashWindowMs;
    return (this.crashes.get(key) ?? []).filter((at) => at >= since);
  }
}

function failure(reason: Failure['reason'], message: string): Failure {
  return { kind: 'failure', reason, message };
}
