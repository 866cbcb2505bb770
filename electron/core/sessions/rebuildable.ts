// A database file that holds nothing that is not elsewhere: whatever is wrong with it, it is made anew.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { keepFilePrivate } from '../privateFile';

export interface IndexPlace {
  /** Gatehouse's data folder; `:memory:` keeps the file there. */
  readonly folder: string;
  readonly nativeBinding: string | undefined;
}

export interface Rebuildable {
  /** Of the file, in the folder. */
  readonly name: string;
  readonly schema: string;
  /** Another number whenever the tables, or what is kept in them, change. */
  readonly version: number;
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Whether the file itself is at fault, and making it anew helps. */
export const isDamaged = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB|SCHEMA|FORMAT)/.test(codeOf(error));
/** Whether another process is at work in it. */
export const isBusy = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));

/** Opens it, empty where there was none, one of another version or a damaged one. Throws where it cannot be written. */
export function openRebuildable(what: Rebuildable, { folder, nativeBinding }: IndexPlace): Database.Database {
  const binding = nativeBinding === undefined ? {} : { nativeBinding };
  if (folder === ':memory:') return prepared(what, new Database(':memory:', binding));
  const file = join(folder, what.name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const attempt of ['first', 'anew'] as const) {
    if (attempt === 'anew') removeRebuildable(what, folder);
    // It holds what was said and run. SQLite gives its side files the same permissions.
    keepFilePrivate(file);
    const database = new Database(file, { ...binding, timeout: 2_000 });
    try {
      const version = Number(database.pragma('user_version', { simple: true }));
      const isEmpty = database.prepare('select 1 from sqlite_master limit 1').get() === undefined;
      if (version === what.version || isEmpty) return prepared(what, database);
      database.close();
    } catch (error) {
      database.close();
      if (attempt === 'anew' || !isDamaged(error)) throw error;
    }
  }
  throw new Error(`${file} could not be made anew.`);
}

/** Deletes it. */
export function removeRebuildable({ name }: Pick<Rebuildable, 'name'>, folder: string): void {
  if (folder === ':memory:') return;
  for (const ending of ['', '-wal', '-shm']) rmSync(`${join(folder, name)}${ending}`, { force: true });
}

function prepared({ schema, version }: Rebuildable, database: Database.Database): Database.Database {
  database.pragma('journal_mode = WAL');
  // After a power cut it is read anew; nothing is lost.
  database.pragma('synchronous = OFF');
  database.pragma('cache_size = -32000');
  database.transaction(() => {
    if (Number(database.pragma('user_version', { simple: true })) === version) return;
    database.exec(schema);
    database.pragma(`user_version = ${version}`);
  })();
  return database;
}
