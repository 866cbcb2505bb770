import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ResultFile, TextIndex, TextMatch, TextRow } from '#shared/api/results';
import { host } from '../../../host/client';
import { useResultsPage, viewOf } from '../../../stores/resultsPage';
import { messageOf, reportFailure } from '../../../stores/toasts';
import { Button } from '../../../ui/Button';
import { type AnsiStyle, colouredPieces, plainStyle } from '../../chat/cards/ansi';
import { GoToLine } from './GoToLine';
import type { LongRowsHandle } from './LongRows';
import { createPages } from './pages';
import { marksOf } from './RowText';
import { SearchBar } from './SearchBar';
import { type ShownRow, TextPane } from './TextPane';
import type { OpenedFile } from './useOpened';
import { usePages } from './usePages';
import { useSearch } from './useSearch';

const pageRows = 200;
/** Each of these rows may have to be read from another part of the file. */
const pageMatches = 50;
/** Characters of rows that are held. */
const maxChars = 8_000_000;
const noMatches: readonly TextMatch[] = [];

type MatchingRow = TextRow & { readonly matches: readonly TextMatch[] };
interface Drawn {
  readonly from: number;
  readonly to: number;
}
const nothingDrawn: Drawn = { from: 0, to: 0 };

/** Text with the colour that a row begins with, as far as its page tells. */
type StyledRow = TextRow & { readonly style: AnsiStyle };

function styled(rows: readonly TextRow[]): readonly StyledRow[] {
  let style = plainStyle;
  return rows.map((row) => {
    const before = style;
    if (row.text.includes('\u001b') || row.text.includes('\u009b')) ({ style } = colouredPieces(row.text, before));
    return { ...row, style: before };
  });
}

export interface TextViewProps {
  readonly file: ResultFile;
  readonly opened: OpenedFile;
  readonly index: TextIndex;
  /** Rows could not be read: the file changed, or is gone. */
  readonly onProblem: (problem: string) => void;
}

/** A file as text: search, only its matches, a line by its number. */
export function TextView({ file, opened, index, onProblem }: TextViewProps) {
  const { id } = file;
  const onlyMatches = useResultsPage((page) => viewOf(page.views, id).onlyMatches);
  const setView = useResultsPage((page) => page.setView);
  const rows = useRef<LongRowsHandle>(null);
  const field = useRef<HTMLInputElement>(null);
  const [drawn, setDrawn] = useState(nothingDrawn);
  const [drawnMatches, setDrawnMatches] = useState(nothingDrawn);
  const [asking, setAsking] = useState(false);
  const report = useRef(onProblem);
  report.current = onProblem;

  const { rows: firstRows } = opened;
  const text = useMemo(() => {
    const pages = createPages<StyledRow>({
      size: pageRows,
      fetch: async (from, count) => styled((await host().call('results.rows', { id, from, count })).rows),
      weightOf: (row) => row.text.length + 50,
      maxWeight: maxChars,
      onProblem: (error) => report.current(messageOf(error)),
    });
    pages.put(0, styled(firstRows.slice(0, pageRows)));
    return pages;
  }, [id, firstRows]);
  const { bytes } = opened;
  const bytesThen = useRef(bytes);
  useEffect(() => {
    // It grew: what was its last row may go on.
    if (bytesThen.current !== bytes) text.refresh();
    bytesThen.current = bytes;
  }, [text, bytes]);

  const showRow = useCallback(
    (row: number) => {
      const { cursors } = viewOf(useResultsPage.getState().views, id);
      setView(id, { cursors: { ...cursors, text: row }, anchor: null });
      rows.current?.show(row, 'middle');
    },
    [id, setView],
  );
  const search = useSearch(id, (match) => {
    if (!viewOf(useResultsPage.getState().views, id).onlyMatches) showRow(match.row);
  });
  const { state, current } = search;
  const searchId = state?.searchId ?? null;

  const marks = useMemo(
    () =>
      createPages<readonly TextMatch[]>({
        size: pageRows,
        fetch: async (from, count) => {
          const found: TextMatch[][] = Array.from({ length: count }, () => []);
          if (searchId === null) return found;
          const { matches } = await host().call('results.matchesIn', {
            id,
            searchId,
            fromRow: from,
            toRow: from + count,
          });
          for (const match of matches) found[match.row - from]?.push(match);
          return found;
        },
        weightOf: (matches) => 1 + matches.length,
        maxWeight: 200_000,
        // Marks that are missing say less than an error in their place.
        onProblem: () => undefined,
      }),
    [id, searchId],
  );
  const lines = useMemo(
    () =>
      createPages<MatchingRow>({
        size: pageMatches,
        fetch: async (from, count) =>
          searchId === null ? [] : (await host().call('results.matchingLines', { id, searchId, from, count })).rows,
        weightOf: (row) => row.text.length + 50,
        maxWeight: maxChars,
        onProblem: (error) => report.current(messageOf(error)),
      }),
    [id, searchId],
  );
  const showsMatches = onlyMatches && search.query.text !== '';
  const marked = searchId === null || showsMatches ? nothingDrawn : drawn;
  usePages(text, { ...drawn, count: index.rows });
  usePages(marks, { ...marked, count: searchId === null ? 0 : index.rows });
  usePages(lines, { ...(showsMatches ? drawnMatches : nothingDrawn), count: state?.lines ?? 0 });
  const found = state?.matches ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that had no match may have one by now.
  useEffect(() => marks.refresh(), [marks, found]);

  const textRow = (at: number): ShownRow | undefined => {
    const row = text.at(at);
    if (row === undefined) return undefined;
    return { ...row, marks: marksOf(searchId === null ? noMatches : (marks.at(at) ?? noMatches), current) };
  };
  const matchingRow = (at: number): ShownRow | undefined => {
    const row = lines.at(at);
    return row === undefined ? undefined : { ...row, style: plainStyle, marks: marksOf(row.matches, current) };
  };

  const goToMatchingLine = async (line: number): Promise<void> => {
    if (searchId === null || state === null) return;
    const { match } = viewOf(useResultsPage.getState().views, id);
    let at = match ?? 0;
    try {
      // Where each line matches once, matches and lines have the same numbers.
      if (state.lines !== state.matches) at = await lineNumberOf({ id, searchId, line, count: state.lines });
    } catch {
      // Searched anew or closed meanwhile: that shows another line anyhow.
      return;
    }
    const { cursors } = viewOf(useResultsPage.getState().views, id);
    setView(id, { cursors: { ...cursors, matches: at } });
    rows.current?.show(at, 'middle');
  };
  const toggleMatches = (): void => {
    setView(id, { onlyMatches: !onlyMatches });
    if (current === null) return;
    // The list that takes the other's place has to be there first.
    requestAnimationFrame(() => {
      if (onlyMatches) showRow(current.row);
      else void goToMatchingLine(current.line);
    });
  };
  const step = async (by: 1 | -1): Promise<void> => {
    const match = await search.step(by);
    if (match === null) return;
    if (!showsMatches) {
      showRow(match.row);
      return;
    }
    await goToMatchingLine(match.line);
  };
  const goToLine = async (line: number): Promise<void> => {
    try {
      const { row } = await host().call('results.rowOfLine', { id, line });
      setView(id, { onlyMatches: false });
      // The list of all rows has to be there first.
      requestAnimationFrame(() => showRow(row));
    } catch (error) {
      reportFailure('The line was not found.', error);
    }
  };
  const onKey = (event: KeyboardEvent): boolean => {
    if (event.key === '/' && !event.ctrlKey && !event.metaKey) {
      field.current?.focus();
      return true;
    }
    return false;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const mod = event.ctrlKey || event.metaKey;
    if (event.key === 'F3') void step(event.shiftKey ? -1 : 1);
    else if (mod && !event.shiftKey && event.code === 'KeyF') field.current?.select();
    else if (mod && !event.shiftKey && event.code === 'KeyG') setAsking(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const wasAsking = useRef(false);
  useEffect(() => {
    // The dialog had the focus and has just gone.
    if (wasAsking.current && !asking) rows.current?.focus();
    wasAsking.current = asking;
  }, [asking]);

  const onDrawn = useCallback((from: number, to: number) => setDrawn({ from, to }), []);
  const onDrawnMatches = useCallback((from: number, to: number) => setDrawnMatches({ from, to }), []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that count anywhere in the text and its search.
    <div onKeyDown={onKeyDown} className="flex min-h-0 flex-1 flex-col">
      <SearchBar
        ref={field}
        id={id}
        search={search}
        bytes={opened.bytes}
        onStep={(by) => void step(by)}
        onToggleMatches={toggleMatches}
        onGoToLine={() => setAsking(true)}
        onLeave={() => rows.current?.focus()}
      />
      <div className="flex min-h-0 flex-1 flex-col bg-code">
        {showsMatches ? (
          state === null || state.lines === 0 ? (
            <NoMatch
              searching={search.problem === '' && state?.done !== true}
              onAll={() => setView(id, { onlyMatches: false })}
            />
          ) : (
            <TextPane
              key={`matches ${searchId}`}
              ref={rows}
              id={id}
              label="Lines that match"
              place="matches"
              count={state.lines}
              lines={index.lines}
              rowAt={matchingRow}
              onDrawn={onDrawnMatches}
              onKey={onKey}
              onEnter={({ row }) => {
                setView(id, { onlyMatches: false });
                requestAnimationFrame(() => {
                  showRow(row);
                  rows.current?.focus();
                });
              }}
            />
          )
        ) : index.rows === 0 ? (
          <p className="p-6 text-muted">{index.done ? 'The file is empty.' : ''}</p>
        ) : (
          <TextPane
            key="text"
            ref={rows}
            id={id}
            label="Text of the file"
            place="text"
            count={index.rows}
            lines={index.lines}
            rowAt={textRow}
            onDrawn={onDrawn}
            onKey={onKey}
          />
        )}
      </div>
      {asking ? (
        <GoToLine lines={index.lines} isAll={index.done} onGo={goToLine} onClose={() => setAsking(false)} />
      ) : null}
    </div>
  );
}

function NoMatch({ searching, onAll }: { readonly searching: boolean; readonly onAll: () => void }): ReactNode {
  if (searching) return <p className="p-6 text-muted">Searching…</p>;
  return (
    <div className="p-6">
      <p className="font-medium">No line matches</p>
      <Button className="mt-3" onClick={onAll}>
        Show all lines
      </Button>
    </div>
  );
}

/** Number of a line among those that match, found by halving. */
async function lineNumberOf(wanted: {
  readonly id: string;
  readonly searchId: string;
  readonly line: number;
  readonly count: number;
}): Promise<number> {
  const { id, searchId, line } = wanted;
  let low = 0;
  let high = wanted.count - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const { rows } = await host().call('results.matchingLines', { id, searchId, from: middle, count: 1 });
    const [row] = rows;
    if (row === undefined || row.line >= line) high = middle;
    else low = middle + 1;
  }
  return low;
}
