// Calls in the index: written as they are found, read the newest first.
import type Database from 'better-sqlite3';
import type { PastCall } from '#shared/api/history';
import { PermissionMode } from '#shared/permissions/modes';
import type { ReadCall, ReadResult } from '../import/transcriptLine';
import type { CallIndex, CallScope, IndexedCall } from '../pastCalls';

interface InputRow {
  readonly key: string;
  readonly tool: string;
  readonly cwd: string;
  readonly title: string;
}

interface CallRow {
  readonly id: string;
  readonly file: number;
  readonly session: string;
  readonly input: number;
  readonly at: number;
  readonly subagent: number;
  readonly mode: string | null;
  readonly outcome: string;
}

const modes: ReadonlySet<string> = new Set(PermissionMode.options);
const isMode = (text: string): text is PermissionMode => modes.has(text);

/** The file number of calls that were made here. */
export const ownFile = 0;

/** Rows read at a time; between them others may write. */
const pageRows = 2_000;
/** Distinct calls that are kept in memory, without their inputs, and their numbers by key while reading. */
const maxInputs = 200_000;

const maxTexts = 10_000;

const outcomes: ReadonlySet<string> = new Set(['ran', 'failed', 'refused', 'unknown'] satisfies PastCall['outcome'][]);
const isOutcome = (text: string): text is PastCall['outcome'] => outcomes.has(text);

export class CallStore implements CallIndex {
  private changes = 0;
  private readonly inputs = new Map<number, InputRow>();
  private readonly texts = new Map<string, string>();
  private readonly numbers = new Map<string, number>();
  private readonly projects = new Map<string, string>();
  /** Sessions whose project their own file told. */
  private readonly certain = new Set<string>();
  private readonly perSession = new Map<string, number>();
  private total = 0;
  private readonly statements;

  constructor(private readonly database: Database.Database) {
    this.statements = {
      find: database.prepare<[string], CallRow>('select * from calls where id = ?'),
      page: database.prepare<[number, number, string, number], CallRow>(
        'select * from calls where at >= ? and (at, id) < (?, ?) order by at desc, id desc limit ?',
      ),
      input: database.prepare<[number], InputRow>('select key, tool, cwd, title from inputs where id = ?'),
      json: database.prepare<[number], { input: string }>('select input from inputs where id = ?'),
      number: database.prepare<[string], { id: number }>('select id from inputs where key = ?'),
      addInput: database.prepare<[string, string, string, string, string]>(
        'insert into inputs (key, tool, cwd, input, title) values (?, ?, ?, ?, ?)',
      ),
      add: database.prepare<[string, number, string, number, number, number, string | null, string]>(
        'insert or ignore into calls (id, file, session, input, at, subagent, mode, outcome) values (?, ?, ?, ?, ?, ?, ?, ?)',
      ),
      settle: database.prepare<[string, string]>("update calls set outcome = ? where id = ? and outcome = 'unknown'"),
      settleAnew: database.prepare<[string, string]>('update calls set outcome = ? where id = ?'),
      project: database.prepare<[string, string, number]>(
        'insert into sessions (id, project, own) values (?, ?, ?) on conflict (id) do update set project = excluded.project, own = 1 where own = 0 and excluded.own = 1',
      ),
      removeSome: database.prepare<[number, number]>(
        'delete from calls where id in (select id from calls where file = ? limit ?)',
      ),
      removeOwn: database.prepare<[string]>(`delete from calls where file = ${ownFile} and session = ?`),
    };
    this.count();
  }

  get version(): number {
    return this.changes;
  }

  get callCount(): number {
    return this.total;
  }

  get sessionCount(): number {
    return this.perSession.size;
  }

  *calls(scope: CallScope): Generator<IndexedCall> {
    let last: { readonly at: number; readonly id: string } = { at: Number.MAX_VALUE, id: '' };
    for (;;) {
      const rows = this.statements.page.all(scope.since, last.at, last.id, pageRows);
      for (const row of rows) {
        const input = this.inputOf(row.input);
        if (input !== null && isWithin(input.cwd, scope.folder)) yield this.indexed(row, input);
      }
      const end = rows.at(-1);
      if (end === undefined || rows.length < pageRows) return;
      last = end;
    }
  }

  find(id: string): IndexedCall | null {
    const row = this.statements.find.get(id);
    const input = row === undefined ? null : this.inputOf(row.input);
    return row === undefined || input === null ? null : this.indexed(row, input);
  }

  /** Adds calls of one file; the value counts those that another file has already. Within a transaction. */
  add(file: number, calls: readonly ReadCall[], outcomeOf: (id: string) => PastCall['outcome']): number {
    let copies = 0;
    for (const call of calls) {
      const { changes } = this.statements.add.run(
        call.id,
        file,
        call.session,
        this.numberOf(call),
        call.at,
        call.isSubagent ? 1 : 0,
        call.mode,
        outcomeOf(call.id),
      );
      if (changes === 0) {
        if (this.statements.find.get(call.id)?.file !== file) copies += 1;
        continue;
      }
      this.total += 1;
      this.perSession.set(call.session, (this.perSession.get(call.session) ?? 0) + 1);
      this.changes += 1;
    }
    return copies;
  }

  /** Tells what became of calls; what is known already stays, unless `anew`. */
  settle(results: readonly ReadResult[], options: { readonly anew: boolean }): void {
    for (const { id, outcome } of results) {
      if (outcome === 'unknown' && !options.anew) continue;
      const statement = options.anew ? this.statements.settleAnew : this.statements.settle;
      this.changes += statement.run(outcome, id).changes;
    }
  }

  /** Says whose project settings counted for a session. A sub-agent's word counts only until the session's own is known. */
  setProject(session: string, project: string, from: 'session' | 'subagent'): void {
    if (this.certain.has(session) || (from === 'subagent' && this.projects.has(session))) return;
    if (from === 'session') this.certain.add(session);
    if (this.statements.project.run(session, project, from === 'session' ? 1 : 0).changes === 0) return;
    this.projects.set(session, project);
    this.changes += 1;
  }

  /** Takes up to `limit` calls of a file out; the value says how many there were. */
  removeSome(file: number, limit: number): number {
    const { changes } = this.statements.removeSome.run(file, limit);
    this.changes += changes;
    return changes;
  }

  /** Takes out the calls of a session here. */
  removeOwn(session: string): void {
    this.changes += this.statements.removeOwn.run(session).changes;
  }

  /** To be called after calls were taken out: forgets what nothing uses any more and counts anew. */
  tidy(): void {
    this.database.transaction(() => {
      this.database.exec('delete from inputs where id not in (select input from calls)');
      this.database.exec('delete from sessions where id not in (select session from calls)');
    })();
    this.inputs.clear();
    this.numbers.clear();
    this.count();
  }

  private count(): void {
    this.projects.clear();
    this.certain.clear();
    this.perSession.clear();
    this.total = 0;
    const sessions = this.database.prepare<[], { id: string; project: string }>('select id, project from sessions');
    for (const { id, project } of sessions.all()) this.projects.set(id, project);
    const counts = this.database.prepare<[], { session: string; calls: number }>(
      'select session, count(*) as calls from calls group by session',
    );
    for (const { session, calls } of counts.all()) {
      this.perSession.set(session, calls);
      this.total += calls;
    }
  }

  private numberOf(call: ReadCall): number {
    const known = this.numbers.get(call.key) ?? this.statements.number.get(call.key)?.id;
    const number =
      known ??
      Number(this.statements.addInput.run(call.key, call.tool, call.cwd, call.input, call.title).lastInsertRowid);
    if (this.numbers.size >= maxInputs) this.numbers.clear();
    this.numbers.set(call.key, number);
    return number;
  }

  private inputOf(number: number): InputRow | null {
    const known = this.inputs.get(number);
    if (known !== undefined) return known;
    const row = this.statements.input.get(number);
    if (row === undefined) return null;
    if (this.inputs.size >= maxInputs) this.inputs.clear();
    const shared = { ...row, tool: this.same(row.tool), cwd: this.same(row.cwd) };
    this.inputs.set(number, shared);
    return shared;
  }

  /** One text for all that are equal: there are few tools and folders. */
  private same(text: string): string {
    const known = this.texts.get(text);
    if (known !== undefined) return known;
    if (this.texts.size >= maxTexts) this.texts.clear();
    this.texts.set(text, text);
    return text;
  }

  private indexed(row: CallRow, input: InputRow): IndexedCall {
    return new StoredCall({
      row,
      input,
      project: this.projects.get(row.session) ?? input.cwd,
      json: () => this.statements.json.get(row.input)?.input ?? '{}',
    });
  }
}

/** Its input is parsed only when it is looked at. */
class StoredCall implements IndexedCall {
  readonly id: string;
  readonly origin: IndexedCall['origin'];
  readonly session: string;
  readonly cwd: string;
  readonly at: number;
  readonly tool: string;
  readonly title: string;
  readonly isSubagent: boolean;
  readonly mode: PermissionMode | null;
  readonly outcome: IndexedCall['outcome'];
  readonly key: string;
  #parsed: Readonly<Record<string, unknown>> | null = null;
  readonly project: string;
  readonly #json: () => string;

  constructor(of: {
    readonly row: CallRow;
    readonly input: InputRow;
    readonly project: string;
    /** Its input as JSON. */
    readonly json: () => string;
  }) {
    const { row, input } = of;
    this.id = row.id;
    this.origin = row.file === ownFile ? 'gatehouse' : 'claudeCode';
    this.session = row.session;
    this.cwd = input.cwd;
    this.at = row.at;
    this.tool = input.tool;
    this.title = input.title;
    this.isSubagent = row.subagent !== 0;
    this.mode = row.mode !== null && isMode(row.mode) ? row.mode : null;
    this.outcome = isOutcome(row.outcome) ? row.outcome : 'unknown';
    this.key = input.key;
    this.project = of.project;
    this.#json = of.json;
  }

  get input(): Readonly<Record<string, unknown>> {
    this.#parsed ??= JSON.parse(this.#json()) as Readonly<Record<string, unknown>>;
    return this.#parsed;
  }
}

/** Whether a folder is another or lies in it. */
function isWithin(cwd: string, folder: string | null): boolean {
  if (folder === null || cwd === folder) return true;
  const inside = /[\\/]$/.test(folder) ? folder : `${folder}${folder.includes('\\') ? '\\' : '/'}`;
  return cwd.startsWith(inside);
}
