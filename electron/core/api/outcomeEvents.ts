// What a client hears that wants to know only what comes of a turn.
import type { SessionEvent, SessionEventBody } from '#shared/session/events';

/** What happens within calls and turns on the way; the rest says what came of them. */
const onTheWay: ReadonlySet<SessionEventBody['type']> = new Set([
  'call.created',
  'call.presented',
  'call.stepStarted',
  'call.stepEnded',
  'call.started',
  'hook.ran',
  'task.changed',
  'cwd.changed',
  'context.added',
  'todos.changed',
  'agent.changed',
]);

/** Whether events of a kind belong to what comes of a turn. */
export function isOutcome(type: SessionEventBody['type']): boolean {
  return !onTheWay.has(type);
}

/**
 * An event as clients get it that want no more than what comes of a turn; null where they do not get it. What a call gave
 * the model and the page, and what lies behind its decision, is left out: most of the bytes.
 */
export function outcomeOf(event: SessionEvent): SessionEvent | null {
  const { body } = event;
  if (!isOutcome(body.type)) return null;
  if (body.type === 'call.finished') return { ...event, body: { ...body, content: [], view: null } };
  if (body.type !== 'call.decided') return event;
  const { behavior, reason } = body.decision;
  return { ...event, body: { ...body, decision: { behavior, reason, parts: [] } } };
}
