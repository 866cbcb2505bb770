import { useState } from 'react';
import type { TrustView } from '#shared/api/permissions';
import { useApp } from '../../stores/app';
import { useWaitingFiles } from '../../stores/commands';
import { useRules } from '../../stores/rules';
import { useFollowServers, useWaitingServers } from '../../stores/waitingServers';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { VisibleText } from '../../ui/VisibleText';
import { TrustList } from './TrustList';
import { homePath } from './words';

/** Button and dialog that show everything that waits, and ask whether to trust the folder. */
export function TrustDialog({ trust, onLater }: { readonly trust: TrustView; readonly onLater: () => void }) {
  const [open, setOpen] = useState(false);
  const setTrust = useRules((rules) => rules.setTrust);
  const home = useApp((app) => app.hello?.home ?? '');
  const files = useWaitingFiles();
  const servers = useWaitingServers(trust.folder);
  useFollowServers(trust.folder, open);
  const folder = (
    <span className="break-all font-mono text-mono">
      <VisibleText text={homePath(trust.folder, home)} />
    </span>
  );
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        Show what waits…
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        width="wide"
        title={trust.changed ? 'Do you still trust this folder?' : 'Do you trust this folder?'}
        description={
          trust.changed ? (
            <>
              You trusted {folder}, and what it brings has grown since. Nothing of it counts until you have looked.
              Trust it again only if you know where the new parts come from.
            </>
          ) : (
            <>
              {folder} brings what would let the agent act without asking you, or tell it what to do. Trust it only if
              you know who wrote it.
            </>
          )
        }
        footer={
          <>
            <Button
              onClick={() => {
                setOpen(false);
                onLater();
              }}
            >
              Not now
            </Button>
            <Button
              variant="primary"
              onClick={() => {
                setOpen(false);
                void setTrust(true);
              }}
            >
              {trust.changed ? 'Trust it as it is now' : 'Trust this folder'}
            </Button>
          </>
        }
      >
        <TrustList trust={trust} files={files} servers={servers} />
      </Dialog>
    </>
  );
}
