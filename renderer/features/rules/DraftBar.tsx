import { useState } from 'react';
import { describeEdits } from '#shared/permissions/describeEdits';
import { draftOf, editsOf, useRuleDraft } from '../../stores/ruleDraft';
import { useRulesPage } from '../../stores/rulesPage';
import { Button } from '../../ui/Button';
import { counted } from '../frame/words';
import { discardDraft, saveDraft } from './actions';
import { ReviewDialog } from './ReviewDialog';

/** Says what is not written yet, and writes it. Shared files are shown before they are written. */
export function DraftBar() {
  const sessionId = useRulesPage((page) => page.sessionId);
  const preview = useRulesPage((page) => page.preview);
  const draft = useRuleDraft((store) => draftOf(store, sessionId));
  const drop = useRuleDraft((store) => store.drop);
  const isTextShown = useRulesPage((page) => page.view === 'text');
  const reviewing = useRulesPage((page) => page.reviewing);
  const show = useRulesPage((page) => page.show);
  const [saving, setSaving] = useState(false);
  if (sessionId === null || draft.steps.length === 0) return null;
  const edits = editsOf(draft);
  const problems = preview?.problems.length ?? 0;
  const shared = preview?.files.some((file) => file.shared) ?? false;
  const save = async () => {
    setSaving(true);
    if (await saveDraft()) show({ reviewing: false });
    setSaving(false);
  };
  return (
    <section
      aria-label="Unsaved changes"
      className="flex flex-wrap items-center gap-2 border-line border-t bg-raised px-3 py-2"
    >
      <span className="min-w-0 flex-1">
        <span className="font-semibold">{counted(edits.length, 'unsaved change')}</span>
        <span className="text-muted"> · {describeEdits(draft.steps.at(-1) ?? [])}</span>
        {problems === 0 ? null : (
          <span className="font-medium text-deny"> · {counted(problems, 'change')} cannot be made</span>
        )}
      </span>
      <Button size="small" variant="ghost" onClick={discardDraft}>
        Discard
      </Button>
      <Button size="small" onClick={() => show({ reviewing: true })}>
        Review
      </Button>
      <Button
        size="small"
        variant="primary"
        keys={isTextShown ? undefined : 'Mod+S'}
        disabled={saving || problems > 0}
        onClick={() => (shared ? show({ reviewing: true }) : void save())}
      >
        {shared ? 'Save…' : 'Save'}
      </Button>
      {reviewing && preview !== null ? (
        <ReviewDialog
          preview={preview}
          draft={edits}
          saving={saving}
          onDrop={(edit) => drop(sessionId, edit)}
          onSave={() => void save()}
          onClose={() => show({ reviewing: false })}
        />
      ) : null}
    </section>
  );
}
