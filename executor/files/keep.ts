// Keeps both sides of a change before it is made, so that it can be taken back. Whatever fails here fails no change.
import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { lstat, mkdir, open, readFile, realpath, rename, unlink, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { KeptChange, OperationFailure, OperationOf } from '#shared/api/executor';
import type { FileChange, FileContent } from '#shared/session/fileChange';
import { errnoOf } from '../failure';
import type { Change } from './change';
import type { Granted } from './pinned';
import { type FileAsFound, replaceFile } from './replace';
import { hashBytes } from './stat';

type Keep = NonNullable<OperationOf<'file.write'>['keep']>;

interface Replacement {
  readonly granted: Granted;
  readonly found: FileAsFound | undefined;
  readonly before: Buffer;
  readonly after: Buffer;
  readonly change: Pick<Change, 'added' | 'removed'>;
  readonly keep: Keep | undefined;
}

type Written = Exclude<Awaited<ReturnType<typeof replaceFile>>, OperationFailure>;

/** Replaces a file, with what was there and what comes kept beforehand. `before` must be what `found` holds. */
export async function replaceAndKeep(
  replacement: Replacement,
): Promise<(Written & { readonly kept?: KeptChange }) | OperationFailure> {
  const { granted, found, after: bytes, keep } = replacement;
  if (keep === undefined) return await replaceFile({ granted, bytes, found });
  let kept: KeptChange | undefined;
  let replaced = false;
  try {
    const ready = async (made: { readonly mode: number; readonly temporary: string }): Promise<void> => {
      kept = await keepBoth({ ...replacement, keep, ...made });
    };
    const written = await replaceFile({ granted, bytes, found, ready });
    if ('kind' in written) return written;
    replaced = true;
    return kept === undefined ? written : { ...written, kept };
  } finally {
    // Of a change that was made the core takes the note away, once it has written it down.
    if (!replaced) await unlink(noteOf(keep)).catch(() => undefined);
  }
}

async function keepBoth(
  about: Replacement & { readonly keep: Keep; readonly mode: number; readonly temporary: string },
): Promise<KeptChange> {
  const { keep, found, before, after } = about;
  const sides = {
    before: found === undefined ? null : contentOf(before, found.mode),
    after: contentOf(after, about.mode),
  };
  const lines = isText(before) && isText(after) ? { added: about.change.added, removed: about.change.removed } : null;
  const { path: given, real } = about.granted;
  let path = real ?? given;
  try {
    if (real === undefined) path = join(await realpath(dirname(given)), basename(given));
    await mkdir(join(keep.folder, 'pending'), { recursive: true, mode: 0o700 });
    for (const folder of [keep.folder, join(keep.folder, 'pending')])
      if (!(await lstat(folder)).isDirectory()) throw Object.assign(new Error('no folder'), { code: 'ENOTDIR' });
    if (sides.before !== null) sides.before.kept = await keepContent(keep, sides.before, before);
    sides.after.kept = await keepContent(keep, sides.after, after);
    const change: FileChange = {
      changeId: keep.changeId,
      path,
      ...sides,
      by: { kind: 'call', callId: keep.callId },
      lines,
    };
    const note = JSON.stringify({ changes: [change], leftovers: [about.temporary] });
    await writePrivate({ file: noteOf(keep), bytes: Buffer.from(note), durable: false });
    return { path, ...sides, lines, problem: '' };
  } catch (error) {
    return { path, ...sides, lines, problem: wordsFor(errnoOf(error) ?? 'unknown') };
  }
}

function contentOf(bytes: Buffer, mode: number): FileContent {
  const bits = process.platform === 'win32' ? null : mode & 0o7777;
  return { hash: hashBytes(bytes), bytes: bytes.length, mode: bits, kept: false };
}

/** Whether it is kept now. */
async function keepContent(keep: Keep, { hash }: FileContent, bytes: Buffer): Promise<boolean> {
  if (bytes.length > keep.maxBytes) return false;
  const file = join(keep.folder, hash);
  try {
    const there = await lstat(file);
    // After a power cut a file may have its size and not its bytes.
    if (there.isFile() && there.size === bytes.length && (await readFile(file)).equals(bytes)) {
      // What is used again is young again: the oldest goes first.
      const now = new Date();
      await utimes(file, now, now);
      return true;
    }
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
  await writePrivate({ file, bytes, durable: true });
  return true;
}

/** `durable`: it survives a power cut, not only the end of this process. */
async function writePrivate(what: {
  readonly file: string;
  readonly bytes: Buffer;
  readonly durable: boolean;
}): Promise<void> {
  const { file, bytes, durable } = what;
  const temporary = join(dirname(file), `.${randomBytes(8).toString('hex')}.tmp`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
      if (durable) await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

const noteOf = (keep: Keep): string => join(keep.folder, 'pending', `${keep.changeId}.json`);

const isText = (bytes: Buffer): boolean => isUtf8(bytes) && !bytes.includes(0);

function wordsFor(errno: string): string {
  if (errno === 'ENOSPC' || errno === 'EDQUOT') return `the disk is full, ${errno}`;
  if (errno === 'EACCES' || errno === 'EPERM' || errno === 'EROFS')
    return `Gatehouse's data folder may not be written to, ${errno}`;
  return errno;
}
