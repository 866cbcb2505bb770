import { type FormEvent, useState } from 'react';
import type { SessionSummary } from '#shared/api/sessions';
import { useApp } from '../../stores/app';
import { useUi } from '../../stores/ui';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { TextField } from '../../ui/TextField';

interface SessionDialogProps {
  readonly session: SessionSummary;
  readonly onClose: () => void;
}

/** Longest title that the core takes. */
const longestTitle = 200;

/** Asks for a new title of the open session. */
export function RenameOpenSession() {
  const setDialog = useUi((ui) => ui.setDialog);
  const session = useApp((app) => app.sessions?.find((one) => one.sessionId === app.activeSessionId));
  return session === undefined ? null : <RenameSession session={session} onClose={() => setDialog(null)} />;
}

/** Asks for a new title. */
export function RenameSession({ session, onClose }: SessionDialogProps) {
  const rename = useApp((app) => app.renameSession);
  const [title, setTitle] = useState(session.title);
  const [busy, setBusy] = useState(false);
  const problem = title.trim() === '' ? 'A session needs a title. Write at least one character.' : '';

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (problem !== '' || busy) return;
    setBusy(true);
    const done = await rename(session.sessionId, title.trim());
    setBusy(false);
    if (done) onClose();
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Rename session"
      width="narrow"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form="rename-session" disabled={busy || problem !== ''}>
            Rename
          </Button>
        </>
      }
    >
      <form id="rename-session" onSubmit={(event) => void save(event)}>
        <TextField
          label="Title"
          value={title}
          onChange={setTitle}
          problem={problem}
          maxLength={longestTitle}
          onFocus={(event) => event.target.select()}
        />
      </form>
    </Dialog>
  );
}
