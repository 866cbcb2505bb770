// A file as JSON: one value, or one on each line.
import { RpcError } from '#shared/rpc/errors';
import type { OpenedFile } from '../openedFile';

export type JsonPath = readonly (string | number)[];

export interface JsonSource {
  /** The root's children, of a list without reading all of it. */
  readonly root: unknown;
  /** Of lines of JSON: how many, and the value of one; then `root` is not used. */
  readonly lines: { readonly count: number; at(index: number): unknown } | null;
}

/** Throws RpcError `refused` with the line of what is no JSON. */
export function wholeJson(file: OpenedFile, name: string): JsonSource {
  const text = file
    .bytes(0, file.size)
    .toString('utf8')
    .replace(/^\ufeff/, '');
  try {
    return { root: JSON.parse(text), lines: null };
  } catch (error) {
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    const line = text.slice(0, position === undefined ? text.length : Number(position)).split('\n').length;
    throw new RpcError(
      'refused',
      `${name} is no JSON: line ${line.toLocaleString('en-US')} does not fit. Look at its text.`,
    );
  }
}

/** Lines that are no JSON stand for their own text. */
export function linesOfJson(file: OpenedFile): JsonSource {
  const bytes = file.bytes(0, file.size);
  const starts: number[] = [];
  const ends: number[] = [];
  for (let from = 0; from < bytes.length; ) {
    const found = bytes.indexOf(10, from);
    const end = found < 0 ? bytes.length : found;
    if (!isBlank(bytes, from, end)) {
      starts.push(from);
      ends.push(end);
    }
    from = end + 1;
  }
  const at = (index: number): unknown => {
    const text = bytes.toString('utf8', starts[index] ?? 0, ends[index] ?? 0).replace(/^\ufeff/, '');
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  };
  return { root: null, lines: { count: starts.length, at } };
}

function isBlank(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if ((bytes[at] ?? 0) > 32) return false;
  return true;
}

/** The value at a path. Throws RpcError `notFound`. */
export function valueAt(source: JsonSource, path: JsonPath): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return source.root;
  let value = source.lines === null ? childOf(source.root, first) : lineOf(source.lines, first);
  for (const key of rest) value = childOf(value, key);
  return value;
}

function lineOf(lines: NonNullable<JsonSource['lines']>, index: string | number): unknown {
  if (typeof index !== 'number' || index < 0 || index >= lines.count) throw gone();
  return lines.at(index);
}

function childOf(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) throw gone();
  return Reflect.get(value, key);
}

const gone = (): RpcError => new RpcError('notFound', 'There is no such value in this file. Open it again.');
