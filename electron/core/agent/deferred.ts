// A call that a hook put off: found again when its session goes on, and run through all steps before the model is asked.
import { type CallRequest, runToolCall } from '../pipeline/runToolCall';
import type { SessionLog } from '../sessions/service';
import { ContextChanges } from './contextChanges';
import { callIdOf } from './conversation';
import { type MessageEnd, stopAfter } from './message';
import type { TurnContext } from './turnContext';

/** The call with which the session's last turn was put off; null where there is none, or the model has been asked since. */
export function deferredCall(
  sessions: Pick<SessionLog, 'state' | 'conversation'>,
  sessionId: string,
): CallRequest | null {
  const last = sessions
    .conversation(sessionId)
    .shown()
    .entries.findLast((entry) => entry.kind === 'assistant');
  if (last?.kind !== 'assistant') return null;
  const { calls } = sessions.state(sessionId);
  for (const [index, { block }] of last.blocks) {
    const callId = callIdOf(last.messageId, index);
    const call = calls[callId];
    if (block.type !== 'tool_use' || call?.status !== 'interrupted' || call.deferred !== true) continue;
    const { id: toolUseId, name, input } = block;
    return { sessionId, callId, messageId: last.messageId, toolUseId, name, input, cutOff: false };
  }
  return null;
}

/** Runs the deferred call anew; null where there is none. What it means for the turn is told as of its message. */
export async function takeUpDeferred(context: TurnContext): Promise<MessageEnd | null> {
  const { services, sessionId, signal } = context;
  const request = deferredCall(services.sessions, sessionId);
  if (request === null) return null;
  services.sessions.append(sessionId, { type: 'call.reopened', callId: request.callId });
  const changes = new ContextChanges(services);
  const after = await runToolCall(changes.services, request, signal);
  changes.apply(request.callId);
  return {
    messageId: request.messageId,
    calls: [request],
    stopReason: 'tool_use',
    askAgain: false,
    text: '',
    stop: stopAfter(after),
    failure: null,
  };
}
