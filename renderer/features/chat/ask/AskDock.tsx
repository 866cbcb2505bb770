import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { AskAnswer } from '#shared/session/ask';
import type { ToolCall } from '#shared/session/toolCall';
import { useUi } from '../../../stores/ui';
import { isPressOf } from '../../palette/keysInForce';
import type { AlwaysStepProps } from './AlwaysStep';
import type { AnswerOutcome } from './answering';
import { PermissionPanel } from './PermissionPanel';
import { QuestionPanel } from './QuestionPanel';

export type AskingCall = Extract<ToolCall, { status: 'asking' }>;

interface Props {
  /** Oldest first. */
  readonly waiting: readonly AskingCall[];
  readonly armDelayMs: number;
  readonly home: string;
  readonly onAnswer: (askId: string, answer: AskAnswer) => Promise<AnswerOutcome>;
  readonly onPreview: AlwaysStepProps['onPreview'];
  readonly study?: AlwaysStepProps['study'];
  /** The last ask was answered from the keyboard: where the keyboard goes. */
  readonly onEmpty: () => void;
}

/** A jump to an ask in another session counts this long, until that session has been loaded. */
const jumpLastsMs = 3_000;

/** The asks of a session, one at a time, docked above the message box. Takes the focus only when told to. */
export function AskDock({ waiting, armDelayMs, home, onAnswer, onPreview, study, onEmpty }: Props) {
  const dock = useRef<HTMLDivElement>(null);
  const [wantedId, setWantedId] = useState<string | null>(null);
  const wanted = waiting.findIndex((call) => call.ask.askId === wantedId);
  const index = Math.max(0, wanted);
  const call = waiting[index];
  const askId = call?.ask.askId ?? null;

  const focusNext = useRef(false);
  const jumpedAt = useRef(Number.NEGATIVE_INFINITY);
  const oldestId = waiting[0]?.ask.askId ?? null;
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

  if (call === undefined) return <Announcer text="" />;
  const queue = {
    position: index + 1,
    total: waiting.length,
    onStep: (by: 1 | -1) => {
      focusNext.current = true;
      setWantedId(waiting[index + by]?.ask.askId ?? null);
    },
  };
  const answer = async (given: AskAnswer) => {
    // The keyboard follows to the next ask (which arms anew) only if it was in this one.
    focusNext.current = dock.current?.contains(document.activeElement) ?? false;
    const outcome = await onAnswer(call.ask.askId, given);
    if (outcome === 'failed') focusNext.current = false;
    return outcome;
  };
  const { ask } = call;
  return (
    <div ref={dock} className="flex min-h-0 flex-col">
      <Announcer text={`${announcement(call)} Press Control or Command, Shift and A to answer.`} />
      {ask.kind === 'permission' ? (
        <PermissionPanel
          key={ask.askId}
          ask={ask}
          queue={queue}
          armDelayMs={armDelayMs}
          home={home}
          onAnswer={answer}
          onPreview={onPreview}
          study={study}
        />
      ) : (
        <QuestionPanel key={ask.askId} ask={ask} queue={queue} armDelayMs={armDelayMs} onAnswer={answer} />
      )}
    </div>
  );
}

function announcement({ ask }: AskingCall): string {
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
