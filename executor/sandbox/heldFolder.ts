// Folders that commands can write are put in order from outside of the sandbox. Another command may be at work there and turn
// a folder into a link at that very moment, so each is held by a descriptor; and nothing is deleted, only set aside: a
// deletion of a tree follows what it finds on its way.
import { closeSync, constants, lstatSync, openSync, readlinkSync, realpathSync, renameSync } from 'node:fs';
import { join } from 'node:path';

const tells = process.platform === 'linux';
/** O_PATH: no right to list it is needed. */
const onlyAsPlace = 0o10000000;

/**
 * Works in a folder, given by its real path; `at` leads into it whatever becomes of that path. False: there is no such folder
 * any more, and nothing was done. Errors of the file system on the way count as that, too.
 */
export function inFolder(real: string, work: (at: string) => void): boolean {
  let descriptor: number | undefined;
  try {
    if (!tells) {
      if (realpathSync(real) !== real || !lstatSync(real).isDirectory()) return false;
      work(real);
      return true;
    }
    descriptor = openSync(real, onlyAsPlace | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    const at = `/proc/self/fd/${descriptor}`;
    if (readlinkSync(at) !== real) return false;
    work(at);
    return true;
  } catch {
    return false;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Gives what is at a name in a held folder one that nobody looks for. */
export function setAside(at: string, name: string): void {
  for (let number = 1; ; number += 1) {
    const free = `${name}.from-sandbox${number === 1 ? '' : `-${number}`}`;
    if (isThere(join(at, free))) continue;
    renameSync(join(at, name), join(at, free));
    return;
  }
}

/** Whether there is anything, a link that leads nowhere too. */
export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
