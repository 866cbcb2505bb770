import { Check, Copy, Square, WrapText } from 'lucide-react';
import type { ToolCall } from '#shared/session/toolCall';
import { useApp } from '../../../stores/app';
import { useUi } from '../../../stores/ui';
import { Button } from '../../../ui/Button';
import { IconButton } from '../../../ui/IconButton';
import { TakeBack } from '../../changes/TakeBack';
import { copyTextOf } from '../views/copyText';
import { useCopy } from '../views/useCopy';
import { formatElapsed } from './duration';
import { viewOf } from './openCards';
import { hasEnded } from './track';
import { useNow } from './useNow';
import { VerdictLine } from './VerdictLine';
import { type Verdict, verdictOf, verdictText } from './verdict';

export interface OutputActivity {
  readonly totalChars: number;
  readonly at: number;
}

interface Props {
  readonly call: ToolCall;
  readonly activity: OutputActivity | null;
  readonly wrap: boolean;
  readonly onWrap: (wrap: boolean) => void;
  readonly onStop: () => void;
}

export function CardFoot({ call, activity, wrap, onWrap, onStop }: Props) {
  const verdict = verdictOf(call);
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1 border-line border-t py-1 pr-2 pl-3.5">
      {verdict !== null && <VerdictLine verdict={verdict} />}
      {verdict !== null && <WhyButton call={call} />}
      <span className="ml-auto flex min-w-0 items-center gap-1.5 text-muted text-small">
        {call.status === 'running' ? (
          <Running call={call} activity={activity} onStop={onStop} />
        ) : (
          <>
            {hasEnded(call) && <span className="[overflow-wrap:anywhere]">{noteBeside(call.note, verdict)}</span>}
            <Tools call={call} wrap={wrap} onWrap={onWrap} />
          </>
        )}
      </span>
    </div>
  );
}

/** Shows all that lies behind the verdict. */
function WhyButton({ call }: { readonly call: ToolCall }) {
  const inspectCall = useUi((ui) => ui.inspectCall);
  const go = useApp((app) => app.go);
  return (
    <Button
      size="small"
      variant="ghost"
      aria-label={`Why: ${call.presentation.summary}`}
      onClick={() => {
        inspectCall(call.callId, 'why');
        go('chat');
      }}
    >
      Why
    </Button>
  );
}

/** The note of a refusal may say just what the verdict says. */
function noteBeside(note: string, verdict: Verdict | null): string {
  if (verdict === null) return note;
  return note === `${verdict.word} by ${verdict.detail}` || note === verdictText(verdict) ? '' : note;
}

function Tools({ call, wrap, onWrap }: Pick<Props, 'call' | 'wrap' | 'onWrap'>) {
  const { copied, copy } = useCopy();
  const view = viewOf(call);
  const text = view === null ? null : copyTextOf(view);
  return (
    <>
      {view?.kind === 'terminal' && view.output !== undefined && (
        <IconButton
          size="small"
          icon={WrapText}
          label={wrap ? 'Do not wrap lines' : 'Wrap lines'}
          aria-pressed={wrap}
          onClick={() => onWrap(!wrap)}
        />
      )}
      <TakeBack call={call} />
      {text !== null && (
        <IconButton
          size="small"
          icon={copied ? Check : Copy}
          label={copied ? 'Copied' : 'Copy'}
          onClick={() => copy(text)}
        />
      )}
    </>
  );
}

/** Silence shorter than this is not worth a word. */
const silenceMs = 3_000;

function Running({ call, activity, onStop }: Pick<Props, 'activity' | 'onStop'> & { readonly call: ToolCall }) {
  const now = useNow(true);
  const silent = activity === null || activity.totalChars === 0 ? null : now - activity.at;
  return (
    <>
      <span>
        {outputWords(call, activity)}
        {silent !== null && silent > silenceMs && ` · last output ${formatElapsed(silent)} ago`}
      </span>
      <Button size="small" icon={Square} onClick={onStop} title="Stops this turn">
        Stop
      </Button>
    </>
  );
}

/** The head has the command already, so a command's foot speaks of its output only. */
function outputWords(call: ToolCall, activity: OutputActivity | null): string {
  if (call.presentation.view?.kind !== 'terminal') return call.presentation.activity;
  if (activity === null || activity.totalChars === 0) return 'no output yet';
  return `${activity.totalChars.toLocaleString('en')} characters`;
}
