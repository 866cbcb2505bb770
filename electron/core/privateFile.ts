// Files and folders of ours that no other user of the machine may read, however they were made before.
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';

const others = 0o077;

/** Makes the file, empty, where there is none, and takes it from everybody but its owner. */
export function keepFilePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

/** Makes the folder with those above it, and takes it from everybody but its owner. Throws the system's error. */
export function keepFolderPrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (process.platform !== 'win32' && (statSync(folder).mode & others) !== 0) chmodSync(folder, 0o700);
}

/** Whether others may read or change a file that is there; it is taken from them. */
export function wasOpenToOthers(file: string): boolean {
  if (process.platform === 'win32' || (statSync(file).mode & others) === 0) return false;
  chmodSync(file, 0o600);
  return true;
}
