// Empty files and folders that stand where protected places are missing, while sandboxed commands run that could make them.
// Folders wherever git would look: it does not see empty ones. What is made is written down before, so that what a killed
// executor leaves behind is removed by the next, and two of them that work in one folder know of each other.
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isLiving, ownIdentity } from '../processTree';
import type { KeptPlace } from './repositories';

/** Survives a restart of the machine, and is no place that commands write. */
const usualFolder = `/var/tmp/gatehouse-places-${process.getuid?.() ?? 0}`;

/**
 * How long one stays after the last command that needed it: the kernel still takes that command's mounts apart, and would
 * let us wait for it; and watchers of the folder are not stirred by every one of many commands.
 */
const usualLingerMs = 300;

/** What stands for this process. */
export class Placeholders {
  /** Number of commands that need it, by path; none: it is to be removed. */
  private readonly users = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private readonly folder: string;
  private readonly own: string;
  private readonly lingerMs: number;

  /** `folder`: where it is written down; a folder of this user alone. */
  constructor({ folder = usualFolder, lingerMs = usualLingerMs } = {}) {
    this.folder = folder;
    this.lingerMs = lingerMs;
    this.own = join(folder, ownIdentity());
  }

  /** Makes one that is missing. False: it cannot be made here. */
  make({ path, shape }: KeptPlace): boolean {
    if (this.users.has(path)) return this.hold(path);
    this.note(path);
    try {
      if (shape === 'folder') mkdirSync(path);
      else writeFileSync(path, '', { flag: 'wx' });
      this.users.set(path, 1);
      return true;
    } catch {
      return this.hold(path) || lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    }
  }

  /** Counts one more command that needs it. False: what is at this path is no placeholder. */
  hold(path: string): boolean {
    const count = this.users.get(path);
    if (count === undefined && !this.listedElsewhere().has(path)) return false;
    if (count === undefined) this.note(path);
    this.users.set(path, (count ?? 0) + 1);
    return true;
  }

  /** One command less for each. Some time after the last it is removed, unless somebody has put something there. */
  release(paths: readonly string[]): void {
    for (const path of paths) {
      const count = this.users.get(path);
      if (count !== undefined && count > 0) this.users.set(path, count - 1);
    }
    if (this.timer === undefined && [...this.users.values()].includes(0))
      this.timer = setTimeout(() => this.removeUnused(), this.lingerMs).unref();
  }

  /** Removes what processes that are gone have left. */
  sweep(): void {
    for (const name of this.ledgers()) {
      if (isLiving(name)) continue;
      const ledger = join(this.folder, name);
      for (const path of linesOf(ledger).sort().reverse()) removeEmpty(path);
      unlinkQuietly(ledger);
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const path of this.users.keys()) this.users.set(path, 0);
    this.removeUnused();
  }

  private removeUnused(): void {
    this.timer = undefined;
    const unused = [...this.users].flatMap(([path, count]) => (count === 0 ? [path] : []));
    for (const path of unused) this.users.delete(path);
    if (this.isOurs()) {
      if (this.users.size === 0) unlinkQuietly(this.own);
      else writeQuietly(this.own, [...this.users.keys()]);
    }
    const elsewhere = this.listedElsewhere();
    // From the inside out.
    for (const path of unused.sort().reverse()) if (!elsewhere.has(path)) removeEmpty(path);
  }

  private listedElsewhere(): ReadonlySet<string> {
    const living = this.ledgers().filter((name) => join(this.folder, name) !== this.own && isLiving(name));
    return new Set(living.flatMap((name) => linesOf(join(this.folder, name))));
  }

  /** Empty where the folder is not this user's alone: what others have written there is not to be followed. */
  private ledgers(): readonly string[] {
    return this.isOurs() ? readdirSync(this.folder) : [];
  }

  private isOurs(): boolean {
    const stats = lstatSync(this.folder, { throwIfNoEntry: false });
    return stats?.isDirectory() === true && stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0;
  }

  /** Where it cannot be written down the place is protected all the same. */
  private note(path: string): void {
    if (path.includes('\n')) return;
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      // Others may have made it before us, with links in it.
      if (!this.isOurs()) return;
      appendFileSync(this.own, `${path}\n`, { mode: 0o600 });
    } catch {
      // Only a killed executor would need it.
    }
  }
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}

function writeQuietly(file: string, lines: readonly string[]): void {
  try {
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
  } catch {
    // As in `note`.
  }
}

function unlinkQuietly(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Nothing was written down.
  }
}

/** Never removes what holds something. */
function removeEmpty(path: string): void {
  try {
    const stats = lstatSync(path);
    if (stats.isDirectory()) rmdirSync(path);
    else if (stats.isFile() && stats.size === 0) unlinkSync(path);
  } catch {
    // Filled or replaced by somebody, or gone: no longer ours.
  }
}
