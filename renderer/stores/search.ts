// The search over all conversations: what is sought, what was found, how far the index is.
import { create } from 'zustand';
import type { SearchFilter, SearchHit, SearchIndexState } from '#shared/api/search';
import { host } from '../host/client';
import { messageOf } from './toasts';

interface SearchFacts {
  readonly text: string;
  readonly filter: SearchFilter;
  /** `idle`: nothing is sought. */
  readonly status: 'idle' | 'searching' | 'found' | 'failed';
  readonly problem: string;
  readonly hits: readonly SearchHit[];
  /** Of all hits, also those that have not been fetched. */
  readonly total: number;
  readonly conversations: number;
  /** null before the first answer. */
  readonly index: SearchIndexState | null;
}

interface SearchStore extends SearchFacts {
  setText(text: string): void;
  /** Changes some of the filters. */
  setFilter(change: Partial<SearchFilter>): void;
  clearFilter(): void;
  /** Seeks anew at once. */
  run(): Promise<void>;
  more(): Promise<void>;
}

export const noFilter: SearchFilter = {
  parts: null,
  tool: null,
  verdict: null,
  folder: null,
  since: null,
  until: null,
  origin: null,
};

/** Hits that are fetched at once. */
const step = 50;
/** Longest text that the core takes. */
export const longestSearch = 500;
/** While the person types, the core is asked only after this pause, in milliseconds. */
const pauseMs = 180;

const nothing = { hits: [], total: 0, conversations: 0, problem: '' };

/** Counts searches, so that the answer to an outdated one is ignored. */
let round = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

export const useSearch = create<SearchStore>()((set, get) => {
  async function find(from: number): Promise<void> {
    clearTimeout(timer);
    round += 1;
    const mine = round;
    const { text, filter } = get();
    if (text.trim() === '') {
      set({ ...nothing, status: 'idle' });
      return;
    }
    set({ status: 'searching' });
    try {
      const { state, ...found } = await host().call('search.find', {
        text: text.trim().slice(0, longestSearch),
        filter,
        from,
        count: step,
      });
      if (mine !== round) return;
      const hits = from === 0 ? found.hits : [...get().hits, ...found.hits];
      set({ status: 'found', problem: '', ...found, hits, index: state });
    } catch (error) {
      if (mine === round) set({ status: 'failed', problem: messageOf(error) });
    }
  }

  return {
    ...nothing,
    text: '',
    filter: noFilter,
    status: 'idle',
    index: null,
    setText(text) {
      set({ text });
      clearTimeout(timer);
      if (text.trim() === '') void find(0);
      else timer = setTimeout(() => void find(0), pauseMs);
    },
    setFilter(change) {
      set((search) => ({ filter: { ...search.filter, ...change } }));
      void find(0);
    },
    clearFilter() {
      set({ filter: noFilter });
      void find(0);
    },
    run: () => find(0),
    more: () => find(get().hits.length),
  };
});

/** Follows the making of the index; what is sought is sought again once it is whole. */
export function followSearch(): () => void {
  const link = host();
  return link.on('search.state', (state) => {
    const before = useSearch.getState().index;
    useSearch.setState({ index: state });
    if (before?.phase === 'reading' && state.phase === 'idle' && useSearch.getState().text.trim() !== '')
      void useSearch.getState().run();
  });
}
