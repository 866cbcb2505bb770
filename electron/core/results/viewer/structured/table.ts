// Rows and columns of what is a table, and their order.

import type { JsonSource } from './jsonSource';
import { cut, isRecord, previewOf } from './preview';
import type { Records } from './separated';

const maxCellChars = 1_000;
const maxColumns = 200;
/** Rows that are looked at for the names of columns. */
const lookedAt = 1_000;

export interface Table {
  readonly columns: readonly string[];
  readonly count: number;
  /** Cells of a row as they are shown. */
  row(index: number): string[];
  /** What a row is sorted by. */
  key(index: number, column: number): string | number | null;
}

export interface Sort {
  readonly column: number;
  readonly descending: boolean;
}

export function tableOfRecords({ columns, count, at }: Records): Table {
  return {
    columns,
    count,
    row: (index) => at(index).map((cell) => cut(cell, maxCellChars)),
    key: (index, column) => keyOf(at(index)[column]),
  };
}

/** Null when it is no list of objects. */
export function tableOfJson(source: JsonSource): Table | null {
  const list: unknown = source.root;
  const items =
    source.lines ?? (Array.isArray(list) ? { count: list.length, at: (index: number): unknown => list[index] } : null);
  if (items === null) return null;
  const names = new Set<string>();
  let objects = 0;
  for (let index = 0; index < Math.min(items.count, lookedAt); index += 1) {
    const item = items.at(index);
    if (!isRecord(item)) continue;
    objects += 1;
    for (const key of Object.keys(item)) if (names.size < maxColumns) names.add(key);
  }
  if (objects === 0) return null;
  const columns = [...names];
  const cellOf = (item: unknown, column: string | undefined): unknown =>
    isRecord(item) && column !== undefined && Object.hasOwn(item, column) ? item[column] : undefined;
  return {
    columns,
    count: items.count,
    row(index) {
      const item = items.at(index);
      return columns.map((column) => shown(cellOf(item, column)));
    },
    key(index, column) {
      const value = cellOf(items.at(index), columns[column]);
      return value === null || value === undefined ? null : keyOf(typeof value === 'object' ? previewOf(value) : value);
    },
  };
}

function shown(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? cut(value, maxCellChars) : previewOf(value);
}

function keyOf(value: unknown): string | number | null {
  if (typeof value === 'number') return value;
  const text = String(value ?? '').trim();
  if (text === '') return null;
  // Not what merely begins with digits, such as a date.
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
}

/** The rows' numbers in order: numbers before texts, nothing always last. */
export function sorted(table: Table, { column, descending }: Sort): Uint32Array {
  const keys = Array.from({ length: table.count }, (_, index) => table.key(index, column));
  const order = Uint32Array.from(keys, (_, index) => index);
  const turn = descending ? -1 : 1;
  const rank = (key: string | number | null): number => (key === null ? 2 : typeof key === 'number' ? 0 : 1);
  return order.sort((left, right) => {
    const a = keys[left] ?? null;
    const b = keys[right] ?? null;
    const apart = rank(a) - rank(b);
    if (apart !== 0) return rank(a) === 2 || rank(b) === 2 ? apart : apart * turn;
    if (a !== null && b !== null && a !== b) return (a < b ? -1 : 1) * turn;
    return left - right;
  });
}
