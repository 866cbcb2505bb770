// A JSON value as rows of a tree: which row is which value, while only the values in view are known.
import type { JsonNode } from '#shared/api/results';
import type { Pages } from './pages';

/** Keys and indexes that lead to a value. */
export type JsonPath = readonly (string | number)[];

/** An opened object or list. `place`: indexes that lead to it, joined by "/"; empty for the root. */
export interface Branch {
  readonly place: string;
  readonly path: JsonPath;
  readonly total: number;
  readonly pages: Pages<JsonNode>;
}

export interface TreeRow {
  /** The branch it is a child of; null: it is the root. */
  readonly parent: string | null;
  readonly index: number;
  /** 1 = the root. */
  readonly level: number;
  /** Its own place. */
  readonly place: string;
}

/** Opened branches by place; those whose parent is closed do not count. */
export type Branches = ReadonlyMap<string, Branch>;

export function childPlace(parent: string, index: number): string {
  return parent === '' ? String(index) : `${parent}/${index}`;
}

export interface Tree {
  readonly rows: number;
  rowAt(row: number): TreeRow;
  /** Row of the head of an opened value. */
  rowOf(place: string): number;
}

/** Lays the opened branches out. */
export function layTree(branches: Branches): Tree {
  const children = new Map<string, number[]>();
  for (const place of branches.keys()) {
    if (place === '') continue;
    const slash = place.lastIndexOf('/');
    const parent = slash === -1 ? '' : place.slice(0, slash);
    const list = children.get(parent) ?? [];
    list.push(Number(place.slice(slash + 1)));
    children.set(parent, list);
  }
  for (const list of children.values()) list.sort((a, b) => a - b);
  const sizes = new Map<string, number>();
  const sizeOf = (place: string): number => {
    const known = sizes.get(place);
    if (known !== undefined) return known;
    const branch = branches.get(place);
    let size = branch?.total ?? 0;
    if (branch !== undefined) for (const index of children.get(place) ?? []) size += sizeOf(childPlace(place, index));
    sizes.set(place, size);
    return size;
  };

  const within = (place: string, row: number, level: number): TreeRow => {
    let extra = 0;
    for (const index of children.get(place) ?? []) {
      const head = index + extra;
      if (row <= head) break;
      const own = childPlace(place, index);
      const size = sizeOf(own);
      if (row <= head + size) return within(own, row - head - 1, level + 1);
      extra += size;
    }
    const index = row - extra;
    return { parent: place, index, level, place: childPlace(place, index) };
  };

  const rowOf = (place: string): number => {
    if (place === '') return 0;
    const slash = place.lastIndexOf('/');
    const parent = slash === -1 ? '' : place.slice(0, slash);
    const index = Number(place.slice(slash + 1));
    let row = rowOf(parent) + 1 + index;
    for (const sibling of children.get(parent) ?? []) {
      if (sibling >= index) break;
      row += sizeOf(childPlace(parent, sibling));
    }
    return row;
  };

  return {
    rows: 1 + sizeOf(''),
    rowAt: (row) => (row === 0 ? { parent: null, index: 0, level: 1, place: '' } : within('', row - 1, 2)),
    rowOf,
  };
}

/** A path as people write it: `$.files[3]["odd name"]`. */
export function pathWords(path: JsonPath): string {
  return `$${path
    .map((key) =>
      typeof key === 'number' ? `[${key}]` : /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`,
    )
    .join('')}`;
}
