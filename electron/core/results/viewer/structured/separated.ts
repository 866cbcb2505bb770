// Tables of text: cells between commas, semicolons or tabs, in quotes where they hold one of these or a line end.
import type { Separator } from '../mode';

const quote = 0x22;
const lineFeed = 10;

export interface Records {
  /** Without the first, which names the columns. */
  readonly count: number;
  readonly columns: readonly string[];
  at(index: number): string[];
}

/** How many rows are looked at to learn how many columns there are. */
const lookedAt = 1_000;
const maxColumns = 1_000;

/** Finds the rows of a table; their cells are read when they are asked for. */
export function recordsOf(bytes: Buffer, mark: Separator['mark']): Records {
  const ends = recordEnds(bytes, mark.charCodeAt(0));
  const record = (index: number): string[] => {
    const from = index === 0 ? 0 : (ends[index - 1] ?? 0) + 1;
    return cellsOf(bytes.toString('utf8', from, ends[index] ?? bytes.length), mark);
  };
  const names = ends.length === 0 ? [] : record(0).slice(0, maxColumns);
  names[0] = (names[0] ?? '').replace(/^\ufeff/, '');
  for (let index = 1; index < Math.min(ends.length, lookedAt); index += 1) {
    const { length } = record(index);
    while (names.length < Math.min(length, maxColumns)) names.push('');
  }
  const columns = names.map((name, at) => (name.trim() === '' ? `Column ${at + 1}` : name.trim()));
  return {
    count: Math.max(0, ends.length - 1),
    columns,
    at: (index) => {
      const cells = record(index + 1).slice(0, columns.length);
      while (cells.length < columns.length) cells.push('');
      return cells;
    },
  };
}

/** Where each row ends; empty lines are none. */
function recordEnds(bytes: Buffer, mark: number): number[] {
  const ends: number[] = [];
  let start = 0;
  while (start < bytes.length) {
    const end = recordEnd(bytes, start, mark);
    const isEmpty = end === start || (end === start + 1 && bytes[start] === 13);
    if (isEmpty && ends.length > 0) ends[ends.length - 1] = end;
    else if (!isEmpty) ends.push(end);
    start = end + 1;
  }
  return ends;
}

function recordEnd(bytes: Buffer, start: number, mark: number): number {
  const lineEnd = bytes.indexOf(lineFeed, start);
  const plain = lineEnd < 0 ? bytes.length : lineEnd;
  if (!bytes.subarray(start, plain).includes(quote)) return plain;
  let atCellStart = true;
  let isQuoted = false;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (isQuoted) {
      if (byte !== quote) continue;
      if (bytes[at + 1] === quote) at += 1;
      else isQuoted = false;
    } else if (byte === lineFeed) return at;
    else if (byte === quote && atCellStart) isQuoted = true;
    atCellStart = byte === mark && !isQuoted;
  }
  // A quote that never ends was just a sign.
  return isQuoted ? plain : bytes.length;
}

function cellsOf(record: string, mark: string): string[] {
  const text = record.replace(/[\r\n]+$/, '');
  if (!text.includes('"')) return text.split(mark);
  const cells: string[] = [];
  for (let from = 0; ; ) {
    if (text[from] === '"') {
      const quoted = /"(?:[^"]|"")*"/y;
      quoted.lastIndex = from;
      const found = quoted.exec(text)?.[0];
      if (found !== undefined) {
        const after = from + found.length;
        const next = text.indexOf(mark, after);
        cells.push(found.slice(1, -1).replaceAll('""', '"') + text.slice(after, next < 0 ? text.length : next));
        if (next < 0) return cells;
        from = next + 1;
        continue;
      }
    }
    const next = text.indexOf(mark, from);
    cells.push(text.slice(from, next < 0 ? text.length : next));
    if (next < 0) return cells;
    from = next + 1;
  }
}
