// Brings the index up to date with one transcript, in short steps. The file is only ever read.
import { closeSync, readSync } from 'node:fs';
import type Database from 'better-sqlite3';
import type { PastCall } from '#shared/api/history';
import { PermissionMode } from '#shared/permissions/modes';
import { continues, type FoundFile, openGrowing, printOf, type ReadFile } from '../import/growingFile';
import { LineSplitter } from '../import/lineSplitter';
import type { TranscriptFile } from '../import/transcriptFiles';
import { type LineContext, type ReadCall, type ReadResult, readTranscriptLine } from '../import/transcriptLine';
import type { CallStore } from './callStore';

/** Read at a time: some thousandths of a second's work. */
const pieceBytes = 512 * 1024;
/** Calls that are taken out at a time. */
const removedAtOnce = 500;

interface FileRow extends ReadFile {
  readonly id: number;
  readonly path: string;
  readonly skipped: number;
  readonly copies: number;
  readonly cwd: string | null;
  readonly mode: string | null;
  readonly at: number;
}

/** How far a file is; the generator of a reading yields it after each step. */
export interface ReadProgress {
  readonly done: number;
}

export class TranscriptReader {
  private readonly statements;

  constructor(
    private readonly database: Database.Database,
    private readonly calls: CallStore,
  ) {
    this.statements = {
      find: database.prepare<[string], FileRow>('select * from files where path = ?'),
      all: database.prepare<[], { id: number; path: string }>('select id, path from files'),
      skipped: database.prepare<[], { skipped: number | null }>('select sum(skipped) as skipped from files'),
      add: database.prepare<[string, string]>(
        "insert into files (path, identity, size, changed_at, done, print, skipped, copies, cwd, mode, at) values (?, ?, 0, 0, 0, '', 0, 0, null, null, 0)",
      ),
      save: database.prepare<
        [string, number, number, number, string, number, number, string | null, string | null, number, number]
      >(
        'update files set identity = ?, size = ?, changed_at = ?, done = ?, print = ?, skipped = ?, copies = ?, cwd = ?, mode = ?, at = ? where id = ?',
      ),
      remove: database.prepare<[number]>('delete from files where id = ?'),
      readAgain: database.prepare<[]>(
        "update files set done = 0, print = '', size = -1, skipped = 0, copies = 0, cwd = null, mode = null, at = 0 where copies > 0",
      ),
    };
  }

  /** Lines in all files that could not be understood. */
  get skipped(): number {
    return this.statements.skipped.get()?.skipped ?? 0;
  }

  isUpToDate(file: TranscriptFile): boolean {
    const row = this.statements.find.get(file.path);
    return (
      row !== undefined && row.identity === file.identity && row.size === file.size && row.changed_at === file.changedAt
    );
  }

  /** Takes out the files that are no longer there. The value says whether others must be read again for what they shared. */
  *removeMissing(isThere: (path: string) => boolean): Generator<undefined, boolean> {
    let removed = false;
    for (const { id, path } of this.statements.all.all()) {
      if (isThere(path)) continue;
      yield* this.removeCalls(id);
      this.statements.remove.run(id);
      removed = true;
    }
    if (!removed) return false;
    this.calls.tidy();
    return this.statements.readAgain.run().changes > 0;
  }

  /**
   * Reads what is new in a file, or all of it when it is not the file that it was. Throws when it cannot be read. The value
   * says whether calls went that other files may have as well.
   */
  *read(file: TranscriptFile): Generator<ReadProgress | undefined, boolean> {
    const opened = openGrowing(file.path);
    if (opened === null) return false;
    const { handle, found } = opened;
    try {
      let row = this.statements.find.get(file.path);
      let lost = false;
      if (row !== undefined && !continues(row, found, handle)) {
        yield* this.removeCalls(row.id);
        this.statements.remove.run(row.id);
        lost = row.done > 0;
        row = undefined;
      }
      if (row === undefined) {
        this.statements.add.run(file.path, found.identity);
        row = this.statements.find.get(file.path);
      }
      if (row !== undefined) yield* this.readFrom(row, { file, found, handle });
      if (lost) this.calls.tidy();
      return lost && this.statements.readAgain.run().changes > 0;
    } finally {
      closeSync(handle);
    }
  }

  private *removeCalls(file: number): Generator<undefined> {
    while (this.calls.removeSome(file, removedAtOnce) > 0) yield;
  }

  private *readFrom(
    row: FileRow,
    { file, found, handle }: { readonly file: TranscriptFile; readonly found: FoundFile; readonly handle: number },
  ): Generator<ReadProgress> {
    const mode = PermissionMode.safeParse(row.mode);
    const context: LineContext = {
      fileSession: file.session,
      isSubagentFile: file.isSubagent,
      cwd: row.cwd,
      mode: mode.success ? mode.data : null,
      at: row.at > 0 ? row.at : found.changedAt,
    };
    const splitter = new LineSplitter();
    let { skipped, copies } = row;
    let at = row.done;
    for (;;) {
      const piece = Buffer.allocUnsafe(pieceBytes);
      const length = at < found.size ? readSync(handle, piece, 0, Math.min(pieceBytes, found.size - at), at) : 0;
      const atEnd = length === 0;
      at += length;
      const calls: ReadCall[] = [];
      const results = new Map<string, PastCall['outcome']>();
      const take = (line: Buffer | null): void => {
        const facts = line === null ? null : readTranscriptLine(line, context);
        if (facts === null || facts.damaged) skipped += 1;
        calls.push(...(facts?.calls ?? []));
        for (const { id, outcome } of facts?.results ?? []) results.set(id, outcome);
      };
      if (!atEnd) splitter.push(piece.subarray(0, length), take);
      else {
        // The last line may still be being written: it counts now if it is whole, and is read again when more came.
        const { rest } = splitter;
        const facts = rest === null || rest.length === 0 ? null : readTranscriptLine(rest, { ...context });
        calls.push(...(facts?.calls ?? []));
        for (const { id, outcome } of facts?.results ?? []) results.set(id, outcome);
      }
      const done = row.done + splitter.completeBytes;
      this.database.transaction(() => {
        copies += this.store(row.id, { file, context, calls, results });
        const save = (size: number, changedAt: number): void => {
          const print = printOf(handle, done);
          this.statements.save.run(
            found.identity,
            size,
            changedAt,
            done,
            print,
            skipped,
            copies,
            context.cwd,
            context.mode,
            context.at,
            row.id,
          );
        };
        // Not up to date before its end: a reading that breaks off goes on from here.
        if (atEnd) save(found.size, found.changedAt);
        else save(-1, 0);
      })();
      yield { done: Math.min(at, found.size) };
      if (atEnd) return;
    }
  }

  private store(
    id: number,
    {
      file,
      context,
      calls,
      results,
    }: {
      readonly file: TranscriptFile;
      readonly context: LineContext;
      readonly calls: readonly ReadCall[];
      readonly results: ReadonlyMap<string, PastCall['outcome']>;
    },
  ): number {
    for (const call of calls) {
      // A file may hold lines of the session that it went on from.
      const started = call.session === file.session ? context.cwd : null;
      const from = file.isSubagent || call.isSubagent ? 'subagent' : 'session';
      this.calls.setProject(call.session, started ?? call.cwd, from);
    }
    const copies = this.calls.add(id, calls, (call) => results.get(call) ?? 'unknown');
    const known: ReadResult[] = [...results].map(([call, outcome]) => ({ id: call, outcome }));
    this.calls.settle(known, { anew: false });
    return copies;
  }
}
