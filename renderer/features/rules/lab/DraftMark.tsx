import { PencilLine } from 'lucide-react';
import { counted } from '../../frame/words';
import { useStaged } from './lab';

/** Says that what is shown counts changes that are not saved. */
export function DraftMark() {
  const { draft } = useStaged();
  if (draft.length === 0) return null;
  return (
    <p className="flex items-center gap-1.5 text-accent text-small">
      <PencilLine aria-hidden size={14} strokeWidth={1.75} className="shrink-0" />
      with {counted(draft.length, 'unsaved change')}
    </p>
  );
}
