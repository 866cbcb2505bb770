// Keeps one executor process running: starts it on first use, restarts it when it ends, reports its state.
import { randomBytes } from 'node:crypto';
import { type ExecutorContract, executorContract } from '#shared/api/executor';
import type { ExecutorState } from '#shared/api/host';
import { type Connected, connect } from '#shared/rpc/peer';
import type { Unsubscribe } from '#shared/rpc/transport';
import type { ExecutorProcess, Log } from '../ports';
import { ToolFailure } from '../tools/tool';

/** What the executor's probe found. `reason` is empty when a sandbox is available, else cause and remedy. */
export interface SandboxProbe {
  readonly available: boolean;
  readonly kind: string;
  readonly reason: string;
  /** Why commands cannot be let to listed hosts alone; empty when they can. */
  readonly noListed: string;
}

/** One running executor. */
export interface ExecutorConnection {
  readonly rpc: Connected<ExecutorContract>;
  /** Hex key that signs this process's grants. */
  readonly grantKey: string;
  /** Resolves once the process is gone, with how in words: "signal SIGKILL". */
  readonly ended: Promise<string>;
}

/** All in milliseconds. */
export interface SupervisorTiming {
  /** Wait before the first restart; doubles with each failure in a row. */
  readonly backOff: number;
  /** A process that ran this long ends a row of failures. */
  readonly stableAfter: number;
  /** Time for the process to start and to run its sandbox probe. */
  readonly startTimeout: number;
  readonly heartbeat: number;
  /** Time between asking the process to end and killing it. */
  readonly stopGrace: number;
}

const defaultTiming: SupervisorTiming = {
  backOff: 200,
  stableAfter: 30_000,
  startTimeout: 20_000,
  heartbeat: 10_000,
  stopGrace: 5_000,
};

/** Restarts in a row before giving up. */
const maxFailures = 5;

interface Running {
  readonly process: ExecutorProcess;
  readonly connection: ExecutorConnection;
}

export class ExecutorSupervisor {
  private readonly launch: () => ExecutorProcess;
  private readonly log: Log;
  private readonly timing: SupervisorTiming;
  private readonly stateListeners = new Set<(state: ExecutorState) => void>();
  private readonly sandboxListeners = new Set<(sandbox: SandboxProbe) => void>();
  private current: ExecutorState = { status: 'idle', detail: 'Starts with the first command.' };
  private probe: SandboxProbe = {
    available: false,
    kind: 'none',
    reason: 'The executor has not started yet.',
    noListed: 'The executor has not started yet.',
  };
  private starting: Promise<ExecutorConnection> | undefined;
  private running: Running | undefined;
  private failures = 0;
  private launching: ExecutorProcess | undefined;
  private endWait: (() => void) | undefined;
  private disposed = false;

  constructor(options: {
    readonly launch: () => ExecutorProcess;
    readonly log: Log;
    readonly timing?: Partial<SupervisorTiming>;
  }) {
    this.launch = options.launch;
    this.log = options.log;
    this.timing = { ...defaultTiming, ...options.timing };
  }

  get state(): ExecutorState {
    return this.current;
  }

  get sandbox(): SandboxProbe {
    return this.probe;
  }

  onState(listener: (state: ExecutorState) => void): Unsubscribe {
    this.stateListeners.add(listener);
    return () => this.stateListeners.delete(listener);
  }

  onSandbox(listener: (sandbox: SandboxProbe) => void): Unsubscribe {
    this.sandboxListeners.add(listener);
    return () => this.sandboxListeners.delete(listener);
  }

  /** Starts the executor if it does not run, also after it was given up. Rejects with ToolFailure `executor`. */
  async start(): Promise<void> {
    if (this.current.status === 'down') {
      this.failures = 0;
      this.setState({ status: 'restarting', detail: 'Starting again.' });
    }
    await this.connection();
  }

  /** The running executor, started if need be. Rejects with ToolFailure `executor` when it cannot be had. */
  async connection(): Promise<ExecutorConnection> {
    for (;;) {
      if (this.disposed) throw new ToolFailure('executor', 'The executor was stopped because Gatehouse is closing.');
      if (this.running !== undefined) return this.running.connection;
      if (this.current.status === 'down') throw new ToolFailure('executor', this.current.detail);
      try {
        this.starting ??= this.startOnce();
        return await this.starting;
      } catch (error) {
        if (!this.disposed) this.log.warn('executor did not start', { cause: String(error) });
      }
    }
  }

  /** Ends the process with its children and waits for it. */
  async dispose(): Promise<void> {
    this.disposed = true;
    this.endWait?.();
    this.launching?.kill(true);
    await this.starting?.catch(() => undefined);
    const running = this.running;
    if (running !== undefined) await this.stop(running);
    this.stateListeners.clear();
    this.sandboxListeners.clear();
  }

  private async startOnce(): Promise<ExecutorConnection> {
    try {
      if (this.failures > 0) await this.wait(this.timing.backOff * 2 ** (this.failures - 1));
      if (this.disposed) throw new Error('disposed');
      return await this.launchOnce();
    } finally {
      this.starting = undefined;
    }
  }

  private wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.endWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private async launchOnce(): Promise<ExecutorConnection> {
    this.setState({ status: 'restarting', detail: 'Starting the executor.' });
    const startedAt = Date.now();
    let process: ExecutorProcess;
    try {
      process = this.launch();
    } catch (error) {
      this.countFailure(`it could not be started: ${error instanceof Error ? error.message : String(error)}`);
      throw error;
    }
    const ended = new Promise<string>((resolve) => {
      process.onExit(({ code, signal }) =>
        resolve(signal === null ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`),
      );
    });
    const rpc = connect(executorContract, process.transport);
    const connection: ExecutorConnection = { rpc, grantKey: randomBytes(32).toString('hex'), ended };
    const running: Running = { process, connection };
    // A process whose channel is gone is of no use, whatever it still does.
    rpc.onClose(() => this.killUnlessGone(running));
    void ended.then((how) => this.onEnded(running, how, Date.now() - startedAt));
    const timer = setTimeout(() => process.kill(true), this.timing.startTimeout);
    this.launching = process;
    try {
      const answer = await rpc.call('executor.start', { grantKey: connection.grantKey });
      this.running = running;
      this.probe = answer.sandbox;
      this.setState({ status: 'ready', detail: '' });
      for (const listener of [...this.sandboxListeners]) listener(this.probe);
      this.log.info('executor ready', { pid: answer.pid, sandbox: answer.sandbox.kind });
      this.watch(running);
      return connection;
    } catch (error) {
      process.kill(true);
      await ended;
      throw error;
    } finally {
      clearTimeout(timer);
      this.launching = undefined;
    }
  }

  private onEnded(running: Running, how: string, ranMs: number): void {
    running.connection.rpc.close(`the executor process ended (${how})`);
    const wasReady = this.running === running;
    if (wasReady) this.running = undefined;
    if (this.disposed) return;
    this.log.warn('executor ended', { how, ranMs });
    if (ranMs >= this.timing.stableAfter) this.failures = 0;
    this.countFailure(`it ended (${how})`);
    if (wasReady) void this.connection().catch(() => undefined);
  }

  private countFailure(what: string): void {
    this.failures += 1;
    if (this.failures > maxFailures) {
      this.setState({
        status: 'down',
        detail: `The executor failed ${this.failures} times in a row; the last time ${what}. Commands and file work are off until Gatehouse is started again.`,
      });
    } else this.setState({ status: 'restarting', detail: `The executor is restarted because ${what}.` });
  }

  /** Only reports silence: a busy machine is no reason to end somebody's command. */
  private watch(running: Running): void {
    let silentSince: number | undefined;
    let asking = false;
    const timer = setInterval(() => {
      if (asking) {
        silentSince ??= Date.now() - this.timing.heartbeat;
        const seconds = Math.round((Date.now() - silentSince) / 1_000);
        this.setState({ status: 'ready', detail: `The executor has not answered for ${seconds} s.` });
        return;
      }
      asking = true;
      running.connection.rpc.call('executor.ping', {}).then(
        () => {
          asking = false;
          if (silentSince === undefined) return;
          silentSince = undefined;
          this.setState({ status: 'ready', detail: '' });
        },
        () => undefined,
      );
    }, this.timing.heartbeat);
    timer.unref();
    void running.connection.ended.then(() => clearInterval(timer));
  }

  private killUnlessGone(running: Running): void {
    const timer = setTimeout(() => running.process.kill(true), this.timing.stopGrace);
    void running.connection.ended.then(() => clearTimeout(timer));
  }

  private async stop(running: Running): Promise<void> {
    running.process.kill(false);
    const timer = setTimeout(() => running.process.kill(true), this.timing.stopGrace);
    await running.connection.ended;
    clearTimeout(timer);
  }

  private setState(state: ExecutorState): void {
    if (state.status === this.current.status && state.detail === this.current.detail) return;
    this.current = state;
    for (const listener of [...this.stateListeners]) listener(state);
  }
}
