import { type KeyboardEvent, useCallback, useMemo, useState } from 'react';
import { host } from '../../../host/client';
import { type RowPlace, useResultsPage, viewOf } from '../../../stores/resultsPage';
import { messageOf } from '../../../stores/toasts';
import { classes } from '../../../ui/classes';
import { copyText } from '../actions';
import { GridCell } from './GridCell';
import { hexLine, rowBytes, rowsOfBase64 } from './hex';
import { LongRows } from './LongRows';
import { createPages } from './pages';
import { usePages } from './usePages';

/** In pixels. */
const rowHeight = 18;
const pageRows = 256;
const maxRows = 65_536;
const top: RowPlace = { row: 0, offset: 0 };

/** A file byte by byte: place, sixteen bytes, and what of them can be read. */
export function HexView({ id, bytes }: { readonly id: string; readonly bytes: number }) {
  const cursor = useResultsPage((page) => viewOf(page.views, id).cursors.hex ?? 0);
  const setView = useResultsPage((page) => page.setView);
  const [begin] = useState(() => viewOf(useResultsPage.getState().views, id).places.hex ?? top);
  const [drawn, setDrawn] = useState({ from: 0, to: 0 });
  const [problem, setProblem] = useState('');
  const count = Math.ceil(bytes / rowBytes);
  const pages = useMemo(
    () =>
      createPages<Uint8Array>({
        size: pageRows,
        fetch: async (from, rows) =>
          rowsOfBase64(
            (await host().call('results.bytes', { id, from: from * rowBytes, count: rows * rowBytes })).base64,
          ),
        maxWeight: maxRows,
        onProblem: (error) => setProblem(messageOf(error)),
      }),
    [id],
  );
  usePages(pages, { ...drawn, count });
  const onPlace = useCallback(
    (place: RowPlace) => {
      const { places } = viewOf(useResultsPage.getState().views, id);
      setView(id, { places: { ...places, hex: place } });
    },
    [id, setView],
  );
  const onDrawn = useCallback((from: number, to: number) => setDrawn({ from, to }), []);
  const goTo = (row: number): void => {
    const { cursors } = viewOf(useResultsPage.getState().views, id);
    setView(id, { cursors: { ...cursors, hex: row } });
  };
  const digits = Math.max(8, bytes.toString(16).length);
  const lineAt = (row: number) => hexLine(pages.at(row), row, digits);
  const onKey = (event: KeyboardEvent): boolean => {
    if (!(event.ctrlKey || event.metaKey) || event.code !== 'KeyC') return false;
    if (!(window.getSelection()?.isCollapsed ?? true)) return false;
    const { place, hex, text } = lineAt(cursor);
    copyText(`${place}  ${hex}  ${text}`, 'Row');
    return true;
  };
  return (
    <>
      {problem === '' ? null : (
        <p role="alert" className="border-line border-b px-3 py-1.5 text-deny text-small">
          {problem}
        </p>
      )}
      <div className="flex min-h-0 flex-1 flex-col bg-code">
        {count === 0 ? (
          <p className="p-6 text-muted">The file is empty.</p>
        ) : (
          <LongRows
            label="Bytes of the file"
            role="grid"
            count={count}
            rowHeight={rowHeight}
            place={begin}
            onPlace={onPlace}
            onDrawn={onDrawn}
            cursor={Math.min(cursor, count - 1)}
            onCursor={goTo}
            onKey={onKey}
            columns={3}
            rowProps={(row) => ({
              className: classes('flex', row === cursor ? 'bg-selected' : ''),
              'aria-selected': row === cursor,
              onClick: () => goTo(row),
            })}
          >
            {(row) => {
              const { place, hex, text } = lineAt(row);
              return (
                <div role="presentation" className="flex whitespace-pre px-3 font-mono text-mono">
                  <GridCell role="rowheader" className="text-dim">
                    {place}
                  </GridCell>
                  <GridCell role="gridcell" className="px-5">
                    {hex}
                  </GridCell>
                  <GridCell role="gridcell" className="text-muted">
                    {text}
                  </GridCell>
                </div>
              );
            }}
          </LongRows>
        )}
      </div>
    </>
  );
}
