import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';

/** The first of the named folders' programs that can be run; absolute, undefined when there is none. */
export function findProgram(name: string, searchPath: string): string | undefined {
  for (const folder of searchPath.split(':')) {
    if (!folder.startsWith('/')) continue;
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      if (statSync(path).isFile()) return path;
    } catch {
      // Not here.
    }
  }
  return undefined;
}

/** System folders only: what confines or wraps commands must not come from a folder that commands can write to. */
export const systemPath = '/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin:/opt/homebrew/bin';
