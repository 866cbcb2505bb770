// Sends a person's answer to an ask, and says what came of it: saved rules can be taken back from the toast.
import { RpcError } from '#shared/rpc/errors';
import type { AskAnswer } from '#shared/session/ask';
import type { NetworkAnswer } from '#shared/session/networkAsk';
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
    return failed('call', error);
  }
}

/** Answers one ask about a host by its id. Never rejects. */
export async function answerHost(request: {
  readonly sessionId: string;
  readonly askId: string;
  readonly answer: NetworkAnswer;
}): Promise<AnswerOutcome> {
  try {
    const { saved, settled } = await host().call('network.answer', request);
    const also = settled.length === 0 ? '' : `It also answered ${listed(settled)}.`;
    if (saved !== null) {
      const { pattern, where, step } = saved;
      useToasts.getState().show({
        level: 'info',
        title: `Saved to ${where}`,
        text: also === '' ? pattern : `${pattern}. ${also}`,
        action: { label: 'Undo', run: () => void undoHost(step) },
      });
    } else if (also !== '') useToasts.getState().show({ level: 'info', title: 'Answered', text: also });
    return 'answered';
  } catch (error) {
    return failed('host', error);
  }
}

const gone = {
  call: ['Already answered in another window', 'The first answer counts; yours changed nothing.'],
  host: [
    'This waits for no answer any more',
    'It was answered elsewhere, or its command gave up. Yours changed nothing.',
  ],
} as const;

function failed(about: keyof typeof gone, error: unknown): AnswerOutcome {
  if (!(error instanceof RpcError) || (error.code !== 'conflict' && error.code !== 'notFound')) {
    reportFailure(`The answer was not taken. The ${about === 'call' ? 'call' : 'command'} still waits for you.`, error);
    return 'failed';
  }
  const [title, text] = gone[about];
  useToasts.getState().show({ level: 'info', title, text });
  return 'gone';
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
  return `${text}. ${rules.length === 1 ? 'It' : 'They'} also answered ${listed(settled)}.`;
}

function listed(settled: readonly string[]): string {
  const more = settled.length - namedCalls;
  const named = more > 0 ? [...settled.slice(0, namedCalls), `${more} more`] : settled;
  return named.length === 1 ? named.join('') : `${named.slice(0, -1).join(', ')} and ${named.at(-1) ?? ''}`;
}

async function undoHost(step: string): Promise<void> {
  try {
    await host().call('rules.undo', { step });
    useToasts.getState().show({
      level: 'info',
      title: 'The host was taken off the list',
      text: 'What has been connected stays connected until its command ends.',
    });
  } catch (error) {
    reportFailure('The host was not taken off the list.', error);
  }
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
