// The file of the search index. It holds nothing that is not elsewhere, so whatever is wrong with it, it is made anew.
import { chmodSync, closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/** Another number whenever the tables, or what is kept of a conversation, change. */
const schemaVersion = 1;

const schema = `
  create table conversations (
    id integer primary key,
    -- session · transcript
    kind text not null,
    key text not null,
    title text not null,
    folder text not null,
    -- 1: a session that was deleted.
    hidden integer not null,
    -- Of a session: the last event that was read, and what the events before say of those that come.
    done integer not null,
    context text not null,
    unique (kind, key)
  ) strict;
  create table files (
    id integer primary key,
    conversation integer not null,
    path text not null unique,
    identity text not null,
    size integer not null,
    changed_at real not null,
    -- Bytes up to the last complete line that was read, and a print of what stands around it.
    done integer not null,
    print text not null,
    context text not null
  ) strict;
  create index files_by_conversation on files (conversation);
  create table parts (
    id integer primary key,
    conversation integer not null,
    -- 0: of a session here.
    file integer not null,
    at real not null,
    part text not null,
    tool text,
    verdict text,
    message_id text,
    call_id text
  ) strict;
  create index parts_by_place on parts (conversation, file);
  create index parts_by_call on parts (call_id) where call_id is not null;
  create virtual table words using fts5 (text, tokenize = 'unicode61 remove_diacritics 2');
  create table summaries (
    path text primary key,
    identity text not null,
    size integer not null,
    changed_at real not null,
    title text not null,
    folder text not null,
    has_messages integer not null
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

export const searchFile = (folder: string): string => join(folder, 'search.sqlite');

/** Opens the index, empty where there was none, one of another version or a damaged one. Throws where it cannot be written. */
export function openSearchDatabase(place: IndexPlace): Database.Database {
  const binding = place.nativeBinding === undefined ? {} : { nativeBinding: place.nativeBinding };
  if (place.folder === ':memory:') return prepared(new Database(':memory:', binding));
  const file = searchFile(place.folder);
  mkdirSync(place.folder, { recursive: true, mode: 0o700 });
  for (const attempt of ['first', 'anew'] as const) {
    if (attempt === 'anew') removeSearchDatabase(place.folder);
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

/** Deletes the index. */
export function removeSearchDatabase(folder: string): void {
  if (folder === ':memory:') return;
  for (const ending of ['', '-wal', '-shm']) rmSync(`${searchFile(folder)}${ending}`, { force: true });
}

/** It holds what was said and printed: nobody else reads it. SQLite gives its side files the same permissions. */
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
