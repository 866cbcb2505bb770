// What can be found: texts of conversations with where they stand. One statement each, prepared once.
import type Database from 'better-sqlite3';
import type { SearchFilter, SearchHit, SearchPart } from '#shared/api/search';
import { ftsQuery } from './query';
import { markEnd, markStart, snippetParts } from './searchText';

export type ConversationKind = 'session' | 'transcript';
type Verdict = 'allow' | 'ask' | 'deny';

export interface IndexedConversation {
  readonly id: number;
  readonly kind: ConversationKind;
  readonly key: string;
  readonly title: string;
  readonly folder: string;
  readonly hidden: number;
  readonly done: number;
  readonly context: string;
}

/** A text and where it stands. */
export interface Part {
  readonly at: number;
  readonly part: SearchPart;
  readonly tool: string | null;
  readonly verdict: Verdict | null;
  readonly messageId: string | null;
  readonly callId: string | null;
  readonly text: string;
}

/** How much stands around a find, in words. */
const snippetWords = 24;

interface HitRow {
  readonly id: number;
  readonly kind: ConversationKind;
  readonly key: string;
  readonly title: string;
  readonly folder: string;
  readonly at: number;
  readonly part: SearchPart;
  readonly tool: string | null;
  readonly verdict: Verdict | null;
  readonly message_id: string | null;
  readonly call_id: string | null;
}

export interface Found {
  readonly hits: SearchHit[];
  readonly total: number;
  readonly conversations: number;
}

export class SearchIndex {
  private readonly statements;

  constructor(private readonly database: Database.Database) {
    this.statements = {
      all: database.prepare<[ConversationKind], IndexedConversation>('select * from conversations where kind = ?'),
      find: database.prepare<[ConversationKind, string], IndexedConversation>(
        'select * from conversations where kind = ? and key = ?',
      ),
      add: database.prepare<[ConversationKind, string, string, string]>(
        "insert into conversations (kind, key, title, folder, hidden, done, context) values (?, ?, ?, ?, 0, 0, '{}')",
      ),
      describe: database.prepare<[string, string, number, number]>(
        'update conversations set title = ?, folder = ?, hidden = ? where id = ?',
      ),
      save: database.prepare<[number, string, number]>('update conversations set done = ?, context = ? where id = ?'),
      remove: database.prepare<[number]>('delete from conversations where id = ?'),
      addPart: database.prepare<
        [number, number, number, string, string | null, string | null, string | null, string | null]
      >(
        'insert into parts (conversation, file, at, part, tool, verdict, message_id, call_id) values (?, ?, ?, ?, ?, ?, ?, ?)',
      ),
      addWords: database.prepare<[number | bigint, string]>('insert into words (rowid, text) values (?, ?)'),
      judge: database.prepare<[Verdict, string, number]>(
        'update parts set verdict = ? where call_id = ? and conversation = ?',
      ),
      someParts: database.prepare<[number, number, number], { id: number }>(
        'select id from parts where conversation = ? and file = ? limit ?',
      ),
      removePart: database.prepare<[number]>('delete from parts where id = ?'),
      removeWords: database.prepare<[number]>('delete from words where rowid = ?'),
      // A number comes as a real one, and beside `match` the index takes heed of whole ones only.
      snippet: database.prepare<[string, string, string, number], { snippet: string }>(
        `select snippet(words, 0, ?, ?, '…', ${snippetWords}) as snippet from words where words match ? and rowid = cast(? as integer)`,
      ),
    };
  }

  all(kind: ConversationKind): readonly IndexedConversation[] {
    return this.statements.all.all(kind);
  }

  /** The conversation under its key, made when it is new; what the list says of it is brought up to date. */
  conversation(about: {
    readonly kind: ConversationKind;
    readonly key: string;
    readonly title: string;
    readonly folder: string;
  }): IndexedConversation {
    const { kind, key, title, folder } = about;
    const known = this.statements.find.get(kind, key);
    if (known !== undefined) {
      if (known.title !== title || known.folder !== folder || known.hidden !== 0)
        this.statements.describe.run(title, folder, 0, known.id);
      return { ...known, title, folder, hidden: 0 };
    }
    const { lastInsertRowid } = this.statements.add.run(kind, key, title, folder);
    const id = Number(lastInsertRowid);
    return { id, kind, key, title, folder, hidden: 0, done: 0, context: '{}' };
  }

  /** Leaves a conversation out of what is found until it is described again. */
  hide({ id, title, folder }: IndexedConversation): void {
    this.statements.describe.run(title, folder, 1, id);
  }

  save(id: number, { done, context }: { readonly done: number; readonly context: string }): void {
    this.statements.save.run(done, context, id);
  }

  /** `file` 0: of a session. */
  add(place: { readonly conversation: number; readonly file: number }, parts: readonly Part[]): void {
    for (const { at, part, tool, verdict, messageId, callId, text } of parts) {
      if (text === '') continue;
      const { lastInsertRowid } = this.statements.addPart.run(
        ...([place.conversation, place.file, at, part, tool, verdict, messageId, callId] as const),
      );
      this.statements.addWords.run(lastInsertRowid, text);
    }
  }

  /** Says what the permission step said of a call that is here already. */
  judge(conversation: number, callId: string, verdict: Verdict): void {
    this.statements.judge.run(verdict, callId, conversation);
  }

  /** Takes some texts of a file, or of a session's log, away. False: none is left. */
  removeSome(place: { readonly conversation: number; readonly file: number }, count: number): boolean {
    const ids = this.statements.someParts.all(place.conversation, place.file, count);
    this.database.transaction(() => {
      for (const { id } of ids) {
        this.statements.removeWords.run(id);
        this.statements.removePart.run(id);
      }
    })();
    return ids.length > 0;
  }

  remove(conversation: number): void {
    this.statements.remove.run(conversation);
  }

  /** Best first, the younger of equals first. */
  find(question: {
    readonly text: string;
    readonly filter: SearchFilter;
    readonly from: number;
    readonly count: number;
  }): Found {
    const query = ftsQuery(question.text);
    if (query === null) return { hits: [], total: 0, conversations: 0 };
    const { sql, values } = conditions(question.filter);
    const from = `from words join parts p on p.id = words.rowid join conversations c on c.id = p.conversation
      where words match ? and c.hidden = 0${sql}`;
    const counted = this.database
      .prepare<unknown[], { total: number; conversations: number }>(
        `select count(*) as total, count(distinct p.conversation) as conversations ${from}`,
      )
      .get(query, ...values);
    const rows = this.database
      .prepare<unknown[], HitRow>(
        `select p.id, c.kind, c.key, c.title, c.folder, p.at, p.part, p.tool, p.verdict, p.message_id, p.call_id
         ${from} order by bm25(words), p.at desc, p.id limit ? offset ?`,
      )
      .all(query, ...values, question.count, question.from);
    return { hits: rows.map((row) => this.hitOf(row, query)), ...(counted ?? { total: 0, conversations: 0 }) };
  }

  private hitOf(row: HitRow, query: string): SearchHit {
    const { kind, key, title, folder, at, part, tool, verdict } = row;
    const marked = this.statements.snippet.get(markStart, markEnd, query, row.id)?.snippet ?? '';
    return {
      in: kind === 'session' ? { kind, sessionId: key } : { kind, id: key },
      ...{ title, folder, at, part, tool, verdict },
      messageId: row.message_id,
      callId: row.call_id,
      snippet: snippetParts(marked),
    };
  }
}

function conditions(filter: SearchFilter): { readonly sql: string; readonly values: readonly unknown[] } {
  const { parts, tool, verdict, folder, since, until, origin } = filter;
  const sql: string[] = [];
  const values: unknown[] = [];
  const add = (condition: string, ...given: readonly unknown[]): void => {
    sql.push(` and ${condition}`);
    values.push(...given);
  };
  if (parts !== null) add(`p.part in (${parts.map(() => '?').join(', ')})`, ...parts);
  if (tool !== null) add('p.tool = ?', tool);
  if (verdict !== null) add('p.verdict = ?', verdict);
  if (since !== null) add('p.at >= ?', since);
  if (until !== null) add('p.at <= ?', until);
  if (origin !== null) add('c.kind = ?', origin === 'gatehouse' ? 'session' : 'transcript');
  if (folder !== null) {
    const below = /[/\\]$/.test(folder)
      ? folder
      : `${folder}${folder.includes('\\') && !folder.includes('/') ? '\\' : '/'}`;
    // Not `like`: a name may hold its signs.
    add('(c.folder = ? or substr(c.folder, 1, ?) = ?)', folder, [...below].length, below);
  }
  return { sql: sql.join(''), values };
}
