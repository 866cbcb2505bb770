// Where a place of a sandbox policy really lies: through links, and as far as it exists.
import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';

/** What there is at a path that is no link. `other`: a file, a device, a socket. */
export type PlaceKind = 'folder' | 'other';

export interface Place {
  /** The deepest part of it that exists: a real path. */
  readonly real: string;
  readonly kind: PlaceKind;
  /** Names below `real` that do not exist yet. */
  readonly missing: readonly string[];
  /** Links on the way, each named by its real folder. */
  readonly links: readonly string[];
}

/** A place that stays read-only. `shape`: what it is when it has to be made because it is missing. */
export interface KeptPlace {
  readonly path: string;
  readonly shape: 'folder' | 'file';
}

/** As many links as the kernel follows on one way. */
const mostLinks = 40;

/** Looks places up; each path is asked about once. */
export class PlaceFinder {
  private readonly known = new Map<string, Stats | undefined>();
  private readonly found = new Map<string, Place | undefined>();

  /** Undefined: a way that leads nowhere, such as a ring of links. */
  find(given: string): Place | undefined {
    if (!this.found.has(given)) this.found.set(given, this.walk(given));
    return this.found.get(given);
  }

  /** The real path of something that exists, else undefined. */
  real(given: string): string | undefined {
    const place = this.find(given);
    return place === undefined || place.missing.length > 0 ? undefined : place.real;
  }

  isFolder(real: string): boolean {
    return real === '/' || this.stats(real)?.isDirectory() === true;
  }

  exists(real: string): boolean {
    return real === '/' || this.stats(real) !== undefined;
  }

  private walk(given: string): Place | undefined {
    const links: string[] = [];
    const names = namesOf(given);
    let real = '/';
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      if (name === '..') {
        real = dirname(real);
        continue;
      }
      const path = join(real, name);
      const stats = this.stats(path);
      if (stats === undefined) return { real, kind: this.kind(real), missing: [name, ...names], links };
      if (!stats.isSymbolicLink()) {
        real = path;
        continue;
      }
      links.push(path);
      const target = linkTarget(path);
      if (target === null || links.length > mostLinks) return undefined;
      if (target.startsWith('/')) real = '/';
      names.unshift(...namesOf(target));
    }
    return { real, kind: this.kind(real), missing: [], links };
  }

  private kind(real: string): PlaceKind {
    return this.isFolder(real) ? 'folder' : 'other';
  }

  private stats(path: string): Stats | undefined {
    if (!this.known.has(path)) this.known.set(path, statsOf(path));
    return this.known.get(path);
  }
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // Below a file, or where this user must not look: the command, who is the same user, must not either.
    return undefined;
  }
}

/** Null when it is gone meanwhile. */
export function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

export function isInside(folder: string, path: string): boolean {
  return path === folder || folder === '/' || path.startsWith(`${folder}/`);
}

/** Number of folders above it; 0 for the root. */
export function depth(path: string): number {
  return path === '/' ? 0 : path.split('/').length - 1;
}
