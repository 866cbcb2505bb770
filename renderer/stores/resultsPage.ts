// What the Results page shows and knows, loaded while somebody looks at it and kept while another page is shown.
import { z } from 'zod';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { ResultFile, ResultMode, SearchQuery } from '#shared/api/results';
import { host } from '../host/client';
import { useApp } from './app';
import { messageOf } from './toasts';

export type ResultOrder = 'what' | 'session' | 'bytes' | 'age' | 'seen' | 'goes';
/** A tool's name as the list groups it, or a state. */
export type ResultFacet = `tool:${string}` | 'never' | 'orphan' | 'kept' | 'claudeCode';

/** The first row in view, and how many pixels of it are scrolled past. */
export interface RowPlace {
  readonly row: number;
  readonly offset: number;
}

/** How a file is looked at; kept for each, so that coming back finds it as it was left. */
export interface FileView {
  /** null: the most fitting. */
  readonly mode: ResultMode | null;
  readonly query: SearchQuery;
  readonly onlyMatches: boolean;
  /** Number of the match that is gone to, from 0; null: none. */
  readonly match: number | null;
  readonly places: Readonly<Partial<Record<ResultMode | 'matches', RowPlace>>>;
  /** The row that keys are about, by mode. */
  readonly cursors: Readonly<Partial<Record<ResultMode | 'matches', number>>>;
  /** Where the choice of rows of the text began that ends at its cursor; null: the cursor's row alone. */
  readonly anchor: number | null;
  readonly sort: { readonly column: number; readonly descending: boolean } | null;
  /** Opened values of a JSON tree: indexes that lead to each, joined by "/"; empty is the root. */
  readonly opened: readonly string[];
}

export const freshView: FileView = {
  mode: null,
  query: { text: '', regex: false, caseSensitive: false },
  onlyMatches: false,
  match: null,
  places: {},
  cursors: {},
  anchor: null,
  sort: null,
  opened: [''],
};

/** Views that are remembered; the one looked at longest ago goes. */
const maxViews = 50;

const Remembered = z.object({ wrap: z.boolean(), viewerWidth: z.number().min(320).max(3_000) });

interface ResultsPageFacts {
  readonly search: string;
  /** Empty: all. Tools are alternatives, states must all hold. */
  readonly facets: readonly ResultFacet[];
  readonly order: ResultOrder;
  readonly descending: boolean;
  /** Ids of the chosen files. */
  readonly chosen: readonly string[];
  /** The file in the viewer. */
  readonly active: string | null;
  /** Two files whose difference is shown in place of `active`. */
  readonly compared: { readonly left: string; readonly right: string } | null;
  /** Path of a file that is to be shown as soon as the list knows it. */
  readonly wanted: string | null;
  readonly dialog:
    | null
    | { readonly kind: 'cleanUp'; readonly ids: readonly string[] | null }
    | { readonly kind: 'trash' }
    | { readonly kind: 'saveCopy'; readonly id: string };
  /** Long lines are broken at the edge of the viewer. */
  readonly wrap: boolean;
  /** Pixels. */
  readonly viewerWidth: number;
}

interface ResultsPageStore extends ResultsPageFacts {
  /** null until they have come. Newest first. */
  readonly files: readonly ResultFile[] | null;
  readonly retentionDays: number;
  readonly folder: string;
  readonly limitChars: number;
  /** Why the list could not be loaded; empty when all is well. */
  readonly problem: string;
  readonly views: Readonly<Record<string, FileView>>;
  show(change: Partial<ResultsPageFacts>): void;
  reload(): Promise<void>;
  setView(id: string, change: Partial<FileView>): void;
}

export const useResultsPage = create<ResultsPageStore>()(
  persist(
    (set, get) => ({
      search: '',
      facets: [],
      order: 'age',
      descending: false,
      chosen: [],
      active: null,
      compared: null,
      wanted: null,
      dialog: null,
      wrap: false,
      viewerWidth: 620,
      files: null,
      retentionDays: 0,
      folder: '',
      limitChars: 0,
      problem: '',
      views: {},
      show: (change) => set(change),
      async reload() {
        try {
          const list = await host().call('results.list', {});
          const there = new Set(list.files.map(({ id }) => id));
          set(({ chosen }) => ({ ...list, problem: '', chosen: chosen.filter((id) => there.has(id)) }));
          findWanted();
        } catch (error) {
          set({ problem: messageOf(error) });
        }
      },
      setView(id, change) {
        const { [id]: before = freshView, ...others } = get().views;
        const kept = Object.entries(others).slice(-(maxViews - 1));
        set({ views: { ...Object.fromEntries(kept), [id]: { ...before, ...change } } });
      },
    }),
    {
      name: 'gatehouse.results',
      partialize: ({ wrap, viewerWidth }) => ({ wrap, viewerWidth }),
      merge: (kept, current) => {
        const known = Remembered.safeParse(kept);
        return known.success ? { ...current, ...known.data } : current;
      },
    },
  ),
);

/** How a file is looked at. */
export function viewOf(views: Readonly<Record<string, FileView>>, id: string): FileView {
  return views[id] ?? freshView;
}

function findWanted(): void {
  const { wanted, files, show } = useResultsPage.getState();
  const file = files?.find((one) => one.file === wanted);
  // A filter must not hide what was asked for.
  if (file !== undefined) show({ wanted: null, active: file.id, compared: null, chosen: [], search: '', facets: [] });
}

/** Goes to the Results page and shows the file at that path there. */
export function showResultFile(file: string): void {
  useResultsPage.getState().show({ wanted: file });
  useApp.getState().go('results');
  findWanted();
}

/** Milliseconds in which changes that come together are gathered. */
const gatherMs = 100;

/** Keeps the list as it is in the core, until the returned function is called. */
export function followResultsPage(): () => void {
  const link = host();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void useResultsPage.getState().reload(), gatherMs);
  };
  const stops = [
    link.on('results.changed', soon),
    link.onState((state) => {
      if (state.status === 'open') soon();
    }),
  ];
  void useResultsPage.getState().reload();
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}
