// What the trace lists: calls, and the hooks that ran for no call; filtered and in the chosen order.
import { type FilterTerm, fitsFilter } from '#shared/trace/filter';
import { ranMs, waitedMs } from '#shared/trace/times';
import type { TraceRow } from '#shared/trace/traceRow';
import type { SessionHook, TraceOrder } from '../../stores/tracePage';

export type TraceLine =
  | { readonly kind: 'call'; readonly key: string; readonly at: number; readonly row: TraceRow }
  | { readonly kind: 'hook'; readonly key: string; readonly at: number; readonly run: SessionHook['run'] };

/** Key of a hook's line; calls have their call id. */
export function hookKey(runId: string): string {
  return `hook:${runId}`;
}

/** The lines that fit a filter, in the order of time. */
export function linesOf(
  { rows, hooks }: { readonly rows: readonly TraceRow[]; readonly hooks: readonly SessionHook[] },
  { terms, now }: { readonly terms: readonly FilterTerm[]; readonly now: number },
): TraceLine[] {
  const calls = rows
    .filter((row) => terms.length === 0 || fitsFilter(terms, row, now))
    .map((row): TraceLine => ({ kind: 'call', key: row.callId, at: row.createdAt, row }));
  const runs = hooks
    .filter(({ run }) => terms.every((term) => fitsRun(term, run)))
    .map(({ run }): TraceLine => ({ kind: 'hook', key: hookKey(run.runId), at: run.startedAt, run }));
  if (runs.length === 0) return calls;
  return [...calls, ...runs].sort((a, b) => a.at - b.at);
}

/** A hook of the session itself is no call: only words and questions about hooks can mean it. */
function fitsRun(term: FilterTerm, run: SessionHook['run']): boolean {
  if (term.kind === 'text') {
    const text = `${run.event} ${run.label} ${run.effect}`.toLowerCase();
    return text.includes(term.text.toLowerCase()) !== term.not;
  }
  if (term.kind !== 'field' || term.field !== 'hook') return false;
  const fails = run.outcome === 'error' || run.outcome === 'timeout';
  const changes = run.outcome === 'blocked' || /\bchanged\b/.test(run.effect);
  const fits = term.values.some(
    (value) => value === 'any' || (value === 'fail' && fails) || (value === 'changed' && changes),
  );
  return fits !== term.not;
}

type Sortable = string | number;

/** The same lines in another order; equal ones keep theirs. Hooks of the session come last in orders that are about calls. */
export function sortedLines(
  lines: readonly TraceLine[],
  { order, descending, now }: { readonly order: TraceOrder; readonly descending: boolean; readonly now: number },
): readonly TraceLine[] {
  if (order === 'number') return descending ? [...lines].reverse() : lines;
  const keyed = lines.map((line, index) => ({ line, index, key: sortKey(line, order, now) }));
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null) || a.index - b.index;
    const difference = compare(a.key, b.key);
    return (descending ? -difference : difference) || a.index - b.index;
  });
  return keyed.map(({ line }) => line);
}

function compare(a: Sortable, b: Sortable): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b), 'en', { numeric: true });
}

const verdictRank = { deny: 0, ask: 1, allow: 2 };

function sortKey(line: TraceLine, order: Exclude<TraceOrder, 'number'>, now: number): Sortable | null {
  if (line.kind === 'hook') return null;
  const { row } = line;
  switch (order) {
    case 'tool':
      return row.title;
    case 'what':
      return row.what;
    case 'by':
      return row.agent?.name ?? '';
    case 'verdict':
      return row.verdict === null ? 3 : verdictRank[row.verdict];
    case 'status':
      return row.status;
    case 'ran':
      return ranMs(row, now);
    case 'waited':
      return waitedMs(row, now);
    case 'hooks':
      return row.hooks.runs;
  }
}
