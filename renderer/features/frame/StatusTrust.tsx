import { ShieldCheck, ShieldOff } from 'lucide-react';
import { useWaitingFiles } from '../../stores/commands';
import { useRules } from '../../stores/rules';
import { Button } from '../../ui/Button';
import { Popover } from '../../ui/Popover';
import { waitingWords } from './RulesBanners';
import { StatusButton } from './StatusButton';
import { TrustDialog } from './TrustDialog';

/** Whether the folder's own allow rules count. Nothing is said of folders without any. */
export function StatusTrust() {
  const trust = useRules((rules) => rules.view?.trust);
  const setTrust = useRules((rules) => rules.setTrust);
  const files = useWaitingFiles();
  if (trust === undefined) return null;
  const waiting = waitingWords(trust, files);
  if (!trust.trusted && waiting === '') return null;
  const Icon = trust.trusted ? ShieldCheck : ShieldOff;
  return (
    <Popover
      label="Trust"
      side="top"
      trigger={
        <StatusButton className={trust.trusted ? '' : 'text-ask'}>
          <Icon aria-hidden size={14} strokeWidth={1.75} />
          {trust.trusted ? 'trusted folder' : 'folder not trusted'}
        </StatusButton>
      }
    >
      <h2 className="text-title font-semibold">
        {trust.trusted ? 'You trust this folder' : 'You do not trust this folder yet'}
      </h2>
      <p className="mt-1 text-muted">
        {trust.trusted
          ? 'The allow rules and folders of its own settings files count, and its instructions are read.'
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
