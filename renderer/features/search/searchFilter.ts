// Words for the filters of the search.
import type { SearchFilter, SearchPart } from '#shared/api/search';

export const parts: readonly { readonly value: SearchPart; readonly label: string; readonly one: string }[] = [
  { value: 'message', label: 'Messages', one: 'message' },
  { value: 'answer', label: 'Answers', one: 'answer' },
  { value: 'call', label: 'Calls', one: 'call' },
  { value: 'output', label: 'Outputs', one: 'output' },
];

/** How many filters are set. */
export function filterCount(filter: SearchFilter): number {
  return Object.values(filter).filter((value) => value !== null).length;
}

/** The parts after one was pressed; all of them is no filter. */
export function togglePart(chosen: readonly SearchPart[] | null, part: SearchPart): SearchPart[] | null {
  const before = chosen ?? [];
  const after = parts
    .map(({ value }) => value)
    .filter((value) => (value === part ? !before.includes(value) : before.includes(value)));
  return after.length === 0 || after.length === parts.length ? null : after;
}

export type Span = 'any' | 'day' | 'week' | 'month' | 'year';

const dayMs = 24 * 60 * 60 * 1_000;

export const spans: readonly { readonly value: Span; readonly label: string; readonly days: number | null }[] = [
  { value: 'any', label: 'Any time', days: null },
  { value: 'day', label: 'Last 24 hours', days: 1 },
  { value: 'week', label: 'Last 7 days', days: 7 },
  { value: 'month', label: 'Last 30 days', days: 30 },
  { value: 'year', label: 'Last year', days: 365 },
];

/** The beginning of a span, in epoch milliseconds; null: any time. */
export function sinceOf(span: Span, now: number): number | null {
  const days = spans.find(({ value }) => value === span)?.days ?? null;
  return days === null ? null : now - days * dayMs;
}

/** The span whose beginning lies nearest. */
export function spanOf(since: number | null, now: number): Span {
  if (since === null) return 'any';
  const distance = (days: number | null) =>
    days === null ? Number.POSITIVE_INFINITY : Math.abs(now - days * dayMs - since);
  return spans.reduce((best, span) => (distance(span.days) < distance(best.days) ? span : best)).value;
}
