// Opens the one database of a data folder: one workspace at a time, runs from the command line beside it, in WAL mode.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { keepFilePrivate, keepFolderPrivate } from '../privateFile';
import { createClaims, noClaims, type SessionClaims } from './claims';
import { migrations } from './migrations';

/** The data folder cannot be used as it is. The message says fact, cause and next step. */
export class DatabaseRefused extends Error {
  override readonly name = 'DatabaseRefused';
}

export interface OpenedDatabase {
  readonly database: Database.Database;
  readonly claims: SessionClaims;
  /** Whether a workspace is at work in this folder: this process or another. */
  hasWorkspace(): boolean;
  close(): void;
}

/**
 * alone: as the folder's one workspace, which owns every session that nobody claimed. beside: one of many, with or without
 * a workspace, working only in sessions that it claims.
 */
export type DatabaseUse = 'alone' | 'beside';

/**
 * Opens `<folder>/gatehouse.db`, creating it where absent. Throws DatabaseRefused when another workspace uses the
 * folder, when the file is from a newer version, or when it is no database; the file is then left untouched.
 * `:memory:` gives a private database for tests.
 */
export function openDatabase(options: {
  folder: string;
  nativeBinding: string | undefined;
  use?: DatabaseUse;
}): OpenedDatabase {
  const { folder, nativeBinding, use = 'alone' } = options;
  const binding = nativeBinding === undefined ? {} : { nativeBinding };
  if (folder === ':memory:') {
    const database = new Database(':memory:', binding);
    migrate(database, folder);
    return { database, claims: noClaims, hasWorkspace: () => true, close: () => database.close() };
  }
  const file = join(folder, 'gatehouse.db');
  const claims = createClaims(options);
  if (use === 'beside' && isPresent(file, binding)) {
    const database = openFile(file, binding);
    const close = (): void => {
      claims.dispose();
      database.close();
    };
    return { database, claims, hasWorkspace: () => isLocked(folder, binding), close };
  }
  const lock = lockFolder(folder, binding);
  try {
    const database = openFile(file, binding);
    if (use === 'beside') lock.close();
    const close = (): void => {
      claims.dispose();
      database.close();
      lock.close();
    };
    return { database, claims, hasWorkspace: () => use === 'alone' || isLocked(folder, binding), close };
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** Opens the database of a folder to look at it, whoever works there meanwhile. Throws DatabaseRefused. */
export function openDatabaseToRead(options: { folder: string; nativeBinding: string | undefined }): Database.Database {
  const file = join(options.folder, 'gatehouse.db');
  const binding = options.nativeBinding === undefined ? {} : { nativeBinding: options.nativeBinding };
  let database: Database.Database;
  try {
    database = new Database(file, { ...binding, readonly: true, fileMustExist: true });
  } catch (error) {
    if (!/^(E[A-Z]+|SQLITE_)/.test(codeOf(error)) && !(error instanceof TypeError)) throw error;
    throw new DatabaseRefused(
      `There are no sessions in ${options.folder}, or they cannot be read. Name the folder with --data or GATEHOUSE_DATA_DIR.`,
    );
  }
  try {
    if (versionOf(database) === migrations.length) return database;
    throw new DatabaseRefused(
      `${file} was written by another version of Gatehouse. Start this one once, or look with the other.`,
    );
  } catch (error) {
    database.close();
    if (error instanceof DatabaseRefused) throw error;
    throw new DatabaseRefused(`${file} is damaged or not a Gatehouse database (${codeOf(error)}).`);
  }
}

/** Whether the file is there in the present version, so that opening it changes nothing for those who use it. */
function isPresent(file: string, binding: Database.Options): boolean {
  if (!existsSync(file)) return false;
  try {
    const database = new Database(file, { ...binding, readonly: true });
    try {
      return versionOf(database) >= migrations.length;
    } finally {
      database.close();
    }
  } catch {
    // What is wrong with it is said when it is opened.
    return true;
  }
}

function isLocked(folder: string, binding: Database.Options): boolean {
  try {
    lockFolder(folder, binding).close();
    return false;
  } catch (error) {
    if (error instanceof DatabaseRefused) return true;
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
    const file = join(folder, 'instance.lock');
    keepFolderPrivate(folder);
    // Who can read it can hold it, and keep the workspace from starting.
    keepFilePrivate(file);
    return new Database(file, { ...binding, timeout: 0 });
  } catch (error) {
    throw notOurs(folder, error);
  }
}

/** Words for what the system refused; anything else is a bug and stays as it is. */
function notOurs(path: string, error: unknown): unknown {
  const code = codeOf(error);
  if (!/^(E[A-Z]+|SQLITE_CANTOPEN|SQLITE_READONLY)/.test(code)) return error;
  return new DatabaseRefused(
    `${path} cannot be written (${code}). Correct its owner and permissions, or name another folder in GATEHOUSE_DATA_DIR.`,
  );
}

function openFile(file: string, binding: Database.Options): Database.Database {
  try {
    // It holds what was said and run. SQLite gives its side files the same permissions.
    keepFilePrivate(file);
  } catch (error) {
    throw notOurs(file, error);
  }
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
  const version = versionOf(database);
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

function versionOf(database: Database.Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
