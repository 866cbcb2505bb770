import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import type { ReplayRow } from '#shared/api/history';
import { VerdictIcon } from '../../../ui/Verdict';
import { VisibleText } from '../../../ui/VisibleText';

/** Rows beyond which only those in sight are there. */
const longList = 60;
/** Pixels. */
const rowHeight = 56;

/** Calls that would go otherwise: one stop in the tab order, arrows move, Enter shows why. */
export function ReplayRows(props: {
  readonly rows: readonly ReplayRow[];
  readonly inAll: number;
  readonly onOpen: (row: ReplayRow) => void;
  /** The last rows have come into sight. */
  readonly onEnd: () => void;
}) {
  const { rows, inAll, onOpen, onEnd } = props;
  const list = useRef<HTMLUListElement>(null);
  const [focused, setFocused] = useState(0);
  const [margin, setMargin] = useState(0);
  const isLong = rows.length > longList;
  const scroller = () => list.current?.closest<HTMLElement>('[role=tabpanel]') ?? null;
  const virtualizer = useVirtualizer<HTMLElement, Element>({
    count: isLong ? rows.length : 0,
    getScrollElement: scroller,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin: margin,
  });
  useLayoutEffect(() => {
    const outer = scroller();
    if (list.current === null || outer === null) return;
    const above = list.current.getBoundingClientRect().top - outer.getBoundingClientRect().top;
    setMargin(Math.round(above + outer.scrollTop));
  });
  const items = isLong ? virtualizer.getVirtualItems() : [];
  const last = items.at(-1)?.index ?? -1;
  useLayoutEffect(() => {
    if (isLong && last >= rows.length - 10 && rows.length < inAll) onEnd();
  }, [isLong, last, rows.length, inAll, onEnd]);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -rows.length, End: rows.length }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.min(Math.max(focused + step, 0), rows.length - 1);
    setFocused(next);
    if (isLong) virtualizer.scrollToIndex(next);
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus());
  };
  const draw = (row: ReplayRow, index: number) => (
    <Row row={row} index={index} isFocused={index === Math.min(focused, rows.length - 1)} onOpen={onOpen} />
  );
  return (
    <ul
      ref={list}
      aria-label="Calls"
      onKeyDown={onKeyDown}
      className={isLong ? 'relative' : 'flex flex-col'}
      style={isLong ? { height: virtualizer.getTotalSize() } : {}}
    >
      {isLong
        ? items.map(({ index, start }) => {
            const row = rows[index];
            return row === undefined ? null : (
              <li
                key={row.call.id}
                aria-setsize={inAll}
                aria-posinset={index + 1}
                className="absolute inset-x-0"
                style={{ top: start - margin }}
              >
                {draw(row, index)}
              </li>
            );
          })
        : rows.map((row, index) => <li key={row.call.id}>{draw(row, index)}</li>)}
    </ul>
  );
}

function Row(props: {
  readonly row: ReplayRow;
  readonly index: number;
  readonly isFocused: boolean;
  readonly onOpen: (row: ReplayRow) => void;
}) {
  const { row, index, isFocused, onOpen } = props;
  const { call, count, before, after, danger, because } = row;
  const newly = after === 'allow' && before !== 'allow';
  const reason = newly && danger.reason !== '' ? danger.reason : because;
  return (
    <button
      type="button"
      data-row={index}
      tabIndex={isFocused ? 0 : -1}
      onClick={() => onOpen(row)}
      className="block h-14 w-full min-w-0 rounded-control px-2 py-1.5 text-left -outline-offset-2 hover:bg-hover"
    >
      <span className="flex min-w-0 items-baseline gap-2">
        <code className="min-w-0 flex-1 truncate font-mono text-mono" title={call.title}>
          <VisibleText text={call.title} />
        </code>
        {count === 1 ? null : <span className="shrink-0 text-muted text-small">{count.toLocaleString('en')}×</span>}
      </span>
      <span className="mt-0.5 flex min-w-0 items-center gap-1.5 text-muted text-small">
        <VerdictIcon verdict={after} size={13} />
        <span className="shrink-0">
          {before} → {after}
        </span>
        <span className="min-w-0 truncate" title={reason}>
          {call.isSubagent ? 'sub-agent · ' : ''}
          {reason}
        </span>
      </span>
    </button>
  );
}
