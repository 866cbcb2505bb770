// What the Rules page does with rules: staging, saving, undoing. Failures become toasts and lose nothing.

import { describeEdits } from '#shared/permissions/describeEdits';
import { maxEdits, type RuleDraft } from '#shared/permissions/ruleEdits';
import { RpcError } from '#shared/rpc/errors';
import { host } from '../../host/client';
import { draftOf, editsOf, useRuleDraft } from '../../stores/ruleDraft';
import { useRulesPage } from '../../stores/rulesPage';
import { messageOf, reportFailure, useToasts } from '../../stores/toasts';
import { counted, sentence } from '../frame/words';

/** Puts changes into the draft, as one step of it. More than a draft can hold are refused, and said so. */
export function stage(edits: RuleDraft): void {
  const { sessionId } = useRulesPage.getState();
  if (sessionId === null) return;
  const staged = editsOf(draftOf(useRuleDraft.getState(), sessionId)).length;
  if (staged + edits.length > maxEdits) {
    useToasts.getState().show({
      level: 'error',
      title: `${counted(edits.length, 'change')} more are too many at once.`,
      text: `Unsaved changes may be ${maxEdits.toLocaleString('en')} at most. Save what there is, or choose fewer rules.`,
    });
    return;
  }
  useRuleDraft.getState().add(sessionId, edits);
}

/** Takes the draft away; one press brings it back. */
export function discardDraft(): void {
  const { sessionId } = useRulesPage.getState();
  if (sessionId === null) return;
  const { drafts, clear, restore } = useRuleDraft.getState();
  const draft = draftOf({ drafts }, sessionId);
  clear(sessionId);
  useToasts.getState().show({
    level: 'info',
    title: `${counted(editsOf(draft).length, 'change')} discarded.`,
    text: sentence(describeEdits(editsOf(draft))),
    action: { label: 'Bring back', run: () => restore(sessionId, draft) },
  });
}

/** Writes the draft as one step. True when it is written. */
export async function saveDraft(): Promise<boolean> {
  const { sessionId } = useRulesPage.getState();
  if (sessionId === null) return false;
  const draft = editsOf(draftOf(useRuleDraft.getState(), sessionId));
  try {
    const { step } = await host().call('rules.save', { sessionId, draft });
    useRuleDraft.getState().clear(sessionId);
    useToasts.getState().show({
      level: 'info',
      title: draft.length === 1 ? 'Saved.' : `${draft.length} changes saved.`,
      text: sentence(describeEdits(draft)),
      action: { label: 'Undo', run: () => void undoStep(step.id) },
    });
    return true;
  } catch (error) {
    const hint =
      error instanceof RpcError && error.code === 'conflict' ? ' Discard or change that part of the draft.' : '';
    useToasts.getState().show({
      level: 'error',
      title: 'Nothing was saved; the draft is kept.',
      text: `${messageOf(error)}${hint}`,
    });
    return false;
  }
}

/** Takes back a written step. */
export async function undoStep(step: string): Promise<void> {
  try {
    useRulesPage.setState({ steps: await host().call('rules.undo', { step }) });
  } catch (error) {
    reportFailure('The change was not undone.', error);
  }
}

async function redoStep(step: string): Promise<void> {
  try {
    useRulesPage.setState({ steps: await host().call('rules.redo', { step }) });
  } catch (error) {
    reportFailure('The change was not made again.', error);
  }
}

/** Takes the last thing back: a staged change while there are any, else what was written last. */
export async function undoLast(): Promise<void> {
  const { sessionId, steps } = useRulesPage.getState();
  if (sessionId === null) return;
  if (draftOf(useRuleDraft.getState(), sessionId).steps.length > 0) useRuleDraft.getState().undo(sessionId);
  else if (steps.undo !== null) await undoStep(steps.undo.id);
}

/** Makes the last thing again that was taken back. */
export async function redoLast(): Promise<void> {
  const { sessionId, steps } = useRulesPage.getState();
  if (sessionId === null) return;
  if (draftOf(useRuleDraft.getState(), sessionId).undone.length > 0) useRuleDraft.getState().redo(sessionId);
  else if (steps.redo !== null) await redoStep(steps.redo.id);
}
