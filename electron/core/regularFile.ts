import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** Larger files are not held in memory as one piece. */
const largestBytes = 256 * 1024 * 1024;

/**
 * Reads a file whole. Throws errno errors, EINVAL for what is no regular file and EFBIG for one above 256 MiB: whoever can
 * put a pipe in a file's place must not be able to hold up the whole program.
 */
export function readRegularFile(path: string): Buffer {
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(descriptor);
    if (stats.isDirectory()) throw failed(path, 'EISDIR', 'is a folder');
    if (!stats.isFile()) throw failed(path, 'EINVAL', 'is no regular file');
    if (stats.size > largestBytes) throw failed(path, 'EFBIG', 'is too large');
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function failed(path: string, code: string, what: string): Error {
  return Object.assign(new Error(`${path} ${what}`), { code });
}
