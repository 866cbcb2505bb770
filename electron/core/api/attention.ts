// Moments of a session that a person may want to hear of while nobody looks at the page.
import type { SessionEvent } from '#shared/session/events';
import type { SessionState } from '#shared/session/state';

export interface Attention {
  readonly kind: 'waiting' | 'ended' | 'failed';
  /** The session's title. */
  readonly title: string;
  readonly message: string;
}

const maxTitle = 200;
const maxMessage = 400;

/** What an event is worth telling; null: nothing. `state` is that after the event. */
export function attentionOf({ body }: SessionEvent, state: Pick<SessionState, 'title' | 'queue'>): Attention | null {
  const told = (kind: Attention['kind'], message: string): Attention => ({
    kind,
    title: state.title.slice(0, maxTitle) || 'Gatehouse',
    message: message.slice(0, maxMessage),
  });
  if (body.type === 'call.asked') {
    const { ask } = body;
    return told('waiting', ask.kind === 'permission' ? `${ask.title}. It waits for you.` : 'The model has a question.');
  }
  if (body.type === 'network.asked')
    return told('waiting', `A command wants to reach ${body.ask.host}. It waits for you.`);
  if (body.type !== 'turn.finished') return null;
  if (body.outcome === 'failed') return told('failed', 'The turn failed. The conversation says why.');
  // With something in the queue the next turn begins at once.
  return body.outcome === 'done' && state.queue.length === 0 ? told('ended', 'The turn has ended.') : null;
}
