// Brings the index up to date with everything that there is: in short steps, again and again when asked.
import type Database from 'better-sqlite3';
import type { SearchIndexState } from '#shared/api/search';
import type { TranscriptShelf } from '../transcripts/shelf';
import { SessionIndexer, type SessionsPlace } from './indexSessions';
import { TranscriptIndexer } from './indexTranscripts';
import type { SearchIndex } from './searchIndex';

/** State is told at most this often, in milliseconds. */
const tellEveryMs = 500;
/** How often it is tried again while another process writes the index, and how long apart, in milliseconds. */
const busyTries = 50;
const busyWaitMs = 100;

export interface ReadingOptions {
  readonly shelf: TranscriptShelf;
  readonly sessions: SessionsPlace;
  /** Called between steps; may wait. */
  readonly breathe: () => void | Promise<void>;
  readonly onState: (state: SearchIndexState) => void;
}

class Ended extends Error {}

export class SearchReading {
  private readonly own: SessionIndexer;
  private readonly transcripts: TranscriptIndexer;
  private readonly counts = { all: 0, done: 0 };
  private phase: SearchIndexState['phase'] = 'idle';
  private problem = '';
  private pass: Promise<void> | null = null;
  /** Something may have come since the present pass looked. */
  private isStale = false;
  private maxAgeMs = Number.POSITIVE_INFINITY;
  private disposed = false;
  private toldAt = Number.NEGATIVE_INFINITY;
  private told = '';

  constructor(
    database: Database.Database,
    index: SearchIndex,
    private readonly options: ReadingOptions,
  ) {
    this.own = new SessionIndexer(database, index, options.sessions);
    this.transcripts = new TranscriptIndexer(database, index);
  }

  get state(): SearchIndexState {
    const { phase, problem } = this;
    return {
      phase,
      problem,
      done: this.own.counts.done + this.counts.done,
      conversations: this.own.counts.all + this.counts.all,
    };
  }

  /** Names, and what was deleted: known at once. */
  list(): void {
    this.own.list();
  }

  /**
   * Looks for what is new; transcripts only if that was not done less than `maxAgeMs` ago. Settles when all is read; rejects
   * with what is wrong with the index.
   */
  read(maxAgeMs: number): Promise<void> {
    if (this.disposed) return Promise.resolve();
    this.isStale = true;
    this.maxAgeMs = Math.min(this.maxAgeMs, maxAgeMs);
    this.pass ??= this.readAll().finally(() => {
      this.pass = null;
    });
    return this.pass;
  }

  /** Ends the reading after its present step. */
  async dispose(): Promise<void> {
    this.disposed = true;
    await this.pass?.catch(() => undefined);
  }

  private async readAll(): Promise<void> {
    try {
      while (this.isStale) {
        this.isStale = false;
        await this.readPatiently();
      }
      this.phase = 'idle';
    } catch (error) {
      if (error instanceof Ended) return;
      this.phase = 'failed';
      this.problem = `The search index cannot be used (${error instanceof Error ? error.message : String(error)}). Look whether the disk is full; the index is made anew when its file is deleted.`;
      throw error;
    } finally {
      this.tell('now');
    }
  }

  private async readPatiently(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.readOnce();
        return;
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : '';
        if (!/^SQLITE_(BUSY|LOCKED)/.test(code) || tries === busyTries || this.disposed) throw error;
        await new Promise((resolve) => setTimeout(resolve, busyWaitMs));
      }
    }
  }

  private async readOnce(): Promise<void> {
    const { shelf } = this.options;
    const problem = await this.through(this.own.read());
    const { maxAgeMs } = this;
    this.maxAgeMs = Number.POSITIVE_INFINITY;
    await shelf.look(maxAgeMs);
    // The youngest first: they are what people seek.
    const files = [...shelf.allFiles()].reverse().flatMap((file) => {
      const of = shelf.ofFile(file);
      return of === null ? [] : [{ file, of }];
    });
    const waiting = new Map<string, number>();
    for (const { file, of } of files)
      if (!this.transcripts.isUpToDate(file)) waiting.set(of.id, (waiting.get(of.id) ?? 0) + 1);
    this.counts.all = new Set(files.map(({ of }) => of.id)).size;
    this.counts.done = this.counts.all - waiting.size;
    const paths = new Set(files.map(({ file }) => file.path));
    await this.through(this.transcripts.removeGone((path) => paths.has(path)));
    for (const { file, of } of files) {
      if (!waiting.has(of.id) || this.transcripts.isUpToDate(file)) continue;
      this.phase = 'reading';
      try {
        await this.through(this.transcripts.read(file, of));
      } catch (error) {
        // It went meanwhile, or may not be read: the next pass looks again.
        if (!(error instanceof Error && 'code' in error && /^E[A-Z]+$/.test(String(error.code)))) throw error;
      }
      const left = (waiting.get(of.id) ?? 1) - 1;
      waiting.set(of.id, left);
      if (left === 0) this.counts.done += 1;
    }
    this.problem = problem;
  }

  private async through<T>(steps: Generator<undefined, T>): Promise<T> {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      this.phase = 'reading';
      this.tell('sometimes');
      await this.options.breathe();
      if (this.disposed) {
        // Files that it holds open are closed.
        steps.return(undefined as T);
        throw new Ended();
      }
    }
  }

  private tell(when: 'now' | 'sometimes'): void {
    const now = performance.now();
    if (when === 'sometimes' && now - this.toldAt < tellEveryMs) return;
    const { state } = this;
    const text = JSON.stringify(state);
    if (text === this.told) return;
    this.told = text;
    this.toldAt = now;
    this.options.onState(state);
  }
}
