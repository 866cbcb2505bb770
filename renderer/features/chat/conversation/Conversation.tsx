import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUpToLine } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Button } from '../../../ui/Button';
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
  /** What of the conversation the rows are a part of; left out: they are all. */
  readonly part?: ConversationPart;
}

/** Where the rows stand in a conversation of which the page holds a part, and how to get at the rest. */
export interface ConversationPart {
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
  /** The position in the conversation of a row's item. */
  readonly positionAt: (row: Row) => number;
  readonly onOlder: () => void;
  readonly onNewer: () => void;
  /** Goes to the item at a position, 0 is the first. */
  readonly onItem: (position: number) => void;
  readonly onNewest: () => void;
  /** Told whenever the reader comes to the end or leaves it. */
  readonly onAtEnd: (atEnd: boolean) => void;
}

/** So many pixels before the rows end, more are asked for: about what a quick turn of the wheel moves. */
const aheadPx = 2_500;
/** And so many without any scrolling. */
const nearPx = 600;

const wholeConversation: ConversationPart = {
  hasOlder: false,
  hasNewer: false,
  positionAt: () => 0,
  onOlder: () => undefined,
  onNewer: () => undefined,
  onItem: () => undefined,
  onNewest: () => undefined,
  onAtEnd: () => undefined,
};

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
export function Conversation({ title, rows, tail, tailKey, part = wholeConversation, ...rowProps }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const [focusedIndex, setFocusedIndex] = useState<number | null>(null);
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => guesses[rows[index]?.kind ?? 'text'],
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    // The end is what is seen first: nothing of the beginning is drawn before.
    initialOffset: () => rows.reduce((sum, row) => sum + guesses[row.kind], 0),
    overscan: 6,
    paddingStart: part.hasOlder ? 56 : 20,
    paddingEnd: 8,
    // The row with the focus stays mounted, or the keyboard would fall out of the page.
    rangeExtractor: (range) => {
      const visible = defaultRangeExtractor(range);
      return focusedIndex === null || focusedIndex >= rows.length || visible.includes(focusedIndex)
        ? visible
        : [...visible, focusedIndex].sort((a, b) => a - b);
    },
  });
  const keys = useMemo(() => rows.map((row) => row.key), [rows]);
  const { hasOlder, hasNewer, onAtEnd } = part;
  const follow = useFollow({
    sessionId: rowProps.sessionId,
    scroller,
    virtualizer,
    keys,
    hasNewer,
    positionAt: (index) => {
      const row = rows[index];
      return row === undefined ? 0 : part.positionAt(row);
    },
    onLost: part.onItem,
    tail: tailKey,
  });
  const { following } = follow;
  useEffect(() => onAtEnd(following && !hasNewer), [following, hasNewer, onAtEnd]);

  const lastTop = useRef(0);
  /** Asks for more where the rows end soon. */
  const lookAhead = () => {
    const element = scroller.current;
    if (element === null) return;
    const { scrollTop: top, scrollHeight, clientHeight } = element;
    const moved = top - lastTop.current;
    lastTop.current = top;
    if (hasOlder && top < (moved < 0 ? aheadPx : nearPx)) part.onOlder();
    if (hasNewer && scrollHeight - top - clientHeight < (moved > 0 ? aheadPx : nearPx)) part.onNewer();
  };
  // What came may not be enough yet, or be so little that nothing can be scrolled.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked anew whenever the rows have changed.
  useEffect(lookAhead, [keys, hasOlder, hasNewer]);
  const onScroll = () => {
    follow.onScroll();
    lookAhead();
  };

  const wantsBeginning = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the beginning may be among the rows whenever they have changed.
  useLayoutEffect(() => {
    if (!wantsBeginning.current || hasOlder) return;
    wantsBeginning.current = false;
    follow.moveTo(0);
  }, [keys, hasOlder]);
  const toBeginning = () => {
    wantsBeginning.current = true;
    follow.leave();
    part.onItem(0);
  };
  const jumpToEnd = () => {
    wantsBeginning.current = false;
    part.onNewest();
    follow.jumpToEnd();
  };
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
    if ((event.key === 'Home' || event.key === 'End') && event.target === scroller.current && isPlain(event)) {
      if (event.key === 'Home' ? !hasOlder : !hasNewer) return;
      event.preventDefault();
      if (event.key === 'Home') toBeginning();
      else jumpToEnd();
      return;
    }
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
        onScroll={onScroll}
        onKeyDown={onKeyDown}
        className="h-full overflow-y-auto overflow-x-hidden -outline-offset-2 [overflow-anchor:none]"
      >
        <div className="relative mx-auto w-full max-w-[860px]" style={{ height: virtualizer.getTotalSize() }}>
          {hasOlder && <Earlier onBeginning={toBeginning} />}
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
        <div className="mx-auto min-h-4 w-full max-w-[860px] px-7">{!hasNewer && tail}</div>
      </div>
      {(!following || hasNewer) && (
        <button
          type="button"
          onClick={jumpToEnd}
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

/** Stands above the rows while there is more: it comes by itself, and the way to the beginning is short. */
function Earlier({ onBeginning }: { readonly onBeginning: () => void }) {
  return (
    <div className="absolute inset-x-0 top-2 flex h-9 items-center justify-center gap-2 text-dim text-small">
      Earlier messages
      <Button size="small" variant="ghost" icon={ArrowUpToLine} onClick={onBeginning}>
        Go to the beginning
      </Button>
    </div>
  );
}

function isPlain({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return !altKey && !ctrlKey && !metaKey && !shiftKey;
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
