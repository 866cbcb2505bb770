// Calls of the sessions here, from the database that they are kept in. It is only looked at; who works in it is not held up.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import type { PastCall } from '#shared/api/history';
import { PermissionMode } from '#shared/permissions/modes';
import { DatabaseRefused, openDatabaseToRead } from '../../sessions/database';
import { boundInput, isRecord } from '../import/boundInput';
import { callTitle } from '../import/callTitle';
import { callKey, type ReadCall, type ReadResult } from '../import/transcriptLine';
import { type CallStore, ownFile } from './callStore';

interface KnownSession {
  readonly id: string;
  readonly seq: number;
  readonly cwd: string;
  readonly mode: string | null;
}

interface EventRow {
  readonly seq: number;
  readonly at: number;
  readonly body: string;
}

/** Events that are read at a time. */
const eventsAtOnce = 400;
/** Longer events hold results; the input of no call is that long. */
const maxBodyChars = 1_000_000;

const outcomes: Readonly<Record<string, PastCall['outcome']>> = {
  succeeded: 'ran',
  failed: 'failed',
  denied: 'refused',
  interrupted: 'unknown',
};

/** The kinds of events that say something of calls; everything else is not even parsed. */
const telling = /"type":"(session\.created|mode\.changed|cwd\.changed|call\.created|call\.finished)"/;

export class OwnSessions {
  private readonly statements;

  constructor(
    private readonly database: Database.Database,
    private readonly calls: CallStore,
    private readonly place: { readonly folder: string; readonly nativeBinding: string | undefined },
  ) {
    this.statements = {
      known: database.prepare<[], KnownSession>('select * from own_sessions'),
      save: database.prepare<[string, number, string, string | null]>(
        'insert or replace into own_sessions (id, seq, cwd, mode) values (?, ?, ?, ?)',
      ),
      remove: database.prepare<[string]>('delete from own_sessions where id = ?'),
    };
  }

  /** Brings the index up to date, in short steps. Where the database cannot be read, nothing changes; the value says why. */
  *read(): Generator<undefined, string> {
    if (this.place.folder === ':memory:' || !existsSync(join(this.place.folder, 'gatehouse.db'))) return '';
    let events: Database.Database;
    try {
      events = openDatabaseToRead(this.place);
    } catch (error) {
      if (error instanceof DatabaseRefused) return error.message;
      throw error;
    }
    try {
      yield* this.readFrom(events);
      return '';
    } finally {
      events.close();
    }
  }

  private *readFrom(events: Database.Database): Generator<undefined> {
    const present = events
      .prepare<[], { id: string; seq: number }>(
        'select id, coalesce((select max(seq) from events where session_id = sessions.id), 0) as seq from sessions where deleted_at is null',
      )
      .all();
    const newest = new Map(present.map(({ id, seq }) => [id, seq]));
    const known = new Map(this.statements.known.all().map((session) => [session.id, session]));
    let removed = false;
    for (const { id, seq } of known.values()) {
      const now = newest.get(id);
      // Fewer events than were read: it is another session under the same name.
      if (now !== undefined && now >= seq) continue;
      this.calls.removeOwn(id);
      this.statements.remove.run(id);
      known.delete(id);
      removed = true;
      yield;
    }
    if (removed) this.calls.tidy();
    const next = events.prepare<[string, number, number], EventRow>(
      'select seq, at, body from events where session_id = ? and seq > ? order by seq limit ?',
    );
    for (const [id, last] of newest) {
      let session = known.get(id) ?? { id, seq: 0, cwd: '', mode: null };
      while (session.seq < last) {
        const rows = next.all(id, session.seq, eventsAtOnce);
        const end = rows.at(-1);
        if (end === undefined) break;
        session = { ...this.take(session, rows), seq: end.seq };
        yield;
      }
    }
  }

  private take(session: KnownSession, rows: readonly EventRow[]): KnownSession {
    let { cwd, mode } = session;
    const calls: ReadCall[] = [];
    const results: ReadResult[] = [];
    let folder: string | null = null;
    for (const { at, body } of rows) {
      if (body.length > maxBodyChars || !telling.test(body)) continue;
      const event = parsed(body);
      if (event === null) continue;
      if (event.type === 'session.created' && typeof event.folder === 'string') {
        cwd = event.folder;
        folder = event.folder;
      }
      if (event.type === 'cwd.changed' && typeof event.cwd === 'string') cwd = event.cwd;
      if (typeof event.mode === 'string') mode = event.mode;
      if (event.type === 'call.finished' && typeof event.callId === 'string')
        results.push({ id: event.callId, outcome: outcomeOf(event.status) });
      const known = PermissionMode.safeParse(mode);
      const call = callOf(event, { session: session.id, at, cwd, mode: known.success ? known.data : null });
      if (call !== null) calls.push(call);
    }
    this.database.transaction(() => {
      if (folder !== null) this.calls.setProject(session.id, folder, 'session');
      this.calls.add(ownFile, calls, () => 'unknown');
      // A call that was put off is finished twice; its last end counts.
      this.calls.settle(results, { anew: true });
      this.statements.save.run(session.id, rows.at(-1)?.seq ?? session.seq, cwd, mode);
    })();
    return { ...session, cwd, mode };
  }
}

function parsed(body: string): Record<string, unknown> | null {
  try {
    const event: unknown = JSON.parse(body);
    return isRecord(event) ? event : null;
  } catch {
    return null;
  }
}

function outcomeOf(status: unknown): PastCall['outcome'] {
  return typeof status === 'string' && Object.hasOwn(outcomes, status) ? (outcomes[status] ?? 'unknown') : 'unknown';
}

function callOf(
  event: Readonly<Record<string, unknown>>,
  around: Pick<ReadCall, 'session' | 'at' | 'cwd' | 'mode'>,
): ReadCall | null {
  if (event.type !== 'call.created') return null;
  const { callId, name } = event;
  const input = boundInput(event.input);
  if (typeof callId !== 'string' || typeof name !== 'string' || input === null) return null;
  return {
    ...around,
    id: callId,
    tool: name,
    input: JSON.stringify(input),
    key: callKey({ tool: name, input, cwd: around.cwd }),
    title: callTitle(input),
    isSubagent: typeof event.agentId === 'string',
  };
}
