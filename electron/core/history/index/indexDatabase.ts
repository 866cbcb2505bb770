// The file of the index. It holds nothing that is not elsewhere, so whatever is wrong with it, it is made anew.
import { chmodSync, closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/** Another number whenever the tables, or what is kept of a call, change. */
const schemaVersion = 1;

const schema = `
  create table files (
    id integer primary key,
    path text not null unique,
    identity text not null,
    size integer not null,
    changed_at real not null,
    -- Bytes up to the last complete line that was read, and a print of what stands around it.
    done integer not null,
    print text not null,
    skipped integer not null,
    -- Calls that another file has as well.
    copies integer not null,
    cwd text,
    mode text,
    at real not null
  ) strict;
  create table sessions (
    id text primary key,
    project text not null,
    -- 1: from the session's own file, not from a sub-agent's.
    own integer not null
  ) strict, without rowid;
  create table inputs (
    id integer primary key,
    key text not null unique,
    tool text not null,
    cwd text not null,
    input text not null,
    title text not null
  ) strict;
  create table calls (
    id text not null unique,
    -- 0: of a session here.
    file integer not null,
    session text not null,
    input integer not null,
    at real not null,
    subagent integer not null,
    mode text,
    outcome text not null,
    -- They are mostly read by time, so they lie by time.
    primary key (at, id)
  ) strict, without rowid;
  create index calls_by_file on calls (file, session);
  create table own_sessions (
    id text primary key,
    seq integer not null,
    cwd text not null,
    mode text
  ) strict, without rowid;
`;

export interface IndexPlace {
  /** Gatehouse's data folder; `:memory:` keeps the index there. */
  readonly folder: string;
  readonly nativeBinding: string | undefined;
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Whether the file itself is at fault, and making it anew helps. */
export const isDamaged = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB|SCHEMA|FORMAT)/.test(codeOf(error));
/** Whether another process is at work in it. */
export const isBusy = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));

export const indexFile = (folder: string): string => join(folder, 'history.sqlite');

/** Opens the index, empty where there was none, one of another version or a damaged one. Throws where it cannot be written. */
export function openIndexDatabase(place: IndexPlace): Database.Database {
  const binding = place.nativeBinding === undefined ? {} : { nativeBinding: place.nativeBinding };
  if (place.folder === ':memory:') return prepared(new Database(':memory:', binding));
  const file = indexFile(place.folder);
  mkdirSync(place.folder, { recursive: true, mode: 0o700 });
  for (const attempt of ['first', 'anew'] as const) {
    if (attempt === 'anew') removeIndex(place.folder);
    keepPrivate(file);
    const database = new Database(file, { ...binding, timeout: 2_000 });
    try {
      const version = Number(database.pragma('user_version', { simple: true }));
      const isEmpty = database.prepare('select 1 from sqlite_master limit 1').get() === undefined;
      if (version === schemaVersion || isEmpty) return prepared(database);
      database.close();
    } catch (error) {
      database.close();
      if (attempt === 'anew' || !isDamaged(error)) throw error;
    }
  }
  throw new Error(`${file} could not be made anew.`);
}

/** Commands hold secrets at times: nobody else reads them. SQLite gives its side files the same permissions. */
function keepPrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

function prepared(database: Database.Database): Database.Database {
  database.pragma('journal_mode = WAL');
  // After a power cut it is read anew; nothing is lost.
  database.pragma('synchronous = OFF');
  database.pragma('cache_size = -32000');
  database.transaction(() => {
    if (Number(database.pragma('user_version', { simple: true })) === schemaVersion) return;
    database.exec(schema);
    database.pragma(`user_version = ${schemaVersion}`);
  })();
  return database;
}

/** Deletes the index. */
export function removeIndex(folder: string): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(`${indexFile(folder)}${ending}`, { force: true });
}
