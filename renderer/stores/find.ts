// Finding a text in the conversation that is open: the core looks through all of it, the page holds but a part.
import { create } from 'zustand';
import type { ConversationRef } from '#shared/api/search';
import type { FoundPlace, FoundPlaces, SoughtText } from '#shared/session/findPlaces';
import { host } from '../host/client';
import { goToPlace, sameConversation, shownConversation, usePlace } from './place';
import { messageOf } from './toasts';

interface FindFacts {
  readonly open: boolean;
  readonly text: string;
  readonly matchCase: boolean;
  /** What was looked through. */
  readonly in: ConversationRef | null;
  /** null: nothing was sought, or the answer has not come. */
  readonly found: FoundPlaces | null;
  readonly problem: string;
  /** The present find among all, counted from 0. */
  readonly at: number;
}

interface FindStore extends FindFacts {
  show(): void;
  /** Puts the field and the marks away. */
  hide(): void;
  setText(text: string): void;
  setMatchCase(matchCase: boolean): void;
  /** Goes on by so many finds, round the end. */
  step(by: 1 | -1): void;
  /** Looks again where the conversation has grown; the present find stays. */
  refresh(): void;
}

/** While the person types, it is sought only after this pause, in milliseconds. */
const pauseMs = 150;
/** Longest text that the core takes. */
export const longestFind = 500;

const nothing = { found: null, problem: '', at: 0 };

/** Counts requests, so that the answer to an outdated one is ignored. */
let round = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

export const useFind = create<FindStore>()((set, get) => {
  async function find(keep: boolean): Promise<void> {
    clearTimeout(timer);
    round += 1;
    const mine = round;
    const { text, matchCase } = get();
    const where = shownConversation();
    if (text === '' || where === null) {
      set({ ...nothing, in: where });
      usePlace.getState().clear();
      return;
    }
    try {
      const found = await lookThrough(where, { text, matchCase });
      if (mine !== round || !get().open) return;
      const last = Math.max(0, found.total - 1);
      // The newest is nearest to where one reads.
      set({ found, problem: '', in: where, at: keep ? Math.min(get().at, last) : last });
      if (!keep) lead();
    } catch (error) {
      if (mine === round) set({ ...nothing, problem: messageOf(error) });
    }
  }

  function lead(): void {
    const { found, at, text, matchCase, in: where } = get();
    const target = found === null ? null : findAt(found.places, at);
    if (target === null || where === null) {
      usePlace.getState().clear();
      return;
    }
    const { messageId, callId, block } = target.place;
    goToPlace({
      ...{ in: where, messageId, callId, words: [text], nth: target.nth, matchCase },
      ...(block === null ? {} : { block }),
    });
  }

  return {
    ...nothing,
    open: false,
    text: '',
    matchCase: false,
    in: null,
    show() {
      const again = get().open;
      set({ open: true });
      if (!again && get().text !== '') void find(false);
    },
    hide() {
      clearTimeout(timer);
      round += 1;
      set({ ...nothing, open: false });
      usePlace.getState().clear();
    },
    setText(text) {
      set({ text });
      clearTimeout(timer);
      timer = setTimeout(() => void find(false), text === '' ? 0 : pauseMs);
    },
    setMatchCase(matchCase) {
      set({ matchCase });
      void find(false);
    },
    step(by) {
      const { found, in: where } = get();
      const here = shownConversation();
      if (here === null) return;
      if (found === null || where === null || !sameConversation(where, here)) {
        void find(false);
        return;
      }
      if (found.total === 0) return;
      set((store) => ({ at: (store.at + by + found.total) % found.total }));
      lead();
    },
    refresh() {
      if (get().open && get().text !== '') void find(true);
    },
  };
});

async function lookThrough(where: ConversationRef, { text, matchCase }: SoughtText): Promise<FoundPlaces> {
  const sought = { text: text.slice(0, longestFind), matchCase };
  if (where.kind === 'session') return host().call('sessions.find', { sessionId: where.sessionId, ...sought });
  return host().call('transcripts.find', { id: where.id, ...sought });
}

/** The place of the find with this number, and which one it is there; null: there are not so many. */
export function findAt(
  places: readonly FoundPlace[],
  at: number,
): { readonly place: FoundPlace; readonly nth: number } | null {
  let left = at;
  for (const place of places) {
    if (left < place.count) return { place, nth: left };
    left -= place.count;
  }
  return null;
}
