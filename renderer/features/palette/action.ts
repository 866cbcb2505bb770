// What an entry of the table of actions is, and the session that most of them are about.
import type { LucideIcon } from 'lucide-react';
import { shownConversation } from '../../stores/place';
import { useSession } from '../../stores/session';

export type ActionSection = 'Session' | 'Go to' | 'View' | 'Help';

export interface Action {
  /** Kept in preferences as the name of its keys. */
  readonly id: string;
  /** What it does, as a command. */
  readonly title: string;
  readonly section: ActionSection;
  readonly icon: LucideIcon;
  /** Keys that it has unless the person chose others; the first is shown. */
  readonly keys: readonly string[];
  /** Other words that find it. */
  readonly words?: string;
  /** Its keys are listened to where it is at home, not everywhere. */
  readonly local?: true;
  /** Why it cannot be done now; empty when it can. */
  whyNot?(): string;
  run?(): void;
}

export function session(): { readonly sessionId: string; readonly ready: boolean } {
  const { sessionId, status } = useSession.getState();
  return { sessionId: sessionId ?? '', ready: sessionId !== null && status === 'ready' };
}

export const needsConversation = () =>
  shownConversation() !== null && useSession.getState().status === 'ready' ? '' : 'No conversation is open.';

export const needsSession = () => (session().ready ? '' : 'No session is open.');

/** Runs with the open session. */
export function withSession(work: (sessionId: string) => void): () => void {
  return () => {
    const { sessionId, ready } = session();
    if (ready) work(sessionId);
  };
}
