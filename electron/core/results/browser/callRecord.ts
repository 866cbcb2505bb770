// What the event logs say of files of results: the calls that they belong to, and whether the model read them.
import { basename } from 'node:path';
import { setImmediate as afterOthers } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { Seen } from '#shared/api/results';
import { resultsName, safeName } from '../names';
import { cut } from '../viewer/structured/preview';

/** Events looked at before others have their turn. */
const eventsAtOnce = 5_000;
const maxWhatChars = 300;

export interface CallFacts {
  readonly callId: string;
  readonly tool: string;
  readonly what: string;
  readonly seen: Seen;
  /** It has not ended: its file is perhaps still written. */
  readonly runs: boolean;
}

interface EventRow {
  readonly seq: number;
  readonly type: string;
  readonly callId: string;
  readonly name: string | null;
  readonly summary: string | null;
  readonly path: string | null;
  readonly isPart: number;
  readonly status: string | null;
  readonly file: string | null;
  readonly previewChars: number | null;
  readonly note: string | null;
  readonly isCut: number;
}

/** One call, as far as it matters here. */
interface Call {
  readonly number: number;
  readonly tool: string;
  what: string;
  /** The name of the file of results that it reads, and whether it asks for all of it. */
  readonly reads: { readonly name: string; readonly all: boolean } | null;
  ended: boolean;
}

interface SessionRecord {
  /** How paths of its results end, without the name. */
  readonly folder: string;
  seq: number;
  calls: number;
  readonly byCall: Map<string, Call>;
  /** By the file's name: the call that it is the result of. */
  readonly files: Map<string, { readonly callId: string; readonly previewChars: number }>;
  readonly reads: Map<string, Seen>;
}

const eventsSql = `
  select seq,
    json_extract(body, '$.type') as type,
    json_extract(body, '$.callId') as callId,
    json_extract(body, '$.name') as name,
    json_extract(body, '$.presentation.summary') as summary,
    case when json_extract(body, '$.name') = 'Read' then json_extract(body, '$.input.file_path') end as path,
    json_type(body, '$.input.offset') is not null or json_type(body, '$.input.limit') is not null
      or json_type(body, '$.input.column') is not null as isPart,
    json_extract(body, '$.status') as status,
    json_extract(body, '$.persisted.file') as file,
    json_extract(body, '$.persisted.previewChars') as previewChars,
    json_extract(body, '$.note') as note,
    instr(body, '[line cut:') > 0 as isCut
  from events
  where session_id = ? and seq > ? and seq <= ?
    and case when instr(body, '"call.created"') > 0 or instr(body, '"call.presented"') > 0 or instr(body, '"call.finished"') > 0
      then json_valid(body) and json_extract(body, '$.type') in ('call.created', 'call.presented', 'call.finished') end
  order by seq`;

/** Reads the logs bit by bit and remembers what it has read. */
export class CallRecord {
  private readonly sessions = new Map<string, SessionRecord>();
  private readonly events;
  private readonly lastSeq;

  constructor(database: Database.Database) {
    this.events = database.prepare<[string, number, number], EventRow>(eventsSql);
    this.lastSeq = database
      .prepare<[string], number>('select coalesce(max(seq), 0) from events where session_id = ?')
      .pluck();
  }

  /** Takes in what has happened in a session since it was asked for last. */
  async update(sessionId: string): Promise<void> {
    const record = this.recordOf(sessionId);
    const last = this.lastSeq.get(sessionId) ?? 0;
    while (record.seq < last) {
      const upTo = Math.min(last, record.seq + eventsAtOnce);
      for (const row of this.events.all(sessionId, record.seq, upTo)) take(record, row);
      record.seq = upTo;
      await afterOthers();
    }
  }

  /** What is known of a file by its name within its session; null when the log does not tell of it. */
  factsOf(sessionId: string, name: string): CallFacts | null {
    const record = this.recordOf(sessionId);
    const kept = record.files.get(name);
    const callId = kept?.callId ?? calledAs(name).find((id) => record.byCall.has(id));
    const call = callId === undefined ? undefined : record.byCall.get(callId);
    if (callId === undefined || call === undefined) return null;
    const { tool, what, ended } = call;
    return { callId, tool, what, seen: record.reads.get(name) ?? seenAtFirst(kept, ended), runs: !ended };
  }

  private recordOf(sessionId: string): SessionRecord {
    const known = this.sessions.get(sessionId);
    if (known !== undefined) return known;
    const folder = `/${safeName(sessionId)}/${resultsName}/`;
    const record = { folder, seq: 0, calls: 0, byCall: new Map(), files: new Map(), reads: new Map() };
    this.sessions.set(sessionId, record);
    return record;
  }
}

function seenAtFirst(kept: { readonly previewChars: number } | undefined, ended: boolean): Seen {
  if (kept !== undefined) return { kind: 'preview', chars: kept.previewChars };
  return { kind: ended ? 'unknown' : 'never' };
}

/** Ids that a file may be named by: its name, or that without a number. */
function calledAs(name: string): string[] {
  const stem = name.replace(/\.[^.]*$/, '');
  return [stem, stem.replace(/\.\d+$/, '')];
}

function whatOf({ summary }: EventRow): string {
  return cut((summary ?? '').replaceAll(/\s+/g, ' '), maxWhatChars);
}

function take(record: SessionRecord, row: EventRow): void {
  const { callId } = row;
  if (typeof callId !== 'string') return;
  if (row.type === 'call.created') {
    record.calls += 1;
    const path =
      typeof row.path === 'string' && row.path.replaceAll('\\', '/').includes(record.folder) ? row.path : null;
    record.byCall.set(callId, {
      number: record.calls,
      tool: row.name ?? '',
      what: whatOf(row),
      reads: path === null ? null : { name: basename(path), all: row.isPart === 0 },
      ended: false,
    });
    return;
  }
  const call = record.byCall.get(callId);
  if (row.type === 'call.presented') {
    // What a call is about is known once its input has been read.
    if (call !== undefined) call.what = whatOf(row);
    return;
  }
  if (call !== undefined) call.ended = true;
  if (typeof row.file === 'string')
    record.files.set(basename(row.file), { callId, previewChars: Math.max(0, Math.round(row.previewChars ?? 0)) });
  if (call?.reads === undefined || call.reads === null || row.status !== 'succeeded') return;
  const { name, all } = call.reads;
  // Its note names a range where it was not everything.
  const isWhole = all && row.isCut === 0 && /^[\d,]+ lines?$/.test(row.note ?? '');
  if (isWhole) record.reads.set(name, { kind: 'whole' });
  else if (record.reads.get(name)?.kind !== 'whole')
    record.reads.set(name, { kind: 'again', callId, number: call.number });
}
