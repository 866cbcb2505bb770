// Events of a session and its turns, as hooks hear of them. What hooks say to people becomes a notice.
import type { HookEvent, HookOutcome } from '../hooks/hooks';
import { noHookOutcome } from '../hooks/hooks';
import type { PipelineServices } from '../pipeline/services';

export interface HookedSession {
  readonly services: PipelineServices;
  readonly sessionId: string;
  readonly signal: AbortSignal;
}

/** What matchers look at. */
function matchedOf(event: HookEvent): string {
  switch (event.name) {
    case 'SessionStart':
      return event.source;
    case 'SessionEnd':
      return event.reason;
    case 'PreCompact':
    case 'PostCompact':
      return event.trigger;
    case 'StopFailure':
      return event.error;
    default:
      return '';
  }
}

export function listens(session: Omit<HookedSession, 'signal'>, event: HookEvent): boolean {
  return session.services.hooks.listens(session.sessionId, event.name, matchedOf(event));
}

/** Fires an event and passes on what its hooks say to people. */
export async function fire(session: HookedSession, event: HookEvent): Promise<HookOutcome> {
  const { services, sessionId, signal } = session;
  if (!listens(session, event)) return noHookOutcome;
  const { folder, cwd, mode } = services.sessions.state(sessionId);
  const outcome = await services.hooks.fire(event, { sessionId, folder, cwd, mode }, signal);
  for (const text of outcome.messages) {
    services.sessions.append(sessionId, { type: 'notice', level: 'warning', text, next: '' });
  }
  return outcome;
}

/** Hands a hook's text to the model. */
export function addContext(
  session: Omit<HookedSession, 'signal'>,
  name: HookEvent['name'],
  texts: readonly string[],
): void {
  for (const text of texts) {
    session.services.sessions.append(session.sessionId, { type: 'context.added', from: `${name} hook`, text });
  }
}

/** `continue: false`, or a block where that ends the turn; null when the turn goes on. */
export function endedBy(outcome: HookOutcome): { readonly reason: string; readonly hook: string } | null {
  return outcome.stop ?? outcome.block;
}
