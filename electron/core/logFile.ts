import { appendFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { keepFolderPrivate } from './privateFile';

/** Beyond this the file becomes `<name>.old`, so at most twice as much is kept. */
const maxBytes = 5 * 1024 * 1024;

/** Appends lines to a file and to `also`. A log that cannot be written must not stop the program. */
export function logFile(file: string, also: (line: string) => void): (line: string) => void {
  return (line) => {
    also(line);
    try {
      keepFolderPrivate(dirname(file));
      const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      if (size > maxBytes) renameSync(file, `${file}.old`);
      appendFileSync(file, line, { mode: 0o600 });
    } catch (error) {
      also(`The log cannot be written: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  };
}
