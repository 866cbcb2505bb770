import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

const endings = process.platform === 'win32' ? ['.exe', '.cmd', ''] : [''];

/** The first of the named folders' programs that can be run; absolute, undefined when there is none. */
export function findProgram(name: string, searchPath: string): string | undefined {
  for (const folder of searchPath.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    for (const ending of endings) {
      const path = join(folder, name + ending);
      try {
        accessSync(path, constants.X_OK);
        if (statSync(path).isFile()) return path;
      } catch {
        // Not here.
      }
    }
  }
  return undefined;
}

/** A search path of several, the first first. */
export function joinPaths(...paths: readonly string[]): string {
  return paths.filter((path) => path !== '').join(delimiter);
}

/** System folders only: what confines or wraps commands must not come from a folder that commands can write to. */
export const systemPath = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin', '/opt/homebrew/bin'].join(
  delimiter,
);
