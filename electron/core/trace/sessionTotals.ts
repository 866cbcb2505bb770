import type { TraceTotals } from '#shared/api/trace';
import { type CountedRow, TotalsCounter } from '#shared/trace/totals';
import type { TraceLog } from './traceLog';

/**
 * Sums over the calls of sessions that were made since a time (epoch milliseconds). `aborted` ends the work early; what was
 * counted until then is the answer.
 */
export async function sessionTotals(options: {
  readonly log: TraceLog;
  readonly sessionIds: readonly string[];
  readonly since: number;
  readonly now: number;
  readonly aborted: () => boolean;
}): Promise<TraceTotals> {
  const { log, sessionIds, since, now, aborted } = options;
  const counter = new TotalsCounter(now);
  // A session that began with a copy of another one has its calls, too.
  const seen = new Set<string>();
  for (const sessionId of sessionIds) {
    if (aborted()) break;
    const { entries } = await log.countable(sessionId, since);
    const rows: CountedRow[] = [];
    for (const { row } of entries.values()) {
      const key = `${row.callId} ${row.createdAt}`;
      if (row.createdAt < since || seen.has(key)) continue;
      seen.add(key);
      rows.push(row);
    }
    counter.addSession(rows);
  }
  return counter.totals();
}
