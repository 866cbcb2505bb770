// What the model has seen of each file: content hash and which part. Bounded, least recently used goes first.

/** Lines (or cells, or pages) `first` to `last`, counted from 1, both included. */
interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** A file as it was when last read or written. `whole` false: only a window of it was read. */
export interface FileState {
  readonly path: string;
  readonly hash: string;
  readonly mtimeMs: number;
  readonly size: number;
  readonly whole: boolean;
  /** Which lines were read, ascending, where not the whole file. */
  readonly seen?: readonly LineRange[];
  /** What was counted, where the file was not seen as text by lines. */
  readonly unit?: 'cells' | 'pages';
}

/** One page of a file as read. */
export interface ReadPage {
  readonly path: string;
  readonly hash: string;
  readonly mtimeMs: number;
  readonly size: number;
  readonly range: LineRange;
  readonly totalLines: number;
  /** What `range` and `totalLines` count, where not lines. */
  readonly unit?: 'cells' | 'pages';
}

/** 100 entries and 25 MB (spec 5). Only hashes are kept, so the byte bound holds for the files they stand for. */
const maxEntries = 100;
const maxBytes = 25_000_000;

export class FileStates {
  private readonly states = new Map<string, FileState>();
  private bytes = 0;

  get(path: string): FileState | undefined {
    const state = this.states.get(path);
    if (state !== undefined) {
      this.states.delete(path);
      this.states.set(path, state);
    }
    return state;
  }

  set(state: FileState): void {
    this.forget(state.path);
    this.states.set(state.path, state);
    this.bytes += state.size;
    for (const oldest of this.states.values()) {
      const full = this.states.size > maxEntries || this.bytes > maxBytes;
      if (!full || oldest.path === state.path) break;
      this.forget(oldest.path);
    }
  }

  /** Notes one page. Pages of the same content add up: once they cover every line, the file counts as read whole. */
  addPage(page: ReadPage): void {
    const { range, totalLines, ...facts } = page;
    const before = this.states.get(page.path);
    const same = before !== undefined && before.hash === page.hash && before.unit === page.unit;
    const seen = joined([...(same ? (before.seen ?? []) : []), range]);
    const first = seen[0];
    const all = first === undefined || (first.first <= 1 && first.last >= totalLines);
    if ((same && before.whole) || totalLines === 0 || all) this.set({ ...facts, whole: true });
    else this.set({ ...facts, whole: false, seen });
  }

  forget(path: string): void {
    const state = this.states.get(path);
    if (state === undefined) return;
    this.states.delete(path);
    this.bytes -= state.size;
  }
}

/** Ranges in order, those that touch made one; empty ones dropped. */
function joined(ranges: readonly LineRange[]): LineRange[] {
  const sorted = ranges.filter((range) => range.last >= range.first).sort((a, b) => a.first - b.first);
  const result: LineRange[] = [];
  for (const range of sorted) {
    const last = result.at(-1);
    if (last === undefined || range.first > last.last + 1) result.push(range);
    else result[result.length - 1] = { first: last.first, last: Math.max(last.last, range.last) };
  }
  return result;
}
