// No mount can hold a link in place, so a command may put something else where a protected link was. It is put back at once
// when that is seen, and at the end in any case; what stood in its place is kept beside it.
import { type FSWatcher, lstatSync, renameSync, symlinkSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import { linkTarget } from './places';

/** Guards links, given by paths whose folders are real and cannot be renamed; answers with what ends it. */
export function guardLinks(paths: readonly string[]): () => void {
  const links = paths.flatMap((path) => {
    const target = linkTarget(path);
    return target === null ? [] : [{ path, target }];
  });
  const putBack = () => {
    for (const link of links) restore(link);
  };
  const watchers = [...new Set(links.map(({ path }) => dirname(path)))].flatMap((folder) => watching(folder, putBack));
  return () => {
    for (const watcher of watchers) watcher.close();
    putBack();
  };
}

function restore({ path, target }: { readonly path: string; readonly target: string }): void {
  if (linkTarget(path) === target) return;
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) renameSync(path, freeName(path));
    symlinkSync(target, path);
  } catch {
    // Replaced again meanwhile: the next change, or the end, brings another try.
  }
}

function freeName(path: string): string {
  for (let number = 1; ; number += 1) {
    const name = `${path}.replaced-${number}`;
    if (lstatSync(name, { throwIfNoEntry: false }) === undefined) return name;
  }
}

function watching(folder: string, onChange: () => void): FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, onChange);
    watcher.on('error', () => undefined);
    return [watcher];
  } catch {
    // No more can be watched on this system: the end puts it back.
    return [];
  }
}
