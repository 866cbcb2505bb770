// Brings the index up to date with everything that there is: in short steps, with pauses, again and again when asked.
import { setImmediate as afterOthers, setTimeout as later } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { HistoryState } from '#shared/api/history';
import { isBusy } from '../../sessions/rebuildable';
import { findTranscripts, type TranscriptFile } from '../import/transcriptFiles';
import type { CallStore } from './callStore';
import { OwnSessions } from './ownSessions';
import { TranscriptReader } from './transcriptReader';

/** Work at a stretch, in milliseconds, before whoever waits is answered. */
const stretchMs = 12;
/** State is told at most this often, in milliseconds. */
const tellEveryMs = 250;
/** How often it is tried again while another process writes the index, and how long apart, in milliseconds. */
const busyTries = 50;
const busyWaitMs = 100;
/** Rounds for files whose calls were those of a file that went. */
const maxRounds = 3;

export interface ReadingOptions {
  readonly claudeConfig: string;
  /** Folder of the sessions here. */
  readonly data: string;
  readonly nativeBinding: string | undefined;
  readonly onState: (state: HistoryState) => void;
  /** Epoch milliseconds, only for how often the state is told. */
  readonly now: () => number;
}

export class HistoryReading {
  private readonly reader: TranscriptReader;
  private readonly own: OwnSessions;
  private phase: 'idle' | 'reading' | 'failed' = 'idle';
  private paused = false;
  /** The reading stands still until it may go on. */
  private held = false;
  private disposed = false;
  private wake: (() => void) | null = null;
  private pass: Promise<void> | null = null;
  private finishedAt = Number.NEGATIVE_INFINITY;
  private toldAt = Number.NEGATIVE_INFINITY;
  private told = '';
  /** When the present stretch began; one file may be much less than a stretch. */
  private since = 0;
  private waiting = 0;
  private readonly counts = { files: 0, filesDone: 0, bytes: 0, bytesDone: 0 };
  private skipped: number;
  private problems: readonly string[] = [];

  constructor(
    database: Database.Database,
    private readonly calls: CallStore,
    private readonly options: ReadingOptions,
  ) {
    this.reader = new TranscriptReader(database, calls);
    this.own = new OwnSessions(database, calls, { folder: options.data, nativeBinding: options.nativeBinding });
    this.skipped = this.reader.skipped;
  }

  get state(): HistoryState {
    return {
      phase: this.paused && (this.held || this.phase === 'reading') ? 'paused' : this.phase,
      ...this.counts,
      calls: this.calls.callCount,
      sessions: this.calls.sessionCount,
      skipped: this.skipped,
      problem: this.problems.join(' '),
      folder: `${this.options.claudeConfig}/projects`,
    };
  }

  /** Looks for what is new, unless that was done less than `maxAgeMs` ago. Settles when all is read; rejects with what is wrong with the index. */
  read(maxAgeMs: number): Promise<void> {
    if (this.disposed) return Promise.resolve();
    if (this.pass !== null) return this.pass;
    if (performance.now() - this.finishedAt < maxAgeMs) return Promise.resolve();
    this.since = performance.now();
    const pass = this.readAll().finally(() => {
      this.pass = null;
      this.finishedAt = performance.now();
    });
    this.pass = pass;
    return pass;
  }

  pause(paused: boolean): void {
    this.paused = paused;
    if (!paused) this.wake?.();
    this.tell('now');
  }

  /** Keeps the reading back while `work` answers somebody. */
  async meanwhile<T>(work: () => Promise<T>): Promise<T> {
    this.waiting += 1;
    try {
      return await work();
    } finally {
      this.waiting -= 1;
      if (this.waiting === 0) this.wake?.();
    }
  }

  /** Ends the reading after its present step. */
  async dispose(): Promise<void> {
    this.disposed = true;
    this.wake?.();
    await this.pass?.catch(() => undefined);
  }

  private async readAll(): Promise<void> {
    try {
      for (let round = 0; round < maxRounds; round += 1) if (!(await this.readPatiently())) break;
      this.phase = 'idle';
    } catch (error) {
      if (error instanceof Ended) return;
      this.phase = 'failed';
      throw error;
    } finally {
      this.tell('now');
    }
  }

  /** While another process writes the index, again and again: what is done stays done. */
  private async readPatiently(): Promise<boolean> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await this.readOnce();
      } catch (error) {
        if (!isBusy(error) || tries >= busyTries) throw error;
        await later(busyWaitMs);
        await this.mayGoOn();
      }
    }
  }

  /** The value says whether files have to be read once more. */
  private async readOnce(): Promise<boolean> {
    const problems: string[] = [];
    const ownProblem = await this.run(this.own.read());
    if (ownProblem !== '') problems.push(`The calls of the sessions here are not all known: ${ownProblem}`);
    const { files, unread } = await this.run(findTranscripts(this.options.claudeConfig));
    if (unread.length > 0) problems.push(unreadProblem(unread));
    const there = new Set(files.map((file) => file.path));
    const isUnread = (path: string): boolean => unread.some((one) => path === one || path.startsWith(`${one}/`));
    let again = await this.run(this.reader.removeMissing((path) => there.has(path) || isUnread(path)));

    const waiting = files.filter((file) => !this.reader.isUpToDate(file));
    const bytesOf = (list: readonly TranscriptFile[]): number => list.reduce((sum, { size }) => sum + size, 0);
    this.counts.files = files.length;
    this.counts.filesDone = files.length - waiting.length;
    this.counts.bytes = bytesOf(files);
    this.counts.bytesDone = this.counts.bytes - bytesOf(waiting);
    if (waiting.length > 0) {
      this.phase = 'reading';
      this.tell('now');
    }
    let unreadable = 0;
    for (const file of waiting) {
      const before = this.counts.bytesDone;
      const outcome = await this.readFile(file, before);
      if (outcome === 'unreadable') unreadable += 1;
      if (outcome === 'again') again = true;
      this.counts.filesDone += 1;
      this.counts.bytesDone = before + file.size;
    }
    if (unreadable > 0)
      problems.push(
        `${unreadable} of ${files.length} transcripts could not be read; see that you may read them. The others are there.`,
      );
    this.problems = problems;
    return again;
  }

  private async readFile(file: TranscriptFile, before: number): Promise<'read' | 'again' | 'unreadable'> {
    try {
      const again = await this.run(this.reader.read(file), (progress) => {
        if (progress !== undefined) this.counts.bytesDone = before + Math.min(progress.done, file.size);
      });
      return again ? 'again' : 'read';
    } catch (error) {
      if (isFileFault(error)) return 'unreadable';
      throw error;
    }
  }

  /** Runs steps for a stretch at a time; in between others have their turn. */
  private async run<Step, Value>(steps: Generator<Step, Value>, onStep?: (step: Step) => void): Promise<Value> {
    try {
      for (;;) {
        const next = steps.next();
        if (next.done !== true) onStep?.(next.value);
        if (performance.now() - this.since >= stretchMs) {
          this.tell('sometimes');
          await afterOthers();
          await this.mayGoOn();
          this.since = performance.now();
        }
        if (next.done === true) return next.value;
      }
    } finally {
      // Files and databases that it holds are closed.
      steps.return(undefined as Value);
    }
  }

  private async mayGoOn(): Promise<void> {
    while (!this.disposed && (this.paused || this.waiting > 0)) {
      this.held = true;
      if (this.paused) this.tell('now');
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    this.held = false;
    this.wake = null;
    if (this.disposed) throw new Ended();
  }

  private tell(when: 'now' | 'sometimes'): void {
    const now = this.options.now();
    if (when === 'sometimes' && now - this.toldAt < tellEveryMs) return;
    this.toldAt = now;
    this.skipped = this.reader.skipped;
    const { state } = this;
    const told = JSON.stringify(state);
    if (told === this.told) return;
    this.told = told;
    this.options.onState(state);
  }
}

/** The reading is not wanted any more. */
class Ended extends Error {}

/** Whether one file cannot be read, and the others may. */
function isFileFault(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

function unreadProblem(unread: readonly string[]): string {
  const [first] = unread;
  const others = unread.length > 1 ? ` and ${unread.length - 1} more` : '';
  return `${first}${others} cannot be looked into, so transcripts there are missing. Correct the permissions, then look again.`;
}
