// Texts of the sessions here, from the database that they are kept in. It is only looked at; who works in it is not held up.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { z } from 'zod';
import { isRecord } from '../history/import/boundInput';
import { isResultPath } from '../results/names';
import { DatabaseRefused, openDatabaseToRead } from '../sessions/database';
import { stringOf } from '../transcripts/line';
import { endsOf } from '../transcripts/persistedOutput';
import type { IndexedConversation, Part, SearchIndex } from './searchIndex';
import { bounds, inputText, keptBytes, searchText } from './searchText';

interface SessionRow {
  readonly id: string;
  readonly title: string;
  readonly folder: string;
  readonly seq: number;
}

interface EventRow {
  readonly seq: number;
  readonly at: number;
  readonly body: string;
}

/** Events that are read at a time. */
const eventsAtOnce = 300;
/** Texts that are taken away at a time. */
const removedAtOnce = 300;
/** Calls that may be open at a time and are remembered. */
const maxOpen = 500;
/** A longer event is not parsed: it is images, or nothing that anybody said. */
const maxBodyChars = 20_000_000;

/** The kinds of events that say something that can be sought; everything else is not even parsed. */
const telling =
  /^\{"type":"(message\.sent|assistant\.block|call\.created|call\.asked|call\.decided|call\.finished|agent\.changed)"/;

const verdicts: ReadonlySet<string> = new Set(['allow', 'ask', 'deny']);
const Verdict = z.enum(['allow', 'ask', 'deny']);

/** What the events before say of those that come. */
const Context = z.object({
  calls: z
    .record(z.string(), z.object({ tool: z.string(), messageId: z.string().nullable(), verdict: Verdict.nullable() }))
    .default({}),
  /** Of each sub-agent, the call that started it. */
  agents: z.record(z.string(), z.string()).default({}),
});
type Context = z.infer<typeof Context>;

export interface SessionsPlace {
  /** Gatehouse's data folder. */
  readonly folder: string;
  readonly nativeBinding: string | undefined;
}

export class SessionIndexer {
  /** Sessions there are, and how many of them are read to their end. */
  readonly counts = { all: 0, done: 0 };
  private readonly resultsRoot: string;

  constructor(
    private readonly database: Database.Database,
    private readonly index: SearchIndex,
    private readonly place: SessionsPlace,
  ) {
    this.resultsRoot = join(place.folder, 'projects');
  }

  /** Brings names and what was deleted up to date at once. The value says what is wrong; empty when nothing is. */
  list(): string {
    return this.looking((events) => {
      this.describe(events);
    });
  }

  /** Brings the index up to date, in short steps. The value says what is wrong; empty when nothing is. */
  *read(): Generator<undefined, string> {
    const opened = this.open();
    if (typeof opened === 'string') return opened;
    if (opened === null) return '';
    try {
      const present = this.describe(opened);
      yield* this.removeGone(new Set(present.map(({ id }) => id)));
      this.counts.done = 0;
      const next = opened.prepare<[string, number, number], EventRow>(
        'select seq, at, body from events where session_id = ? and seq > ? order by seq limit ?',
      );
      for (const session of present) {
        yield* this.readSession(session, next);
        this.counts.done += 1;
      }
      return '';
    } finally {
      opened.close();
    }
  }

  private open(): Database.Database | string | null {
    if (this.place.folder === ':memory:' || !existsSync(join(this.place.folder, 'gatehouse.db'))) return null;
    try {
      return openDatabaseToRead(this.place);
    } catch (error) {
      if (error instanceof DatabaseRefused) return error.message;
      throw error;
    }
  }

  private looking(work: (events: Database.Database) => void): string {
    const opened = this.open();
    if (typeof opened === 'string') return opened;
    if (opened === null) return '';
    try {
      work(opened);
      return '';
    } finally {
      opened.close();
    }
  }

  /** The sessions that there are, last changed first; those that went are hidden. */
  private describe(events: Database.Database): readonly SessionRow[] {
    const present = events
      .prepare<[], SessionRow>(
        `select id, title, folder, coalesce((select max(seq) from events where session_id = sessions.id), 0) as seq
         from sessions where deleted_at is null order by updated_at desc, id`,
      )
      .all();
    const ids = new Set(present.map(({ id }) => id));
    this.database.transaction(() => {
      for (const { id, title, folder } of present) this.index.conversation({ kind: 'session', key: id, title, folder });
      for (const known of this.index.all('session'))
        if (!ids.has(known.key) && known.hidden === 0) this.index.hide(known);
    })();
    this.counts.all = present.length;
    return present;
  }

  /** What was deleted leaves nothing behind here; should it come back, it is read again. */
  private *removeGone(present: ReadonlySet<string>): Generator<undefined> {
    for (const known of this.index.all('session')) {
      if (present.has(known.key) || known.done === 0) continue;
      yield* this.empty(known);
    }
  }

  private *empty(known: IndexedConversation): Generator<undefined> {
    while (this.index.removeSome({ conversation: known.id, file: 0 }, removedAtOnce)) yield;
    this.index.save(known.id, { done: 0, context: '{}' });
  }

  private *readSession(
    { id, title, folder, seq: last }: SessionRow,
    next: Database.Statement<[string, number, number], EventRow>,
  ): Generator<undefined> {
    let known = this.index.conversation({ kind: 'session', key: id, title, folder });
    if (known.done > last) {
      // Fewer events than were read: it is another session under the same name.
      yield* this.empty(known);
      known = { ...known, done: 0, context: '{}' };
    }
    if (known.done >= last) return;
    const context = contextOf(known.context);
    let { done } = known;
    while (done < last) {
      const rows = next.all(id, done, eventsAtOnce);
      const end = rows.at(-1);
      if (end === undefined) return;
      done = end.seq;
      this.database.transaction(() => {
        for (const row of rows) this.take(known.id, row, context);
        forgetOldest(context);
        this.index.save(known.id, { done, context: JSON.stringify(context) });
      })();
      yield;
    }
  }

  private take(conversation: number, { at, body }: EventRow, context: Context): void {
    if (body.length > maxBodyChars || !telling.test(body)) return;
    const event = parsed(body);
    if (event === null) return;
    const add = (part: Omit<Part, 'at'>): void => this.index.add({ conversation, file: 0 }, [{ at, ...part }]);
    const agentId = stringOf(event.agentId);
    const starter = agentId === '' ? null : (context.agents[agentId] ?? null);
    // A sub-agent's messages are not in the conversation: they stand in the card of the call that started it.
    const messageId = agentId === '' ? stringOf(event.messageId) || null : null;
    const callId = stringOf(event.callId);
    const call = Object.hasOwn(context.calls, callId) ? context.calls[callId] : undefined;
    const told = { tool: null, verdict: null, messageId, callId: starter };
    switch (event.type) {
      case 'message.sent':
        add({ ...told, part: 'message', text: searchText(stringOf(event.text), bounds.message) });
        break;
      case 'assistant.block': {
        const { block } = event;
        if (isRecord(block) && block.type === 'text')
          add({ ...told, part: 'answer', text: searchText(stringOf(block.text), bounds.message) });
        break;
      }
      case 'call.created': {
        const tool = stringOf(event.name);
        context.calls[callId] = { tool, messageId, verdict: null };
        const text = searchText(inputText(tool, event.input), bounds.call);
        add({ part: 'call', tool, verdict: null, messageId, callId, text });
        break;
      }
      case 'call.asked':
      case 'call.decided': {
        const decision = isRecord(event.decision) ? event.decision.behavior : undefined;
        const verdict = Verdict.safeParse(event.type === 'call.asked' ? 'ask' : decision);
        // What the permission step said first counts: a person answers later.
        if (call === undefined || call.verdict !== null || !verdict.success || !verdicts.has(verdict.data)) break;
        context.calls[callId] = { ...call, verdict: verdict.data };
        this.index.judge(conversation, callId, verdict.data);
        break;
      }
      case 'call.finished': {
        if (call === undefined || event.deferred === true) break;
        const { tool, verdict } = call;
        add({ part: 'output', tool, verdict, messageId: call.messageId, callId, text: this.outputText(event) });
        delete context.calls[callId];
        break;
      }
      case 'agent.changed': {
        const { agent } = event;
        if (isRecord(agent)) context.agents[stringOf(agent.agentId)] = stringOf(agent.callId);
        break;
      }
    }
  }

  private outputText({ content, persisted }: Readonly<Record<string, unknown>>): string {
    const file = isRecord(persisted) ? stringOf(persisted.file) : '';
    // The model got the start of it; the file has more.
    const kept = file !== '' && isResultPath(this.resultsRoot, file) ? endsOf(file, keptBytes) : null;
    if (kept !== null) {
      const most = { head: keptBytes.head, tail: keptBytes.tail };
      return searchText(`${kept.head}\n…\n${kept.tail}`, most);
    }
    const texts = Array.isArray(content)
      ? content.map((block: unknown) => (isRecord(block) ? stringOf(block.text) : ''))
      : [];
    return searchText(texts.join('\n'), bounds.output);
  }
}

function contextOf(json: string): Context {
  const context = Context.safeParse(parsed(json));
  return context.success ? context.data : { calls: {}, agents: {} };
}

function forgetOldest(context: Context): void {
  const ids = Object.keys(context.calls);
  for (const id of ids.slice(0, Math.max(0, ids.length - maxOpen))) delete context.calls[id];
}

function parsed(body: string): Record<string, unknown> | null {
  try {
    const event: unknown = JSON.parse(body);
    return isRecord(event) ? event : null;
  } catch {
    return null;
  }
}
