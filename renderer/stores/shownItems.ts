// Which part of a conversation the page holds: always its newest items, and, while the reader is elsewhere, another part
// of bounded length. Pure; the core has the whole.
import type { SessionState } from '#shared/session/state';
import type { ToolCall } from '#shared/session/toolCall';
import { type ItemWindow, isOpenCall, turnsIn } from '#shared/session/window';

/** Consecutive items that stand apart from the newest ones; `first` counts from the conversation's beginning. */
export interface PastItems {
  readonly first: number;
  readonly turnsBefore: number;
  readonly items: SessionState['items'];
}

/** `state` holds the newest items; `past` is shown instead of them when it is there, and ends before they begin. */
export interface HeldItems {
  readonly state: SessionState;
  readonly past: PastItems | null;
}

/** Items that a session is opened with. */
export const itemsAtOnce = 80;
/** Items that are asked for while the reader scrolls: few, so that reading and drawing them stays within a frame or two. */
export const itemsPerStep = 40;
/** Items shown at most; beyond, those farthest from the reader go. */
export const mostItems = 320;
/** Newest items that are kept while others are shown or after many have come. */
const keptNewest = itemsAtOnce;

/** What is drawn. */
export function shownOf({ state, past }: HeldItems): PastItems {
  return past ?? { first: state.firstItem, turnsBefore: state.turnsBefore, items: state.items };
}

export function hasOlder(held: HeldItems): boolean {
  return shownOf(held).first > 0;
}

export function hasNewer({ past }: HeldItems): boolean {
  return past !== null;
}

/** Puts a window before what is shown. One that does not reach it changes nothing: what is shown has changed meanwhile. */
export function withOlder(held: HeldItems, window: ItemWindow): HeldItems {
  const { state, past } = held;
  const shown = shownOf(held);
  if (window.first >= shown.first || window.first + window.items.length < shown.first) return held;
  const before = window.items.slice(0, shown.first - window.first);
  const joined = { first: window.first, turnsBefore: window.turnsBefore, items: [...before, ...shown.items] };
  const calls = withCalls(state.calls, window.calls);
  if (past !== null) return tidy(held, { state: { ...state, calls }, past: beginning(joined, mostItems) });
  if (joined.items.length <= mostItems) return tidy(held, { state: extended({ ...state, calls }, joined), past: null });
  const newest = ending(state, keptNewest);
  const most = Math.min(mostItems - keptNewest, newest.firstItem - joined.first);
  return tidy(held, { state: { ...newest, calls }, past: beginning(joined, most) });
}

/** Puts a window behind what is shown; where that reaches the newest items, they are shown again too. */
export function withNewer(held: HeldItems, window: ItemWindow): HeldItems {
  const { state, past } = held;
  if (past === null) return held;
  const end = past.first + past.items.length;
  const more = window.first > end ? [] : window.items.slice(end - window.first);
  const joined: PastItems = { ...past, items: [...past.items, ...more] };
  return tidy(
    held,
    joinedOr({ state: { ...state, calls: withCalls(state.calls, window.calls) }, past: joined }, 'ending'),
  );
}

/** Shows a window, whatever was shown before. */
export function withWindow(held: HeldItems, window: ItemWindow): HeldItems {
  const { state } = held;
  const { first, turnsBefore } = window;
  const whole = { ...state, calls: withCalls(state.calls, window.calls) };
  if (first >= state.firstItem) return tidy(held, { state: whole, past: null });
  return tidy(held, joinedOr({ state: whole, past: { first, turnsBefore, items: window.items } }, 'beginning'));
}

/** Shows the newest items. */
export function withNewest(held: HeldItems): HeldItems {
  return held.past === null ? held : tidy(held, { state: held.state, past: null });
}

/** Lets go of what became too much while events came in. `atEnd`: the reader follows the newest items. */
export function bounded(held: HeldItems, atEnd: boolean): HeldItems {
  const { state, past } = held;
  const count = state.items.length;
  if (past !== null) return count <= 2 * keptNewest ? held : tidy(held, { state: ending(state, keptNewest), past });
  if (atEnd) return count <= mostItems ? held : tidy(held, { state: ending(state, mostItems / 2), past });
  if (count <= 2 * mostItems) return held;
  return tidy(held, { state: ending(state, keptNewest), past: beginning(shownOf(held), mostItems) });
}

/** Joins `past` with the newest items where it reaches them; of too many, the ones at the named side stay. */
function joinedOr(held: { state: SessionState; past: PastItems }, stays: 'beginning' | 'ending'): HeldItems {
  const { state, past } = held;
  const end = past.first + past.items.length;
  if (end < state.firstItem) {
    const most = stays === 'beginning' ? beginning(past, mostItems) : endingOf(past, mostItems);
    return { state, past: most };
  }
  const own = past.items.slice(0, state.firstItem - past.first);
  const joined = { ...past, items: [...own, ...state.items] };
  const whole = extended(state, joined);
  if (joined.items.length <= mostItems) return { state: whole, past: null };
  if (stays === 'ending') return { state: ending(whole, Math.max(mostItems, state.items.length)), past: null };
  const newest = ending(state, keptNewest);
  return { state: newest, past: beginning(joined, Math.min(mostItems, newest.firstItem - joined.first)) };
}

function extended(state: SessionState, { first, turnsBefore, items }: PastItems): SessionState {
  return { ...state, firstItem: first, turnsBefore, items: [...items] };
}

function beginning(part: PastItems, count: number): PastItems {
  return part.items.length <= count ? part : { ...part, items: part.items.slice(0, count) };
}

function endingOf(part: PastItems, count: number): PastItems {
  const dropped = Math.max(0, part.items.length - count);
  const turnsBefore = part.turnsBefore + turnsIn(part.items.slice(0, dropped));
  return { first: part.first + dropped, turnsBefore, items: part.items.slice(dropped) };
}

function ending(state: SessionState, count: number): SessionState {
  const { firstItem: first, turnsBefore, items } = state;
  return extended(state, endingOf({ first, turnsBefore, items }, count));
}

/** Calls of both in the order they were made. What the page has is newer or whole, and stays. */
function withCalls(known: SessionState['calls'], more: readonly ToolCall[]): SessionState['calls'] {
  const all = new Map(more.map((call) => [call.callId, call]));
  for (const call of Object.values(known)) all.set(call.callId, call);
  const sorted = [...all.values()].sort((a, b) => (a.number ?? 0) - (b.number ?? 0));
  return Object.fromEntries(sorted.map((call) => [call.callId, call]));
}

/** Without the calls of messages that are not held any more, and those of sub-agents whose starter's card is not there. */
function tidy(before: HeldItems, { state, past }: HeldItems): HeldItems {
  const gone = messagesOf(before);
  for (const messageId of messagesOf({ state, past })) gone.delete(messageId);
  const kept: Record<string, ToolCall> = {};
  for (const call of Object.values(state.calls)) {
    const starter = call.agentId === undefined ? undefined : state.agents[call.agentId]?.callId;
    // A call that was made by hand belongs to no message.
    const stays = call.agentId === undefined ? !gone.has(call.messageId) : starter !== undefined && starter in kept;
    if (stays || isOpenCall(call)) kept[call.callId] = call;
  }
  const same = Object.keys(kept).length === Object.keys(state.calls).length;
  return { state: same ? state : { ...state, calls: kept }, past };
}

function messagesOf({ state, past }: HeldItems): Set<string> {
  const messages = new Set<string>();
  for (const items of [state.items, past?.items ?? []])
    for (const item of items) if (item.kind === 'assistant') messages.add(item.messageId);
  return messages;
}

/** Where the item after the last one shown stands. */
export function endOfShown(held: HeldItems): number {
  const { first, items } = shownOf(held);
  return first + items.length;
}
