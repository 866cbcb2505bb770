import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTracePage } from '../../stores/tracePage';
import { classes } from '../../ui/classes';
import { keyTarget } from '../../ui/keyTarget';
import { useGridRows } from '../../ui/useGridRows';
import { isComposing } from '../frame/shortcuts';
import { headHeight, rowHeight } from './columns';
import { LineCells } from './LineCells';
import { LineHeads } from './LineHeads';
import type { TraceLine } from './lines';
import { AxisLines } from './TimeAxis';
import { placeOf as placeAt } from './timeScale';
import type { Waterfall } from './useWaterfall';

/** Names the grid in the page. */
export const traceGridId = 'trace-grid';

/** A pointer that moved less has clicked. */
const leastPan = 5;

export interface TraceGridProps {
  readonly lines: readonly TraceLine[];
  readonly view: 'waterfall' | 'list';
  readonly waterfall: Waterfall;
  readonly now: number;
  /** Told where the bars stand, in pixels. */
  readonly onWidth: (width: number) => void;
  /** Given what shows the time of the lines in view alone. */
  readonly fit: RefObject<() => void>;
}

/** Calls as rows: one tab stop, arrow keys move, Enter shows the details, + and − look closer and farther. */
export function TraceGrid({ lines, view, waterfall, now, onWidth, fit }: TraceGridProps) {
  const id = useId();
  const active = useTracePage((page) => page.active);
  const show = useTracePage((page) => page.show);
  const scroller = useRef<HTMLDivElement>(null);
  const axis = useRef<HTMLDivElement>(null);
  const [cursorKey, setCursorKey] = useState<string | null>(active);
  const found = lines.findIndex(({ key }) => key === cursorKey);
  const cursor = Math.max(0, found);
  const virtualizer = useGridRows({
    scroller,
    count: lines.length,
    cursor,
    rowHeight,
    headHeight,
    keyOf: (index) => lines[index]?.key,
    overscan: 4,
  });
  const left = useBarsPlace({ axis, scroller, view, onWidth });
  useWheel(scroller, waterfall, view);
  const drag = useDragPan(waterfall);
  const fitToView = (): void => {
    const seen = lines.slice(virtualizer.range?.startIndex ?? 0, (virtualizer.range?.endIndex ?? 0) + 1);
    if (seen.length === 0) return;
    const ends = seen.map((line) => (line.kind === 'call' ? (line.row.endedAt ?? now) : (line.run.endedAt ?? line.at)));
    waterfall.zoomToTime(Math.min(...seen.map(({ at }) => at)), Math.max(...ends));
  };
  useEffect(() => {
    fit.current = fitToView;
  });
  useFollowEnd({ scroller, count: lines.length, follows: active === null });

  // What is shown from elsewhere is brought into view.
  const shownActive = lines.findIndex(({ key }) => key === active);
  const wasShown = useRef<string | null>(null);
  useEffect(() => {
    if (shownActive === -1 || wasShown.current === active) return;
    wasShown.current = active;
    setCursorKey(active);
    virtualizer.scrollToIndex(shownActive);
  }, [shownActive, active, virtualizer]);

  const choose = (index: number): void => {
    const line = lines[index];
    if (line === undefined) return;
    setCursorKey(line.key);
    wasShown.current = line.key;
    show({ active: line.key });
  };
  const move = (index: number): void => {
    const line = lines[index];
    if (line === undefined) return;
    setCursorKey(line.key);
    virtualizer.scrollToIndex(index);
    // With the details open they follow the cursor, as in a list of messages.
    if (useTracePage.getState().active !== null) choose(index);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event.nativeEvent) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target !== event.currentTarget) return;
    const to = keyTarget(event.key, cursor, lines.length);
    const line = lines[cursor];
    const act =
      to !== null
        ? () => move(found === -1 && event.key === 'ArrowDown' ? 0 : to)
        : actionOf(event.key, { view, waterfall, onOpen: () => choose(cursor), onFit: fitToView, line, now });
    if (act === null) return;
    event.preventDefault();
    act();
  };

  return (
    <div ref={scroller} className="@container min-h-0 flex-1 overflow-y-auto" data-testid="trace-scroller">
      {/* biome-ignore lint/a11y/useSemanticElements: a table element cannot keep this head in place beside grid columns. */}
      <div
        id={traceGridId}
        role="grid"
        aria-label="Calls"
        aria-rowcount={lines.length + 1}
        tabIndex={0}
        aria-activedescendant={lines.length === 0 ? undefined : `${id}-${cursor}`}
        onKeyDown={onKeyDown}
        {...(view === 'waterfall' && waterfall.zoomed ? drag.handlers : {})}
        className={classes('group/grid relative min-w-0 outline-none', drag.panning && 'cursor-grabbing select-none')}
      >
        <LineHeads view={view} waterfall={waterfall} axis={axis} />
        <div role="presentation" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
          {view === 'waterfall' ? <AxisLines waterfall={waterfall} left={left} /> : null}
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const line = lines[index];
            if (line === undefined) return null;
            const isCursor = index === cursor;
            const isShown = line.key === active;
            return (
              // biome-ignore lint/a11y/useSemanticElements: see the grid.
              // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names this row.
              // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the grid.
              <div
                key={line.key}
                id={`${id}-${index}`}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={isShown}
                onClick={() => {
                  if (!drag.moved()) choose(index);
                }}
                style={{ position: 'absolute', insetInline: 0, top: start - headHeight, height: rowHeight }}
                className={classes(
                  'border-line/60 border-b',
                  isShown ? 'bg-selected' : 'hover:bg-hover/70',
                  isCursor && 'z-20 group-focus-visible/grid:outline-2 group-focus-visible/grid:-outline-offset-2',
                  isCursor && 'group-focus-visible/grid:outline-accent',
                )}
              >
                <LineCells
                  line={line}
                  view={view}
                  scale={waterfall.scale}
                  shown={waterfall.shown}
                  now={nowFor(line, now)}
                />
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** What has ended stays as it is, whatever the time: it is not drawn anew. */
function nowFor(line: TraceLine, now: number): number {
  return line.kind === 'call' && line.row.endedAt === null ? now : 0;
}

/** Part of the view that an arrow key moves it. */
const panPart = 0.15;
const zoomFactor = 1.6;

function actionOf(
  key: string,
  on: {
    readonly view: 'waterfall' | 'list';
    readonly waterfall: Waterfall;
    readonly onOpen: () => void;
    readonly onFit: () => void;
    readonly line: TraceLine | undefined;
    readonly now: number;
  },
): (() => void) | null {
  const { view, waterfall, onOpen, onFit, line, now } = on;
  if (key === 'Enter' || key === ' ') return onOpen;
  if (key === 'Escape')
    return useTracePage.getState().active === null ? null : () => useTracePage.getState().show({ active: null });
  if (view !== 'waterfall') return null;
  switch (key) {
    case '+':
    case '=':
      return () => waterfall.zoom(1 / zoomFactor, placeInView(waterfall, line));
    case '-':
      return () => waterfall.zoom(zoomFactor, placeInView(waterfall, line));
    case '0':
      return waterfall.whole;
    case 'ArrowLeft':
      return () => waterfall.pan(-panPart);
    case 'ArrowRight':
      return () => waterfall.pan(panPart);
    case 'v':
      return onFit;
    case 'z':
      return line?.kind === 'call' ? () => waterfall.zoomToTime(line.row.createdAt, line.row.endedAt ?? now) : null;
    default:
      return null;
  }
}

/** Looking closer keeps the line that the keys are about in view. */
function placeInView({ scale, shown }: Waterfall, line: TraceLine | undefined): number {
  if (line === undefined) return 0.5;
  const part = (placeAt(scale, line.at) - shown.from) / (shown.to - shown.from);
  return part >= 0 && part <= 1 ? part : 0.5;
}

/** Measures where the bars stand. The value is their left edge, in pixels from the grid's. */
function useBarsPlace(options: {
  readonly axis: RefObject<HTMLDivElement | null>;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly view: 'waterfall' | 'list';
  readonly onWidth: (width: number) => void;
}): number {
  const { axis, scroller, view, onWidth } = options;
  const [left, setLeft] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the axis is another element in another view.
  useLayoutEffect(() => {
    const element = axis.current;
    const around = scroller.current;
    if (element === null || around === null) return;
    const measure = (): void => {
      const box = element.getBoundingClientRect();
      setLeft(box.left - around.getBoundingClientRect().left);
      if (box.width > 0) onWidth(box.width);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(around);
    return () => observer.disconnect();
  }, [axis, scroller, view, onWidth]);
  return left;
}

/** The wheel with Ctrl looks closer at the place of the pointer, sideways (or with Shift) it moves along. */
function useWheel(scroller: RefObject<HTMLDivElement | null>, waterfall: Waterfall, view: 'waterfall' | 'list'): void {
  const latest = useRef(waterfall);
  latest.current = waterfall;
  useEffect(() => {
    const element = scroller.current;
    if (element === null || view !== 'waterfall') return;
    const onWheel = (event: WheelEvent): void => {
      const { zoom, pan, shown, zoomed } = latest.current;
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        const bars = element.querySelector('[data-bars]')?.getBoundingClientRect();
        const around = bars === undefined ? 0.5 : Math.min(1, Math.max(0, (event.clientX - bars.left) / bars.width));
        zoom(event.deltaY > 0 ? 1.25 : 0.8, around);
        return;
      }
      const sideways = event.shiftKey ? event.deltaY : event.deltaX;
      if (!zoomed || Math.abs(sideways) < Math.abs(event.shiftKey ? 0 : event.deltaY)) return;
      event.preventDefault();
      pan(sideways / Math.max(1, shown.width));
    };
    // The page must be able to keep the browser from zooming itself.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [scroller, view]);
}

/** Dragging the bars moves the view along. */
function useDragPan(waterfall: Waterfall) {
  const [panning, setPanning] = useState(false);
  const from = useRef<{ readonly x: number; last: number; moved: boolean } | null>(null);
  const moved = useRef(false);
  return {
    panning,
    /** Whether the click that follows was the end of a drag. */
    moved: () => moved.current,
    handlers: {
      onPointerDown(event: PointerEvent) {
        moved.current = false;
        const onBars = event.target instanceof Element && event.target.closest('[data-bars]') !== null;
        from.current = event.button === 0 && onBars ? { x: event.clientX, last: event.clientX, moved: false } : null;
      },
      onPointerMove(event: PointerEvent) {
        const start = from.current;
        if (start === null || event.buttons === 0) return;
        if (!start.moved && Math.abs(event.clientX - start.x) < leastPan) return;
        start.moved = true;
        moved.current = true;
        setPanning(true);
        waterfall.pan((start.last - event.clientX) / Math.max(1, waterfall.shown.width));
        start.last = event.clientX;
      },
      onPointerUp() {
        from.current = null;
        setPanning(false);
      },
      onPointerLeave() {
        from.current = null;
        setPanning(false);
      },
    },
  };
}

/** New calls come at the end: whoever is there stays there. */
function useFollowEnd(options: {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly count: number;
  readonly follows: boolean;
}): void {
  const { scroller, count, follows } = options;
  const before = useRef(count);
  const atEnd = useRef(true);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const onScroll = (): void => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < rowHeight;
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, [scroller]);
  useLayoutEffect(() => {
    const element = scroller.current;
    const grew = count > before.current && before.current > 0;
    before.current = count;
    if (element !== null && grew && follows && atEnd.current) element.scrollTop = element.scrollHeight;
  }, [scroller, count, follows]);
}
