import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Links followed in a row before a path is taken for a loop; what Linux allows. */
const maxLinks = 40;

/**
 * The real path of an absolute path, with all links followed. What does not exist yet is resolved through its deepest
 * existing folder; a link that points to nothing is followed to where it points. Rejects with the errno error when
 * that cannot be found out (no right to look, loop of links).
 */
export async function resolveReal(path: string): Promise<string> {
  // At once, as the decision before it was: a way through the threads of the pool costs a call many times the look itself.
  return follow(resolve(path), 0);
}

function follow(path: string, links: number): string {
  if (links > maxLinks) throw Object.assign(new Error(`Too many links: ${path}`), { code: 'ELOOP' });
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' && errnoOf(error) !== 'ENOTDIR') throw error;
  }
  const parent = dirname(path);
  if (parent === path) return path;
  const realParent = follow(parent, links);
  const here = join(realParent, basename(path));
  const target = linkTarget(here);
  return target === undefined ? here : follow(resolve(realParent, target), links + 1);
}

function linkTarget(path: string): string | undefined {
  try {
    const stats = lstatSync(path);
    return stats.isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
