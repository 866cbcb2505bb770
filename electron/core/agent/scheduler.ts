// Order of the calls of one assistant message: consecutive safe calls overlap, an unsafe one is alone, nothing
// overtakes. Calls may be added while earlier ones run.

/** Most calls at once when nothing, zero or nonsense is configured (spec 2.2). */
const defaultConcurrency = 10;

/** Reads the environment's wish: a positive whole number, else the default. */
export function concurrencyFrom(wish: string): number {
  const number = Number(wish.trim());
  return /^\d+$/.test(wish.trim()) && number > 0 && Number.isSafeInteger(number) ? number : defaultConcurrency;
}

export interface ScheduledCall {
  /** Judged from its input; a call whose input is invalid or whose check throws is not. */
  readonly concurrencySafe: boolean;
  /** Never rejects: a call's outcome is data. */
  run(): Promise<void>;
}

export class Scheduler {
  private readonly waiting: ScheduledCall[] = [];
  private running = 0;
  private unsafeRuns = false;
  private idle: (() => void)[] = [];
  private bug: unknown = null;

  constructor(private readonly concurrency: number) {}

  add(call: ScheduledCall): void {
    this.waiting.push(call);
    this.pump();
  }

  /** Resolves when everything added so far and meanwhile has ended; rejects if a `run` did, which is a bug. */
  async drain(): Promise<void> {
    if (this.running > 0 || this.waiting.length > 0) await new Promise<void>((resolve) => this.idle.push(resolve));
    if (this.bug !== null) throw this.bug;
  }

  private pump(): void {
    for (let head = this.waiting[0]; head !== undefined && this.mayStart(head); head = this.waiting[0]) {
      this.waiting.shift();
      this.start(head);
    }
    if (this.running > 0 || this.waiting.length > 0) return;
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
      this.unsafeRuns = false;
      this.pump();
    };
    call.run().then(ended, (error: unknown) => {
      this.bug ??= error ?? new Error('a call rejected');
      ended();
    });
  }
}
