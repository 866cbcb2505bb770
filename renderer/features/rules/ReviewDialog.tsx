import { ChevronRight, Users, X } from 'lucide-react';
import type { DraftView } from '#shared/api/rules';
import { describeEdit } from '#shared/permissions/describeEdits';
import type { RuleDraft, RuleEdit } from '#shared/permissions/ruleEdits';
import { ruleSources } from '#shared/permissions/sources';
import { useApp } from '../../stores/app';
import { Button } from '../../ui/Button';
import { classes } from '../../ui/classes';
import { Dialog } from '../../ui/Dialog';
import { IconButton } from '../../ui/IconButton';
import { VisibleText } from '../../ui/VisibleText';
import { DiffView } from '../chat/views/DiffView';
import { counted, homePath, sentence } from '../frame/words';
import { diffOf } from '../tools/servers/diffOf';

export interface ReviewDialogProps {
  readonly preview: DraftView;
  readonly draft: RuleDraft;
  readonly saving: boolean;
  /** Leaves out one change, by its place in the draft. */
  readonly onDrop: (edit: number) => void;
  readonly onSave: () => void;
  readonly onClose: () => void;
}

/** Up to so many changes are listed at once; more only when asked for. */
const fewChanges = 8;

/** Edits with a key that stays when another one is left out. */
function numbered(draft: RuleDraft): readonly { readonly edit: RuleEdit; readonly at: number; readonly key: string }[] {
  const seen = new Map<string, number>();
  return draft.map((edit, at) => {
    const words = describeEdit(edit);
    const times = seen.get(words) ?? 0;
    seen.set(words, times + 1);
    return { edit, at, key: `${words} ${times}` };
  });
}

/** Every file as it would change, before anything is written. */
export function ReviewDialog({ preview, draft, saving, onDrop, onSave, onClose }: ReviewDialogProps) {
  const home = useApp((app) => app.hello?.home ?? '');
  const problems = new Map(preview.problems.map(({ edit, problem }) => [edit, problem]));
  const changes = numbered(draft);
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
        <details open={draft.length <= fewChanges || preview.problems.length > 0} className="group">
          <summary className="flex cursor-pointer items-center gap-1.5 rounded-small font-semibold">
            <ChevronRight
              aria-hidden
              size={15}
              strokeWidth={1.75}
              className="shrink-0 text-muted transition-transform duration-100 group-open:rotate-90"
            />
            {counted(draft.length, 'change')}
          </summary>
          <ul aria-label="Changes" className="mt-1 max-h-56 overflow-y-auto rounded-control border border-line">
            {changes.map(({ edit, at, key }) => {
              const words = describeEdit(edit);
              const problem = problems.get(at);
              return (
                <li
                  key={key}
                  className={classes(
                    'flex items-start gap-2 border-line border-b px-3 py-1 last:border-b-0',
                    problem !== undefined && 'bg-deny-tint',
                  )}
                >
                  <span className="min-w-0 flex-1 break-words">
                    <VisibleText text={words} />
                    {problem === undefined ? null : (
                      <span role="alert" className="block text-deny">
                        It cannot be made. {sentence(problem)}
                      </span>
                    )}
                  </span>
                  <IconButton size="small" icon={X} label={`Leave out: ${words}`} onClick={() => onDrop(at)} />
                </li>
              );
            })}
          </ul>
        </details>
        {inMemory.length === 0 ? null : (
          <p className="text-muted">
            {counted(inMemory.length, 'change')} in this session’s memory, which no file shows.
          </p>
        )}
        {preview.files.map(({ source, path, shared, before, after }) => (
          <section key={path} aria-label={`Change to ${path}`}>
            <h3 className="flex flex-wrap items-center gap-x-2 font-semibold">
              {shared ? <Users aria-hidden size={15} strokeWidth={1.75} className="text-ask" /> : null}
              <span className="min-w-0 break-all font-mono text-mono">{homePath(path, home)}</span>
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
