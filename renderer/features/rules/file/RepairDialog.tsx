import { useEffect, useState } from 'react';
import { host } from '../../../host/client';
import { useApp } from '../../../stores/app';
import { useRulesPage } from '../../../stores/rulesPage';
import { messageOf, useToasts } from '../../../stores/toasts';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { Skeleton } from '../../../ui/Skeleton';
import { DiffView } from '../../chat/views/DiffView';
import { homePath } from '../../frame/words';
import { diffOf } from '../../tools/servers/diffOf';
import { undoStep } from '../actions';

export interface RepairDialogProps {
  readonly path: string;
  readonly onClose: () => void;
  readonly onWritten: () => void;
}

type Offer =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly problem: string }
  | { readonly state: 'none' }
  | { readonly state: 'offered'; readonly before: string; readonly after: string; readonly notes: readonly string[] };

/** Shows how a broken file would parse again, and writes it when the person agrees. */
export function RepairDialog({ path, onClose, onWritten }: RepairDialogProps) {
  const sessionId = useRulesPage((page) => page.sessionId) ?? '';
  const home = useApp((app) => app.hello?.home ?? '');
  const [offer, setOffer] = useState<Offer>({ state: 'loading' });
  useEffect(() => {
    let current = true;
    host()
      .call('rules.repair', { sessionId, path })
      .then(
        ({ before, repair }) => {
          if (current) setOffer(repair === null ? { state: 'none' } : { state: 'offered', before, ...repair });
        },
        (error: unknown) => {
          if (current) setOffer({ state: 'failed', problem: messageOf(error) });
        },
      );
    return () => {
      current = false;
    };
  }, [sessionId, path]);
  const write = async (offered: Extract<Offer, { state: 'offered' }>): Promise<void> => {
    try {
      const { step } = await host().call('rules.writeFile', {
        sessionId,
        path,
        base: offered.before,
        text: offered.after,
      });
      useToasts.getState().show({
        level: 'info',
        title: 'Repaired. Its rules are in force again.',
        text: homePath(path, home),
        action: { label: 'Undo', run: () => void undoStep(step.id) },
      });
      onWritten();
    } catch (error) {
      setOffer({ state: 'failed', problem: messageOf(error) });
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      width="wide"
      title="Repair the settings file"
      description={homePath(path, home)}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabled={offer.state !== 'offered'}
            onClick={() => {
              if (offer.state === 'offered') void write(offer);
            }}
          >
            Write it
          </Button>
        </>
      }
    >
      {offer.state === 'loading' ? <Skeleton label="Looking at the file" rows={4} /> : null}
      {offer.state === 'failed' ? (
        <p role="alert" className="text-deny">
          {offer.problem}
        </p>
      ) : null}
      {offer.state === 'none' ? (
        <p>
          Nothing sensible can be made of this text by itself. Mend it in the editor; the places that are wrong are
          marked there.
        </p>
      ) : null}
      {offer.state === 'offered' ? (
        <div className="chat-colors flex flex-col gap-3">
          <ul className="list-disc pl-5">
            {offer.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
          <div className="overflow-x-auto rounded-control border border-line bg-code">
            <DiffView view={diffOf(path, { before: offer.before, now: offer.after })} />
          </div>
        </div>
      ) : null}
    </Dialog>
  );
}
