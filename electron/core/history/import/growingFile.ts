// A file that only ever grows, of which the new part is read: how far it was read, and whether it is still the one it was.
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Bytes at the start and before the end of what was read whose print tells a file that went on from one written anew. */
const printedBytes = 4_096;

/** What a file is when it is read. */
export interface FoundFile {
  readonly identity: string;
  readonly size: number;
  readonly changedAt: number;
}

/** What is kept of a file that was read. */
export interface ReadFile {
  readonly identity: string;
  readonly size: number;
  readonly changed_at: number;
  /** Bytes up to the last complete line that was read. */
  readonly done: number;
  readonly print: string;
}

/** Opens a plain file, neither a link nor a pipe that came in its place; null: it is none. Throws the errno error. */
export function openGrowing(path: string): { readonly handle: number; readonly found: FoundFile } | null {
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  const stats = fstatSync(handle);
  if (!stats.isFile()) {
    closeSync(handle);
    return null;
  }
  return { handle, found: { identity: `${stats.dev}:${stats.ino}`, size: stats.size, changedAt: stats.mtimeMs } };
}

/** Whether the file is the one that was read, perhaps with more at its end. */
export function continues(row: ReadFile, found: FoundFile, handle: number): boolean {
  if (row.identity !== found.identity || found.size < row.done) return false;
  // Sessions only ever add: the same length at another time is another content.
  if (row.size === found.size && row.changed_at !== found.changedAt) return false;
  return row.print === printOf(handle, row.done);
}

/** A print of what stands around the part that was read. */
export function printOf(handle: number, done: number): string {
  if (done === 0) return '';
  const start = Buffer.alloc(Math.min(done, printedBytes));
  const end = Buffer.alloc(Math.min(done, printedBytes));
  readSync(handle, start, 0, start.length, 0);
  readSync(handle, end, 0, end.length, done - end.length);
  return createHash('sha256').update(start).update(end).digest('base64url').slice(0, 24);
}
