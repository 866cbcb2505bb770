// Reads conversations for the rest of the core: the list of transcripts, what stands in one, and what can be found in all.
import { setImmediate as afterOthers } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { SearchIndexState } from '#shared/api/search';
import { RpcError } from '#shared/rpc/errors';
import { findPlaces } from '#shared/session/findPlaces';
import type { SessionState } from '#shared/session/state';
import { newestOf, windowAt } from '#shared/session/window';
import { exportConversation, readSession } from '../../export/exportConversation';
import { openDatabaseToRead } from '../../sessions/database';
import { isDamaged } from '../../sessions/rebuildable';
import { type HeldTranscript, TranscriptShelf } from '../../transcripts/shelf';
import { openSearchDatabase, removeSearchDatabase } from '../searchDatabase';
import { SearchIndex } from '../searchIndex';
import { SearchReading } from '../searchReading';
import { SummaryStore, withoutMemory } from '../summaryMemory';
import type {
  Answer,
  AnyQuestion,
  ConversationReading,
  Question,
  QuestionName,
  ReadingListener,
  ReadingPlaces,
} from './messages';

/** Work at a stretch, in milliseconds. */
const stretchMs = 12;
/** How long a question waits for what is new before it is answered with what there is, in milliseconds. */
const patienceMs = 150;
/** Transcripts that were looked for this short a time ago are not looked for again, in milliseconds. */
const freshMs = 1_000;
/** A transcript that nobody has asked for so long is not held in memory any more, in milliseconds. */
const unusedMs = 300_000;
/** Between two looks at the folder of transcripts: at least this, at most that, and long beside what a look takes. */
const shortestWaitMs = 2_500;
const longestWaitMs = 60_000;
const waitFactor = 60;

type Answering = { readonly [N in QuestionName]: (question: Question<N>) => Promise<Answer<N>> };

interface OpenIndex {
  readonly database: Database.Database;
  readonly index: SearchIndex;
  readonly reading: SearchReading;
}

export class ReadingEngine implements ConversationReading {
  private readonly shelf: TranscriptShelf;
  private opened: OpenIndex | null = null;
  private problem = '';
  private timer: NodeJS.Timeout | null = null;
  private disposed = false;
  private since = performance.now();
  private waiting = 0;
  private held: Promise<void> | null = null;
  private goOn: () => void = () => undefined;
  private readonly answering: Answering;

  constructor(
    private readonly places: ReadingPlaces,
    private readonly listener: ReadingListener,
  ) {
    let database: Database.Database | null = null;
    try {
      database = openSearchDatabase({ folder: places.data, nativeBinding: places.nativeBinding });
    } catch (error) {
      this.problem = problemOf(error);
    }
    const breathe = (): undefined | Promise<void> => this.breathe();
    const memory = database === null ? withoutMemory : new SummaryStore(database);
    this.shelf = new TranscriptShelf({ claudeConfig: places.claudeConfig, memory, breathe });
    if (database !== null) this.opened = this.openIndex(database);
    this.answering = this.answers();
  }

  async ask<N extends QuestionName>(name: N, question: Question<N>): Promise<Answer<N>> {
    if (this.disposed) throw new RpcError('unavailable', 'Gatehouse is closing.');
    this.watch();
    return await this.answering[name](question);
  }

  askAny(asked: AnyQuestion): Promise<unknown> {
    return this.ask(asked.name, asked.question);
  }

  async dispose(): Promise<void> {
    this.disposed = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.goOn();
    await this.opened?.reading.dispose();
    this.opened?.database.close();
    this.opened = null;
  }

  private get state(): SearchIndexState {
    return this.opened?.reading.state ?? { phase: 'failed', done: 0, conversations: 0, problem: this.problem };
  }

  private answers(): Answering {
    const { shelf } = this;
    return {
      transcripts: async () => {
        if (!shelf.isKnown) await shelf.look();
        return shelf.list();
      },
      open: async ({ id, items }) => {
        const { found, state, skipped } = await this.shelved(id);
        return { found, state: newestOf(state, items), skipped };
      },
      items: async ({ id, at, count }) => {
        const { state } = await this.shelved(id);
        const window = windowAt(state, at, count);
        if (window === null) throw new RpcError('notFound', 'The transcript has no such message or call.');
        return window;
      },
      places: async ({ id, ...sought }) => findPlaces((await shelf.open(id)).state, sought),
      call: async ({ id, callId }) => {
        const { state } = await this.shelved(id);
        const call = Object.hasOwn(state.calls, callId) ? state.calls[callId] : undefined;
        if (call === undefined) throw new RpcError('notFound', 'The transcript has no such call.');
        return call;
      },
      events: async ({ id, from, count }) => {
        const { found, events } = await this.shelved(id);
        return { found, events: events.slice(from, from + count), isEnd: from + count >= events.length };
      },
      find: async (question) => {
        await this.freshen();
        const found = this.looking((index) => index.find(question));
        return { ...(found ?? { hits: [], total: 0, conversations: 0 }), state: this.state };
      },
      whenRead: async () => {
        await this.read(0);
        return this.state;
      },
      export: async ({ in: place, ...wish }) => {
        const breathe = (): undefined | Promise<void> => this.breathe();
        const conversation =
          place.kind === 'session' ? await this.session(place.sessionId) : await this.whole(place.id);
        return await exportConversation(conversation, { ...wish, home: this.places.home, now: Date.now(), breathe });
      },
    };
  }

  private shelved(id: string): Promise<HeldTranscript> {
    return this.first(() => this.shelf.open(id));
  }

  /** Keeps the index waiting while somebody waits for this. */
  private async first<T>(work: () => Promise<T>): Promise<T> {
    this.waiting += 1;
    try {
      return await work();
    } finally {
      this.waiting -= 1;
      if (this.waiting === 0) this.goOn();
    }
  }

  private async session(sessionId: string): Promise<{ state: SessionState; leftOut: ReadonlyMap<string, number> }> {
    const database = openDatabaseToRead({ folder: this.places.data, nativeBinding: this.places.nativeBinding });
    try {
      return { state: await readSession(database, sessionId, () => this.breathe()), leftOut: new Map() };
    } finally {
      database.close();
    }
  }

  private async whole(id: string): Promise<{ state: SessionState; leftOut: ReadonlyMap<string, number> }> {
    const { state, skipped, leftOut } = await this.shelf.open(id);
    return { state, leftOut: skipped === 0 ? leftOut : new Map([...leftOut, ['damaged lines', skipped]]) };
  }

  private openIndex(database: Database.Database): OpenIndex {
    const index = new SearchIndex(database);
    const reading = new SearchReading(database, index, {
      shelf: this.shelf,
      sessions: { folder: this.places.data, nativeBinding: this.places.nativeBinding },
      breathe: () => this.breatheBehind(),
      onState: (state) => this.listener.onState(state),
    });
    return { database, index, reading };
  }

  /** Null where there is no index; it says why. A damaged one is made anew, empty. */
  private looking<T>(work: (index: SearchIndex) => T): T | null {
    const { opened } = this;
    if (opened === null) return null;
    try {
      return work(opened.index);
    } catch (error) {
      if (!isDamaged(error)) throw error;
      this.rebuild();
      return null;
    }
  }

  private async read(maxAgeMs: number): Promise<void> {
    const { opened } = this;
    if (opened === null) return;
    try {
      await opened.reading.read(maxAgeMs);
    } catch (error) {
      if (this.opened === opened && isDamaged(error)) this.rebuild();
    }
  }

  /** Makes the index anew and begins to read. */
  private rebuild(): void {
    const old = this.opened;
    this.opened = null;
    if (old === null || this.disposed) return;
    void old.reading.dispose().then(() => {
      if (this.disposed) return;
      try {
        old.database.close();
        removeSearchDatabase(this.places.data);
        this.opened = this.openIndex(
          openSearchDatabase({ folder: this.places.data, nativeBinding: this.places.nativeBinding }),
        );
        void this.read(0);
      } catch (error) {
        this.problem = problemOf(error);
        this.listener.onState(this.state);
      }
    });
  }

  /** Starts looking for what is new, and waits for it if it is soon there. What was deleted is known at once. */
  private async freshen(): Promise<void> {
    const reading = this.read(freshMs);
    let timer: NodeJS.Timeout | undefined;
    const soon = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patienceMs);
    });
    await Promise.race([reading, soon]);
    clearTimeout(timer);
    this.opened?.reading.list();
  }

  /** From the first question on it looks by itself what changes. */
  private watch(): void {
    if (this.timer !== null || this.disposed) return;
    const round = async (): Promise<void> => {
      const from = performance.now();
      try {
        const wasKnown = this.shelf.isKnown;
        if ((await this.shelf.look()) && wasKnown) this.listener.onTranscripts();
        const took = performance.now() - from;
        this.shelf.release(unusedMs);
        await this.read(freshMs);
        this.again(Math.min(longestWaitMs, Math.max(shortestWaitMs, took * waitFactor)), round);
      } catch {
        this.again(longestWaitMs, round);
      }
    };
    this.again(0, round);
  }

  private again(afterMs: number, round: () => Promise<void>): void {
    if (this.disposed) return;
    this.timer = setTimeout(() => void round(), afterMs);
    this.timer.unref();
  }

  /** The index is read when nobody waits for anything else. */
  private breatheBehind(): undefined | Promise<void> {
    if (this.waiting === 0) return this.breathe();
    this.held ??= new Promise<void>((resolve) => {
      this.goOn = () => {
        this.held = null;
        resolve();
      };
    });
    return this.held;
  }

  private breathe(): undefined | Promise<void> {
    if (performance.now() - this.since < stretchMs) return undefined;
    return afterOthers().then(() => {
      this.since = performance.now();
    });
  }
}

function problemOf(error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return `The search index cannot be opened (${why}). Look whether the disk is full and the data folder can be written.`;
}
