// Which programs PATH names, for tools that are offered only where theirs is installed. The executor looks again itself.
import { accessSync, constants, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';

/** A program that is installed meanwhile is noticed after so long. */
const keptMs = 30_000;

export interface ProgramsInPathOptions {
  /** The variable's value; empty or undefined: nothing is found. */
  readonly path: string | undefined;
  readonly platform: 'linux' | 'darwin' | 'win32' | 'other';
  readonly isProgram?: (path: string) => boolean;
  readonly now?: () => number;
}

/** Answers whether a program of that name stands in a folder of PATH. Folders that are not absolute do not count. */
export function programsInPath(options: ProgramsInPathOptions): (name: string) => boolean {
  const { path = '', platform, isProgram = canRun, now = () => performance.now() } = options;
  const isWindows = platform === 'win32';
  const { isAbsolute, join } = isWindows ? win32 : posix;
  const folders = path.split(isWindows ? ';' : ':').filter((folder) => isAbsolute(folder));
  const endings = isWindows ? ['.exe', '.cmd'] : [''];
  const known = new Map<string, { readonly found: boolean; readonly at: number }>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined && now() - before.at < keptMs) return before.found;
    const found = folders.some((folder) => endings.some((ending) => isProgram(join(folder, name + ending))));
    known.set(name, { found, at: now() });
    return found;
  };
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
