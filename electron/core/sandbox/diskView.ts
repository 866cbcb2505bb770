import { closeSync, constants, existsSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import type { DiskView } from './plan';

/** Enough to see whether a settings file holds a secret, in bytes. */
const maxTextBytes = 64 * 1024;

/** The real disk. What cannot be read counts as empty. */
export const diskView: DiskView = {
  exists: existsSync,
  text(path) {
    // Mostly not there: an exception would cost more than the look.
    if (!existsSync(path)) return null;
    let file: number | undefined;
    try {
      // A pipe would hold up the whole program.
      file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      if (!fstatSync(file).isFile()) return null;
      const bytes = Buffer.alloc(maxTextBytes);
      return bytes.toString('utf8', 0, readSync(file, bytes, 0, maxTextBytes, 0));
    } catch {
      return null;
    } finally {
      if (file !== undefined) closeSync(file);
    }
  },
  entries(folder) {
    try {
      return readdirSync(folder, { withFileTypes: true }).map((entry) => ({
        name: entry.name,
        isFolder: entry.isDirectory(),
      }));
    } catch {
      return [];
    }
  },
};
