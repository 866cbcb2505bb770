// The search within one opened file: it runs elsewhere and can be ended at any moment; here is what it has found.
import type { SearchQuery, SearchState, TextMatch } from '#shared/api/results';
import { RpcError } from '#shared/rpc/errors';
import type { Answer, Question } from '../../worker/messages';
import type { OpenedFile } from '../openedFile';
import type { Row } from '../textIndex';
import { type RowWalk, type TextView, textOf } from '../textView';
import { charsBetween } from '../utf8';
import { type ByteMatch, type MatchBatch, MatchStore } from './matchStore';
import { expressionOf } from './regexFinder';

/** A search that has told nothing for so long is ended: its expression tries too many ways. */
const patienceMs = 2_000;
/** Told at most so often, in milliseconds. */
const tellEveryMs = 200;
const maxInRange = 5_000;
/** A row that lies so far on is looked up instead of walked to, in bytes. */
const walkBytes = 65_536;

export interface SearchJob {
  /** Open for as long as the search runs. */
  readonly descriptor: number;
  readonly size: number;
  readonly query: SearchQuery;
}

export interface SearchEvents {
  /** Told regularly, found or not. */
  onBatch(batch: MatchBatch): void;
  /** It has read everything, or broke down (`problem`, for people). */
  onEnd(problem: string): void;
}

/** Where searches run. */
export interface Searcher {
  /** Begins a search; `stop` settles once it does not read any more. */
  start(job: SearchJob, events: SearchEvents): { stop(): Promise<void> };
  /** Makes ready for a search that may come. */
  warm(): void;
}

interface Running {
  readonly searchId: string;
  readonly store: MatchStore;
  stop(): Promise<void>;
  bytesDone: number;
  done: boolean;
  problem: string;
}

export interface FileSearchOptions {
  readonly file: OpenedFile;
  readonly text: TextView;
  /** Settles once the index knows the rows up to a byte. */
  readonly indexed: (byte: number) => Promise<void>;
  readonly searcher: Searcher;
  readonly tell: (state: SearchState) => void;
}

export class FileSearch {
  private current: Running | null = null;
  private last = 0;

  constructor(private readonly options: FileSearchOptions) {}

  /** Ends the search before it; answers once something is found or all is read. Throws RpcError `invalid`. */
  async begin({ query }: Pick<Question<'results.search'>, 'query'>): Promise<SearchState> {
    if (query.regex) expressionOf(query);
    await this.stop();
    this.last += 1;
    const { file, searcher, tell } = this.options;
    return await new Promise<SearchState>((resolve) => {
      let toldAt = 0;
      let timer: NodeJS.Timeout | undefined;
      const running: Running = {
        searchId: String(this.last),
        store: new MatchStore(),
        stop: async () => undefined,
        bytesDone: 0,
        done: false,
        problem: '',
      };
      const say = (): void => {
        const state = stateOf(running);
        if (state.matches > 0 || state.done) resolve(state);
        const now = performance.now();
        if (!state.done && now - toldAt < tellEveryMs) return;
        toldAt = now;
        tell(state);
      };
      const end = (problem: string): void => {
        if (running.done) return;
        clearTimeout(timer);
        running.done = true;
        running.problem = problem;
        say();
      };
      // What is no expression can at worst wait for the disk.
      const watch = (): void => {
        clearTimeout(timer);
        if (!query.regex) return;
        timer = setTimeout(() => {
          void task.stop();
          end(slowText(running.bytesDone));
        }, patienceMs);
      };
      const task = searcher.start(
        { descriptor: file.descriptor, size: file.size, query },
        {
          onBatch: (batch) => {
            if (running.done) return;
            running.store.add(batch);
            running.bytesDone = batch.bytesDone;
            watch();
            if (running.store.isFull) {
              void task.stop();
              end('');
            } else say();
          },
          onEnd: (problem) => {
            if (problem === '') running.bytesDone = file.size;
            end(problem);
          },
        },
      );
      running.stop = async () => {
        await task.stop();
        end('');
      };
      this.current = running;
    });
  }

  async stop(): Promise<void> {
    const { current } = this;
    await current?.stop();
  }

  async matches({
    searchId,
    from,
    count,
  }: Omit<Question<'results.matches'>, 'view'>): Promise<Answer<'results.matches'>> {
    const { store } = this.found(searchId);
    return { matches: await this.placed(store, { from, to: Math.min(from + count, store.matches) }) };
  }

  async matchesIn({
    searchId,
    fromRow,
    toRow,
  }: Omit<Question<'results.matchesIn'>, 'view'>): Promise<Answer<'results.matchesIn'>> {
    const { store } = this.found(searchId);
    const { text } = this.options;
    const first = store.from(text.walkFromRow(fromRow).position.byte);
    const behind = store.from(text.walkFromRow(toRow + 1).position.byte);
    return { matches: await this.placed(store, { from: first, to: Math.min(behind, first + maxInRange) }), first };
  }

  async matchingLines({
    searchId,
    from,
    count,
  }: Omit<Question<'results.matchingLines'>, 'view'>): Promise<Answer<'results.matchingLines'>> {
    const { store } = this.found(searchId);
    const last = store.firstOfLine(Math.min(from + count, store.lines) - 1);
    await this.options.indexed(last === null ? 0 : (store.at(last)?.end ?? 0));
    const seeker = new RowSeeker(this.options.text);
    const rows: Answer<'results.matchingLines'>['rows'] = [];
    for (let line = from; line < Math.min(from + count, store.lines); line += 1) {
      const number = store.firstOfLine(line) ?? 0;
      const match = store.at(number);
      const row = match === null ? null : seeker.rowOf(match.start);
      if (row === null) break;
      const matches: TextMatch[] = [];
      for (let next = number; matches.length < maxInRange; next += 1) {
        const one = store.at(next);
        if (one === null || one.start >= row.next.byte) break;
        matches.push(matchIn(row, one, seeker.bytes));
      }
      rows.push({ ...textOf(row, seeker.bytes), matches });
    }
    return { rows };
  }

  /** Matches by number, with rows and characters. */
  private async placed(
    store: MatchStore,
    { from, to }: { readonly from: number; readonly to: number },
  ): Promise<TextMatch[]> {
    await this.options.indexed(store.at(to - 1)?.end ?? 0);
    const seeker = new RowSeeker(this.options.text);
    const placed: TextMatch[] = [];
    for (let number = from; number < to; number += 1) {
      const match = store.at(number);
      const row = match === null ? null : seeker.rowOf(match.start);
      if (match === null || row === null) break;
      placed.push(matchIn(row, match, seeker.bytes));
    }
    return placed;
  }

  private found(searchId: string): Running {
    if (this.current?.searchId === searchId) return this.current;
    throw new RpcError('conflict', 'Another search has begun since. Ask for its matches.');
  }
}

/** Finds rows by bytes that come in order. */
class RowSeeker {
  private walk: RowWalk | null = null;
  private row: Row | null = null;

  constructor(private readonly text: TextView) {}

  /** The bytes of the row that was found last. */
  get bytes(): Buffer {
    return this.row === null || this.walk === null ? Buffer.alloc(0) : this.walk.bytesOf(this.row);
  }

  rowOf(byte: number): Row | null {
    if (this.row === null || this.walk === null || byte >= this.row.next.byte + walkBytes || byte < this.row.byte) {
      this.walk = this.text.walkFromByte(byte);
      this.row = this.walk.next();
    }
    while (this.row !== null && this.row.next.byte <= byte) this.row = this.walk.next();
    return this.row;
  }
}

function matchIn(row: Row, { start, end }: ByteMatch, bytes: Buffer): TextMatch {
  const chars = (byte: number): number => charsBetween(bytes, 0, Math.min(byte, row.end) - row.byte);
  return { row: row.row, line: row.line, start: chars(start), end: chars(end) };
}

function stateOf({ searchId, store, bytesDone, done, problem }: Running): SearchState {
  const { matches, lines, isFull } = store;
  return { searchId, matches, lines, bytesDone, done, truncated: isFull, problem };
}

const slowText = (byte: number): string =>
  `The search ended ${byte.toLocaleString('en-US')} bytes into the file: there the expression took longer than ${patienceMs / 1_000} seconds. Repetitions within repetitions, such as (a+)+, are often the cause; write it more simply.`;
