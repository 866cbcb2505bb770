import type { Dirent } from 'node:fs';
import { lstat, opendir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { OperationAnswers, OperationOf } from '#shared/api/executor';
import type { CancelSignal } from '#shared/rpc/contract';
import { failure, systemFailure } from '../failure';
import { type HeldFolder, holdFolder } from './pinned';
import { fitsWildcard } from './wildcard';

/** Counting ends here. */
const mostEntries = 200_000;
/** Files that are looked at at once. */
const lookups = 32;

type Answer = OperationAnswers['file.list'];
type Entry = Extract<Answer, { kind: 'entries' }>['entries'][number];

/** Names are bytes; read as latin1 each byte is one character and none is lost. */
type RawEntry = { readonly raw: string; readonly name: string; readonly type: Entry['type'] };

/** The entries of a folder, folders first, each by name. Links are not followed. */
export async function listFolder(operation: OperationOf<'file.list'>, signal: CancelSignal): Promise<Answer> {
  const { path } = operation;
  let folder: HeldFolder | undefined;
  try {
    folder = await holdFolder(operation);
    return await listHeld(operation, folder.at, signal);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR')
      return failure('notFolder', `${path} is not a folder. To see a file use Read.`);
    return systemFailure(error, path);
  } finally {
    await folder?.release();
  }
}

async function listHeld(
  { ignore, limit }: OperationOf<'file.list'>,
  folder: string,
  signal: CancelSignal,
): Promise<Answer> {
  const found: RawEntry[] = [];
  let ignored = 0;
  let more = false;
  // The typings know no other encoding here than those of text.
  for await (const entry of await opendir(folder, { encoding: 'latin1', bufferSize: 256 })) {
    if (signal.cancelled) break;
    const name = Buffer.from(entry.name, 'latin1').toString('utf8');
    const type = typeOf(entry);
    if (ignore.some((pattern) => isIgnored(pattern, name, type))) {
      ignored += 1;
      continue;
    }
    if (found.length >= mostEntries) {
      more = true;
      break;
    }
    found.push({ raw: entry.name, name, type });
  }
  found.sort(
    (a, b) =>
      Number(b.type === 'folder') - Number(a.type === 'folder') || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );
  const entries: Entry[] = [];
  for (let at = 0; at < Math.min(found.length, limit) && !signal.cancelled; at += lookups) {
    const batch = found.slice(at, Math.min(at + lookups, limit));
    entries.push(...(await Promise.all(batch.map((entry) => look(folder, entry)))));
  }
  return { kind: 'entries', entries, total: found.length, ignored, more };
}

function typeOf(entry: Dirent): Entry['type'] {
  if (entry.isSymbolicLink()) return 'link';
  if (entry.isDirectory()) return 'folder';
  return entry.isFile() ? 'file' : 'other';
}

function isIgnored(pattern: string, name: string, type: Entry['type']): boolean {
  if (!pattern.endsWith('/')) return fitsWildcard(pattern, name);
  return type === 'folder' && fitsWildcard(pattern.slice(0, -1), name);
}

async function look(folder: string, { raw, name, type }: RawEntry): Promise<Entry> {
  const whole = Buffer.concat([Buffer.from(join(folder, '/'), 'utf8'), Buffer.from(raw, 'latin1')]);
  // What has gone in between is still shown, without its size.
  if (type === 'link') return { name, type, size: 0, target: await readlink(whole, 'utf8').catch(() => '') };
  if (type !== 'file') return { name, type, size: 0 };
  const stats = await lstat(whole).catch(() => undefined);
  return { name, type, size: stats?.size ?? 0 };
}
