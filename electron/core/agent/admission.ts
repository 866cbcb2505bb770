// What hooks have to say before the model hears of a person's message.
import type { PipelineServices } from '../pipeline/services';
import { addContext, fire, type HookedSession, listens } from './sessionHooks';
import { notice } from './turnContext';

/** Hooks get this long at the end of a session, whatever they ask for; in milliseconds. */
const endLimitMs = 60_000;

function startEvent({ services, sessionId }: Pick<HookedSession, 'services' | 'sessionId'>) {
  const resumed = services.sessions.state(sessionId).items.some((item) => item.kind === 'user');
  return { name: 'SessionStart' as const, source: resumed ? ('resume' as const) : ('startup' as const) };
}

/** Whether any hook must be heard first. `isStart`: the first message of the session in this process. */
export function needsAdmission(session: HookedSession, isStart: boolean): boolean {
  if (listens(session, { name: 'UserPromptSubmit', prompt: '' })) return true;
  return isStart && listens(session, startEvent(session));
}

/**
 * Holds the message in the queue while hooks look at it. Answers with the text that hooks add to it, or null when it is not
 * to be sent: a hook erased it, the person took it back, or the turn was stopped (then it stays in the queue).
 */
export async function admit(
  session: HookedSession,
  about: { readonly message: { readonly messageId: string; readonly text: string }; readonly isStart: boolean },
): Promise<{ readonly context: readonly string[] } | null> {
  const { services, sessionId, signal } = session;
  const { sessions } = services;
  const { messageId, text } = about.message;
  const isQueued = (): boolean => sessions.state(sessionId).queue.some((queued) => queued.messageId === messageId);
  if (!isQueued()) sessions.append(sessionId, { type: 'message.queued', messageId, text });

  if (about.isStart) {
    const started = await fire(session, startEvent(session));
    addContext(session, 'SessionStart', started.context);
    if (started.stop !== null) return refuse(session, messageId, started.stop);
  }
  if (signal.aborted || !isQueued()) return null;
  const heard = await fire(session, { name: 'UserPromptSubmit', prompt: text });
  if (signal.aborted || !isQueued()) return null;
  const refusal = heard.stop ?? heard.block;
  return refusal === null ? { context: heard.context } : refuse(session, messageId, refusal);
}

function refuse(
  session: HookedSession,
  messageId: string,
  by: { readonly reason: string; readonly hook: string },
): null {
  session.services.sessions.append(session.sessionId, { type: 'message.unqueued', messageId });
  const next = 'The model has not seen it. Change the message, or see Hooks.';
  notice(session, 'warning', `${by.hook} refused your message: ${by.reason}`, next);
  return null;
}

/** Tells hooks that a session is over. */
export async function endSession(services: PipelineServices, sessionId: string, reason: string): Promise<void> {
  if (!services.sessions.exists(sessionId)) return;
  const signal = AbortSignal.timeout(endLimitMs);
  await fire({ services, sessionId, signal }, { name: 'SessionEnd', reason });
}
