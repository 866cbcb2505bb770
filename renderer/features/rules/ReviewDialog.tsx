import { Users } from 'lucide-react';
import type { DraftView } from '#shared/api/rules';
import { describeEdit } from '#shared/permissions/describeEdits';
import type { RuleDraft } from '#shared/permissions/ruleEdits';
import { ruleSources } from '#shared/permissions/sources';
import { useApp } from '../../stores/app';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { DiffView } from '../chat/views/DiffView';
import { counted, homePath, sentence } from '../frame/words';
import { diffOf } from '../tools/servers/diffOf';

export interface ReviewDialogProps {
  readonly preview: DraftView;
  readonly draft: RuleDraft;
  readonly saving: boolean;
  readonly onSave: () => void;
  readonly onClose: () => void;
}

/** Every file as it would change, before anything is written. */
export function ReviewDialog({ preview, draft, saving, onSave, onClose }: ReviewDialogProps) {
  const home = useApp((app) => app.hello?.home ?? '');
  const inMemory = draft.filter((edit) => describeEdit(edit).endsWith(ruleSources.session.label));
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      width="wide"
      title={`Save ${counted(draft.length, 'change')}`}
      description={
        preview.files.length === 0
          ? 'No file changes.'
          : `${counted(preview.files.length, 'file')} will be written, all or none. You can undo it afterwards.`
      }
      footer={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button variant="primary" disabled={saving || preview.problems.length > 0} onClick={onSave}>
            Save
          </Button>
        </>
      }
    >
      <div className="chat-colors flex flex-col gap-4">
        {preview.problems.map(({ edit, problem }) => {
          const made = draft[edit];
          return (
            <p key={edit} role="alert" className="rounded-control bg-deny-tint px-3 py-2">
              <span className="font-semibold text-deny">
                Cannot {made === undefined ? 'be made' : describeEdit(made)}.
              </span>{' '}
              {sentence(problem)} Undo it, or discard the draft.
            </p>
          );
        })}
        {inMemory.length === 0 ? null : (
          <p className="text-muted">
            {counted(inMemory.length, 'change')} in this session’s memory, which no file shows.
          </p>
        )}
        {preview.files.map(({ source, path, shared, before, after }) => (
          <section key={path} aria-label={`Change to ${path}`}>
            <h3 className="flex items-center gap-2 font-semibold">
              {shared ? <Users aria-hidden size={15} strokeWidth={1.75} className="text-ask" /> : null}
              <span className="font-mono text-mono">{homePath(path, home)}</span>
              <span className="font-normal text-muted">
                {shared ? 'shared with everybody who works on this project' : ruleSources[source].label}
              </span>
            </h3>
            <div className="mt-1.5 overflow-x-auto rounded-control border border-line bg-code">
              <DiffView view={diffOf(path, { before: before ?? '', now: after ?? '' })} />
            </div>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
