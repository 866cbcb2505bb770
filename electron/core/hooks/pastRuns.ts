// The hook runs that a session's log holds, the newest first.
import type { Database } from 'better-sqlite3';
import { SessionEvent } from '#shared/session/events';
import type { HookRun } from '#shared/session/hookRun';

export interface StoredRun {
  /** The event's number in the session. */
  readonly seq: number;
  readonly callId: string | null;
  readonly run: HookRun;
}

interface Row {
  readonly seq: number;
  readonly at: number;
  readonly body: string;
}

/** Reads runs before an event's number. A run in the background is recorded at its start and at its end: only the last counts. */
export function createPastRuns(database: Database): (about: {
  readonly sessionId: string;
  readonly before: number | null;
  readonly limit: number;
}) => {
  readonly runs: readonly StoredRun[];
  readonly more: boolean;
} {
  const rows = database.prepare<[string, number], Row>(
    `select seq, at, body from events
     where session_id = ? and seq < ? and substr(body, 1, 18) = '{"type":"hook.ran"' order by seq desc`,
  );
  return ({ sessionId, before, limit }) => {
    const found = new Map<string, StoredRun>();
    for (const row of rows.iterate(sessionId, before ?? Number.MAX_SAFE_INTEGER)) {
      const stored = runIn(row);
      if (stored === null || found.has(stored.run.runId)) continue;
      if (found.size === limit) return { runs: [...found.values()], more: true };
      found.set(stored.run.runId, stored);
    }
    return { runs: [...found.values()], more: false };
  };
}

function runIn({ seq, at, body }: Row): StoredRun | null {
  try {
    const parsed = SessionEvent.safeParse({ seq, at, body: JSON.parse(body) });
    if (!parsed.success || parsed.data.body.type !== 'hook.ran') return null;
    const { callId = null, run } = parsed.data.body;
    return { seq, callId, run };
  } catch {
    return null;
  }
}
