import { memo, useId, useState } from 'react';
import type { ToolCall } from '#shared/session/toolCall';
import { useApp } from '../../../stores/app';
import { VisibleText } from '../../../ui/VisibleText';
import { LiveTerminal } from '../views/LiveTerminal';
import type { OutputLink } from '../views/outputViewer';
import { ScrollBox } from '../views/ScrollBox';
import { ViewBody } from '../views/ViewBody';
import { AgentWork } from './AgentWork';
import { CardFoot, type OutputActivity } from './CardFoot';
import { CardHead } from './CardHead';
import { KeptResult } from './KeptResult';
import { isOpen, useOpenCards, viewOf } from './openCards';
import { waitsForHost } from './track';
import { useWhole } from './useWhole';

export interface CallCardProps {
  readonly call: ToolCall;
  readonly sessionId: string;
  /** The inspector shows this call. */
  readonly selected: boolean;
  readonly link: OutputLink;
  readonly onOpenTrace: (callId: string) => void;
  readonly onStop: () => void;
}

/** A call longer than this on one line is shown whole in the body, because the head cuts its middle. */
const headHolds = 70;

/** One tool call: head with the seven-segment track, body by kind of view, foot with the verdict. */
export const CallCard = memo(function CallCard(props: CallCardProps) {
  const { call, sessionId, selected, link, onOpenTrace, onStop } = props;
  const cards = useOpenCards();
  const [wrap, setWrap] = useState(true);
  const [activity, setActivity] = useState<OutputActivity | null>(null);
  const bodyId = useId();
  const view = viewOf(call);
  const live = call.status === 'running' && call.presentation.view?.kind === 'terminal';
  const density = useApp((app) => app.preferences?.density ?? 'normal');
  const open = isOpen(call, cards, density);
  useWhole(call, open);
  const own = call.presentation.view;
  // A command that printed a picture shows the picture, and what was run stands in its own view.
  const command = view?.kind === 'terminal' ? view.command : own?.kind === 'terminal' ? own.command : null;
  const showCommand =
    command !== null && (command.length > headHolds || command.includes('\n') || command !== call.presentation.summary);
  return (
    <article
      className={`min-w-0 rounded-card border bg-panel ${
        call.status === 'asking' || waitsForHost(call) ? 'border-ask/60' : selected ? 'border-control' : 'border-line'
      }`}
    >
      <CardHead
        call={call}
        open={open}
        bodyId={bodyId}
        onToggle={() => cards.set({ callId: call.callId, title: call.presentation.title, open: !open })}
        onOpenTrace={() => onOpenTrace(call.callId)}
      />
      {open && (
        <div id={bodyId} className="border-line border-t bg-code">
          {showCommand && command !== null && (
            <pre className="chat-verbatim max-h-40 overflow-y-auto border-line border-b px-3.5 py-2 font-mono text-mono">
              <span className="select-none text-dim">$ </span>
              <VisibleText text={command} />
            </pre>
          )}
          {live ? (
            <LiveTerminal
              link={link}
              sessionId={sessionId}
              callId={call.callId}
              onActivity={(totalChars, at) => setActivity({ totalChars, at })}
            />
          ) : view === null ? (
            <p className="px-3.5 py-2 text-dim text-small">This call shows nothing of its own.</p>
          ) : view.kind === 'image' && call.light === true ? (
            <div
              className="m-3.5 h-40 animate-pulse rounded-control bg-hover motion-reduce:animate-none"
              aria-hidden="true"
            />
          ) : (
            <ScrollBox label="Result" className="max-h-88 overflow-auto">
              <ViewBody view={view} wrap={wrap} />
            </ScrollBox>
          )}
        </div>
      )}
      <AgentWork callId={call.callId} onOpenTrace={onOpenTrace} />
      {(open || call.status === 'failed' || call.status === 'denied' || call.status === 'running') && (
        <CardFoot call={call} activity={activity} wrap={wrap} onWrap={setWrap} onStop={onStop} />
      )}
      {'persisted' in call && call.persisted !== undefined && <KeptResult kept={call.persisted} />}
    </article>
  );
});
