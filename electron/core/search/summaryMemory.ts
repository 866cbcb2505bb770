// What the list says of each transcript, kept with the index as long as the file stays as it is.
import type Database from 'better-sqlite3';
import type { TranscriptFile } from '../history/import/transcriptFiles';
import type { SummaryMemory } from '../transcripts/shelf';
import type { FoundSummary } from '../transcripts/transcriptSummary';

interface SummaryRow {
  readonly path: string;
  readonly identity: string;
  readonly size: number;
  readonly changed_at: number;
  readonly title: string;
  readonly folder: string;
  readonly has_messages: number;
}

export class SummaryStore implements SummaryMemory {
  private readonly statements;

  constructor(database: Database.Database) {
    this.statements = {
      find: database.prepare<[string], SummaryRow>('select * from summaries where path = ?'),
      save: database.prepare<[string, string, number, number, string, string, number]>(
        'insert or replace into summaries (path, identity, size, changed_at, title, folder, has_messages) values (?, ?, ?, ?, ?, ?, ?)',
      ),
    };
  }

  get(file: TranscriptFile): FoundSummary | null {
    const row = this.statements.find.get(file.path);
    const same = row?.identity === file.identity && row.size === file.size && row.changed_at === file.changedAt;
    return row === undefined || !same
      ? null
      : { title: row.title, folder: row.folder, hasMessages: row.has_messages !== 0 };
  }

  set({ path, identity, size, changedAt }: TranscriptFile, { title, folder, hasMessages }: FoundSummary): void {
    this.statements.save.run(path, identity, size, changedAt, title, folder, Number(hasMessages));
  }
}

/** Where the index cannot be used: for as long as the program runs. */
export const withoutMemory: SummaryMemory = { get: () => null, set: () => undefined };
