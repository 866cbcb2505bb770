import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/**
 * The bytes of a file in a folder that commands may write; null for what is no regular file, cannot be read, or is longer
 * than `longest`. A pipe in its place does not hold us up.
 */
export function readRegularFile(path: string, longest: number): Buffer | null {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(descriptor);
    return stats.isFile() && stats.size <= longest ? readFileSync(descriptor) : null;
  } catch {
    return null;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
