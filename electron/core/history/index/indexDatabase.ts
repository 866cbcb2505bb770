// The file of the index of past calls.
import type Database from 'better-sqlite3';
import { type IndexPlace, openRebuildable, removeRebuildable } from '../../sessions/rebuildable';

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

const index = { name: 'history.sqlite', schema, version: 1 };

export const openIndexDatabase = (place: IndexPlace): Database.Database => openRebuildable(index, place);

export const removeIndex = (folder: string): void => removeRebuildable(index, folder);
