import { TriangleAlert } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import type { NetworkAnswer, NetworkAsk } from '#shared/session/networkAsk';
import { keyNames } from '../../../ui/keyNames';
import { VisibleText } from '../../../ui/VisibleText';
import { ScrollBox } from '../views/ScrollBox';
import { AlwaysHostStep } from './AlwaysHostStep';
import { ArmedButton } from './ArmedButton';
import { AskFrame, type QueuePlace } from './AskFrame';
import type { AnswerOutcome } from './answering';
import { askChord } from './askKeys';
import { isTextEntry } from './isTextEntry';
import { useArmed } from './useArmed';
import { useSeenToEnd } from './useSeenToEnd';

export interface NetworkPanelProps {
  readonly ask: NetworkAsk;
  readonly queue: QueuePlace;
  readonly armDelayMs: number;
  readonly onAnswer: (answer: NetworkAnswer) => Promise<AnswerOutcome>;
}

/** Line height of what is approved; the counter of lines rests on it. */
const lineHeightPx = 18;

/** What the ask is about in one line: "A command wants to reach registry.npmjs.org". */
export function hostTitle({ host, address }: NetworkAsk): string {
  return address === undefined || address === host
    ? `A command wants to reach ${host}`
    : `${host} leads into a private network`;
}

/** A running command waits for a word about one host. Mount it with the ask's id as key. */
export function NetworkPanel({ ask, queue, armDelayMs, onAnswer }: NetworkPanelProps) {
  const panel = useRef<HTMLElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const [choosing, setChoosing] = useState(false);
  const [sending, setSending] = useState(false);
  const seenId = useId();
  const content = JSON.stringify(ask);
  const seen = useSeenToEnd(scroller, { content, lineHeightPx });
  const arming = useArmed(`${choosing}:${content}`, armDelayMs);
  const unseen = seen.toEnd ? '' : 'Scroll to the end first: part of the command has not been on screen.';
  const blocked = sending ? 'The answer is on its way.' : '';
  const locked = ask.patterns.length > 0 ? '' : 'This host cannot be put on the list.';

  const answer = (given: NetworkAnswer) => {
    if (sending) return;
    setSending(true);
    void onAnswer(given).then((outcome) => {
      // An ask that was answered goes away with its component; only a failure leaves it here.
      if (outcome === 'failed') setSending(false);
    });
  };
  const turnTo = (next: boolean) => {
    setChoosing(next);
    // The button that was pressed is gone; the keyboard stays in the ask.
    panel.current?.focus({ preventScroll: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, code, keyCode, shiftKey, ctrlKey, metaKey, altKey, repeat } = event;
    const { isComposing } = event.nativeEvent;
    const chord = askChord({ key, code, keyCode, shiftKey, ctrlKey, metaKey, altKey, repeat, isComposing });
    if (chord === null) return;
    if (chord === 'denyOnce' && choosing) {
      event.preventDefault();
      turnTo(false);
      return;
    }
    // In a text field these keys edit text.
    if (chord === 'deny' && isTextEntry(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    if (choosing || !arming.armed || blocked !== '') return;
    if (chord === 'deny' || chord === 'denyOnce') answer({ kind: 'deny' });
    else if (unseen === '') {
      if (chord === 'allowOnce') answer({ kind: 'allowOnce' });
      else if (locked === '') turnTo(true);
    }
  };

  const arms = { arming, armDelayMs };
  return (
    <AskFrame
      name={`Network access required: ${ask.host}`}
      description={`${hostTitle(ask)}, port ${ask.port}. ${ask.command.split('\n')[0] ?? ''}`}
      title={hostTitle(ask)}
      circumstances={[ask.agent === null ? '' : `asked by ${ask.agent}`, portWords(ask.port), 'the command below waits']
        .filter((piece) => piece !== '')
        .join(' · ')}
      queue={queue}
      panel={panel}
      onKeyDown={onKeyDown}
    >
      <ScrollBox
        ref={scroller}
        onScroll={seen.onScroll}
        label="What is asked for"
        className={`shrink-0 overflow-y-auto px-3.5 pb-1 ${choosing ? 'chat-ask-body-small' : 'chat-ask-body'}`}
      >
        <Body ask={ask} />
      </ScrollBox>
      {seen.overflows && !(seen.toEnd && choosing) && (
        <p id={seenId} aria-live="polite" className="px-3.5 pt-1.5 text-muted text-small">
          {seen.linesShown} of {seen.lines} lines shown
          {!seen.toEnd && <span className="text-ask"> · scroll to the end before you allow this</span>}
        </p>
      )}
      {choosing ? (
        <AlwaysHostStep
          ask={ask}
          armDelayMs={armDelayMs}
          blocked={blocked || unseen}
          onSave={(saved) => answer({ kind: 'allowAlways', ...saved })}
          onBack={() => turnTo(false)}
        />
      ) : (
        <div className="flex flex-wrap items-center gap-2 px-3.5 pt-2 pb-3">
          <ArmedButton
            {...arms}
            blocked={blocked}
            keys="Mod+Backspace"
            title="This command is not let to it, until it ends"
            onPress={() => answer({ kind: 'deny' })}
          >
            Deny
          </ArmedButton>
          <ArmedButton
            {...arms}
            blocked={blocked || unseen}
            keys="Mod+Enter"
            title="This command may reach it, until it ends"
            onPress={() => answer({ kind: 'allowOnce' })}
          >
            Allow once
          </ArmedButton>
          <ArmedButton
            {...arms}
            blocked={blocked || unseen}
            title="All commands of this session may reach it"
            onPress={() => answer({ kind: 'allowSession' })}
          >
            For this session
          </ArmedButton>
          <ArmedButton
            {...arms}
            blocked={blocked || unseen || locked}
            title={keyNames('Mod+Shift+Enter').join(' ')}
            onPress={() => turnTo(true)}
          >
            Always allow…
          </ArmedButton>
          {locked === '' ? null : <p className="min-w-0 flex-1 basis-48 text-muted text-small">{locked}</p>}
        </div>
      )}
    </AskFrame>
  );
}

/** Ports whose use is worth a word. */
const knownPorts: Readonly<Record<number, string>> = { 22: 'SSH', 80: 'HTTP', 443: 'HTTPS' };

function portWords(port: number): string {
  const known = knownPorts[port];
  return known === undefined ? `port ${port}` : `port ${port}, as for ${known}`;
}

function Body({ ask }: { readonly ask: NetworkAsk }) {
  return (
    <div className="flex flex-col gap-2.5">
      {ask.warning === undefined ? null : (
        <p className="flex items-start gap-2 rounded-control bg-deny-tint px-2.5 py-1.5 text-deny text-small">
          <TriangleAlert aria-hidden size={15} strokeWidth={1.75} className="mt-px shrink-0" />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <VisibleText text={ask.warning} />
          </span>
        </p>
      )}
      <dl aria-label="Host" className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-3 gap-y-0.5 text-small">
        <dt className="text-muted">Host</dt>
        <dd className="chat-verbatim font-mono font-semibold text-mono">
          <VisibleText text={ask.host} />
          <span className="font-normal text-muted">:{ask.port}</span>
        </dd>
        {ask.readable === undefined ? null : (
          <>
            <dt className="text-muted">In its own script</dt>
            <dd className="chat-verbatim">
              <VisibleText text={ask.readable} />
            </dd>
          </>
        )}
        {ask.address === undefined || ask.address === ask.host ? null : (
          <>
            <dt className="text-muted">Leads to</dt>
            <dd className="chat-verbatim font-mono text-ask text-mono">
              <VisibleText text={ask.address} />
            </dd>
          </>
        )}
      </dl>
      <pre className="chat-verbatim rounded-control border border-line bg-code px-3 py-2.5 font-mono text-mono text-text">
        <VisibleText text={ask.command} />
      </pre>
    </div>
  );
}
