import { createHash } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { lstat, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { OperationAnswers, OperationOf } from '#shared/api/executor';
import { errnoOf, systemFailure } from '../failure';

/** Larger files are not hashed for a mere look (the contract's bound). */
const largestHashed = 64 * 1024 * 1024;

/** Facts about a path; what is not there is an answer, not a failure. */
export async function statFile(operation: OperationOf<'file.stat'>): Promise<OperationAnswers['file.stat']> {
  const { path } = operation;
  try {
    const link = await presentOr(lstat(path));
    const target = await presentOr(stat(path));
    const realPath = await resolveLinks(path);
    const isLink = link?.isSymbolicLink() ?? false;
    if (target === undefined)
      return { kind: 'stat', exists: false, type: 'none', size: 0, mtimeMs: 0, isLink, realPath, hash: '' };
    const type = typeOf(target);
    const hash = type === 'file' && target.size <= largestHashed ? await hashFile(realPath) : '';
    return { kind: 'stat', exists: true, type, size: target.size, mtimeMs: target.mtimeMs, isLink, realPath, hash };
  } catch (error) {
    return systemFailure(error, path);
  }
}

/** sha256 of a file's bytes, hex, without loading it. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

export function hashBytes(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Undefined when there is nothing at the path. */
export async function presentOr(looking: Promise<Stats>): Promise<Stats | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

function typeOf(stats: Stats): 'file' | 'folder' | 'other' {
  if (stats.isFile()) return 'file';
  return stats.isDirectory() ? 'folder' : 'other';
}

/** The real path; of what does not exist, through its deepest existing folder. */
async function resolveLinks(path: string, depth = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' && errnoOf(error) !== 'ENOTDIR') throw error;
  }
  const parent = dirname(path);
  if (parent === path || depth > 40) return path;
  const here = join(await resolveLinks(parent, depth), basename(path));
  const link = await presentOr(lstat(here));
  return link?.isSymbolicLink() ? resolveLinks(resolve(dirname(here), await readlink(here)), depth + 1) : here;
}
