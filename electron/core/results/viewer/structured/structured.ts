// A file taken apart: as JSON, or as a table. What was read is given up when nobody has asked for a while.
import { RpcError } from '#shared/rpc/errors';
import type { Answer, Question } from '../../worker/messages';
import { isLinesOfJson, maxStructuredBytes, separatorOf, sniffBytes } from '../mode';
import type { OpenedFile } from '../openedFile';
import { type JsonSource, linesOfJson, valueAt, wholeJson } from './jsonSource';
import { childCount, cut, isRecord, previewOf, typeOf } from './preview';
import { recordsOf } from './separated';
import { type Sort, sorted, type Table, tableOfJson, tableOfRecords } from './table';

/** Without a question for so long, what was read is forgotten, in milliseconds. */
const idleMs = 60_000;
const maxTextChars = 1_000_000;

type Asked<N extends 'results.json' | 'results.jsonText' | 'results.table'> = Omit<Question<N>, 'view'>;

export class Structured {
  private source: JsonSource | null = null;
  private tableOf: Table | null = null;
  private order: { readonly sort: Sort; readonly rows: Uint32Array } | null = null;
  private keys: { readonly of: object; readonly names: readonly string[] } | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly file: OpenedFile,
    private readonly name: string,
  ) {}

  json({ path, from, count }: Asked<'results.json'>): Answer<'results.json'> {
    const source = this.parsed();
    if (path.length === 0 && source.lines !== null) {
      const { lines } = source;
      const total = lines.count;
      const nodes = range(from, count, total).map((index) => nodeOf(index, lines.at(index)));
      return {
        root: { type: 'array', preview: `${total.toLocaleString('en-US')} lines`, children: total },
        nodes,
        total,
      };
    }
    const value = valueAt(source, path);
    const { key: _, ...root } = nodeOf(0, value);
    const total = root.children;
    if (Array.isArray(value))
      return { root, nodes: range(from, count, total).map((at) => nodeOf(at, value[at])), total };
    if (!isRecord(value)) return { root, nodes: [], total };
    const names = this.keysOf(value);
    return { root, nodes: names.slice(from, from + count).map((key) => nodeOf(key, value[key])), total };
  }

  jsonText({ path }: Asked<'results.jsonText'>): Answer<'results.jsonText'> {
    const source = this.parsed();
    if (path.length === 0 && source.lines !== null)
      return bounded(this.file.bytes(0, maxTextChars * 4 + 4).toString('utf8'));
    const value = valueAt(source, path);
    return bounded(typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''));
  }

  table({ from, count, sort }: Asked<'results.table'>): Answer<'results.table'> {
    const table = this.asTable();
    if (sort !== null && sort.column >= table.columns.length)
      throw new RpcError('invalid', 'This table has no such column. Open it again.');
    const order = sort === null ? null : this.ordered(table, sort);
    const rows = range(from, count, table.count).map((at) => table.row(order === null ? at : (order[at] ?? 0)));
    return { columns: [...table.columns], rows, total: table.count };
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.source = null;
    this.tableOf = null;
    this.order = null;
    this.keys = null;
  }

  private used(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.dispose(), idleMs);
    this.timer.unref();
  }

  private parsed(): JsonSource {
    this.used();
    this.source ??= this.read('JSON', (head, isWhole) =>
      isLinesOfJson(head, isWhole) ? linesOfJson(this.file) : wholeJson(this.file, this.name),
    );
    return this.source;
  }

  private asTable(): Table {
    this.used();
    this.tableOf ??= this.read('a table', (head, isWhole) => {
      if (/^\ufeff?\s*[[{]/.test(head)) {
        const table = tableOfJson(this.parsed());
        if (table !== null) return table;
      }
      const separator = separatorOf(head, isWhole);
      if (separator === null)
        throw new RpcError('refused', `${this.name} is no table: its lines do not have the same number of cells.`);
      return tableOfRecords(recordsOf(this.file.bytes(0, this.file.size), separator.mark));
    });
    return this.tableOf;
  }

  private ordered(table: Table, sort: Sort): Uint32Array {
    const known = this.order;
    if (known?.sort.column === sort.column && known.sort.descending === sort.descending) return known.rows;
    const rows = sorted(table, sort);
    this.order = { sort, rows };
    return rows;
  }

  /** The names of an object's children, remembered because pages ask for them bit by bit. */
  private keysOf(value: object): readonly string[] {
    if (this.keys?.of !== value) this.keys = { of: value, names: Object.keys(value) };
    return this.keys.names;
  }

  private read<T>(as: string, work: (head: string, isWhole: boolean) => T): T {
    const { size } = this.file;
    if (size > maxStructuredBytes)
      throw new RpcError(
        'refused',
        `${this.name} has more than ${maxStructuredBytes / 1_048_576} MB, too much to be shown as ${as}. Search its text instead.`,
      );
    return work(this.file.bytes(0, sniffBytes).toString('utf8'), size <= sniffBytes);
  }
}

const nodeOf = (key: string | number, value: unknown): Answer<'results.json'>['nodes'][number] => ({
  key,
  type: typeOf(value),
  preview: previewOf(value),
  children: childCount(value),
});

const range = (from: number, count: number, total: number): number[] =>
  Array.from({ length: Math.max(0, Math.min(count, total - from)) }, (_, at) => from + at);

const bounded = (text: string): { text: string; truncated: boolean } => ({
  text: cut(text, maxTextChars),
  truncated: text.length > maxTextChars,
});
