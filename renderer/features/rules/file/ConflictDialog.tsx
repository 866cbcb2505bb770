import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { DiffView } from '../../chat/views/DiffView';
import { diffOf } from '../../tools/servers/diffOf';

export interface ConflictDialogProps {
  readonly name: string;
  /** The text as others have written it meanwhile. */
  readonly disk: string;
  readonly mine: string;
  readonly onMine: () => void;
  readonly onDisk: () => void;
  readonly onClose: () => void;
}

/** Two texts of one file that cannot be merged: the person says which one stands. */
export function ConflictDialog({ name, disk, mine, onMine, onDisk, onClose }: ConflictDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      width="wide"
      title="The file changed on disk meanwhile"
      description={`${name}: − stands on disk now, + is what you wrote.`}
      footer={
        <>
          <Button onClick={onClose}>Go on writing</Button>
          <Button onClick={onDisk}>Take the text on disk</Button>
          <Button variant="primary" onClick={onMine}>
            Write mine
          </Button>
        </>
      }
    >
      <div className="chat-colors overflow-x-auto rounded-control border border-line bg-code">
        <DiffView view={diffOf(name, { before: disk, now: mine })} />
      </div>
    </Dialog>
  );
}
