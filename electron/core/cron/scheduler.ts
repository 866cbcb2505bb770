// Scheduled prompts: sent to their session when due. What was due while nobody could send it is told once and not made up for.
import { newId } from '../ids';
import { nextRun, parseCron } from './expression';
import type { Schedule, ScheduleStore } from './scheduleStore';

export const mostSchedules = 50;
/** Later than that, as after the computer has slept, a prompt counts as missed. */
const latestMs = 10 * 60_000;
/** The clock may be set and the computer may sleep, so that no timer runs longer. */
const longestTimerMs = 30_000;

export interface SchedulerOptions {
  readonly store: ScheduleStore;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Sends a message to a session, or queues it behind its running turn. */
  readonly send: (sessionId: string, text: string) => Promise<void>;
  /** Messages of a session that have not been sent yet. */
  readonly queued: (sessionId: string) => readonly string[];
  readonly notice: (sessionId: string, level: 'info' | 'warning', text: string) => void;
  readonly onError: (error: unknown) => void;
}

export type Added =
  | { readonly ok: true; readonly schedule: Schedule }
  | { readonly ok: false; readonly problem: string };

export class Scheduler {
  private timer: NodeJS.Timeout | null = null;
  private disposed = false;

  constructor(private readonly options: SchedulerOptions) {}

  /** Begins to send; tells of what was missed since the last time. Call it when messages can be sent. */
  start(): void {
    this.tick();
  }

  /** Those of one session, the soonest first. */
  list(sessionId: string): readonly Schedule[] {
    return this.options.store.list().filter((schedule) => schedule.sessionId === sessionId);
  }

  /** `cron` null: once, at `at` (epoch ms). */
  add(wish: {
    readonly sessionId: string;
    readonly prompt: string;
    readonly cron: string | null;
    readonly at: number | null;
  }): Added {
    const { store, now } = this.options;
    if (store.list().length >= mostSchedules)
      return {
        ok: false,
        problem: `There are ${mostSchedules} scheduled prompts already. Delete one with CronDelete first.`,
      };
    const next = firstRun(wish, now());
    if (typeof next === 'string') return { ok: false, problem: next };
    const { sessionId, prompt, cron } = wish;
    const schedule = { scheduleId: newId('k'), sessionId, prompt, cron, nextAt: next };
    store.add(schedule);
    this.tick();
    return { ok: true, schedule };
  }

  /** False: the session has no such schedule. */
  remove(sessionId: string, scheduleId: string): boolean {
    if (!this.list(sessionId).some((schedule) => schedule.scheduleId === scheduleId)) return false;
    this.options.store.remove(scheduleId);
    return true;
  }

  dispose(): void {
    this.disposed = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  /** Does all that is due and sets the timer for the next. */
  private tick(): void {
    if (this.disposed) return;
    if (this.timer !== null) clearTimeout(this.timer);
    try {
      for (const schedule of this.options.store.list()) if (schedule.nextAt <= this.options.now()) this.due(schedule);
    } catch (error) {
      this.options.onError(error);
    }
    this.timer = setTimeout(() => this.tick(), this.untilNext());
    this.timer.unref();
  }

  private untilNext(): number {
    try {
      const [soonest] = this.options.store.list();
      if (soonest === undefined) return longestTimerMs;
      return Math.min(Math.max(soonest.nextAt - this.options.now(), 0), longestTimerMs);
    } catch {
      return longestTimerMs;
    }
  }

  private due(schedule: Schedule): void {
    const { store, now, send, queued, notice, onError } = this.options;
    const { scheduleId, sessionId, prompt, cron, nextAt } = schedule;
    // First moved on, so that no fault on the way can make it run again and again.
    const next = cron === null ? null : firstRun({ cron, at: null }, now());
    if (typeof next === 'number') store.move(scheduleId, next);
    else store.remove(scheduleId);
    const text = messageOf(schedule);
    if (now() - nextAt > latestMs) {
      const again = typeof next === 'number' ? `It runs next ${inWords(next)}.` : 'It is not made up for.';
      notice(sessionId, 'warning', `A scheduled prompt was missed (${inWords(nextAt)}): ${short(prompt)} ${again}`);
      return;
    }
    if (queued(sessionId).includes(text)) {
      notice(
        sessionId,
        'warning',
        `A scheduled prompt was left out, because the one before it still waits: ${short(prompt)}`,
      );
      return;
    }
    send(sessionId, text).catch((error: unknown) => {
      onError(error);
      const why = error instanceof Error ? error.message : String(error);
      notice(sessionId, 'warning', `A scheduled prompt could not be sent (${why}): ${short(prompt)}`);
    });
  }
}

/** When it first runs, or why it never does. */
function firstRun(
  { cron, at }: { readonly cron: string | null; readonly at: number | null },
  now: number,
): number | string {
  if (cron === null) {
    if (at === null || !Number.isFinite(at)) return 'Give a cron expression or a time.';
    return at > now ? at : 'That time is past.';
  }
  const parsed = parseCron(cron);
  if (!parsed.ok) return parsed.problem;
  return nextRun(parsed.expression, now) ?? 'There is no such day: this would never run.';
}

/** So that person and model see at once who speaks. It begins with no slash, so that no command is typed by it. */
export function messageOf({ scheduleId, prompt }: Pick<Schedule, 'scheduleId' | 'prompt'>): string {
  return `[Scheduled prompt ${scheduleId}]\n${prompt}`;
}

/** `2026-01-05 09:00`, in local time. */
export function inWords(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

function short(prompt: string): string {
  const line = prompt.trim().replaceAll(/\s+/g, ' ');
  return `“${line.length > 100 ? `${line.slice(0, 99)}…` : line}”`;
}
