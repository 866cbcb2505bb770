import type Database from 'better-sqlite3';
import type { AppContract } from '#shared/api/app';
import type { traceCalls } from '#shared/api/trace';
import type { Handlers } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';
import { reduceInto } from '#shared/session/reduce';
import { emptyState } from '#shared/session/state';
import type { StoredSession } from '../sessions/store';
import { exportTrace } from '../trace/exportTrace';
import { sessionTotals } from '../trace/sessionTotals';
import { TraceLog } from '../trace/traceLog';
import type { Connection } from './connection';

type TraceHandlers = Pick<Handlers<AppContract, { readonly connection: Connection }>, keyof typeof traceCalls>;

/** Answers from the stored log alone: a session need not be open to be looked at, and is not opened by it. */
export function traceHandlers(options: {
  readonly database: Database.Database;
  readonly sessions: {
    find(sessionId: string): StoredSession | undefined;
    list(): readonly Pick<StoredSession, 'sessionId' | 'updatedAt'>[];
  };
  readonly home: string;
  readonly version: string;
  readonly now: () => number;
}): TraceHandlers {
  const { database, sessions, home, version, now } = options;
  const log = new TraceLog(database);

  function known(sessionId: string): StoredSession {
    const session = sessions.find(sessionId);
    if (session === undefined) throw new RpcError('notFound', 'This session no longer exists.');
    return session;
  }

  return {
    async 'trace.rows'({ sessionId, since }) {
      known(sessionId);
      const { seq, entries, hooks } = await log.fold(sessionId);
      return {
        seq,
        rows: [...entries.values()].filter(({ lastSeq }) => lastSeq > since).map(({ row }) => row),
        hooks: [...hooks.values()].filter((hook) => hook.seq > since),
      };
    },
    async 'trace.call'({ sessionId, callId }) {
      known(sessionId);
      const state = emptyState();
      for (const event of await log.eventsOfCall(sessionId, callId)) reduceInto(state, event);
      const call = Object.hasOwn(state.calls, callId) ? state.calls[callId] : undefined;
      if (call === undefined) throw new RpcError('notFound', 'There is no such call in this session.');
      return call;
    },
    async 'trace.totals'({ sessionId, since }, { signal }) {
      const from = since ?? 0;
      const sessionIds =
        sessionId === null
          ? sessions.list().flatMap((session) => (session.updatedAt < from ? [] : [session.sessionId]))
          : [known(sessionId).sessionId];
      return await sessionTotals({ log, sessionIds, since: from, now: now(), aborted: () => signal.cancelled });
    },
    async 'trace.export'({ sessionId, callIds, format, redact }) {
      const { title, folder } = known(sessionId);
      const session = { sessionId, title, folder };
      const exported = await exportTrace({ log, session, callIds, format, redact, home, version, now: now() });
      if (!exported.ok) throw new RpcError('refused', exported.error);
      return exported.value;
    },
  };
}
