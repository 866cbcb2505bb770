import { FileDiff, X } from 'lucide-react';
import type { ResultFile } from '#shared/api/results';
import { IconButton } from '../../../ui/IconButton';
import { VisibleText } from '../../../ui/VisibleText';
import { useNow } from '../../frame/useNow';
import { age } from '../../frame/words';
import { resultName } from '../list/words';
import { BackButton } from './BackButton';
import { DiffView } from './DiffView';

export interface ComparisonProps {
  readonly left: ResultFile;
  readonly right: ResultFile;
  /** There is no list beside it. */
  readonly isAlone: boolean;
  readonly onClose: () => void;
}

/** Two files beside one another, the older one first. */
export function Comparison({ left, right, isAlone, onClose }: ComparisonProps) {
  const now = useNow(60_000);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <header className="flex min-h-11.5 shrink-0 items-center gap-2 border-line border-b px-3 py-1.5">
        {isAlone ? <BackButton onClick={onClose} /> : null}
        <FileDiff aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-muted" />
        <h2 className="min-w-0 flex-1 text-small">
          {[left, right].map((file, index) => (
            <span key={file.id} className="flex min-w-0 gap-2">
              <span className={index === 0 ? 'shrink-0 text-removed' : 'shrink-0 text-added'}>
                {index === 0 ? '− older' : '+ newer'}
              </span>
              <span title={file.file} className="min-w-0 truncate font-mono text-mono">
                <VisibleText text={resultName(file)} />
              </span>
              <span className="shrink-0 text-muted">{age(file.modifiedAt, now)}</span>
            </span>
          ))}
        </h2>
        {isAlone ? null : <IconButton label="Close the comparison" icon={X} size="small" onClick={onClose} />}
      </header>
      <DiffView left={left.id} right={right.id} />
    </div>
  );
}
