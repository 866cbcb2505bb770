// A part of a long conversation: its items, the calls that belong to them, and where in the whole they stand.
import { z } from 'zod';
import { lightCall, lightItem } from './light';
import { ConversationItem, type SessionState } from './state';
import { ToolCall } from './toolCall';

/** Consecutive items with their calls, both light. Positions count the conversation's items from 0. */
export const ItemWindow = z.strictObject({
  first: z.number().int().nonnegative(),
  /** Messages of the person before `first`. */
  turnsBefore: z.number().int().nonnegative(),
  /** Items of the whole conversation when this was taken. */
  total: z.number().int().nonnegative(),
  items: z.array(ConversationItem),
  /** Calls of the items' messages, those of sub-agents that these started included; in the order they were made. */
  calls: z.array(ToolCall),
});
export type ItemWindow = z.infer<typeof ItemWindow>;

/** Where a window should lie: `count` items before a position, from it on, or around a position, message or call. */
export const WindowPlace = z.union([
  z.strictObject({ before: z.number().int().nonnegative() }),
  z.strictObject({ from: z.number().int().nonnegative() }),
  z.strictObject({ around: z.number().int().nonnegative() }),
  z.strictObject({ messageId: z.string().min(1).max(200) }),
  z.strictObject({ callId: z.string().min(1).max(200) }),
]);
export type WindowPlace = z.infer<typeof WindowPlace>;

/** Items of the whole conversation. */
export function itemTotal(state: Pick<SessionState, 'firstItem' | 'items'>): number {
  return state.firstItem + state.items.length;
}

/** Whether a call still has something to come. */
export function isOpenCall(call: ToolCall): boolean {
  return call.status === 'checking' || call.status === 'asking' || call.status === 'running';
}

/** The window at a place; null when there is no such message or call. Beyond the ends it is shorter. */
export function windowAt(state: SessionState, place: WindowPlace, count: number): ItemWindow | null {
  const range = rangeAt(state, place, count);
  if (range === null) return null;
  const total = itemTotal(state);
  const first = clamp(range.first, state.firstItem, total);
  const end = clamp(range.end, first, total);
  const items = state.items.slice(first - state.firstItem, end - state.firstItem);
  const skipped = state.items.slice(0, first - state.firstItem);
  return {
    first,
    turnsBefore: state.turnsBefore + turnsIn(skipped),
    total,
    items: items.map(lightItem),
    calls: callsOf(state, items).map(lightCall),
  };
}

/** The state with its newest `count` items and what belongs to them. Applying further events to it goes on as usual. */
export function newestOf(state: SessionState, count: number): SessionState {
  const first = Math.max(state.firstItem, itemTotal(state) - count);
  const window = windowAt(state, { from: first }, count);
  const open = Object.values(state.calls).filter(isOpenCall);
  const calls = [...(window?.calls ?? []), ...open].sort((a, b) => (a.number ?? 0) - (b.number ?? 0));
  return {
    ...state,
    tasks: { ...state.tasks },
    agents: { ...state.agents },
    items: window?.items ?? [],
    firstItem: first,
    turnsBefore: window?.turnsBefore ?? state.turnsBefore,
    calls: Object.fromEntries(calls.map((call) => [call.callId, call])),
  };
}

/** Calls of these items' messages and of the sub-agents that those started, in the order they were made. */
export function callsOf(
  state: Pick<SessionState, 'calls' | 'agents'>,
  items: readonly ConversationItem[],
): readonly ToolCall[] {
  const messages = new Set(items.flatMap((item) => (item.kind === 'assistant' ? [item.messageId] : [])));
  const found = new Map<string, ToolCall>();
  // A call comes after the one that started its agent.
  for (const call of Object.values(state.calls)) {
    const starter = call.agentId === undefined ? undefined : state.agents[call.agentId]?.callId;
    if (call.agentId === undefined ? messages.has(call.messageId) : starter !== undefined && found.has(starter))
      found.set(call.callId, call);
  }
  return [...found.values()];
}

/** Messages of the person among these items. */
export function turnsIn(items: readonly ConversationItem[]): number {
  return items.reduce((count, item) => (item.kind === 'user' ? count + 1 : count), 0);
}

/** The position of a message, or of the message that a call belongs to; null when it is not among the state's items. */
export function positionOf(
  state: Pick<SessionState, 'firstItem' | 'items' | 'calls' | 'agents'>,
  place: { readonly messageId: string } | { readonly callId: string },
): number | null {
  const messageId = 'messageId' in place ? place.messageId : messageOf(state, place.callId);
  const index = state.items.findLastIndex((item) => 'messageId' in item && item.messageId === messageId);
  return index === -1 ? null : state.firstItem + index;
}

/** A sub-agent's call stands in the card of the call that started the agent. */
function messageOf(state: Pick<SessionState, 'calls' | 'agents'>, callId: string): string | undefined {
  let call = state.calls[callId];
  for (let depth = 0; call?.agentId !== undefined && depth < 20; depth += 1) {
    const agent = state.agents[call.agentId];
    call = agent === undefined ? undefined : state.calls[agent.callId];
  }
  return call?.messageId;
}

/** Positions that a place stands for; they may lie beyond the ends. */
function rangeAt(state: SessionState, place: WindowPlace, count: number): { first: number; end: number } | null {
  if ('from' in place) return { first: place.from, end: place.from + count };
  if ('before' in place) return { first: place.before - count, end: place.before };
  const middle = 'around' in place ? place.around : positionOf(state, place);
  if (middle === null) return null;
  const last = Math.max(0, itemTotal(state) - count);
  const first = Math.min(last, Math.max(0, middle - Math.floor(count / 2)));
  return { first, end: first + count };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
