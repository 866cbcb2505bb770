import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { AskAnswer } from '#shared/session/ask';
import type { NetworkAnswer } from '#shared/session/networkAsk';
import { useUi } from '../../../stores/ui';
import { isPressOf } from '../../palette/keysInForce';
import type { AlwaysStepProps } from './AlwaysStep';
import type { AnswerOutcome } from './answering';
import { hostTitle, NetworkPanel } from './NetworkPanel';
import { PermissionPanel } from './PermissionPanel';
import { QuestionPanel } from './QuestionPanel';
import type { WaitingAsk } from './waitingAsks';

interface Props {
  /** Oldest first. */
  readonly waiting: readonly WaitingAsk[];
  readonly armDelayMs: number;
  readonly home: string;
  readonly onAnswer: (askId: string, answer: AskAnswer) => Promise<AnswerOutcome>;
  readonly onAnswerHost: (askId: string, answer: NetworkAnswer) => Promise<AnswerOutcome>;
  readonly onPreview: AlwaysStepProps['onPreview'];
  readonly study?: AlwaysStepProps['study'];
  /** The last ask was answered from the keyboard: where the keyboard goes. */
  readonly onEmpty: () => void;
}

/** A jump to an ask in another session counts this long, until that session has been loaded. */
const jumpLastsMs = 3_000;

/** The asks of a session, one at a time, docked above the message box. Takes the focus only when told to. */
export function AskDock(props: Props) {
  const { waiting, armDelayMs, home, onAnswer, onAnswerHost, onPreview, study, onEmpty } = props;
  const dock = useRef<HTMLDivElement>(null);
  const [wantedId, setWantedId] = useState<string | null>(null);
  const wanted = waiting.findIndex(({ askId }) => askId === wantedId);
  const index = Math.max(0, wanted);
  const shown = waiting[index];
  const askId = shown?.askId ?? null;

  const focusNext = useRef(false);
  const jumpedAt = useRef(Number.NEGATIVE_INFINITY);
  const oldestId = waiting[0]?.askId ?? null;
  const moveFocus = () => dock.current?.querySelector<HTMLElement>('[data-ask]')?.focus({ preventScroll: true });

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isPressOf(event, 'nextWaiting')) return;
      event.preventDefault();
      jumpedAt.current = event.timeStamp;
      if (oldestId === null) return;
      focusNext.current = true;
      setWantedId(oldestId);
      moveFocus();
    };
    // Before the page's own handler, which goes to the session that waits and marks the key as used.
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  });

  // The palette, a notification or the page's own key led here; a session that had to be loaded first counts, too.
  const askWantedAt = useUi((ui) => ui.askWantedAt);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a wish counts once, for the ask that is the oldest then.
  useEffect(() => {
    if (performance.now() - askWantedAt >= jumpLastsMs) return;
    jumpedAt.current = askWantedAt;
    if (oldestId === null) return;
    setWantedId(oldestId);
    moveFocus();
  }, [askWantedAt]);

  // A layout effect: between the old ask going and the new one coming no key may land elsewhere.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another ask is shown, not when callbacks change.
  useLayoutEffect(() => {
    const jumping = performance.now() - jumpedAt.current < jumpLastsMs;
    if (!focusNext.current && !jumping) return;
    if (askId === null) {
      if (focusNext.current) onEmpty();
    } else moveFocus();
    focusNext.current = false;
    if (askId !== null) jumpedAt.current = Number.NEGATIVE_INFINITY;
  }, [askId]);

  if (shown === undefined) return <Announcer text="" />;
  const queue = {
    position: index + 1,
    total: waiting.length,
    onStep: (by: 1 | -1) => {
      focusNext.current = true;
      setWantedId(waiting[index + by]?.askId ?? null);
    },
  };
  const following = async (answered: () => Promise<AnswerOutcome>) => {
    // The keyboard follows to the next ask (which arms anew) only if it was in this one.
    focusNext.current = dock.current?.contains(document.activeElement) ?? false;
    const outcome = await answered();
    if (outcome === 'failed') focusNext.current = false;
    return outcome;
  };
  const answer = (given: AskAnswer) => following(() => onAnswer(shown.askId, given));
  return (
    <div ref={dock} className="flex min-h-0 flex-col">
      <Announcer text={`${announcement(shown)} Press Control or Command, Shift and A to answer.`} />
      {shown.about === 'host' ? (
        <NetworkPanel
          key={shown.askId}
          ask={shown.ask}
          queue={queue}
          armDelayMs={armDelayMs}
          onAnswer={(given) => following(() => onAnswerHost(shown.askId, given))}
        />
      ) : shown.ask.kind === 'permission' ? (
        <PermissionPanel
          key={shown.askId}
          ask={shown.ask}
          queue={queue}
          armDelayMs={armDelayMs}
          home={home}
          onAnswer={answer}
          onPreview={onPreview}
          study={study}
        />
      ) : (
        <QuestionPanel key={shown.askId} ask={shown.ask} queue={queue} armDelayMs={armDelayMs} onAnswer={answer} />
      )}
    </div>
  );
}

function announcement(waiting: WaitingAsk): string {
  if (waiting.about === 'host') return `Network access required: ${hostTitle(waiting.ask)}.`;
  const { ask } = waiting;
  return ask.kind === 'permission'
    ? `Permission required: ${ask.title}.`
    : `The model has a question: ${ask.questions[0]?.question ?? ''}`;
}

/** Says that somebody waits, without moving the focus. */
function Announcer({ text }: { readonly text: string }) {
  return (
    <div role="alert" aria-live="assertive" className="sr-only">
      {text}
    </div>
  );
}
