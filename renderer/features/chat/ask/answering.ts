// Sends a person's answer to an ask, and says what came of it: saved rules can be taken back from the toast.
import { RpcError } from '#shared/rpc/errors';
import type { AskAnswer } from '#shared/session/ask';
import { host } from '../../../host/client';
import { reportFailure, useToasts } from '../../../stores/toasts';

/** answered · gone: somebody else was first, or it was withdrawn · failed: it still waits. */
export type AnswerOutcome = 'answered' | 'gone' | 'failed';

/** Answers one ask by its id. Never rejects. */
export async function answerAsk(request: {
  readonly sessionId: string;
  readonly askId: string;
  readonly answer: AskAnswer;
}): Promise<AnswerOutcome> {
  const { sessionId, askId, answer } = request;
  try {
    const { saved } = await host().call('sessions.answer', { sessionId, askId, answer });
    if (saved !== null && answer.kind === 'allowAlways') {
      useToasts.getState().show({
        level: 'info',
        title: `Saved to ${saved.where}`,
        text: savedText(saved),
        action: { label: 'Undo', run: () => void undo(saved) },
      });
    }
    return 'answered';
  } catch (error) {
    if (error instanceof RpcError && (error.code === 'conflict' || error.code === 'notFound')) {
      useToasts.getState().show({
        level: 'info',
        title: 'Already answered in another window',
        text: 'The first answer counts; yours changed nothing.',
      });
      return 'gone';
    }
    reportFailure('The answer was not taken. The call still waits for you.', error);
    return 'failed';
  }
}

/** Other calls named in full; more are counted. */
const namedCalls = 3;

/** The rules, and which other waiting calls they answered too. */
function savedText({
  rules,
  settled,
}: {
  readonly rules: readonly string[];
  readonly settled: readonly string[];
}): string {
  const text = rules.join(', ');
  if (settled.length === 0) return text;
  const more = settled.length - namedCalls;
  const named = more > 0 ? [...settled.slice(0, namedCalls), `${more} more`] : settled;
  const list = named.length === 1 ? named.join('') : `${named.slice(0, -1).join(', ')} and ${named.at(-1) ?? ''}`;
  return `${text}. ${rules.length === 1 ? 'It' : 'They'} also answered ${list}.`;
}

async function undo({ rules, step }: { readonly rules: readonly string[]; readonly step: string }): Promise<void> {
  try {
    await host().call('rules.undo', { step });
    useToasts.getState().show({
      level: 'info',
      title: rules.length === 1 ? 'The rule was taken back' : 'The rules were taken back',
      text: 'The call that it let through has run all the same.',
    });
  } catch (error) {
    reportFailure('The rule was not taken back.', error);
  }
}
