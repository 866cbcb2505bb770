// The recorded changes of a session, read from its events without loading all of them.
import type Database from 'better-sqlite3';
import type { Statement } from 'better-sqlite3';
import { SessionEvent } from '#shared/session/events';
import type { FileChange } from '#shared/session/fileChange';

export interface RecordedChange {
  readonly seq: number;
  readonly at: number;
  readonly change: FileChange;
}

interface Row {
  readonly seq: number;
  readonly at: number;
  readonly body: string;
}

/** Sessions whose changes stay in memory. */
const mostSessions = 20;

export class ChangeLog {
  private readonly select: Statement<[string, number], Row>;
  private readonly known = new Map<string, RecordedChange[]>();

  constructor(database: Database.Database) {
    // An event's body begins with its type, so that the rest of the others is never looked at.
    this.select = database.prepare<[string, number], Row>(
      `select seq, at, body from events where session_id = ? and seq > ? and body like '{"type":"file.changed"%' order by seq`,
    );
  }

  /** All that was recorded, in order. Rows that no longer parse are left out. */
  of(sessionId: string): readonly RecordedChange[] {
    const known = this.known.get(sessionId) ?? [];
    this.known.delete(sessionId);
    for (const row of this.select.iterate(sessionId, known.at(-1)?.seq ?? 0)) {
      const found = recorded(row);
      if (found !== null) known.push(found);
    }
    this.known.set(sessionId, known);
    for (const oldest of this.known.keys()) {
      if (this.known.size <= mostSessions) break;
      this.known.delete(oldest);
    }
    return known;
  }
}

function recorded({ seq, at, body }: Row): RecordedChange | null {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  const event = SessionEvent.safeParse({ seq, at, body: value });
  return event.success && event.data.body.type === 'file.changed' ? { seq, at, change: event.data.body.change } : null;
}
