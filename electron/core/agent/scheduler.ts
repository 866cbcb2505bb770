// Order of the calls of one assistant message: consecutive safe calls overlap, an unsafe one is alone, nothing
// overtakes. Calls may be added while earlier ones run.

/** Most calls at once when nothing, zero or nonsense is configured (spec 2.2). */
const defaultConcurrency = 10;

/** Reads the environment's wish: a positive whole number, else the default. */
export function concurrencyFrom(wish: string): number {
  return positiveFrom(wish, defaultConcurrency);
}

/** A positive whole number as the environment states it, else the given one. */
export function positiveFrom(wish: string, otherwise: number): number {
  const number = Number(wish.trim());
  return /^\d+$/.test(wish.trim()) && number > 0 && Number.isSafeInteger(number) ? number : otherwise;
}

export interface ScheduledCall {
  /** Judged from its input; a call whose input is invalid or whose check throws is not. */
  readonly concurrencySafe: boolean;
  /** Never rejects: a call's outcome is data. */
  run(): Promise<void>;
  /**
   * Makes the call's changes of the session's context hold for later calls. Comes once all calls that may overlap this one
   * have ended, in the order in which the calls were added.
   */
  applyContext?(): void;
}

export class Scheduler {
  private readonly calls: ScheduledCall[] = [];
  /** Of `calls`, how many have been started, and how many of these have had their changes applied. */
  private startedCount = 0;
  private appliedCount = 0;
  private running = 0;
  private unsafeRuns = false;
  private idle: (() => void)[] = [];
  private bug: unknown = null;

  constructor(private readonly concurrency: number) {}

  add(call: ScheduledCall): void {
    this.calls.push(call);
    this.pump();
  }

  /** Resolves when everything added so far and meanwhile has ended; rejects if a `run` did, which is a bug. */
  async drain(): Promise<void> {
    if (this.running > 0 || this.waiting() !== undefined) {
      await new Promise<void>((resolve) => this.idle.push(resolve));
    }
    if (this.bug !== null) throw this.bug;
  }

  private waiting(): ScheduledCall | undefined {
    return this.calls[this.startedCount];
  }

  private pump(): void {
    for (let head = this.waiting(); head !== undefined && this.mayStart(head); head = this.waiting()) {
      this.startedCount += 1;
      this.start(head);
    }
    if (this.running > 0 || this.waiting() !== undefined) return;
    const idle = this.idle;
    this.idle = [];
    for (const resolve of idle) resolve();
  }

  private mayStart(call: ScheduledCall): boolean {
    if (this.unsafeRuns) return false;
    return call.concurrencySafe ? this.running < this.concurrency : this.running === 0;
  }

  private start(call: ScheduledCall): void {
    this.running += 1;
    this.unsafeRuns = !call.concurrencySafe;
    const ended = (): void => {
      this.running -= 1;
      this.endBatch(call);
      this.unsafeRuns = false;
      this.pump();
    };
    call.run().then(ended, (error: unknown) => {
      this.bug ??= error ?? new Error('a call rejected');
      ended();
    });
  }

  /** The batch has ended when nothing runs and what comes next could not have run beside it. */
  private endBatch(last: ScheduledCall): void {
    if (this.running > 0) return;
    if (last.concurrencySafe && this.waiting()?.concurrencySafe === true) return;
    for (; this.appliedCount < this.startedCount; this.appliedCount += 1) this.apply(this.calls[this.appliedCount]);
  }

  private apply(call: ScheduledCall | undefined): void {
    try {
      call?.applyContext?.();
    } catch (error) {
      this.bug ??= error;
    }
  }
}
