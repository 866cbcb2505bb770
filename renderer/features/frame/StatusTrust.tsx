import { ShieldCheck, ShieldOff } from 'lucide-react';
import { useWaitingFiles } from '../../stores/commands';
import { useRules } from '../../stores/rules';
import { useWaitingServers } from '../../stores/waitingServers';
import { Button } from '../../ui/Button';
import { Popover } from '../../ui/Popover';
import { StatusButton } from './StatusButton';
import { TrustDialog } from './TrustDialog';
import { waitingWords } from './trustWords';

/** Whether what the folder brings counts. Nothing is said of folders that bring nothing. */
export function StatusTrust() {
  const trust = useRules((rules) => rules.view?.trust);
  const setTrust = useRules((rules) => rules.setTrust);
  const files = useWaitingFiles();
  const servers = useWaitingServers(trust?.folder ?? '');
  if (trust === undefined) return null;
  const waiting = waitingWords(trust, { files, servers });
  if (!trust.trusted && waiting === '') return null;
  const Icon = trust.trusted ? ShieldCheck : ShieldOff;
  return (
    <Popover
      label="Trust"
      side="top"
      trigger={
        <StatusButton className={trust.trusted ? '' : 'text-ask'}>
          <Icon aria-hidden size={14} strokeWidth={1.75} />
          {trust.trusted ? 'trusted folder' : trust.changed ? 'trusted folder changed' : 'folder not trusted'}
        </StatusButton>
      }
    >
      <h2 className="text-title font-semibold">
        {trust.trusted
          ? 'You trust this folder'
          : trust.changed
            ? 'It has changed since you trusted it'
            : 'You do not trust this folder yet'}
      </h2>
      <p className="mt-1 text-muted">
        {trust.trusted
          ? 'What its own settings files allow, run and open counts, and its instructions are read. If they come to bring more, you are asked anew.'
          : `${waiting} of its own wait. Its deny and ask rules are in force.`}
      </p>
      <div className="mt-3">
        {trust.trusted ? (
          <Button size="small" onClick={() => void setTrust(false)}>
            Stop trusting it
          </Button>
        ) : (
          <TrustDialog trust={trust} onLater={() => undefined} />
        )}
      </div>
    </Popover>
  );
}
