// Lengths of time of a call in the trace, in milliseconds; `now` ends what has not ended.
import type { TraceRow } from './traceRow';

/** From its making to its end, people's time included. */
export function wholeMs(row: Pick<TraceRow, 'createdAt' | 'endedAt'>, now: number): number {
  return Math.max(0, (row.endedAt ?? now) - row.createdAt);
}

/** How long people were waited for, a question that stands until now. */
export function waitedMs(row: Pick<TraceRow, 'waitedMs' | 'prompts'>, now: number): number {
  const standing = row.prompts.find(({ answeredAt }) => answeredAt === null);
  const asked = row.prompts.reduce((sum, { askedAt, answeredAt }) => sum + (answeredAt ?? now) - askedAt, 0);
  // A step tells its waiting when it ends; before that the questions themselves do.
  return standing === undefined ? Math.max(row.waitedMs, asked) : asked;
}

/** What the program itself took. */
export function ranMs(row: Pick<TraceRow, 'createdAt' | 'endedAt' | 'waitedMs' | 'prompts'>, now: number): number {
  return Math.max(0, wholeMs(row, now) - waitedMs(row, now));
}
