// Lengths of time of a call in the trace, in milliseconds; `now` ends what has not ended.
import type { TraceRow } from './traceRow';

/** From its making to its end, people's time included. */
export function wholeMs(row: Pick<TraceRow, 'createdAt' | 'endedAt'>, now: number): number {
  return Math.max(0, (row.endedAt ?? now) - row.createdAt);
}

/** How long people were waited for, a question that stands until now. */
export function waitedMs(row: Pick<TraceRow, 'waitedMs' | 'prompts'>, now: number): number {
  const standing = row.prompts.find(({ answeredAt }) => answeredAt === null);
  const asked = coveredMs(row.prompts.map(({ askedAt, answeredAt }) => [askedAt, answeredAt ?? now]));
  // A step tells its waiting when it ends; before that the questions themselves do.
  return standing === undefined ? Math.max(row.waitedMs, asked) : asked;
}

/** How much time lies within at least one of these spans: a command may wait for several hosts at once. */
export function coveredMs(spans: readonly (readonly [from: number, to: number])[]): number {
  let sum = 0;
  let covered = Number.NEGATIVE_INFINITY;
  for (const [from, to] of [...spans].sort(([a], [b]) => a - b)) {
    sum += Math.max(0, to - Math.max(from, covered));
    covered = Math.max(covered, to);
  }
  return sum;
}

/** What the program itself took. */
export function ranMs(row: Pick<TraceRow, 'createdAt' | 'endedAt' | 'waitedMs' | 'prompts'>, now: number): number {
  return Math.max(0, wholeMs(row, now) - waitedMs(row, now));
}
