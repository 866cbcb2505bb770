// SQL of scheduled prompts.
import type Database from 'better-sqlite3';
import { z } from 'zod';

/** A prompt that is sent to its session by itself. */
export interface Schedule {
  readonly scheduleId: string;
  readonly sessionId: string;
  readonly prompt: string;
  /** Five fields; null: once. */
  readonly cron: string | null;
  /** Epoch milliseconds. */
  readonly nextAt: number;
}

const Row = z.object({
  id: z.string(),
  session_id: z.string(),
  prompt: z.string(),
  cron: z.string().nullable(),
  next_at: z.number(),
});

export class ScheduleStore {
  private readonly statements;

  constructor(database: Database.Database) {
    this.statements = {
      // A deleted session sends nothing; should it come back, so do its prompts.
      all: database.prepare(
        'select * from schedules where session_id not in (select id from sessions where deleted_at is not null) order by next_at, id',
      ),
      add: database.prepare('insert into schedules (id, session_id, prompt, cron, next_at) values (?, ?, ?, ?, ?)'),
      move: database.prepare('update schedules set next_at = ? where id = ?'),
      remove: database.prepare('delete from schedules where id = ?'),
    };
  }

  /** The soonest first. */
  list(): readonly Schedule[] {
    return this.statements.all.all().flatMap((given) => {
      const row = Row.safeParse(given);
      if (!row.success) return [];
      const { id, session_id: sessionId, prompt, cron, next_at: nextAt } = row.data;
      return [{ scheduleId: id, sessionId, prompt, cron, nextAt }];
    });
  }

  add({ scheduleId, sessionId, prompt, cron, nextAt }: Schedule): void {
    this.statements.add.run(scheduleId, sessionId, prompt, cron, nextAt);
  }

  move(scheduleId: string, nextAt: number): void {
    this.statements.move.run(nextAt, scheduleId);
  }

  remove(scheduleId: string): void {
    this.statements.remove.run(scheduleId);
  }
}
