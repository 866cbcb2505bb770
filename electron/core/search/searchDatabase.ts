// The file of the search index.
import type Database from 'better-sqlite3';
import { type IndexPlace, openRebuildable, removeRebuildable } from '../sessions/rebuildable';

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

const search = { name: 'search.sqlite', schema, version: 1 };

export const openSearchDatabase = (place: IndexPlace): Database.Database => openRebuildable(search, place);

export const removeSearchDatabase = (folder: string): void => removeRebuildable(search, folder);
