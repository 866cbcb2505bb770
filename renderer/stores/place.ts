// A message or a call that is to be brought into view, in whatever conversation it stands.
import { create } from 'zustand';
import type { ConversationRef } from '#shared/api/search';
import { useApp } from './app';
import { useTranscripts } from './transcripts';
import { useUi } from './ui';

export interface Place {
  readonly in: ConversationRef;
  /** One of both, or the call with the message it belongs to. */
  readonly messageId: string | null;
  readonly callId: string | null;
  /** Marked where they stand; may be empty. */
  readonly words: readonly string[];
  /** Which of the marks in that place is the present one, counted from 0. */
  readonly nth?: number;
  readonly matchCase?: boolean;
  /** A part of the message: the block's index. */
  readonly block?: number;
}

/** A place and which request it was: the same one can be gone to again. */
export type Wanted = Place & { readonly request: number };

interface PlaceStore {
  /** Kept until another is gone to, or the marks are put away. */
  readonly wanted: Wanted | null;
  clear(): void;
}

let requests = 0;

export const usePlace = create<PlaceStore>()((set) => ({
  wanted: null,
  clear: () => set({ wanted: null }),
}));

/** Opens the conversation and brings the message or call into view, marked; a call's card is opened. */
export function goToPlace(place: Place): void {
  requests += 1;
  usePlace.setState({ wanted: { ...place, request: requests } });
  if (place.callId !== null) useUi.setState({ selectedCallId: place.callId });
  if (place.in.kind === 'session') useApp.getState().openSession(place.in.sessionId);
  else void useTranscripts.getState().show(place.in.id);
}

/** The conversation that the chat shows; null: none. */
export function shownConversation(): ConversationRef | null {
  const { activeSessionId } = useApp.getState();
  if (activeSessionId !== null) return { kind: 'session', sessionId: activeSessionId };
  const { open } = useTranscripts.getState();
  return open === null ? null : { kind: 'transcript', id: open.id };
}

/** Whether two name the same conversation. */
export function sameConversation(a: ConversationRef, b: ConversationRef): boolean {
  if (a.kind === 'session') return b.kind === 'session' && a.sessionId === b.sessionId;
  return b.kind === 'transcript' && a.id === b.id;
}
