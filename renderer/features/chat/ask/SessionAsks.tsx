import { useCallback, useMemo } from 'react';
import type { AskAnswer } from '#shared/session/ask';
import type { NetworkAnswer } from '#shared/session/networkAsk';
import type { SessionState } from '#shared/session/state';
import { useApp } from '../../../stores/app';
import { useSession } from '../../../stores/session';
import { AskDock } from './AskDock';
import { answerAsk, answerHost } from './answering';
import { createAskStudy } from './askStudy';
import { waitingAsks } from './waitingAsks';

/** The arm delay before the preferences have come. */
const defaultArmDelayMs = 600;

/** What waits for the person in a session, ready to be answered. */
export function SessionAsks(props: {
  readonly sessionId: string;
  readonly state: SessionState;
  readonly home: string;
  readonly onEmpty: () => void;
}) {
  const { sessionId, state, home, onEmpty } = props;
  const previewRule = useSession((session) => session.previewRule);
  const armDelayMs = useApp((app) => app.preferences?.armDelayMs ?? defaultArmDelayMs);
  const waiting = useMemo(() => waitingAsks(state), [state]);
  const study = useMemo(() => createAskStudy(sessionId), [sessionId]);
  const onAnswer = useCallback(
    (askId: string, answer: AskAnswer) => answerAsk({ sessionId, askId, answer }),
    [sessionId],
  );
  const onAnswerHost = useCallback(
    (askId: string, answer: NetworkAnswer) => answerHost({ sessionId, askId, answer }),
    [sessionId],
  );
  return (
    <AskDock
      waiting={waiting}
      armDelayMs={armDelayMs}
      home={home}
      onAnswer={onAnswer}
      onAnswerHost={onAnswerHost}
      onPreview={previewRule}
      study={study}
      onEmpty={onEmpty}
    />
  );
}
