// The database's history. Append, never reorder or change: a file's `user_version` says how many have run.

export const migrations: readonly string[] = [
  `create table sessions (
     id text primary key,
     title text not null,
     folder text not null,
     created_at real not null,
     updated_at real not null,
     running integer not null default 0
   ) strict;
   create index sessions_by_update on sessions (updated_at desc);
   create table events (
     session_id text not null references sessions (id) on delete cascade,
     seq integer not null,
     at real not null,
     body text not null,
     primary key (session_id, seq)
   ) strict, without rowid;
   create table preferences (
     key text primary key,
     value text not null
   ) strict;`,
  `create table schedules (
     id text primary key,
     session_id text not null references sessions (id) on delete cascade,
     prompt text not null,
     cron text,
     next_at real not null
   ) strict;`,
  `alter table sessions add column pinned integer not null default 0;
   alter table sessions add column archived integer not null default 0;
   -- When it was deleted; it is kept for some days, so that this can be taken back.
   alter table sessions add column deleted_at real;
   -- SessionOrigin as JSON.
   alter table sessions add column origin text;`,
  `-- What a session is apart from its conversation, as of an event: a cache, so that a long log need not be read to show its end.
   create table session_heads (
     session_id text primary key references sessions (id) on delete cascade,
     seq integer not null,
     version integer not null,
     state text not null
   ) strict;`,
];
