// Rows of something too long to hold, fetched in pages as they come into view and given up again when there are too many.

export interface PagesOptions<Row> {
  /** Rows of a page. */
  readonly size: number;
  /** Fewer than `count` rows mean that there are no more yet. */
  readonly fetch: (from: number, count: number) => Promise<readonly Row[]>;
  /** How much of `maxWeight` a row takes; 1 when absent. */
  readonly weightOf?: (row: Row) => number;
  readonly maxWeight: number;
  readonly onProblem: (error: unknown) => void;
}

export interface Pages<Row> {
  /** undefined: not there yet, or no longer. */
  at(index: number): Row | undefined;
  /** Fetches what is missing of `from` up to before `to`; `count`: rows that there are by now. */
  want(range: { readonly from: number; readonly to: number; readonly count: number }): void;
  put(page: number, rows: readonly Row[]): void;
  /** All is fetched anew once it is wanted; until then it stays. */
  refresh(): void;
  /** Changes with what `at` gives. */
  version(): number;
  subscribe(listener: () => void): () => void;
}

interface Page<Row> {
  readonly rows: readonly Row[];
  readonly weight: number;
  /** How many rows there were in all when it was asked for. */
  readonly countThen: number;
  stale: boolean;
}

/** Requests at once: one for what is in view, one for what comes next. */
const maxLoading = 2;

export function createPages<Row>(options: PagesOptions<Row>): Pages<Row> {
  const { size, fetch, weightOf = () => 1, maxWeight, onProblem } = options;
  const pages = new Map<number, Page<Row>>();
  const loading = new Set<number>();
  const listeners = new Set<() => void>();
  let wanted: readonly number[] = [];
  let count = 0;
  let version = 0;

  function isMissing(index: number): boolean {
    const page = pages.get(index);
    if (page === undefined || page.stale) return true;
    const there = Math.min(size, count - index * size);
    return page.rows.length < there && page.countThen < count;
  }

  function keep(index: number, rows: readonly Row[], countThen: number): void {
    pages.delete(index);
    pages.set(index, { rows, weight: rows.reduce((sum, row) => sum + weightOf(row), 0), countThen, stale: false });
    let sum = 0;
    for (const { weight } of pages.values()) sum += weight;
    for (const [oldest, { weight }] of pages) {
      if (sum <= maxWeight) break;
      if (wanted.includes(oldest) || oldest === index) continue;
      pages.delete(oldest);
      sum -= weight;
    }
    version += 1;
    for (const listener of listeners) listener();
  }

  function load(): void {
    for (const index of wanted) {
      if (loading.size >= maxLoading) return;
      if (loading.has(index) || !isMissing(index)) continue;
      loading.add(index);
      const countThen = count;
      const before = pages.get(index);
      if (before !== undefined) before.stale = false;
      fetch(index * size, size).then(
        (rows) => {
          loading.delete(index);
          keep(index, rows, countThen);
          load();
        },
        (error: unknown) => {
          loading.delete(index);
          // Not asked for again and again: the next look at it does.
          wanted = wanted.filter((one) => one !== index);
          onProblem(error);
          load();
        },
      );
    }
  }

  return {
    at: (index) => pages.get(Math.floor(index / size))?.rows[index % size],
    want(range) {
      count = range.count;
      if (range.to <= range.from) return;
      const first = Math.floor(range.from / size);
      const last = Math.floor((range.to - 1) / size);
      wanted = Array.from({ length: last - first + 1 }, (_, at) => first + at);
      for (const index of wanted) {
        const page = pages.get(index);
        if (page === undefined) continue;
        // The one looked at last is given up last.
        pages.delete(index);
        pages.set(index, page);
      }
      load();
    },
    put: (page, rows) => keep(page, rows, rows.length),
    refresh() {
      for (const page of pages.values()) page.stale = true;
      load();
    },
    version: () => version,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
