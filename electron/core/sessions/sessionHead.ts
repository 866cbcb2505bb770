// What a session is apart from its conversation, kept beside the log so that the end of a long session can be shown
// without reading all of it. A cache: without one, or with one of another version, the log is read.
import type { SessionEvent, SessionEventBody } from '#shared/session/events';
import { reduceInto } from '#shared/session/reduce';
import { emptyState, SessionState } from '#shared/session/state';
import type { ToolCall } from '#shared/session/toolCall';
import { isOpenCall, itemTotal, newestOf, turnsIn } from '#shared/session/window';
import type { SessionStore } from './store';

/** Counts what `reduce` makes of the same events: to be raised whenever that changes. */
export const headVersion = 2;

/** A head is written anew after so many events, and when a turn ends. */
export const headEveryEvents = 2_000;

/** Events read backwards for the newest items; where they do not do, fewer items are shown at first. */
const mostTailEvents = 4_000;

/** The state without items, and with no calls but those that have something to come. */
export function headOf(state: SessionState): SessionState {
  const open = Object.values(state.calls).filter(isOpenCall);
  return {
    ...state,
    items: [],
    firstItem: itemTotal(state),
    turnsBefore: state.turnsBefore + turnsIn(state.items),
    calls: Object.fromEntries(open.map((call) => [call.callId, call])),
  };
}

/**
 * The newest `count` items of a stored session with what belongs to them, as `newestOf` gives them of the whole state.
 * Null without a usable head; then the log must be read.
 */
export function readNewest(store: SessionStore, sessionId: string, count: number): SessionState | null {
  const kept = store.head(sessionId);
  if (kept === null || kept.version !== headVersion) return null;
  const parsed = SessionState.safeParse(kept.state);
  if (!parsed.success || parsed.data.seq !== kept.seq) return null;
  const lastSeq = store.lastSeq(sessionId);
  if (lastSeq < kept.seq || lastSeq - kept.seq > 2 * headEveryEvents) return null;
  const head = parsed.data;
  for (const event of store.events(sessionId, kept.seq)) reduceInto(head, event);
  const tail = emptyState();
  for (const event of newestEvents(store, sessionId, count)) reduceInto(tail, event);
  const calls = new Map<string, ToolCall>();
  const before = head.callsMade - tail.callsMade;
  for (const call of Object.values(tail.calls))
    calls.set(call.callId, { ...call, number: (call.number ?? 0) + before });
  // What has not ended yet began perhaps before the events that were read; the head has all of it.
  for (const call of Object.values(head.calls)) if (isOpenCall(call)) calls.set(call.callId, call);
  const whole: SessionState = {
    ...head,
    seq: lastSeq,
    items: tail.items,
    firstItem: itemTotal(head) - tail.items.length,
    turnsBefore: head.turnsBefore + turnsIn(head.items) - turnsIn(tail.items),
    calls: Object.fromEntries(calls),
  };
  return newestOf(whole, count);
}

/** The last events of a session, from the one that begins its `count`th newest item. */
function newestEvents(store: SessionStore, sessionId: string, count: number): SessionEvent[] {
  const events: SessionEvent[] = [];
  let begun = 0;
  let usable = 0;
  for (const event of store.eventsBackwards(sessionId)) {
    events.push(event);
    if (beginsItem(event.body)) {
      begun += 1;
      usable = events.length;
    }
    if (begun >= count || events.length >= mostTailEvents) break;
  }
  return events.slice(0, usable).reverse();
}

function beginsItem(body: SessionEventBody): boolean {
  switch (body.type) {
    case 'message.sent':
    case 'assistant.started':
    case 'conversation.compacted':
      return body.agentId === undefined;
    case 'notice':
      return true;
    default:
      return false;
  }
}
