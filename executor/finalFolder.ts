// In which folder a command's shell ended. The shell itself says it at its exit, into a file that only this run knows,
// so the command stays its own argument and its output stays its own. A command that replaces its shell or the shell's
// exit trap says nothing; one that lies can only name another folder, which whoever uses it has to judge.
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { realpath, rm, stat, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Longer paths exist in no file system that commands work in. */
const longestPathBytes = 8_192;

/**
 * Read by bash before the command. Inside of a sandbox, so that only what runs there counts, it limits tasks. It takes the
 * terminal away as input, and leaves nothing in the environment that the
 * command's own programs would see.
 */
const script = `[ -z "$GATEHOUSE_TASKS" ] || builtin ulimit -u "$GATEHOUSE_TASKS" 2>/dev/null\nexec </dev/null\ntrap "builtin pwd -P 2>/dev/null >|'$GATEHOUSE_CWD'" EXIT\nbuiltin unset -v BASH_ENV GATEHOUSE_CWD GATEHOUSE_TASKS\n`;

/** The files of one run. */
export interface FolderReport {
  /** For bash's BASH_ENV. */
  readonly script: string;
  /** Where the shell writes its folder. */
  readonly file: string;
}

/** What bash must find in its environment to report, and to hold itself to a number of `tasks`: processes and threads. */
export function reportEnvironment(report: FolderReport, tasks?: number): Record<string, string> {
  return {
    BASH_ENV: report.script,
    GATEHOUSE_CWD: report.file,
    ...(tasks === undefined ? {} : { GATEHOUSE_TASKS: String(tasks) }),
  };
}

/** The files through which shells report. */
export class FinalFolders {
  private readonly folder: string | undefined;
  private counter = 0;

  constructor() {
    this.folder = makeFolder();
  }

  /** Makes a run's files; undefined where none can be made, and then nothing is reported. */
  open(): FolderReport | undefined {
    if (this.folder === undefined) return undefined;
    this.counter += 1;
    const file = join(this.folder, String(this.counter));
    try {
      writeFileSync(file, '', { mode: 0o600, flag: 'wx' });
    } catch {
      return undefined;
    }
    return { script: join(this.folder, 'report.sh'), file };
  }

  /** The folder that was reported, real and existing, else null. Removes the run's file. */
  async close(report: FolderReport | undefined): Promise<string | null> {
    if (report === undefined) return null;
    const line = readBounded(report.file);
    // Nobody needs to wait for it; what stays goes with the folder.
    void unlink(report.file)
      // A command may have put a folder in its place.
      .catch(() => rm(report.file, { force: true, recursive: true }))
      .catch(() => undefined);
    if (line === null || !line.endsWith('\n') || !isAbsolute(line)) return null;
    const path = line.slice(0, -1);
    if (path.includes('\0') || path.includes('\uFFFD')) return null;
    try {
      return (await realpath(path)) === path && (await stat(path)).isDirectory() ? path : null;
    } catch {
      return null;
    }
  }

  dispose(): void {
    if (this.folder !== undefined) rmSync(this.folder, { force: true, recursive: true });
  }
}

function makeFolder(): string | undefined {
  try {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-shell-'));
    // The script puts the path between these quotes.
    if (folder.includes("'")) return undefined;
    writeFileSync(join(folder, 'report.sh'), script, { mode: 0o400 });
    chmodSync(folder, 0o700);
    return folder;
  } catch {
    return undefined;
  }
}

/** A command may have put a link, a pipe or gigabytes in the file's place. */
function readBounded(file: string): string | null {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!fstatSync(descriptor).isFile()) return null;
    const bytes = Buffer.alloc(longestPathBytes);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes));
  } catch {
    return null;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
