// Paths as models write them, made absolute without touching the disk; links are followed later, by the executor.
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import type { CallPlace } from './tool';

/** Longest path that the executor takes. */
const maxPathChars = 4_096;

/** A path field of a tool's input. */
export function pathField() {
  return z
    .string()
    .refine((path) => path.trim() !== '', 'expected a path')
    .refine((path) => path.length <= maxPathChars, `expected at most ${maxPathChars} characters`)
    .refine((path) => !path.includes('\0'), 'expected a path without a NUL character');
}

/** Makes a path absolute: `~` is the home folder, anything relative starts at `cwd`. */
export function absolutePath(path: string, place: Pick<CallPlace, 'cwd' | 'home'>): string {
  if (path === '~') return place.home;
  if (path.startsWith('~/') || path.startsWith(`~${sep}`)) return join(place.home, path.slice(2));
  return resolve(place.cwd, path);
}

/** Whether a path is a folder or lies below it, by its text alone. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`));
}

/** The path from `base` where it lies inside, `.` for `base` itself, else the absolute path. */
export function shortPath(path: string, base: string): string {
  if (!isInside(path, base)) return path;
  return relative(base, path) || '.';
}
