import { useEffect, useRef, useState } from 'react';
import type { SearchQuery, SearchState, TextMatch } from '#shared/api/results';
import { host } from '../../../host/client';
import { useResultsPage, viewOf } from '../../../stores/resultsPage';
import { messageOf } from '../../../stores/toasts';

/** Milliseconds without typing after which a search begins. */
const typingMs = 200;

export interface FileSearch {
  readonly query: SearchQuery;
  /** null: nothing is searched. */
  readonly state: SearchState | null;
  /** A search was asked for and has not answered. */
  readonly starting: boolean;
  /** What is wrong with the query, or why the search ended early; empty when all is well. */
  readonly problem: string;
  /** The match that was gone to. */
  readonly current: TextMatch | null;
  change(query: Partial<SearchQuery>): void;
  /** Goes to the next (1) or the previous (-1) match, round and round. */
  step(by: 1 | -1): Promise<TextMatch | null>;
}

/** Searches a file as the query changes. `onFound` is told the first match of a query that was just typed. */
export function useSearch(id: string, onFound: (match: TextMatch) => void): FileSearch {
  const query = useResultsPage((page) => viewOf(page.views, id).query);
  const match = useResultsPage((page) => viewOf(page.views, id).match);
  const [state, setState] = useState<SearchState | null>(null);
  const [starting, setStarting] = useState(false);
  const [problem, setProblem] = useState('');
  const [current, setCurrent] = useState<TextMatch | null>(null);
  const found = useRef(onFound);
  found.current = onFound;
  /** The query that was there when the file was opened: coming back to it leads nowhere else. */
  const begunWith = useRef(query);
  const { text, regex, caseSensitive } = query;

  useEffect(() => {
    setProblem('');
    if (text === '') {
      setState(null);
      setCurrent(null);
      setStarting(false);
      host()
        .call('results.stopSearch', { id })
        .catch(() => undefined);
      return;
    }
    let mine = true;
    let known: string | null = null;
    const isReturn = begunWith.current.text === text && begunWith.current.regex === regex;
    const take = (next: SearchState): void =>
      setState((before) =>
        before !== null && before.searchId === next.searchId && before.bytesDone > next.bytesDone ? before : next,
      );
    /** Told before the answer had said which search is meant. */
    let early: SearchState | null = null;
    const stop = host().on('results.searching', (told) => {
      if (!mine || told.id !== id) return;
      if (known === null) early = told.state;
      else if (told.state.searchId === known) {
        take(told.state);
        setProblem(told.state.problem);
      }
    });
    setStarting(true);
    setCurrent(null);
    const begin = async (): Promise<void> => {
      try {
        const first = await host().call('results.search', { id, query: { text, regex, caseSensitive } });
        if (!mine) return;
        known = first.searchId;
        take(first);
        if (early !== null && early.searchId === known) take(early);
        setProblem(first.problem);
        setStarting(false);
        // A match that was gone to before is gone to again once the search has come that far.
        if (isReturn || first.matches === 0) return;
        const { matches } = await host().call('results.matches', { id, searchId: known, from: 0, count: 1 });
        const [at] = matches;
        if (!mine || at === undefined) return;
        setCurrent(at);
        useResultsPage.getState().setView(id, { match: 0 });
        found.current(at);
      } catch (error) {
        if (!mine) return;
        setStarting(false);
        setState(null);
        setCurrent(null);
        setProblem(messageOf(error));
      }
    };
    const timer = setTimeout(() => void begin(), isReturn ? 0 : typingMs);
    return () => {
      mine = false;
      clearTimeout(timer);
      stop();
    };
  }, [id, text, regex, caseSensitive]);

  const searchId = state?.searchId ?? null;
  const isKnown = match !== null && state !== null && state.matches > match;
  const isMissing = isKnown && current === null;
  useEffect(() => {
    if (!isMissing || searchId === null || match === null) return;
    let mine = true;
    host()
      .call('results.matches', { id, searchId, from: match, count: 1 })
      .then(
        ({ matches }) => mine && setCurrent(matches[0] ?? null),
        () => undefined,
      );
    return () => {
      mine = false;
    };
  }, [id, searchId, match, isMissing]);

  return {
    query,
    state,
    starting,
    problem,
    current,
    change: (change) => {
      begunWith.current = { text: '', regex: false, caseSensitive: false };
      useResultsPage.getState().setView(id, { query: { ...query, ...change }, match: null });
    },
    async step(by) {
      if (state === null || state.matches === 0) return null;
      const number = match === null ? (by === 1 ? 0 : state.matches - 1) : match + by;
      const from = (number + state.matches) % state.matches;
      try {
        const { matches } = await host().call('results.matches', { id, searchId: state.searchId, from, count: 1 });
        const [at] = matches;
        if (at === undefined) return null;
        useResultsPage.getState().setView(id, { match: from });
        setCurrent(at);
        return at;
      } catch (error) {
        setProblem(messageOf(error));
        return null;
      }
    },
  };
}
