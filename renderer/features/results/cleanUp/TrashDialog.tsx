import { Undo2 } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import type { TrashBatch } from '#shared/api/results';
import { host } from '../../../host/client';
import { useResultsPage } from '../../../stores/resultsPage';
import { messageOf } from '../../../stores/toasts';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { Skeleton } from '../../../ui/Skeleton';
import { counted } from '../../frame/words';
import { dayOf, restore } from '../actions';
import { weight } from '../list/words';

/** What was cleaned up and can still be brought back. */
export function TrashDialog() {
  const show = useResultsPage((page) => page.show);
  const [batches, setBatches] = useState<readonly TrashBatch[] | null>(null);
  const [problem, setProblem] = useState('');
  const [restoring, setRestoring] = useState<string | null>(null);
  const load = useCallback(async (): Promise<void> => {
    try {
      setBatches((await host().call('results.trash', {})).batches);
    } catch (error) {
      setProblem(messageOf(error));
    }
  }, []);
  useEffect(() => void load(), [load]);
  const bringBack = async (batch: TrashBatch): Promise<void> => {
    setRestoring(batch.batchId);
    await restore(batch);
    setRestoring(null);
    await load();
  };
  return (
    <Dialog
      open
      onOpenChange={() => show({ dialog: null })}
      title="Trash"
      description="Files that were cleaned up wait here before they are deleted for good."
    >
      {problem !== '' ? (
        <p role="alert" className="text-deny">
          {problem}
        </p>
      ) : batches === null ? (
        <Skeleton label="Looking into the trash" rows={3} />
      ) : batches.length === 0 ? (
        <p className="text-muted">The trash is empty.</p>
      ) : (
        <ul aria-label="Cleaned up" className="divide-y divide-line rounded-control border border-line">
          {batches.map((batch) => (
            <li key={batch.batchId} className="flex items-center gap-3 px-3 py-2">
              <span className="min-w-0 flex-1">
                <span className="font-medium">{counted(batch.files, 'file')}</span>
                <span className="text-muted">
                  , {weight(batch.bytes)}, cleaned up{' '}
                  {new Date(batch.at).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}
                </span>
                <span className="block text-muted text-small">deleted for good on {dayOf(batch.goneAt)}</span>
              </span>
              <Button size="small" icon={Undo2} disabled={restoring !== null} onClick={() => void bringBack(batch)}>
                Bring back
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
