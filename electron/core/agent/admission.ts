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

/** `context`: what hooks add to a message that is to be sent. `refusal`: the hook that erased it; null where no hook did. */
export type Admission =
  | { readonly admitted: true; readonly context: readonly string[] }
  | { readonly admitted: false; readonly refusal: { readonly reason: string; readonly hook: string } | null };

/**
 * Holds the message in the queue while hooks look at it. It is not to be sent when a hook erases it, when the person took it
 * back, or when the turn was stopped (then it stays in the queue).
 */
export async function admit(
  session: HookedSession,
  about: { readonly message: { readonly messageId: string; readonly text: string }; readonly isStart: boolean },
): Promise<Admission> {
  const { services, sessionId, signal } = session;
  const { sessions } = services;
  const { messageId, text } = about.message;
  const isQueued = (): boolean => sessions.state(sessionId).queue.some((queued) => queued.messageId === messageId);
  if (!isQueued()) sessions.append(sessionId, { type: 'message.queued', messageId, text });

  if (about.isStart) {
    const started = await fire(session, startEvent(session));
    addContext(session, 'SessionStart', started.context);
    if (started.stop !== null) return { admitted: false, refusal: started.stop };
  }
  if (signal.aborted || !isQueued()) return { admitted: false, refusal: null };
  const heard = await fire(session, { name: 'UserPromptSubmit', prompt: text });
  if (signal.aborted || !isQueued()) return { admitted: false, refusal: null };
  const refusal = heard.stop ?? heard.block;
  return refusal === null ? { admitted: true, context: heard.context } : { admitted: false, refusal };
}

/** Tells hooks that a session goes on without a message; whether one of them does not let it. */
export async function startRefused(session: HookedSession): Promise<boolean> {
  if (!listens(session, startEvent(session))) return false;
  const { context, stop } = await fire(session, startEvent(session));
  addContext(session, 'SessionStart', context);
  if (stop !== null) notice(session, 'warning', `${stop.hook} ended the turn: ${stop.reason}`, 'See Hooks.');
  return stop !== null;
}

/** Erases a message that a hook refused, and tells the person why. */
export function erase(
  session: Pick<HookedSession, 'services' | 'sessionId'>,
  messageId: string,
  by: { readonly reason: string; readonly hook: string },
): void {
  session.services.sessions.append(session.sessionId, { type: 'message.unqueued', messageId });
  const next = 'The model has not seen it. Change the message, or see Hooks.';
  notice(session, 'warning', `${by.hook} refused your message: ${by.reason}`, next);
}

/** Tells hooks that a session is over. */
export async function endSession(services: PipelineServices, sessionId: string, reason: string): Promise<void> {
  if (!services.sessions.exists(sessionId)) return;
  const signal = AbortSignal.timeout(endLimitMs);
  await fire({ services, sessionId, signal }, { name: 'SessionEnd', reason });
}
