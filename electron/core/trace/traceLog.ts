// Reads of a session's log what its trace needs, piece by piece, so that a long log holds nobody up.
import { setImmediate as afterOthers } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { type SessionEvent, SessionEventBody } from '#shared/session/events';
import { emptyTrace, foldTrace, type TraceFold, tracedEvents } from '#shared/trace/foldTrace';

/** Numbers of the log that one read covers. */
const pieceSeqs = 500;
/** Sessions whose rows are kept for the next question. */
const keptFolds = 4;

/** What sums need: when a call was made, asked about, decided and ended. */
const countedEvents: readonly SessionEventBody['type'][] = [
  'call.created',
  'call.presented',
  'call.asked',
  'call.answered',
  'call.decided',
  'call.finished',
  'call.reopened',
];

interface Row {
  readonly seq: number;
  readonly at: number;
  readonly body: string;
}

interface Kept {
  readonly fold: TraceFold;
  /** Reads one after the other, so that none folds an event twice. */
  reading: Promise<void>;
}

const typeOf = "case when json_valid(body) then json_extract(body, '$.type') end";
const listOf = (types: readonly string[]): string => types.map((type) => `'${type}'`).join(', ');

/** An event without its contents, in a shape that is still an event. */
const light = `case ${typeOf}
    when 'call.created' then json_replace(json_remove(body, '$.presentation.view'), '$.input', null)
    when 'call.presented' then json_remove(body, '$.presentation.view')
    when 'call.stepEnded' then json_remove(body, '$.trace.input', '$.trace.output')
    when 'call.asked' then json_replace(json_remove(body, '$.ask.why'), '$.ask.input', null, '$.ask.view',
      json('{"kind":"text","text":""}'), '$.ask.parts', json('[]'), '$.ask.suggestions', json('[]'))
    when 'call.decided' then json_replace(json_remove(body, '$.decision.why'), '$.decision.parts', json('[]'))
    when 'call.finished' then json_replace(body, '$.content', json('[]'), '$.view', null)
    when 'hook.ran' then case when json_extract(body, '$.callId') is null then body
      else json_replace(body, '$.run.stdin', '', '$.run.stdout', '', '$.run.stderr', '') end
    else body end`;

export class TraceLog {
  private readonly kept = new Map<string, Kept>();
  private readonly statements;

  constructor(database: Database.Database) {
    const piece = (columns: string, types: readonly string[]) =>
      database.prepare<[string, number, number], Row>(
        `select seq, at, ${columns} as body from events
         where session_id = ? and seq > ? and seq <= ? and ${typeOf} in (${listOf(types)}) order by seq`,
      );
    this.statements = {
      last: database.prepare<[string], { seq: number | null }>(
        'select max(seq) as seq from events where session_id = ?',
      ),
      first: database.prepare<[string, number], { seq: number | null }>(
        'select min(seq) as seq from events where session_id = ? and at >= ?',
      ),
      traced: piece(light, tracedEvents),
      counted: piece(light, countedEvents),
      whole: piece('body', tracedEvents),
      ofCall: database.prepare<[string, number, number, string], Row>(
        `select seq, at, body from events where session_id = ? and seq >= ? and seq <= ?
         and case when json_valid(body) then json_extract(body, '$.callId') end = ? order by seq`,
      ),
    };
  }

  /** The trace of a session as far as its log goes now. It belongs to the log and grows with the next question. */
  async fold(sessionId: string): Promise<TraceFold> {
    const kept = this.kept.get(sessionId) ?? { fold: emptyTrace(), reading: Promise.resolve() };
    this.kept.delete(sessionId);
    this.kept.set(sessionId, kept);
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= keptFolds) break;
      this.kept.delete(oldest);
    }
    const reading = kept.reading.catch(() => undefined).then(() => this.readInto(sessionId, kept.fold));
    kept.reading = reading;
    await reading;
    return kept.fold;
  }

  /** What sums need of a session since a time, for this once. */
  async countable(sessionId: string, since: number): Promise<TraceFold> {
    const fold = emptyTrace();
    const first = this.statements.first.get(sessionId, since)?.seq ?? null;
    if (first === null) return fold;
    fold.seq = first - 1;
    await this.readInto(sessionId, fold, this.statements.counted);
    return fold;
  }

  /** Everything that was said of the calls of a session, one event after the other. `onRead` is told each one's length. */
  async *events(sessionId: string, onRead: (chars: number) => void): AsyncGenerator<SessionEvent> {
    const last = this.lastSeq(sessionId);
    for (let done = 0; done < last; done += pieceSeqs) {
      for (const row of this.statements.whole.all(sessionId, done, done + pieceSeqs)) {
        onRead(row.body.length);
        const event = parse(row);
        if (event !== null) yield event;
      }
      await afterOthers();
    }
  }

  /** The events of one call; none where the session has no such call. */
  async eventsOfCall(sessionId: string, callId: string): Promise<SessionEvent[]> {
    const { entries } = await this.fold(sessionId);
    const entry = entries.get(callId);
    if (entry === undefined) return [];
    return this.statements.ofCall
      .all(sessionId, entry.firstSeq, entry.lastSeq, callId)
      .map(parse)
      .filter((event) => event !== null);
  }

  private lastSeq(sessionId: string): number {
    return this.statements.last.get(sessionId)?.seq ?? 0;
  }

  private async readInto(sessionId: string, fold: TraceFold, statement = this.statements.traced): Promise<void> {
    const last = this.lastSeq(sessionId);
    while (fold.seq < last) {
      const to = Math.min(fold.seq + pieceSeqs, last);
      for (const row of statement.all(sessionId, fold.seq, to)) {
        const event = parse(row);
        if (event !== null) foldTrace(fold, event);
      }
      fold.seq = to;
      if (to < last) await afterOthers();
    }
  }
}

/** Null: the row is damaged, or from a version that knew other events. */
function parse({ seq, at, body }: Row): SessionEvent | null {
  const parsed = SessionEventBody.safeParse(JSON.parse(body));
  return parsed.success ? { seq, at, body: parsed.data } : null;
}
