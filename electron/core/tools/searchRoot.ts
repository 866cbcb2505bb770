import { isAbsolute, join } from 'node:path';
import { absolutePath } from './paths';
import type { CallPlace } from './tool';

/** Where a search starts, absolute, and its pattern relative to that. */
export interface SearchRoot {
  readonly root: string;
  readonly pattern: string;
}

/**
 * Folder and pattern of a search. Where the pattern itself names a place (absolute, `~`, `./`, `../`), that part of it moves
 * into the root, so that the root says all that the search will touch; the rest is anchored there by `./`.
 */
export function searchRoot(
  search: { readonly pattern: string; readonly path: string | undefined },
  place: CallPlace,
): SearchRoot {
  const base = absolutePath(search.path ?? '.', place);
  const { pattern } = search;
  if (!isAbsolute(pattern) && !/^(~|\.{1,2})[/\\]/.test(pattern)) return { root: base, pattern };
  const segments = pattern.split('/');
  const firstWild = segments.findIndex((segment) => /[*?[\]{}!]/.test(segment));
  const fixed = firstWild === -1 ? segments.length - 1 : firstWild;
  const folder = segments.slice(0, fixed).join('/') || '/';
  return {
    root: folder.startsWith('~') ? absolutePath(folder, place) : isAbsolute(folder) ? join(folder) : join(base, folder),
    pattern: `./${segments.slice(fixed).join('/')}`,
  };
}

/** Whether a pattern still climbs out of its root. */
export const climbsOut = (pattern: string) => pattern.split(/[/\\]/).includes('..');
