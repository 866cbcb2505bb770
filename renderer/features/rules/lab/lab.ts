// What the laboratory's tabs keep while another tab or page is shown.
import { create } from 'zustand';
import type { HistoryScope, ReplayFilter } from '#shared/api/history';
import type { TriedCall } from '#shared/api/rules';
import type { PermissionMode } from '#shared/permissions/modes';
import type { RuleDraft } from '#shared/permissions/ruleEdits';
import { draftOf, editsOf, useRuleDraft } from '../../../stores/ruleDraft';
import { useRulesPage } from '../../../stores/rulesPage';

interface LabFacts {
  /** What is tried out as typed in one line. */
  readonly line: string;
  /** A whole input in place of the line: from the form or from the past. */
  readonly input: Extract<TriedCall, { kind: 'input' }> | null;
  /** Empty: the session's. */
  readonly cwd: string;
  /** Null: the session's. */
  readonly mode: PermissionMode | null;
  readonly where: HistoryScope['where'];
  readonly days: number;
  readonly filter: ReplayFilter;
}

interface LabStore extends LabFacts {
  set(change: Partial<LabFacts>): void;
}

export const useLab = create<LabStore>()((set) => ({
  line: '',
  input: null,
  cwd: '',
  mode: null,
  where: 'folder',
  days: 30,
  filter: { text: '' },
  set: (change) => set(change),
}));

/** The session and its unsaved changes, which go with each question. */
export function useStaged(): { readonly sessionId: string | null; readonly draft: RuleDraft } {
  const sessionId = useRulesPage((page) => page.sessionId);
  const draft = useRuleDraft((store) => editsOf(draftOf(store, sessionId)));
  return { sessionId, draft };
}
