// Written changes of rules that can be undone, kept over a restart in a file of Gatehouse's own.
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import type { RuleStep, StepsView } from '#shared/api/rules';
import type { OwnRule } from './combineSources';

/** Steps that can be undone; older ones are only in the backups. */
const keptSteps = 50;
/** Texts of all steps together, in characters. */
const keptChars = 20_000_000;
const shownSteps = 20;

const StoredStep = z.strictObject({
  id: z.string(),
  label: z.string(),
  at: z.number(),
  files: z.array(z.strictObject({ path: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
  /** When it was undone; null = it is in force. */
  undoneAt: z.number().nullable(),
});
export type StoredStep = z.infer<typeof StoredStep>;

/** Rules in memory before and after a step; gone with the program. */
export interface OwnChange {
  readonly sessionId: string;
  readonly before: readonly OwnRule[];
  readonly after: readonly OwnRule[];
}

export interface RuleSteps {
  view(): StepsView;
  find(id: string): { readonly step: StoredStep; readonly own: OwnChange | null } | null;
  /** A new step ends what could be made again. */
  add(step: Omit<StoredStep, 'undoneAt'>, own: OwnChange | null): RuleStep;
  mark(id: string, undoneAt: number | null): void;
}

function shown({ id, label, at, files }: StoredStep): RuleStep {
  return { id, label, at, files: files.map(({ path }) => path) };
}

/** Steps kept in `file`. A file that cannot be read means that nothing can be undone; `onError` hears of it. */
export function createRuleSteps(options: {
  readonly file: string;
  readonly onError: (what: string, error: unknown) => void;
}): RuleSteps {
  const { file, onError } = options;
  let loaded: { readonly signature: string; readonly steps: StoredStep[] } | null = null;
  const owns = new Map<string, OwnChange>();

  const signature = (): string => {
    try {
      const found = statSync(file, { throwIfNoEntry: false });
      return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeMs}`;
    } catch {
      return '';
    }
  };

  /** Another Gatehouse on the same data may have written steps meanwhile. */
  const steps = (): StoredStep[] => {
    const now = signature();
    if (loaded?.signature === now) return loaded.steps;
    let all: StoredStep[] = [];
    try {
      if (now !== '') all = z.array(StoredStep).parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch (error) {
      onError('reading undo steps', error);
    }
    // A step that changed only rules in memory ended with the program that made it.
    loaded = { signature: now, steps: all.filter(({ id, files }) => files.length > 0 || owns.has(id)) };
    return loaded.steps;
  };

  const write = (all: StoredStep[]): void => {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileAtomic.sync(file, JSON.stringify(all), { mode: 0o600 });
    } catch (error) {
      // The step itself is written; only its undo ends with the program.
      onError('keeping undo steps', error);
    }
    loaded = { signature: signature(), steps: all };
  };

  return {
    view() {
      const all = steps();
      const undone = all.filter(({ undoneAt }) => undoneAt !== null);
      const redo = undone.sort((a, b) => (b.undoneAt ?? 0) - (a.undoneAt ?? 0))[0];
      const undo = all.findLast(({ undoneAt }) => undoneAt === null);
      return {
        undo: undo === undefined ? null : shown(undo),
        redo: redo === undefined ? null : shown(redo),
        recent: all.slice(-shownSteps).reverse().map(shown),
      };
    },
    find(id) {
      const step = steps().find((one) => one.id === id);
      return step === undefined ? null : { step, own: owns.get(id) ?? null };
    },
    add(step, own) {
      let kept: StoredStep[] = [...steps().filter(({ undoneAt }) => undoneAt === null), { ...step, undoneAt: null }];
      kept = kept.slice(-keptSteps);
      const chars = (all: readonly StoredStep[]) =>
        all.reduce(
          (sum, { files }) =>
            sum + files.reduce((one, { before, after }) => one + (before?.length ?? 0) + (after?.length ?? 0), 0),
          0,
        );
      while (kept.length > 1 && chars(kept) > keptChars) kept.shift();
      if (own !== null) owns.set(step.id, own);
      for (const id of owns.keys()) if (!kept.some((one) => one.id === id)) owns.delete(id);
      write(kept);
      return shown({ ...step, undoneAt: null });
    },
    mark(id, undoneAt) {
      write(steps().map((step) => (step.id === id ? { ...step, undoneAt } : step)));
    },
  };
}
