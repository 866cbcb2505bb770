// Changes of rules that are not written yet. Each thing that a person does is one step, whatever it changes; the browser
// keeps them for its session, so that a reload loses nothing.
import { z } from 'zod';
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import { RuleDraft } from '#shared/permissions/ruleEdits';

const Steps = z.array(RuleDraft);
const Kept = z.record(z.string(), z.object({ steps: Steps, undone: Steps }));
type Kept = z.infer<typeof Kept>;

export interface SessionDraft {
  /** Oldest first. */
  readonly steps: readonly RuleDraft[];
  /** What can be made again, the next one last. */
  readonly undone: readonly RuleDraft[];
}

interface RuleDraftStore {
  readonly drafts: Readonly<Record<string, SessionDraft>>;
  /** Adds a step; what was undone before cannot be made again. */
  add(sessionId: string, edits: RuleDraft): void;
  undo(sessionId: string): void;
  redo(sessionId: string): void;
  /** Takes one edit out, by its place among all edits of the draft. */
  drop(sessionId: string, edit: number): void;
  /** Takes all steps away: they are written, or nobody wants them. */
  clear(sessionId: string): void;
  /** Brings back a draft that was cleared. */
  restore(sessionId: string, draft: SessionDraft): void;
}

const none: SessionDraft = { steps: [], undone: [] };

export const useRuleDraft = create<RuleDraftStore>()(
  persist(
    (set) => {
      const change = (sessionId: string, make: (draft: SessionDraft) => SessionDraft): void => {
        set(({ drafts }) => ({ drafts: { ...drafts, [sessionId]: make(drafts[sessionId] ?? none) } }));
      };
      return {
        drafts: {},
        add: (sessionId, edits) => {
          if (edits.length > 0) change(sessionId, ({ steps }) => ({ steps: [...steps, edits], undone: [] }));
        },
        undo: (sessionId) =>
          change(sessionId, ({ steps, undone }) => {
            const last = steps.at(-1);
            return last === undefined ? { steps, undone } : { steps: steps.slice(0, -1), undone: [...undone, last] };
          }),
        redo: (sessionId) =>
          change(sessionId, ({ steps, undone }) => {
            const next = undone.at(-1);
            return next === undefined ? { steps, undone } : { steps: [...steps, next], undone: undone.slice(0, -1) };
          }),
        drop: (sessionId, edit) =>
          change(sessionId, ({ steps }) => {
            let before = 0;
            const left = steps.map((step) => {
              const from = before;
              before += step.length;
              return step.filter((_, at) => from + at !== edit);
            });
            return { steps: left.filter((step) => step.length > 0), undone: [] };
          }),
        clear: (sessionId) => change(sessionId, () => none),
        restore: (sessionId, draft) => change(sessionId, () => draft),
      };
    },
    {
      name: 'gatehouse.ruleDraft',
      storage: createJSONStorage(() => window.sessionStorage),
      partialize: ({ drafts }) => ({ drafts }),
      merge: (kept, current) => {
        const known = z.object({ drafts: Kept }).safeParse(kept);
        return known.success ? { ...current, drafts: known.data.drafts satisfies Kept } : current;
      },
    },
  ),
);

/** The draft of a session. */
export function draftOf(store: Pick<RuleDraftStore, 'drafts'>, sessionId: string | null): SessionDraft {
  return sessionId === null ? none : (store.drafts[sessionId] ?? none);
}

const empty: RuleDraft = [];
const joined = new WeakMap<readonly RuleDraft[], RuleDraft>();

/** All edits of a draft in order; the same list as long as nothing changes. */
export function editsOf({ steps }: SessionDraft): RuleDraft {
  if (steps.length === 0) return empty;
  const known = joined.get(steps) ?? steps.flat();
  joined.set(steps, known);
  return known;
}
