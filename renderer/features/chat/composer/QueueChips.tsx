import { X } from 'lucide-react';
import type { SessionState } from '#shared/session/state';
import { Button } from '../../../ui/Button';
import { IconButton } from '../../../ui/IconButton';

interface Props {
  readonly queue: SessionState['queue'];
  /** False after a turn that was stopped or failed: then nothing is sent by itself. */
  readonly waitsForTurn: boolean;
  /** Why nothing can be sent now; empty when it can. */
  readonly blocked: string;
  readonly onRemove: (messageId: string) => void;
  readonly onSend: (queued: SessionState['queue'][number]) => void;
}

/** Messages that are sent when the turn ends, in their order. */
export function QueueChips({ queue, waitsForTurn, blocked, onRemove, onSend }: Props) {
  if (queue.length === 0) return null;
  return (
    <ul aria-label="Queued messages" className="flex flex-col gap-1 px-2.5 pt-2.5">
      {queue.map((message, index) => (
        <li
          key={message.messageId}
          className="flex min-w-0 items-center gap-2 rounded-control bg-hover py-0.5 pr-0.5 pl-2.5 text-small"
        >
          <span className="shrink-0 text-muted">{index === 0 ? 'Next' : `Then`}</span>
          <span className="min-w-0 flex-1 truncate" title={message.text}>
            {message.text}
          </span>
          {index === 0 && !waitsForTurn && (
            <Button size="small" disabled={blocked !== ''} onClick={() => onSend(message)}>
              Send now
            </Button>
          )}
          <IconButton
            size="small"
            icon={X}
            label={`Remove from the queue: ${message.text.slice(0, 60)}`}
            onClick={() => onRemove(message.messageId)}
          />
        </li>
      ))}
    </ul>
  );
}
