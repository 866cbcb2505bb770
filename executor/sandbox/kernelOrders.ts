// Files in /proc through which the kernel takes orders. No namespace holds them: whoever is root outside may write them as
// root inside, without any capability, and a program named in one of them is run outside.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Deeper ones are not looked for, except below `sys`, which is always taken whole. */
const deepest = 3;
let known: readonly string[] | undefined;

/** Entries of /proc that must be read-only in a sandbox. Found out once: a kernel gets no new ones while it runs. */
export function kernelOrders(): readonly string[] {
  known ??= findOrders('/proc');
  return known;
}

/** Entries of `folder`, as paths, that can be written or hold something that can. */
export function findOrders(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.isSymbolicLink() && !/^\d+$/.test(entry.name))
    .map((entry) => ({ name: entry.name, path: join(folder, entry.name) }))
    .filter(({ name, path }) => name === 'sys' || takesOrders(path, 1))
    .map(({ path }) => path)
    .sort();
}

function takesOrders(path: string, depth: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (!stats.isDirectory()) return (stats.mode & 0o222) !== 0;
  // What is not looked into is taken as it is.
  return depth >= deepest || names(path).some((name) => takesOrders(join(path, name), depth + 1));
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
