// Opens the one database of a data folder: locked to one process, migrated, in WAL mode.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { migrations } from './migrations';

/** The data folder cannot be used as it is. The message says fact, cause and next step. */
export class DatabaseRefused extends Error {
  override readonly name = 'DatabaseRefused';
}

export interface OpenedDatabase {
  readonly database: Database.Database;
  close(): void;
}

/**
 * Opens `<folder>/gatehouse.db`, creating it where absent. Throws DatabaseRefused when another process uses the
 * folder, when the file is from a newer version, or when it is no database; the file is then left untouched.
 * `:memory:` gives a private database for tests.
 */
export function openDatabase(options: { folder: string; nativeBinding: string | undefined }): OpenedDatabase {
  const { folder, nativeBinding } = options;
  const binding = nativeBinding === undefined ? {} : { nativeBinding };
  if (folder === ':memory:') {
    const database = new Database(':memory:', binding);
    migrate(database, folder);
    return { database, close: () => database.close() };
  }
  const lock = lockFolder(folder, binding);
  try {
    const database = openFile(join(folder, 'gatehouse.db'), binding);
    return {
      database,
      close: () => {
        database.close();
        lock.close();
      },
    };
  } catch (error) {
    lock.close();
    throw error;
  }
}

/**
 * Holds an exclusive transaction on a file of its own for as long as this process lives: the system releases it
 * however the process ends, so no stale lock can remain.
 */
function lockFolder(folder: string, binding: Database.Options): Database.Database {
  const lock = openLock(folder, binding);
  try {
    lock.exec('begin exclusive');
    return lock;
  } catch (error) {
    lock.close();
    if (codeOf(error) !== 'SQLITE_BUSY') throw error;
    throw new DatabaseRefused(
      `Another Gatehouse is already using ${folder}. Use its window, or stop it and start again.`,
    );
  }
}

function openLock(folder: string, binding: Database.Options): Database.Database {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return new Database(join(folder, 'instance.lock'), { ...binding, timeout: 0 });
  } catch (error) {
    const code = codeOf(error);
    if (!/^(E[A-Z]+|SQLITE_CANTOPEN|SQLITE_READONLY)/.test(code)) throw error;
    throw new DatabaseRefused(
      `${folder} cannot be written (${code}). Correct its owner and permissions, or name another folder in GATEHOUSE_DATA_DIR.`,
    );
  }
}

function openFile(file: string, binding: Database.Options): Database.Database {
  const database = new Database(file, binding);
  try {
    migrate(database, file);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = NORMAL');
    database.pragma('foreign_keys = ON');
    return database;
  } catch (error) {
    database.close();
    if (codeOf(error) !== 'SQLITE_NOTADB' && codeOf(error) !== 'SQLITE_CORRUPT') throw error;
    throw new DatabaseRefused(
      `${file} is damaged or not a Gatehouse database. Move it away to start afresh; nothing was changed in it.`,
    );
  }
}

function migrate(database: Database.Database, file: string): void {
  const version = Number(database.pragma('user_version', { simple: true }));
  if (version > migrations.length) {
    throw new DatabaseRefused(
      `${file} was written by a newer Gatehouse (version ${version} of the database, this program knows ${migrations.length}). Start the newer program, or move the file away; nothing was changed in it.`,
    );
  }
  if (version === migrations.length) return;
  database.transaction(() => {
    for (const step of migrations.slice(version)) database.exec(step);
    database.pragma(`user_version = ${migrations.length}`);
  })();
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
