// Changes one cell in the text of a notebook. Everything outside of that cell keeps its bytes, and inside of it whatever
// the change does not touch: order of keys, numbers as they are written, metadata.
import { createHash } from 'node:crypto';
import { type Node, type ParseError, parseTree } from 'jsonc-parser';
import type { OperationOf } from '#shared/api/executor';
import { cellIdOf } from './notebook';

type Edit = Pick<OperationOf<'file.editCell'>, 'mode' | 'cellId' | 'cellType' | 'source'>;

export type CellChange =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'problem'; readonly reason: 'noMatch' | 'notUnique' | 'notText'; readonly words: string };

/** How the file is laid out. `unit` null: all on one line. */
interface Layout {
  readonly unit: string | null;
  readonly newline: string;
}

/** The notebook's text after the change. `text` must not begin with a byte order mark. */
export function changeCell(text: string, edit: Edit): CellChange {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { disallowComments: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return problem('notText', 'it is nested too deeply');
  }
  if (root === undefined || errors.length > 0) return problem('notText', 'it is no valid JSON');
  const cells = fieldOf(root, 'cells');
  if (cells?.type !== 'array') return problem('notText', 'it has no list of cells');
  const items = cells.children ?? [];
  const ids = items.map((item, index) => cellIdOf(idOnly(item), index));
  const layout = layoutOf(text);
  const { mode, cellId } = edit;

  let index = -1;
  if (cellId !== undefined) {
    const found = ids.flatMap((id, at) => (id === cellId ? [at] : []));
    if (found.length > 1) return problem('notUnique', `${found.length} of its cells have the id ${cellId}`);
    index = found[0] ?? -1;
    if (index < 0) return problem('noMatch', `it has no cell ${cellId}; its cells are ${listed(ids)}`);
  }
  if (mode === 'insert') {
    const made = newCell(edit, { layout, id: newId(root, text, { edit, ids }) });
    return { kind: 'text', text: inserted(text, { cells, index, layout, cell: made }) };
  }
  const cell = items[index];
  if (cell === undefined) return problem('noMatch', 'no cell was named');
  if (mode === 'delete') return { kind: 'text', text: deleted(text, { cells, index }) };
  if (cell.type !== 'object') return problem('notText', `the cell ${cellId} is no object`);
  const changed = replaced(text, { cell, edit, layout });
  return { kind: 'text', text: text.slice(0, cell.offset) + changed + text.slice(cell.offset + cell.length) };
}

function problem(reason: 'noMatch' | 'notUnique' | 'notText', words: string): CellChange {
  return { kind: 'problem', reason, words };
}

/** The last value of a key counts, as for every reader of JSON. */
function fieldOf(node: Node, key: string): Node | undefined {
  return propertiesOf(node).findLast((property) => property.key === key)?.value;
}

interface Property {
  readonly key: string;
  readonly name: Node;
  readonly value: Node;
}

function propertiesOf(node: Node): Property[] {
  if (node.type !== 'object') return [];
  return (node.children ?? []).flatMap((property) => {
    const [name, value] = property.children ?? [];
    return name === undefined || value === undefined ? [] : [{ key: String(name.value), name, value }];
  });
}

const idOnly = (cell: Node) => ({ id: fieldOf(cell, 'id')?.value as unknown });

function listed(ids: readonly string[]): string {
  const most = 20;
  const shown = ids.slice(0, most).join(', ');
  if (ids.length === 0) return 'none';
  return ids.length > most ? `${shown} and ${ids.length - most} more` : shown;
}

function layoutOf(text: string): Layout {
  const first = /^\{\s*?(\r?\n)([ \t]*)"/.exec(text.trimStart());
  const newline = first?.[1] ?? '\n';
  return { unit: first === null ? null : (first[2] ?? ''), newline };
}

/** A line break with the indentation of a depth; a blank or nothing where all is on one line. */
function lineBreak({ unit, newline }: Layout, depth: number): string {
  return unit === null ? '' : newline + unit.repeat(depth);
}

const comma = (layout: Layout) => (layout.unit === null ? ', ' : ',');

/** Depth of the things in a notebook: the root's keys are at 1. */
const cellDepth = 2;

/** A source as notebooks keep it: its lines with their ends. */
function sourceLines(source: string, layout: Layout): string {
  const lines = source.replaceAll('\r\n', '\n').match(/[^\n]*\n|[^\n]+$/g) ?? [];
  if (lines.length === 0) return '[]';
  const items = lines.map((line) => lineBreak(layout, cellDepth + 2) + JSON.stringify(line));
  return `[${items.join(comma(layout))}${lineBreak(layout, cellDepth + 1)}]`;
}

function objectText(entries: readonly (readonly [key: string, value: string])[], layout: Layout): string {
  const texts = entries.map(([key, value]) => `${lineBreak(layout, cellDepth + 1)}${key}: ${value}`);
  return `{${texts.join(comma(layout))}${lineBreak(layout, cellDepth)}}`;
}

/** Keys in the order in which Jupyter writes them. */
function newCell(edit: Edit, { layout, id }: { readonly layout: Layout; readonly id: string | null }): string {
  const isCode = (edit.cellType ?? 'code') === 'code';
  return objectText(
    [
      ['"cell_type"', JSON.stringify(edit.cellType ?? 'code')],
      ...(isCode ? [['"execution_count"', 'null'] as const] : []),
      ...(id === null ? [] : [['"id"', JSON.stringify(id)] as const]),
      ['"metadata"', '{}'],
      ...(isCode ? [['"outputs"', '[]'] as const] : []),
      ['"source"', sourceLines(edit.source, layout)],
    ],
    layout,
  );
}

/** The cell with a new source. What it printed belonged to the old one and goes. */
function replaced(
  text: string,
  { cell, edit, layout }: { readonly cell: Node; readonly edit: Edit; readonly layout: Layout },
): string {
  const properties = propertiesOf(cell);
  const before = String(fieldOf(cell, 'cell_type')?.value ?? 'code');
  const type = edit.cellType ?? before;
  const isCode = type === 'code';
  const old = fieldOf(cell, 'source');
  const source = old?.type === 'string' ? JSON.stringify(edit.source) : sourceLines(edit.source, layout);
  const fresh = new Map([
    ['cell_type', JSON.stringify(type)],
    ['source', source],
    ...(isCode
      ? ([
          ['execution_count', 'null'],
          ['outputs', '[]'],
        ] as const)
      : []),
  ]);
  const raw = (node: Node) => text.slice(node.offset, node.offset + node.length);
  const kept = properties
    .filter(({ key }) => isCode || (key !== 'execution_count' && key !== 'outputs'))
    .map(({ key, name, value }) => [raw(name), fresh.get(key) ?? raw(value)] as const);
  const there = new Set(properties.map(({ key }) => key));
  const added = [...fresh].filter(([key]) => !there.has(key)).map(([key, value]) => [`"${key}"`, value] as const);
  return objectText([...kept, ...added], layout);
}

function inserted(
  text: string,
  at: { readonly cells: Node; readonly index: number; readonly layout: Layout; readonly cell: string },
): string {
  const { cells, index, layout, cell } = at;
  const items = cells.children ?? [];
  const before = items[index];
  if (before !== undefined) {
    const end = before.offset + before.length;
    const gap = layout.unit === null ? ', ' : `,${lineBreak(layout, cellDepth)}`;
    return text.slice(0, end) + gap + cell + text.slice(end);
  }
  const first = items[0];
  if (first !== undefined) {
    const gap = layout.unit === null ? ', ' : `,${lineBreak(layout, cellDepth)}`;
    return text.slice(0, first.offset) + cell + gap + text.slice(first.offset);
  }
  const list = `[${lineBreak(layout, cellDepth)}${cell}${lineBreak(layout, cellDepth - 1)}]`;
  return text.slice(0, cells.offset) + list + text.slice(cells.offset + cells.length);
}

function deleted(text: string, { cells, index }: { readonly cells: Node; readonly index: number }): string {
  const items = cells.children ?? [];
  const cell = items[index];
  const next = items[index + 1];
  const before = items[index - 1];
  if (cell === undefined) return text;
  if (next !== undefined) return text.slice(0, cell.offset) + text.slice(next.offset);
  const end = cell.offset + cell.length;
  if (before !== undefined) return text.slice(0, before.offset + before.length) + text.slice(end);
  return `${text.slice(0, cells.offset)}[]${text.slice(cells.offset + cells.length)}`;
}

/** An id for a new cell, the same for the same change of the same file; null where the format has none (before 4.5). */
function newId(
  root: Node,
  text: string,
  { edit, ids }: { readonly edit: Edit; readonly ids: readonly string[] },
): string | null {
  const major = Number(fieldOf(root, 'nbformat')?.value ?? 4);
  const minor = Number(fieldOf(root, 'nbformat_minor')?.value ?? 0);
  if (major < 4 || (major === 4 && minor < 5)) return null;
  for (let attempt = 0; ; attempt += 1) {
    const seed = JSON.stringify([text, edit.cellId ?? '', edit.source, attempt]);
    const id = createHash('sha256').update(seed).digest('hex').slice(0, 8);
    if (!ids.includes(id)) return id;
  }
}
