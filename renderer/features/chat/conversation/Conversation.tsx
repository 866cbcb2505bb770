import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useCallback, useRef, useState } from 'react';
import { useWantedPlace } from '../../search/useWantedPlace';
import { RowView, type RowViewProps } from './RowView';
import type { Row } from './rows';
import { useAnnouncement } from './useAnnouncement';
import { useFollow } from './useFollow';

interface Props extends Omit<RowViewProps, 'row'> {
  readonly title: string;
  readonly rows: readonly Row[];
  /** Below the rows: what is going on right now. `tailKey` changes with it. */
  readonly tail: ReactNode;
  readonly tailKey: string;
}

/** First guesses in pixels; rows are measured as they appear. */
const guesses: Readonly<Record<Row['kind'], number>> = {
  user: 60,
  answer: 0,
  text: 90,
  thinking: 32,
  call: 48,
  cutOff: 76,
  compaction: 72,
  notice: 64,
};

/** The conversation, drawn only where it is in view; hundreds of calls stay fast. */
export function Conversation({ title, rows, tail, tailKey, ...rowProps }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const [focusedIndex, setFocusedIndex] = useState<number | null>(null);
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => guesses[rows[index]?.kind ?? 'text'],
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    overscan: 6,
    paddingStart: 20,
    paddingEnd: 8,
    // The row with the focus stays mounted, or the keyboard would fall out of the page.
    rangeExtractor: (range) => {
      const visible = defaultRangeExtractor(range);
      return focusedIndex === null || focusedIndex >= rows.length || visible.includes(focusedIndex)
        ? visible
        : [...visible, focusedIndex].sort((a, b) => a - b);
    },
  });
  const keys = rows.map((row) => row.key);
  const follow = useFollow({ sessionId: rowProps.sessionId, scroller, virtualizer, keys, tail: tailKey });
  const wantedKey = useWantedPlace({
    rows,
    scroller,
    goTo: (index) => {
      follow.leave();
      virtualizer.scrollToIndex(index, { align: 'center' });
    },
  });
  const announcement = useAnnouncement(rowProps.sessionId, rows);

  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || event.repeat || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    const target = nextStop(rows, { from: focusedIndex, back: event.key === 'ArrowUp' });
    if (target === null) return;
    setFocusedIndex(target);
    virtualizer.scrollToIndex(target, { align: 'center' });
    requestAnimationFrame(() => {
      const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${target}"]`);
      (row?.querySelector<HTMLElement>('[aria-expanded]') ?? row)?.focus({ preventScroll: true });
    });
  };

  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        role="log"
        aria-label={title === '' ? 'Conversation' : `Conversation: ${title}`}
        // Finished messages are announced below; tokens would be noise.
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text must scroll by keyboard.
        tabIndex={0}
        onScroll={follow.onScroll}
        onKeyDown={onKeyDown}
        className="h-full overflow-y-auto overflow-x-hidden -outline-offset-2 [overflow-anchor:none]"
      >
        <div className="relative mx-auto w-full max-w-[860px]" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map((item) => {
            const row = rows[item.index];
            if (row === undefined) return null;
            return (
              // biome-ignore lint/a11y/noStaticElementInteractions: it only notes that something inside has the focus.
              <div
                key={item.key}
                ref={virtualizer.measureElement}
                data-index={item.index}
                {...(row.key === wantedKey ? { 'data-wanted': true } : {})}
                tabIndex={-1}
                onFocus={() => setFocusedIndex(item.index)}
                className="absolute inset-x-0 top-0 px-7 outline-none"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <RowView row={row} {...rowProps} />
              </div>
            );
          })}
        </div>
        <div className="mx-auto min-h-4 w-full max-w-[860px] px-7">{tail}</div>
      </div>
      {!follow.following && (
        <button
          type="button"
          onClick={follow.jumpToEnd}
          className="appear absolute bottom-3 left-1/2 flex h-8 -translate-x-1/2 items-center gap-2 rounded-full border border-line-strong bg-raised px-3.5 text-small shadow-float hover:bg-hover"
        >
          <ArrowDown aria-hidden="true" size={14} strokeWidth={1.75} />
          Jump to latest{follow.newRows > 0 && ` (${follow.newRows} new)`}
        </button>
      )}
      <p role="status" aria-live="polite" className="sr-only">
        {announcement}
      </p>
    </div>
  );
}

/** The next message of the person or call, where Alt+↑ and Alt+↓ go. */
function nextStop(rows: readonly Row[], move: { readonly from: number | null; readonly back: boolean }): number | null {
  const step = move.back ? -1 : 1;
  const start = move.from === null ? (move.back ? rows.length : -1) : move.from;
  for (let index = start + step; index >= 0 && index < rows.length; index += step) {
    const kind = rows[index]?.kind;
    if (kind === 'call' || kind === 'user') return index;
  }
  return null;
}
