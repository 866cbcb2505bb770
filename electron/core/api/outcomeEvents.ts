import type { SessionEventBody } from '#shared/session/events';

/** What happens within calls and turns on the way; the rest says what came of them. */
const onTheWay: ReadonlySet<SessionEventBody['type']> = new Set([
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

/** Whether an event belongs to what comes of a turn, for clients that want no more. */
export function saysOutcome(body: SessionEventBody): boolean {
  return !onTheWay.has(body.type);
}
