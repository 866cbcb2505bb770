// What the Trace page shows and knows, loaded while somebody looks at it and kept while another page is shown.
import { z } from 'zod';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { HookRun } from '#shared/session/hookRun';
import { tracedEvents } from '#shared/trace/foldTrace';
import type { TraceRow } from '#shared/trace/traceRow';
import { host } from '../host/client';
import { useApp } from './app';
import { useSession } from './session';
import { messageOf } from './toasts';

export const TraceView = z.enum(['waterfall', 'list', 'totals']);
export type TraceView = z.infer<typeof TraceView>;
export type TraceTab = 'steps' | 'why' | 'hooks' | 'input' | 'output';
export type TraceOrder = 'number' | 'tool' | 'what' | 'by' | 'verdict' | 'status' | 'ran' | 'waited' | 'hooks';

/** A part of the time axis, in epoch milliseconds. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

export interface SessionHook {
  readonly seq: number;
  readonly run: HookRun;
}

const Remembered = z.object({ view: TraceView, foldIdle: z.boolean() });

interface TracePageFacts {
  /** Chosen here; null: the session that is open, or the one changed last. */
  readonly chosenSession: string | null;
  readonly view: TraceView;
  readonly filter: string;
  /** The call in the details pane, or `hook:` with a run's id. */
  readonly active: string | null;
  readonly tab: TraceTab;
  readonly order: TraceOrder;
  readonly descending: boolean;
  /** null: all of it, growing while it goes on. */
  readonly zoom: TimeWindow | null;
  /** Long stretches in which nothing happened are drawn short. */
  readonly foldIdle: boolean;
  readonly exporting: boolean;
}

interface TracePageStore extends TracePageFacts {
  /** The session that `rows` belong to; null: none is loaded. */
  readonly sessionId: string | null;
  /** null until they have come, in the order in which the calls were made. */
  readonly rows: readonly TraceRow[] | null;
  readonly hooks: readonly SessionHook[];
  /** The newest event that the rows know. */
  readonly seq: number;
  /** Why the trace could not be loaded; empty when all is well. */
  readonly problem: string;
  show(change: Partial<TracePageFacts>): void;
  /** Asks for what has happened since the last answer. */
  refresh(): Promise<void>;
}

const nothingLoaded = { rows: null, hooks: [], seq: 0, problem: '' } as const;

export const useTracePage = create<TracePageStore>()(
  persist(
    (set, get) => ({
      chosenSession: null,
      view: 'waterfall',
      filter: '',
      active: null,
      tab: 'steps',
      order: 'number',
      descending: false,
      zoom: null,
      foldIdle: true,
      exporting: false,
      sessionId: null,
      ...nothingLoaded,
      show: (change) => set(change),
      async refresh() {
        const sessionId = shownSession();
        if (sessionId !== get().sessionId) set({ sessionId, ...nothingLoaded, zoom: null });
        if (sessionId === null) return;
        try {
          const news = await host().call('trace.rows', { sessionId, since: get().seq });
          const { sessionId: shown, rows, hooks, seq } = get();
          // An answer that came after a newer one, or for a session that is no longer shown.
          if (shown !== sessionId || (rows !== null && news.seq <= seq)) return;
          set({
            rows: merged(rows ?? [], news.rows),
            hooks: mergedHooks(hooks, news.hooks),
            seq: news.seq,
            problem: '',
          });
        } catch (error) {
          if (get().sessionId === sessionId) set({ problem: messageOf(error) });
        }
      },
    }),
    {
      name: 'gatehouse.trace',
      partialize: ({ view, foldIdle }) => ({ view, foldIdle }),
      merge: (kept, current) => {
        const known = Remembered.safeParse(kept);
        return known.success ? { ...current, ...known.data } : current;
      },
    },
  ),
);

/** Rows by their number, which has no gaps; those that are told of anew take their places. */
function merged(before: readonly TraceRow[], news: readonly TraceRow[]): readonly TraceRow[] {
  if (news.length === 0) return before;
  const rows = [...before];
  for (const row of news) rows[row.number - 1] = row;
  return rows;
}

function mergedHooks(before: readonly SessionHook[], news: readonly SessionHook[]): readonly SessionHook[] {
  if (news.length === 0) return before;
  const told = new Set(news.map(({ run }) => run.runId));
  return [...before.filter(({ run }) => !told.has(run.runId)), ...news];
}

/** The session whose trace is shown now; null: there is none. */
export function shownSession(): string | null {
  const { chosenSession } = useTracePage.getState();
  const { activeSessionId, sessions } = useApp.getState();
  const isThere = (id: string | null): id is string =>
    id !== null && sessions?.some(({ sessionId }) => sessionId === id) === true;
  if (isThere(chosenSession)) return chosenSession;
  return activeSessionId ?? sessions?.[0]?.sessionId ?? null;
}

/** Goes to the Trace page and shows a call there, or the session alone. */
export function showTrace(sessionId: string, callId: string | null = null): void {
  useTracePage.getState().show({ chosenSession: sessionId, filter: '', active: callId, zoom: null });
  if (useTracePage.getState().view === 'totals') useTracePage.getState().show({ view: 'waterfall' });
  useApp.getState().go('trace');
}

/** Milliseconds in which events that come together are gathered. */
const gatherMs = 80;
/** How often a session is asked about whose events this page does not get. */
const lookEveryMs = 1_000;
const traced: ReadonlySet<string> = new Set(tracedEvents);

/** Keeps the rows as they are in the core, until the returned function is called. */
export function followTracePage(): () => void {
  const link = host();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void useTracePage.getState().refresh();
    }, gatherMs);
  };
  const isToldOf = (sessionId: string | null): boolean => {
    const session = useSession.getState();
    return sessionId === session.sessionId && session.status === 'ready';
  };
  const looking = setInterval(() => {
    const shown = shownSession();
    const activity = useApp.getState().sessions?.find(({ sessionId }) => sessionId === shown)?.activity;
    if (activity !== undefined && activity !== 'idle' && !isToldOf(shown)) soon();
  }, lookEveryMs);
  const stops = [
    link.on('session.event', ({ sessionId, event }) => {
      if (sessionId === shownSession() && traced.has(event.body.type)) soon();
    }),
    link.onState((state) => {
      if (state.status === 'open') soon();
    }),
    useApp.subscribe((app, before) => {
      // Whoever opens another session wants to see that one.
      if (app.activeSessionId !== before.activeSessionId) useTracePage.getState().show({ chosenSession: null });
      if (app.sessions !== before.sessions || app.activeSessionId !== before.activeSessionId) soon();
    }),
    useTracePage.subscribe((page, before) => {
      if (page.chosenSession !== before.chosenSession) soon();
    }),
  ];
  void useTracePage.getState().refresh();
  return () => {
    clearTimeout(timer);
    clearInterval(looking);
    for (const stop of stops) stop();
  };
}
