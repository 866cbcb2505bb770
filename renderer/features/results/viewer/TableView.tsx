import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { host } from '../../../host/client';
import { type RowPlace, useResultsPage, viewOf } from '../../../stores/resultsPage';
import { messageOf } from '../../../stores/toasts';
import { classes } from '../../../ui/classes';
import { Dialog } from '../../../ui/Dialog';
import { Skeleton } from '../../../ui/Skeleton';
import { VisibleText } from '../../../ui/VisibleText';
import { counted } from '../../frame/words';
import { copyText } from '../actions';
import { CannotShow } from './CannotShow';
import { GridCell } from './GridCell';
import { LongRows, type LongRowsHandle } from './LongRows';
import { createPages } from './pages';
import { usePages } from './usePages';

/** In pixels. */
const rowHeight = 26;
const headHeight = 31;
const pageRows = 100;
/** Characters of cells that are held. */
const maxChars = 4_000_000;
/** Wider tables show the rest of a row in its details. */
const maxColumns = 100;
const top: RowPlace = { row: 0, offset: 0 };

interface Shape {
  readonly columns: readonly string[];
  readonly total: number;
  /** Characters of each column, as the rows that were seen have them. */
  readonly widths: readonly number[];
  /** Columns whose first rows are numbers. */
  readonly numeric: readonly boolean[];
}

/** Lists of objects, lines of JSON and comma separated values as rows and columns. */
export function TableView({ id }: { readonly id: string }) {
  const sort = useResultsPage((page) => viewOf(page.views, id).sort);
  const cursor = useResultsPage((page) => viewOf(page.views, id).cursors.table ?? 0);
  const setView = useResultsPage((page) => page.setView);
  const [begin] = useState(() => viewOf(useResultsPage.getState().views, id).places.table ?? top);
  const [shape, setShape] = useState<Shape | null>(null);
  const [problem, setProblem] = useState('');
  const [drawn, setDrawn] = useState({ from: 0, to: 0 });
  const [detail, setDetail] = useState<number | null>(null);
  const rows = useRef<LongRowsHandle>(null);

  const pages = useMemo(
    () =>
      createPages<readonly string[]>({
        size: pageRows,
        fetch: async (from, count) => {
          const answer = await host().call('results.table', { id, from, count, sort });
          setShape((before) => (before === null ? shapeOf(answer) : widened(before, answer.rows)));
          return answer.rows;
        },
        weightOf: (cells) => cells.reduce((sum, cell) => sum + cell.length + 20, 0),
        maxWeight: maxChars,
        onProblem: (error) => setProblem(messageOf(error)),
      }),
    [id, sort],
  );
  useEffect(() => pages.want({ from: 0, to: 1, count: pageRows }), [pages]);
  usePages(pages, { ...drawn, count: shape?.total ?? 0 });

  const onPlace = useCallback(
    (place: RowPlace) => {
      const { places } = viewOf(useResultsPage.getState().views, id);
      setView(id, { places: { ...places, table: place } });
    },
    [id, setView],
  );
  const onDrawn = useCallback((from: number, to: number) => setDrawn({ from, to }), []);

  if (problem !== '' && shape === null)
    return <CannotShow id={id} title="It cannot be shown as a table." problem={problem} />;
  if (shape === null) return <Skeleton label="Reading the file" className="p-6" rows={6} />;

  const columns = shape.columns.slice(0, maxColumns);
  const digits = Math.max(3, shape.total.toLocaleString('en').length);
  const template = `calc(${digits}ch + 22px) ${columns
    .map((_, at) => `calc(${shape.widths[at] ?? 8}ch + 24px)`)
    .join(' ')}`;
  const onKey = (event: KeyboardEvent): boolean => {
    if (event.key === 'Enter') {
      setDetail(cursor);
      return true;
    }
    const cells = pages.at(cursor);
    if ((event.ctrlKey || event.metaKey) && event.code === 'KeyC' && cells !== undefined) {
      if (!(window.getSelection()?.isCollapsed ?? true)) return false;
      copyText(cells.join('\t'), 'Row');
      return true;
    }
    return false;
  };
  return (
    <>
      <p role="status" className="shrink-0 border-line border-b px-3 py-1.5 text-muted text-small">
        {counted(shape.total, 'row')}, {counted(shape.columns.length, 'column')}
        {shape.columns.length > maxColumns ? `; the first ${maxColumns} are shown, Enter shows all of a row` : ''}
        {problem === '' ? null : <span className="text-deny"> {problem}</span>}
      </p>
      <div className="flex min-h-0 flex-1 flex-col bg-code">
        <LongRows
          ref={rows}
          label="Table"
          role="grid"
          count={shape.total}
          rowHeight={rowHeight}
          place={begin}
          onPlace={onPlace}
          onDrawn={onDrawn}
          cursor={Math.min(cursor, Math.max(0, shape.total - 1))}
          onCursor={(row) => {
            const { cursors } = viewOf(useResultsPage.getState().views, id);
            setView(id, { cursors: { ...cursors, table: row } });
          }}
          onKey={onKey}
          columns={columns.length + 1}
          headHeight={headHeight}
          head={
            // biome-ignore lint/a11y/useSemanticElements: part of a grid that draws only what is in view.
            // biome-ignore lint/a11y/useFocusableInteractive: the buttons in it have the focus.
            <div
              role="row"
              aria-rowindex={1}
              style={{ gridTemplateColumns: template, height: headHeight }}
              className="sticky top-0 z-20 grid w-max min-w-full items-center border-line border-b bg-background font-mono text-mono text-muted"
            >
              <GridCell role="columnheader" className="sticky left-0 z-10 bg-background pr-2.5 text-right">
                #
              </GridCell>
              {columns.map((name, column) => (
                <ColumnHead
                  // biome-ignore lint/suspicious/noArrayIndexKey: names of columns may be the same.
                  key={column}
                  name={name}
                  isNumeric={shape.numeric[column] === true}
                  order={sort?.column === column ? (sort.descending ? 'descending' : 'ascending') : 'none'}
                  onSort={(next) => {
                    setView(id, {
                      sort: next === 'none' ? null : { column, descending: next === 'descending' },
                      places: { ...viewOf(useResultsPage.getState().views, id).places, table: top },
                    });
                    rows.current?.show(0, 'nearest');
                  }}
                />
              ))}
            </div>
          }
          rowProps={(index) => ({
            style: { gridTemplateColumns: template },
            className: classes(
              'grid min-w-full items-center border-line/60 border-b font-mono text-mono',
              index === cursor ? 'bg-selected' : 'hover:bg-hover',
            ),
            'aria-selected': index === cursor,
            onClick: () => {
              const { cursors } = viewOf(useResultsPage.getState().views, id);
              setView(id, { cursors: { ...cursors, table: index } });
            },
            onDoubleClick: () => setDetail(index),
          })}
        >
          {(index) => {
            const cells = pages.at(index);
            return (
              <>
                <GridCell
                  role="rowheader"
                  className={classes(
                    'sticky left-0 select-none pr-2.5 text-right text-dim',
                    index === cursor ? 'bg-selected' : 'bg-code',
                  )}
                >
                  {(index + 1).toLocaleString('en')}
                </GridCell>
                {columns.map((name, column) => (
                  <GridCell
                    // biome-ignore lint/suspicious/noArrayIndexKey: names of columns may be the same.
                    key={column}
                    role="gridcell"
                    title={cells?.[column]}
                    className={classes('truncate px-3', shape.numeric[column] === true && 'text-right tabular-nums')}
                  >
                    {cells === undefined ? (
                      <span aria-hidden className="block h-1 w-10 rounded-small bg-hover" title={name} />
                    ) : (
                      <VisibleText text={(cells[column] ?? '').slice(0, 300)} />
                    )}
                  </GridCell>
                ))}
              </>
            );
          }}
        </LongRows>
      </div>
      {detail === null ? null : (
        <Dialog
          open
          onOpenChange={() => setDetail(null)}
          title={`Row ${(detail + 1).toLocaleString('en')}`}
          width="wide"
        >
          <dl className="grid grid-cols-[minmax(6rem,auto)_minmax(0,1fr)] gap-x-4 gap-y-1.5">
            {shape.columns.map((name, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names of columns may be the same.
              <div key={column} className="contents">
                <dt className="chat-verbatim max-w-52 text-muted">
                  <VisibleText text={name} />
                </dt>
                <dd className="chat-verbatim font-mono text-mono">
                  <VisibleText text={pages.at(detail)?.[column] ?? ''} />
                </dd>
              </div>
            ))}
          </dl>
        </Dialog>
      )}
    </>
  );
}

/** Columns get wider with what comes into view, never narrower. */
function widened(shape: Shape, rows: readonly (readonly string[])[]): Shape {
  const widths = shape.widths.map((width, column) => widthOf(rows, column, width));
  return widths.every((width, column) => width === shape.widths[column]) ? shape : { ...shape, widths };
}

function widthOf(rows: readonly (readonly string[])[], column: number, least: number): number {
  return Math.min(
    40,
    rows.reduce((most, cells) => Math.max(most, cells[column]?.length ?? 0), least),
  );
}

function shapeOf(answer: { columns: readonly string[]; rows: readonly (readonly string[])[]; total: number }): Shape {
  const { columns, rows, total } = answer;
  return {
    columns,
    total,
    widths: columns.map((name, column) => widthOf(rows, column, Math.max(5, name.length + 2))),
    numeric: columns.map((_, column) => {
      const filled = rows.map((cells) => cells[column] ?? '').filter((cell) => cell !== '');
      return filled.length > 0 && filled.every((cell) => /^-?[\d.,]+(?:e[+-]?\d+)?$/i.test(cell));
    }),
  };
}

interface ColumnHeadProps {
  readonly name: string;
  readonly isNumeric: boolean;
  readonly order: 'none' | 'ascending' | 'descending';
  readonly onSort: (order: 'none' | 'ascending' | 'descending') => void;
}

/** Three presses: upwards, downwards, as in the file. */
function ColumnHead({ name, isNumeric, order, onSort }: ColumnHeadProps) {
  const Arrow = order === 'descending' ? ArrowDown : ArrowUp;
  return (
    <GridCell
      role="columnheader"
      aria-sort={order}
      className={classes('flex min-w-0 px-3', isNumeric && 'justify-end')}
    >
      <button
        type="button"
        title={name}
        className="flex min-w-0 max-w-full items-center gap-0.5 rounded-small font-sans font-semibold text-head hover:text-text"
        onClick={() => onSort(order === 'none' ? 'ascending' : order === 'ascending' ? 'descending' : 'none')}
      >
        <span className="truncate">
          <VisibleText text={name === '' ? '(no name)' : name} />
        </span>
        {order === 'none' ? null : <Arrow aria-hidden size={12} strokeWidth={2} className="shrink-0" />}
      </button>
    </GridCell>
  );
}
