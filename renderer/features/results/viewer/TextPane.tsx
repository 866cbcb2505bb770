import {
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import type { ResultMode } from '#shared/api/results';
import { type RowPlace, useResultsPage, viewOf } from '../../../stores/resultsPage';
import { classes } from '../../../ui/classes';
import { type AnsiStyle, withoutColours } from '../../chat/cards/ansi';
import { copyRows } from './copyRows';
import { GridCell } from './GridCell';
import { LongRows, type LongRowsHandle } from './LongRows';
import { type Mark, RowText } from './RowText';
import { type DrawnRow, selectedText } from './selectedText';

/** In pixels. */
const rowHeight = 18;
const top: RowPlace = { row: 0, offset: 0 };

export interface ShownRow extends DrawnRow {
  readonly row: number;
  readonly line: number;
  readonly marks: readonly Mark[];
  readonly style: AnsiStyle;
}

export interface TextPaneProps {
  readonly id: string;
  readonly label: string;
  /** Under which its place is remembered. */
  readonly place: Extract<ResultMode, 'text'> | 'matches';
  readonly count: number;
  /** The largest number of a line that may show. */
  readonly lines: number;
  readonly rowAt: (index: number) => ShownRow | undefined;
  readonly onDrawn: (from: number, to: number) => void;
  /** Enter, or a double click, on a row. */
  readonly onEnter?: (row: ShownRow) => void;
  readonly onKey: (event: KeyboardEvent) => boolean;
  readonly ref?: Ref<LongRowsHandle>;
}

/** Rows of a text with the numbers of their lines. Shift chooses several; copying takes the text of the file. */
export function TextPane(props: TextPaneProps) {
  const { id, label, place, count, lines, rowAt, onDrawn, onEnter, onKey, ref } = props;
  const wrap = useResultsPage((page) => page.wrap);
  const setView = useResultsPage((page) => page.setView);
  const cursor = useResultsPage((page) => viewOf(page.views, id).cursors[place] ?? 0);
  const [begin] = useState(() => viewOf(useResultsPage.getState().views, id).places[place] ?? top);
  const anchor = useResultsPage((page) => (place === 'text' ? viewOf(page.views, id).anchor : null));
  const digits = Math.max(3, lines.toLocaleString('en').length);
  const from = anchor === null ? cursor : Math.min(anchor, cursor);
  const to = anchor === null ? cursor : Math.max(anchor, cursor);

  const rows = useRef<LongRowsHandle>(null);
  useImperativeHandle(ref, () => ({
    show: (row, align) => {
      stay();
      rows.current?.show(row, align);
    },
    goTo: (to) => rows.current?.goTo(to),
    focus: () => rows.current?.focus(),
    firstRow: () => rows.current?.firstRow() ?? 0,
  }));
  /** Where it was left, until the rows have been counted that far or somebody moves elsewhere. */
  const waiting = useRef<RowPlace | null>(begin.row < count ? null : begin);
  useEffect(() => {
    if (waiting.current === null || waiting.current.row >= count) return;
    rows.current?.goTo(waiting.current);
    waiting.current = null;
  }, [count]);
  const stay = (): void => {
    waiting.current = null;
  };

  const onPlace = useCallback(
    (at: RowPlace) => {
      if (waiting.current !== null) return;
      const { places } = viewOf(useResultsPage.getState().views, id);
      setView(id, { places: { ...places, [place]: at } });
    },
    [id, place, setView],
  );
  const moveTo = (row: number, extend: boolean): void => {
    stay();
    const { cursors } = viewOf(useResultsPage.getState().views, id);
    setView(id, {
      cursors: { ...cursors, [place]: row },
      anchor: extend && place === 'text' ? (anchor ?? cursor) : null,
    });
  };

  const copy = (raw: boolean): void => {
    if (place === 'text') void copyRows(id, { from, to, raw });
    else {
      const row = rowAt(cursor);
      if (row !== undefined) void copyRows(id, { from: row.row, to: row.row, raw });
    }
  };
  const keys = (event: KeyboardEvent): boolean => {
    const mod = event.ctrlKey || event.metaKey;
    if (mod && event.code === 'KeyC') {
      const nothing = window.getSelection()?.isCollapsed ?? true;
      if (nothing) copy(event.shiftKey);
      return nothing;
    }
    if (event.key === 'Enter' && onEnter !== undefined) {
      const row = rowAt(cursor);
      if (row !== undefined) onEnter(row);
      return true;
    }
    if (event.key === 'Escape' && anchor !== null) {
      setView(id, { anchor: null });
      return true;
    }
    return onKey(event);
  };
  const onCopy = (event: ClipboardEvent): void => {
    const text = selectedText(window.getSelection(), event.currentTarget, rowAt);
    if (text === null) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', withoutColours(text));
  };

  return (
    <LongRows
      ref={rows}
      onMove={stay}
      label={label}
      role="grid"
      count={count}
      rowHeight={rowHeight}
      wrap={wrap}
      place={begin}
      onPlace={onPlace}
      onDrawn={onDrawn}
      cursor={Math.min(cursor, Math.max(0, count - 1))}
      onCursor={moveTo}
      onKey={keys}
      onCopy={onCopy}
      columns={2}
      rowProps={(index) => ({
        className: classes('flex', index >= from && index <= to && 'bg-selected'),
        'aria-selected': index >= from && index <= to,
        onClick: (event: MouseEvent) => {
          // A drag over the text chooses text, not rows.
          if (window.getSelection()?.isCollapsed ?? true) moveTo(index, event.shiftKey);
        },
        ...(onEnter === undefined
          ? {}
          : {
              onDoubleClick: () => {
                const row = rowAt(index);
                if (row !== undefined) onEnter(row);
              },
            }),
      })}
    >
      {(index) => {
        const row = rowAt(index);
        const isChosen = index >= from && index <= to;
        return (
          <>
            <GridCell
              role="rowheader"
              style={{ width: `calc(${digits}ch + 26px)` }}
              className={classes(
                'sticky left-0 z-10 shrink-0 select-none border-line border-r pr-2.5 text-right font-mono text-mono tabular-nums',
                isChosen ? 'bg-selected text-text' : 'bg-code text-dim',
              )}
            >
              {row === undefined ? '' : row.part === 0 ? row.line.toLocaleString('en') : <Continued line={row.line} />}
            </GridCell>
            <GridCell
              role="gridcell"
              className={classes(
                'min-w-0 pr-4 pl-3 font-mono text-mono [tab-size:8]',
                wrap ? 'chat-verbatim flex-1' : 'whitespace-pre',
              )}
            >
              {row === undefined ? (
                <span aria-hidden className="mt-[7px] block h-1 w-40 rounded-small bg-hover" />
              ) : (
                <RowText text={row.text} marks={row.marks} style={row.style} />
              )}
            </GridCell>
          </>
        );
      }}
    </LongRows>
  );
}

/** A very long line is shown in parts. */
function Continued({ line }: { readonly line: number }) {
  return (
    <>
      <span aria-hidden title={`Line ${line.toLocaleString('en')} goes on`}>
        ↳
      </span>
      <span className="sr-only">line {line} goes on</span>
    </>
  );
}
