import { ChevronRight } from 'lucide-react';
import type { ToolCall } from '#shared/session/toolCall';
import { splitForEllipsis } from '../../../ui/MiddleEllipsis';
import { Tooltip } from '../../../ui/Tooltip';
import { VisibleText } from '../../../ui/VisibleText';
import { CardPicture } from './CardPicture';
import { formatDuration, formatElapsed } from './duration';
import { viewOf } from './openCards';
import { StepTrack } from './StepTrack';
import { statusWords } from './statusWords';
import { hasEnded, waitedMs, waitsForHost } from './track';
import { useNow } from './useNow';

interface Props {
  readonly call: ToolCall;
  readonly open: boolean;
  readonly bodyId: string;
  readonly onToggle: () => void;
  readonly onOpenTrace: () => void;
}

const statusLooks: Partial<Readonly<Record<ToolCall['status'], string>>> = {
  asking: 'text-ask',
  failed: 'text-deny',
  denied: 'text-deny',
  interrupted: 'text-undetermined',
};

export function CardHead({ call, open, bodyId, onToggle, onOpenTrace }: Props) {
  const { title, summary, icon } = call.presentation;
  const status = statusWords(call);
  const look = waitsForHost(call) ? statusLooks.asking : statusLooks[call.status];
  return (
    <div className="flex h-9 items-center gap-1.5 pr-3.5">
      <h3 className="flex min-w-0 flex-1 self-stretch">
        <Tooltip text={summary === '' ? title : summary}>
          <button
            type="button"
            aria-expanded={open}
            aria-controls={bodyId}
            aria-label={[title, summary, status].filter((part) => part !== '').join(', ')}
            onClick={onToggle}
            className="group flex min-w-0 flex-1 items-center gap-2.5 rounded-card pr-2 pl-3 text-left -outline-offset-2"
          >
            <span className="relative grid size-4 shrink-0 place-items-center">
              <span className="group-hover:opacity-0 group-focus-visible:opacity-0">
                <CardPicture icon={icon} />
              </span>
              <ChevronRight
                aria-hidden="true"
                size={16}
                strokeWidth={1.75}
                className={`absolute text-muted opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100 ${open ? 'rotate-90' : ''}`}
              />
            </span>
            <span className="shrink-0 font-semibold">{title}</span>
            <Summary text={summary} />
            <Counts call={call} />
            {look !== undefined && (
              <span className={`ml-auto shrink-0 font-semibold text-small ${look}`}>{status}</span>
            )}
          </button>
        </Tooltip>
      </h3>
      <StepTrack call={call} onOpen={onOpenTrace} />
      <Time call={call} />
    </div>
  );
}

/** Characters of a command's end that stay when its middle gives way. */
const commandTail = 8;

/** One line in mono of which the middle gives way; focus and hover show the whole. */
function Summary({ text }: { readonly text: string }) {
  // A path is told apart by its end, a command by its beginning.
  const { head, tail } = /\s/.test(text)
    ? { head: text.slice(0, -commandTail), tail: text.slice(-commandTail) }
    : splitForEllipsis(text, 24);
  return (
    <span className="flex min-w-0 whitespace-pre font-mono text-mono text-muted">
      {/* Not `truncate`: its nowrap would swallow a blank where the text is split. */}
      <span className="min-w-0 overflow-hidden text-ellipsis whitespace-pre">
        <VisibleText text={head} />
      </span>
      <span className="min-w-0 max-w-full shrink-0 overflow-hidden text-ellipsis">
        <VisibleText text={tail} />
      </span>
    </span>
  );
}

function Counts({ call }: { readonly call: ToolCall }) {
  const view = viewOf(call);
  if (view?.kind !== 'diff') return null;
  return (
    <span className="shrink-0 font-mono text-mono">
      <span className="text-added">+{view.added}</span> <span className="text-removed">−{view.removed}</span>
    </span>
  );
}

function Time({ call }: { readonly call: ToolCall }) {
  const now = useNow(!hasEnded(call));
  const text = hasEnded(call)
    ? formatDuration(call.endedAt - call.createdAt - waitedMs(call))
    : formatElapsed(
        now - (call.status === 'running' ? call.startedAt : call.status === 'asking' ? call.askedAt : call.createdAt),
      );
  return <span className="min-w-12 shrink-0 text-right text-dim text-small">{text}</span>;
}
