// People's remarks on rules, kept in a file of Gatehouse's own: settings files allow no comments.
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { fail, ok, type Result } from '#shared/util/result';

const Notes = z.record(z.string(), z.string().max(2_000));
/** More notes than rules anybody has. */
const mostNotes = 5_000;

export interface RuleNotes {
  all(): Readonly<Record<string, string>>;
  /** An empty note takes it away. The error is for people. */
  set(rule: string, note: string): Result<Readonly<Record<string, string>>>;
}

/** Notes kept in `file`. A file that does not parse is left as it is, and nothing can be noted until it is mended. */
export function createRuleNotes(file: string): RuleNotes {
  const read = (): Result<Map<string, string>> => {
    try {
      const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
      const notes = Notes.safeParse(value);
      if (notes.success) return ok(new Map(Object.entries(notes.data)));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ok(new Map());
    }
    return fail(`The notes in ${file} cannot be read. Mend the file or move it away.`);
  };
  return {
    all() {
      const notes = read();
      return notes.ok ? Object.fromEntries(notes.value) : {};
    },
    set(rule, note) {
      const notes = read();
      if (!notes.ok) return notes;
      if (note.trim() === '') notes.value.delete(rule);
      else notes.value.set(rule, note.trim());
      if (notes.value.size > mostNotes) return fail(`There are ${mostNotes} notes already. Delete some first.`);
      const all = Object.fromEntries(notes.value);
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        writeFileAtomic.sync(file, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
      } catch (error) {
        return fail(`The note was not kept: ${error instanceof Error ? error.message : String(error)}.`);
      }
      return ok(all);
    },
  };
}
