// Claude Code's transcripts: their list, and the one that is open to be read in place of a session.
import { create } from 'zustand';
import type { TranscriptSummary } from '#shared/api/transcripts';
import { host } from '../host/client';
import { useApp } from './app';
import { noSession, useSession } from './session';
import { itemsAtOnce } from './shownItems';
import { messageOf, reportFailure } from './toasts';

interface TranscriptFacts {
  /** null until the list has come. Last changed first. */
  readonly list: readonly TranscriptSummary[] | null;
  /** There are more than the list holds. */
  readonly truncated: boolean;
  /** Why the list is missing; empty when all is well. */
  readonly problem: string;
  /** The one that stands in the place of a session. Its conversation is in `useSession`, without a session id. */
  readonly open: { readonly id: string; readonly summary: TranscriptSummary | null; readonly skipped: number } | null;
  /** A session is being made of it. */
  readonly continuing: boolean;
}

interface TranscriptStore extends TranscriptFacts {
  load(): Promise<void>;
  /** Shows a transcript in the chat, to be read. */
  show(id: string): Promise<void>;
  /** Reads the open one anew: Claude Code may have written more. */
  readAgain(): Promise<void>;
  /** Makes a session of one's own that begins with a transcript, and opens it. */
  continueHere(id: string): Promise<boolean>;
}

/** Counts requests to show one, so that the answer to an outdated one is ignored. */
let round = 0;

export const useTranscripts = create<TranscriptStore>()((set, get) => {
  async function read(id: string): Promise<void> {
    round += 1;
    const mine = round;
    try {
      const { summary, state, skipped } = await host().call('transcripts.open', { id, items: itemsAtOnce });
      if (mine !== round) return;
      set({ open: { id, summary, skipped } });
      useSession.setState({ ...noSession(), transcriptId: id, status: 'ready', state });
    } catch (error) {
      if (mine !== round) return;
      useSession.setState({ ...noSession(), transcriptId: id, status: 'failed', problem: messageOf(error) });
    }
  }

  return {
    list: null,
    truncated: false,
    problem: '',
    open: null,
    continuing: false,
    async load() {
      try {
        const { transcripts, truncated } = await host().call('transcripts.list', {});
        set({ list: transcripts, truncated, problem: '' });
      } catch (error) {
        set({ problem: messageOf(error) });
      }
    },
    async show(id) {
      const app = useApp.getState();
      const again = get().open?.id === id && app.activeSessionId === null;
      app.openSession(null);
      if (again && useSession.getState().status === 'ready') return;
      const known = get().list?.find((transcript) => transcript.id === id) ?? null;
      set({ open: { id, summary: known, skipped: 0 } });
      useSession.setState({ ...noSession(), transcriptId: id, status: 'loading' });
      await read(id);
    },
    async readAgain() {
      const { open } = get();
      if (open !== null) await read(open.id);
    },
    async continueHere(id) {
      if (get().continuing) return false;
      set({ continuing: true });
      try {
        const { sessionId } = await host().call('transcripts.continue', { id });
        useApp.getState().openSession(sessionId);
        return true;
      } catch (error) {
        reportFailure('The transcript was not continued.', error);
        return false;
      } finally {
        set({ continuing: false });
      }
    },
  };
});

/** Keeps the list in step with the core, and puts the open transcript away when something else is opened. */
export function followTranscripts(): () => void {
  const link = host();
  const load = () => void useTranscripts.getState().load();
  const stops = [
    link.onState((state) => {
      if (state.status === 'open') load();
    }),
    link.on('transcripts.changed', load),
    useApp.subscribe(({ activeSessionId }) => {
      if (activeSessionId !== null && useTranscripts.getState().open !== null) putAway();
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Ends reading: the chat has no conversation, or that of the session that was opened. */
export function putAway(): void {
  round += 1;
  useTranscripts.setState({ open: null });
  if (useApp.getState().activeSessionId === null) useSession.setState(noSession());
}
