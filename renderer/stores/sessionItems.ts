// Brings parts of a long conversation, and whole calls, to the page when they are looked at, and lets go of them again.

import { RpcError } from '#shared/rpc/errors';
import type { SessionState } from '#shared/session/state';
import type { ToolCall } from '#shared/session/toolCall';
import { type ItemWindow, isOpenCall, positionOf, type WindowPlace } from '#shared/session/window';
import { host } from '../host/client';
import {
  endOfShown,
  type HeldItems,
  itemsPerStep,
  mostItems,
  type PastItems,
  shownOf,
  withNewer,
  withNewest,
  withOlder,
  withWindow,
} from './shownItems';
import { reportFailure } from './toasts';

/** What is to be there: a message, a call (with the card it stands in), or the item at a position. */
export type ItemRef = { readonly messageId: string } | { readonly callId: string } | { readonly position: number };

/** Calls whose whole contents are kept at a time. */
const mostWhole = 40;

interface Held {
  readonly sessionId: string | null;
  readonly transcriptId: string | null;
  readonly state: SessionState;
  readonly past: PastItems | null;
}

export interface ItemActions {
  /** Shows earlier items too. Harmless at the beginning and while they are on their way. */
  showOlder(): Promise<void>;
  /** Shows later items too, after `ensureItem` or `showOlder` led away from the newest. */
  showNewer(): Promise<void>;
  /** Shows the newest items again. */
  showNewest(): void;
  /**
   * Makes sure that a message or call is among the items that are shown, loading the part of the conversation around it
   * where it is not. Afterwards `rowsOf` has a row for it, and the conversation may scroll there. False: the session has no
   * such message or call, or it could not be loaded, which is then told. All that a page looks up by id in `state` (items and
   * their calls) goes through this first: `state` holds only a part of a long session.
   */
  ensureItem(item: ItemRef): Promise<boolean>;
  /**
   * Makes sure that `state.calls` has the call with all its contents (not `light`), wherever in the conversation it is.
   * What is shown stays as it is. False: there is no such call.
   */
  ensureCall(callId: string): Promise<boolean>;
}

/** The actions over a store's state. `get` and `set` are the store's own. */
export function itemActions(get: () => Held, set: (part: Partial<Pick<Held, 'state' | 'past'>>) => void): ItemActions {
  /** Requests on their way, so that scrolling does not ask twice. */
  const asked = new Set<string>();
  /** Calls made whole, the latest last, with what they were before; undefined: not held at all. */
  const whole = new Map<string, ToolCall | undefined>();
  let wholeOf: string | null = null;

  const hold = (held: HeldItems): void => set({ state: held.state, past: held.past });

  /** Fetches a window and puts it in, unless another session is open by then. False: it failed. */
  async function fetch(at: WindowPlace, take: (held: HeldItems, window: Parameters<typeof withOlder>[1]) => HeldItems) {
    const source = sourceOf(get());
    const key = JSON.stringify(at);
    if (source === null || asked.has(key)) return false;
    asked.add(key);
    const isShown = () => sourceOf(get())?.key === source.key;
    try {
      const window = await source.items(at);
      if (!isShown()) return false;
      hold(take(get(), window));
      return true;
    } catch (error) {
      if (isShown() && !isUnknown(error)) reportFailure('This part of the conversation was not loaded.', error);
      return false;
    } finally {
      asked.delete(key);
    }
  }

  function letGo(): void {
    const [callId] = whole.keys();
    if (callId === undefined) return;
    const light = whole.get(callId);
    whole.delete(callId);
    const { state } = get();
    const call = state.calls[callId];
    if (call === undefined || isOpenCall(call)) return;
    const { [callId]: _, ...others } = state.calls;
    set({ state: { ...state, calls: light === undefined ? others : { ...state.calls, [callId]: light } } });
  }

  return {
    async showOlder() {
      const { first } = shownOf(get());
      if (first > 0) await fetch({ before: first }, withOlder);
    },
    async showNewer() {
      const { past, state } = get();
      if (past === null) return;
      const end = endOfShown(get());
      if (end >= state.firstItem) hold(withNewer(get(), { ...past, first: end, total: end, items: [], calls: [] }));
      else await fetch({ from: end }, withNewer);
    },
    showNewest() {
      hold(withNewest(get()));
    },
    async ensureItem(item) {
      const { state, past } = get();
      if (isIn(shownOf({ state, past }), state, item)) return true;
      if (past !== null && isIn(shownOf({ state, past: null }), state, item)) {
        hold(withNewest({ state, past }));
        return true;
      }
      return fetch('position' in item ? { around: item.position } : item, withWindow);
    },
    async ensureCall(callId) {
      const source = sourceOf(get());
      const known = get().state.calls[callId];
      if (known !== undefined && known.light === undefined) return true;
      if (source === null) return false;
      const key = `call ${callId}`;
      if (asked.has(key)) return true;
      asked.add(key);
      try {
        const { call } = await source.call(callId);
        const now = get();
        if (sourceOf(now)?.key !== source.key) return false;
        if (wholeOf !== source.key) whole.clear();
        wholeOf = source.key;
        const light = now.state.calls[callId];
        // Events may have brought it meanwhile.
        if (light !== undefined && light.light === undefined) return true;
        whole.set(callId, light);
        set({ state: { ...now.state, calls: { ...now.state.calls, [callId]: call } } });
        if (whole.size > mostWhole) letGo();
        return true;
      } catch (error) {
        if (!isUnknown(error)) reportFailure('The call was not loaded.', error);
        return false;
      } finally {
        asked.delete(key);
      }
    },
  };
}

interface Source {
  /** Names the conversation. */
  readonly key: string;
  items(at: WindowPlace): Promise<ItemWindow>;
  call(callId: string): Promise<{ readonly call: ToolCall }>;
}

/** Where the parts of the conversation that is shown come from; null: none is. */
function sourceOf({ sessionId, transcriptId: id }: Pick<Held, 'sessionId' | 'transcriptId'>): Source | null {
  const count = itemsPerStep;
  if (sessionId !== null) {
    return {
      key: `session ${sessionId}`,
      items: (at) => host().call('sessions.items', { sessionId, at, count }),
      call: (callId) => host().call('sessions.call', { sessionId, callId }),
    };
  }
  if (id === null) return null;
  return {
    key: `transcript ${id}`,
    items: (at) => host().call('transcripts.items', { id, at, count }),
    call: (callId) => host().call('transcripts.call', { id, callId }),
  };
}

function isIn({ first, items }: PastItems, state: SessionState, item: ItemRef): boolean {
  if ('position' in item) return item.position >= first && item.position < first + items.length;
  return positionOf({ ...state, firstItem: first, items }, item) !== null;
}

/** Without a connection there is a banner; an id that nobody knows is answered by the value. */
function isUnknown(error: unknown): boolean {
  return error instanceof RpcError && (error.code === 'notFound' || error.code === 'unavailable');
}

/** Positions that a page asks for anew after it was away for long. */
export function rangeOf({ first, items }: PastItems): { readonly from: number; readonly count: number } {
  return { from: first, count: Math.min(mostItems, Math.max(1, items.length)) };
}
