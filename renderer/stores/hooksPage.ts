// The hooks of the open session's folder and their runs, as far as the Hooks page shows them.
import { create } from 'zustand';
import type { HooksView, PastRun } from '#shared/api/hooks';
import { host } from '../host/client';
import { useSession } from './session';
import { messageOf } from './toasts';

export type HooksTab = 'hooks' | 'runs';
/** Which runs are listed. */
export type RunFilter = 'all' | 'failed' | 'blocked' | 'noCall';

interface HooksPageStore {
  readonly tab: HooksTab;
  readonly search: string;
  /** Id of the hook whose details are shown. */
  readonly chosen: string | null;
  readonly runFilter: RunFilter;
  /** The session that `view` and `runs` belong to. */
  readonly sessionId: string | null;
  readonly view: HooksView | null;
  readonly problem: string;
  /** The newest first. */
  readonly runs: readonly PastRun[];
  readonly moreRuns: boolean;
  show(change: Partial<Pick<HooksPageStore, 'tab' | 'search' | 'chosen' | 'runFilter'>>): void;
  /** Reads hooks and runs of the open session anew. */
  load(): Promise<void>;
  loadOlderRuns(): Promise<void>;
}

const runsAtOnce = 50;

export const useHooksPage = create<HooksPageStore>()((set, get) => ({
  tab: 'hooks',
  search: '',
  chosen: null,
  runFilter: 'all',
  sessionId: null,
  view: null,
  problem: '',
  runs: [],
  moreRuns: false,
  show: (change) => set(change),
  async load() {
    const { sessionId } = useSession.getState();
    if (sessionId === null) return;
    if (get().sessionId !== sessionId)
      set({ sessionId, view: null, problem: '', runs: [], moreRuns: false, chosen: null });
    try {
      const [view, past] = await Promise.all([
        host().call('hooks.list', { sessionId }),
        host().call('hooks.runs', { sessionId, before: null, limit: runsAtOnce }),
      ]);
      if (get().sessionId !== sessionId) return;
      set({ view, problem: '', runs: past.runs, moreRuns: past.more });
    } catch (error) {
      if (get().sessionId === sessionId) set({ problem: messageOf(error) });
    }
  },
  async loadOlderRuns() {
    const { sessionId, runs } = get();
    const oldest = runs.at(-1);
    if (sessionId === null || oldest === undefined) return;
    try {
      const past = await host().call('hooks.runs', { sessionId, before: oldest.seq, limit: runsAtOnce });
      const known = new Set(runs.map(({ run }) => run.runId));
      if (get().sessionId === sessionId)
        set({ runs: [...runs, ...past.runs.filter(({ run }) => !known.has(run.runId))], moreRuns: past.more });
    } catch (error) {
      if (get().sessionId === sessionId) set({ problem: messageOf(error) });
    }
  },
}));

/** Keeps them in step while the page is shown; gives the end of it. */
export function followHooks(): () => void {
  const load = (): void => void useHooksPage.getState().load();
  load();
  let timer: ReturnType<typeof setTimeout> | null = null;
  // Several runs of one call are one reading.
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = null;
      load();
    }, 200);
  };
  const stops = [
    useSession.subscribe((now, before) => {
      if (now.sessionId !== before.sessionId || (now.status === 'ready' && before.status !== 'ready')) load();
    }),
    host().on('permissions.changed', ({ sessionId }) => {
      if (sessionId === useSession.getState().sessionId) soon();
    }),
    host().on('session.event', ({ sessionId, event }) => {
      if (event.body.type === 'hook.ran' && sessionId === useSession.getState().sessionId) soon();
    }),
  ];
  return () => {
    for (const stop of stops) stop();
    if (timer !== null) clearTimeout(timer);
  };
}
