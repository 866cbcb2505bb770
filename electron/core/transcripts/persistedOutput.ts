// Results that Claude Code kept as a file: their block names it within a wrapper.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { ResultBlock } from '#shared/session/events';
import type { PersistedResult } from '#shared/session/toolCall';

const wrapper = /^\s*<persisted-output>\s*\n([\s\S]*)$/;
const path = /((?:\/|[A-Za-z]:\\)[^\n"<>]*[/\\]tool-results[/\\][A-Za-z0-9_.-]+\.(?:txt|json))/;
const previewStart = /\nPreview[^\n]*:\n/;

/**
 * The file that a result names, if it is one of the transcript's own; null: the result is whole, or names anything else.
 * `folder`: where the results of this transcript lie.
 */
export function persistedIn(content: readonly ResultBlock[], folder: string): PersistedResult | null {
  const first = content.find((block) => block.type === 'text');
  const inner = first?.type === 'text' ? wrapper.exec(first.text)?.[1] : undefined;
  if (inner === undefined) return null;
  const start = previewStart.exec(inner);
  // A path in the preview is part of the output.
  const named = path.exec(start === null ? inner.slice(0, 2_000) : inner.slice(0, start.index))?.[1];
  if (named === undefined || resolve(dirname(named)) !== resolve(folder)) return null;
  const file = join(folder, basename(named));
  const bytes = sizeOf(file);
  if (bytes === null) return null;
  const preview =
    start === null ? '' : inner.slice(start.index + start[0].length).replace(/\n?<\/persisted-output>\s*$/, '');
  return { file, bytes, previewChars: preview.replace(/\n\.\.\.$/, '').length };
}

/** Bytes of a plain file; null for anything else. */
export function sizeOf(file: string): number | null {
  return withPlainFile(file, (_handle, size) => size);
}

/** The first and last bytes of a plain file as text; null where there is none. */
export function endsOf(
  file: string,
  { head, tail }: { readonly head: number; readonly tail: number },
): { readonly head: string; readonly tail: string } | null {
  return withPlainFile(file, (handle, size) => {
    const start = Buffer.alloc(Math.min(head, size));
    const end = Buffer.alloc(Math.max(0, Math.min(tail, size - start.length)));
    readSync(handle, start, 0, start.length, 0);
    readSync(handle, end, 0, end.length, size - end.length);
    return { head: start.toString('utf8'), tail: end.toString('utf8') };
  });
}

/** Neither a link nor a pipe is opened. */
function withPlainFile<T>(file: string, work: (handle: number, size: number) => T): T | null {
  let handle: number;
  try {
    handle = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch {
    return null;
  }
  try {
    const stats = fstatSync(handle);
    return stats.isFile() ? work(handle, stats.size) : null;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return null;
  } finally {
    closeSync(handle);
  }
}
