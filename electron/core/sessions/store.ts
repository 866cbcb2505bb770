// SQL of sessions, events and preferences. One statement each, prepared once.
import type Database from 'better-sqlite3';
import { SessionEvent, type SessionEventBody } from '#shared/session/events';
import { SessionOrigin } from '#shared/session/sessionOrigin';

export interface StoredSession {
  readonly sessionId: string;
  readonly title: string;
  readonly folder: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly running: boolean;
  readonly pinned: boolean;
  readonly archived: boolean;
  readonly origin: SessionOrigin | null;
}

/** An event whose body is JSON. */
export interface StoredEvent {
  readonly seq: number;
  readonly at: number;
  readonly body: string;
}

interface SessionRow {
  id: string;
  title: string;
  folder: string;
  created_at: number;
  updated_at: number;
  running: number;
  pinned: number;
  archived: number;
  origin: string | null;
}

interface HeadRow {
  seq: number;
  version: number;
  state: string;
}

/** Events that the list of sessions shows at once. */
const listed: ReadonlySet<SessionEventBody['type']> = new Set([
  'session.created',
  'session.renamed',
  'message.sent',
  'session.marked',
  'turn.started',
  'turn.finished',
]);
/** How far behind the list's time of the last change may be, in milliseconds; a write for each event would double its cost. */
const touchEveryMs = 1_000;

/**
 * How long a write waits for another process that holds the file, in milliseconds. The whole core stands still meanwhile, as
 * an event counts only once it is written; so after one such wait in vain, writes hardly wait until one succeeds.
 */
const patienceMs = 2_000;
const shortPatienceMs = 50;

export class SessionStore {
  private readonly statements;
  /** When each session's row was last written, as the events' own time. */
  private readonly touched = new Map<string, number>();
  private readonly writeListed: (sessionId: string, event: SessionEvent) => void;

  private readonly writeAll: (sessionId: string, events: readonly StoredEvent[]) => void;

  private waitsShort = false;

  constructor(
    private readonly database: Database.Database,
    private readonly onDamage: (sessionId: string, seq: number) => void,
  ) {
    database.pragma(`busy_timeout = ${patienceMs}`);
    this.statements = {
      list: database.prepare<[], SessionRow>(
        'select * from sessions where deleted_at is null order by updated_at desc, id',
      ),
      one: database.prepare<[string], SessionRow>('select * from sessions where id = ? and deleted_at is null'),
      create: database.prepare<[string, string, string, number, number, number | null, string | null]>(
        'insert into sessions (id, title, folder, created_at, updated_at, deleted_at, origin) values (?, ?, ?, ?, ?, ?, ?)',
      ),
      mark: database.prepare<[number | null, number | null, string]>(
        'update sessions set pinned = coalesce(?, pinned), archived = coalesce(?, archived) where id = ?',
      ),
      delete: database.prepare<[number, string]>(
        'update sessions set deleted_at = ? where id = ? and deleted_at is null',
      ),
      undelete: database.prepare<[string]>(
        'update sessions set deleted_at = null where id = ? and deleted_at is not null',
      ),
      deletedBefore: database.prepare<[number], SessionRow>('select * from sessions where deleted_at < ? order by id'),
      oldestEvents: database.prepare<[string, number], { seq: number | null }>(
        'select max(seq) as seq from (select seq from events where session_id = ? order by seq limit ?)',
      ),
      removeEvents: database.prepare<[string, number]>('delete from events where session_id = ? and seq <= ?'),
      touch: database.prepare<[number, string]>('update sessions set updated_at = ? where id = ?'),
      rename: database.prepare<[string, string]>('update sessions set title = ? where id = ?'),
      running: database.prepare<[number, string]>('update sessions set running = ? where id = ?'),
      remove: database.prepare<[string]>('delete from sessions where id = ?'),
      append: database.prepare<[string, number, number, string]>(
        'insert into events (session_id, seq, at, body) values (?, ?, ?, ?)',
      ),
      events: database.prepare<[string, number], StoredEvent>(
        'select seq, at, body from events where session_id = ? and seq > ? order by seq',
      ),
      backwards: database.prepare<[string], StoredEvent>(
        'select seq, at, body from events where session_id = ? order by seq desc',
      ),
      head: database.prepare<[string], HeadRow>('select seq, version, state from session_heads where session_id = ?'),
      keepHead: database.prepare<[string, number, number, string]>(
        `insert into session_heads (session_id, seq, version, state) values (?, ?, ?, ?)
         on conflict (session_id) do update set seq = excluded.seq, version = excluded.version, state = excluded.state`,
      ),
      lastSeq: database.prepare<[string], { seq: number | null }>(
        'select max(seq) as seq from events where session_id = ?',
      ),
      getPreference: database.prepare<[string], { value: string }>('select value from preferences where key = ?'),
      setPreference: database.prepare<[string, string]>(
        'insert into preferences (key, value) values (?, ?) on conflict (key) do update set value = excluded.value',
      ),
    };
    this.writeListed = database.transaction((sessionId: string, event: SessionEvent) => {
      this.statements.append.run(sessionId, event.seq, event.at, JSON.stringify(event.body));
      this.updateSession(sessionId, event.at, event.body);
    });
    this.writeAll = database.transaction((sessionId: string, events: readonly StoredEvent[]) => {
      for (const { seq, at, body } of events) this.statements.append.run(sessionId, seq, at, body);
    });
  }

  list(): StoredSession[] {
    return this.statements.list.all().map(toSession);
  }

  find(sessionId: string): StoredSession | undefined {
    const row = this.statements.one.get(sessionId);
    return row === undefined ? undefined : toSession(row);
  }

  /** `hidden`: it is there for nobody until `undelete`; left behind by a crash, it goes as a deleted one does. */
  create(session: {
    readonly sessionId: string;
    readonly title: string;
    readonly folder: string;
    readonly at: number;
    readonly origin?: SessionOrigin;
    readonly hidden?: true;
  }): void {
    const { sessionId, title, folder, at, origin, hidden } = session;
    const from = origin === undefined ? null : JSON.stringify(origin);
    this.write(() => this.statements.create.run(sessionId, title, folder, at, at, hidden === true ? at : null, from));
  }

  /** Stores events that are JSON already, all or none. Their numbers must follow what is there. */
  appendAll(sessionId: string, events: readonly StoredEvent[]): void {
    this.write(() => this.writeAll(sessionId, events));
  }

  /** Hides a session from everybody. False: there is none. */
  delete(sessionId: string, at: number): boolean {
    let changes = 0;
    this.write(() => {
      ({ changes } = this.statements.delete.run(at, sessionId));
    });
    return changes > 0;
  }

  /** False: it was not deleted, or is gone for good. */
  undelete(sessionId: string): boolean {
    let changes = 0;
    this.write(() => {
      ({ changes } = this.statements.undelete.run(sessionId));
    });
    return changes > 0;
  }

  /** Sessions that were deleted before a time. */
  deletedBefore(time: number): StoredSession[] {
    return this.statements.deletedBefore.all(time).map(toSession);
  }

  /** Takes the oldest events away for good. False: none is left. */
  removeSomeEvents(sessionId: string, count: number): boolean {
    const through = this.statements.oldestEvents.get(sessionId, count)?.seq ?? null;
    if (through === null) return false;
    this.write(() => this.statements.removeEvents.run(sessionId, through));
    return true;
  }

  /** Stores one event and what the list shows of it, both or neither. */
  append(sessionId: string, event: SessionEvent): void {
    const { seq, at, body } = event;
    const touched = this.touched.get(sessionId) ?? 0;
    if (!listed.has(body.type) && at >= touched && at - touched < touchEveryMs) {
      this.write(() => this.statements.append.run(sessionId, seq, at, JSON.stringify(body)));
      return;
    }
    this.write(() => this.writeListed(sessionId, event));
    this.touched.set(sessionId, at);
  }

  /** Events after `since`, in order. Rows that no longer parse are reported and left out. */
  events(sessionId: string, since: number): SessionEvent[] {
    return [...this.readable(sessionId, this.statements.events.iterate(sessionId, since))];
  }

  /**
   * Events after `since` for as long as `goOn` says so, asked after each row. `through` is the last row that was read,
   * `since` when there was none.
   */
  eventsWhile(
    { sessionId, since }: { readonly sessionId: string; readonly since: number },
    goOn: () => boolean,
  ): { readonly events: readonly SessionEvent[]; readonly through: number } {
    const events: SessionEvent[] = [];
    let through = since;
    for (const row of this.statements.events.iterate(sessionId, since)) {
      through = row.seq;
      const event = this.read(sessionId, row);
      if (event !== null) events.push(event);
      if (!goOn()) break;
    }
    return { events, through };
  }

  /** All events, the newest first. Nothing may be written before the caller has had enough. */
  eventsBackwards(sessionId: string): Iterable<SessionEvent> {
    return this.readable(sessionId, this.statements.backwards.iterate(sessionId));
  }

  /** What was last kept of a session's state, unchecked; null when nothing is. */
  head(sessionId: string): { readonly seq: number; readonly version: number; readonly state: unknown } | null {
    const row = this.statements.head.get(sessionId);
    return row === undefined ? null : { ...row, state: parseJson(row.state) };
  }

  keepHead(sessionId: string, head: { readonly seq: number; readonly version: number; readonly state: unknown }): void {
    this.write(() => this.statements.keepHead.run(sessionId, head.seq, head.version, JSON.stringify(head.state)));
  }

  /** The number of the newest event, readable or not; 0 when there is none. */
  lastSeq(sessionId: string): number {
    return this.statements.lastSeq.get(sessionId)?.seq ?? 0;
  }

  /** Deletes a session for good. */
  remove(sessionId: string): void {
    this.touched.delete(sessionId);
    this.write(() => this.statements.remove.run(sessionId));
  }

  preference(key: string): unknown {
    const row = this.statements.getPreference.get(key);
    return row === undefined ? undefined : parseJson(row.value);
  }

  setPreference(key: string, value: unknown): void {
    this.write(() => this.statements.setPreference.run(key, JSON.stringify(value)));
  }

  private *readable(sessionId: string, rows: Iterable<StoredEvent>): Generator<SessionEvent> {
    for (const row of rows) {
      const event = this.read(sessionId, row);
      if (event !== null) yield event;
    }
  }

  private read(sessionId: string, row: StoredEvent): SessionEvent | null {
    const event = parseEvent(row);
    if (event === null) this.onDamage(sessionId, row.seq);
    return event;
  }

  private write(run: () => void): void {
    try {
      run();
    } catch (error) {
      if (error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')) this.wait('short');
      throw error;
    }
    this.wait('usual');
  }

  private wait(how: 'usual' | 'short'): void {
    const short = how === 'short';
    if (short === this.waitsShort) return;
    this.waitsShort = short;
    this.database.pragma(`busy_timeout = ${short ? shortPatienceMs : patienceMs}`);
  }

  private updateSession(sessionId: string, at: number, body: SessionEventBody): void {
    if (body.type === 'session.marked') {
      // It is no work in the session: its place among the others stays.
      this.statements.mark.run(asNumber(body.pinned), asNumber(body.archived), sessionId);
      return;
    }
    this.statements.touch.run(at, sessionId);
    if (body.type === 'session.renamed') this.statements.rename.run(body.title, sessionId);
    if (body.type === 'turn.started') this.statements.running.run(1, sessionId);
    if (body.type === 'turn.finished') this.statements.running.run(0, sessionId);
  }
}

const asNumber = (value: boolean | undefined): number | null => (value === undefined ? null : Number(value));

function toSession(row: SessionRow): StoredSession {
  return {
    sessionId: row.id,
    title: row.title,
    folder: row.folder,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    running: row.running !== 0,
    pinned: row.pinned !== 0,
    archived: row.archived !== 0,
    origin: SessionOrigin.nullable()
      .catch(null)
      .parse(row.origin === null ? null : parseJson(row.origin)),
  };
}

function parseEvent(row: StoredEvent): SessionEvent | null {
  const parsed = SessionEvent.safeParse({ seq: row.seq, at: row.at, body: parseJson(row.body) });
  return parsed.success ? parsed.data : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
