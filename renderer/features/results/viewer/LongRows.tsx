import {
  type ClipboardEvent,
  type HTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { RowPlace } from '../../../stores/resultsPage';
import { classes } from '../../../ui/classes';
import { keyTarget } from '../../../ui/keyTarget';
import {
  drawnRows,
  type Geometry,
  isExact,
  moved,
  placeAt,
  placeFor,
  scrollTopOf,
  settle,
  spacerHeight,
} from './rowGeometry';

export interface LongRowsHandle {
  /** Brings a row into view. */
  show(row: number, align: 'nearest' | 'middle'): void;
  /** Puts the rows to a place. */
  goTo(place: RowPlace): void;
  focus(): void;
  /** The first row in view. */
  firstRow(): number;
}

export interface LongRowsProps {
  readonly label: string;
  readonly role: 'grid' | 'tree';
  readonly count: number;
  /** In pixels; where rows wrap, the least. */
  readonly rowHeight: number;
  /** Rows are as high as their text needs. */
  readonly wrap?: boolean;
  /** Where to begin. */
  readonly place: RowPlace;
  /** Told a moment after the place has changed. */
  readonly onPlace: (place: RowPlace) => void;
  /** Rows that are drawn, from the first up to before the last. */
  readonly onDrawn: (from: number, to: number) => void;
  /** Somebody moves through the rows by wheel or scroll bar. */
  readonly onMove?: () => void;
  /** The row that keys are about. */
  readonly cursor: number;
  readonly onCursor: (row: number, extend: boolean) => void;
  /** Keys beyond those that move; true: it was for it. */
  readonly onKey?: (event: KeyboardEvent) => boolean;
  readonly onCopy?: (event: ClipboardEvent) => void;
  /** Stays in place above the rows. */
  readonly head?: ReactNode;
  /** In pixels. */
  readonly headHeight?: number;
  readonly columns?: number;
  readonly rowProps?: (row: number) => HTMLAttributes<HTMLDivElement>;
  readonly children: (row: number) => ReactNode;
  readonly ref?: Ref<LongRowsHandle> | undefined;
}

/** Milliseconds after which a place that was scrolled to is worth remembering. */
const restMs = 150;

/** Any number of rows of which those in view are drawn: one tab stop, arrow keys move. */
export function LongRows(props: LongRowsProps) {
  const { label, role, count, rowHeight, wrap = false, cursor, onCursor, onKey, onCopy, head, headHeight = 0 } = props;
  const { columns, rowProps, children, onDrawn, onPlace, onMove } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const heights = useRef(new Map<number, number>());
  const [place, setPlace] = useState(props.place);
  const [height, setHeight] = useState(0);
  /** Where the scroll bar was put last: its event says nothing new. */
  const ownTop = useRef(0);
  const widest = useRef(0);

  const geometry: Geometry = {
    count,
    rowHeight,
    height,
    ...(wrap ? { heightOf: (row: number) => heights.current.get(row) ?? rowHeight } : {}),
  };
  const exact = isExact(geometry);
  const { first, last } = drawnRows(geometry, place);
  const go = (to: RowPlace): void => {
    if (to.row !== place.row || to.offset !== place.offset) setPlace(to);
  };

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    let width = element.clientWidth;
    const measure = () => {
      // Rows that wrap are as high as the width makes them.
      if (element.clientWidth !== width) heights.current.clear();
      width = element.clientWidth;
      setHeight(Math.max(0, element.clientHeight - headHeight));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [headHeight]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: heights are those of one way to wrap.
  useLayoutEffect(() => heights.current.clear(), [wrap, rowHeight]);

  useLayoutEffect(() => {
    const box = inner.current;
    const element = scroller.current;
    if (box === null || element === null) return;
    if (wrap)
      for (const row of box.children) {
        const index = Number((row as HTMLElement).dataset.row);
        heights.current.set(index, Math.max(rowHeight, row.getBoundingClientRect().height));
      }
    else {
      // Only what is drawn has a width: the list never gets narrower while somebody reads at its right.
      widest.current = Math.max(widest.current, box.scrollWidth);
    }
    box.style.minWidth = wrap ? '' : `max(100%, ${widest.current}px)`;
    if (height === 0) return;
    const settled = settle(geometry, place);
    if (settled.row !== place.row || Math.abs(settled.offset - place.offset) > 0.5) {
      setPlace(settled);
      return;
    }
    let above = place.offset;
    for (let row = first; row < place.row; row += 1) above += heights.current.get(row) ?? rowHeight;
    box.style.transform = `translateY(${-(wrap ? above : (place.row - first) * rowHeight + place.offset)}px)`;
    const top = scrollTopOf(geometry, place);
    if (Math.abs(element.scrollTop - top) >= 1) element.scrollTop = top;
    ownTop.current = element.scrollTop;
  });

  useEffect(() => onDrawn(first, last + 1), [onDrawn, first, last]);
  useEffect(() => {
    const timer = setTimeout(() => onPlace(place), restMs);
    return () => clearTimeout(timer);
  }, [onPlace, place]);
  const remember = useEffectEvent(() => onPlace(place));
  useEffect(() => () => remember(), []);

  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (exact || event.ctrlKey || Math.abs(event.deltaY) <= Math.abs(event.deltaX)) return;
    event.preventDefault();
    const unit = event.deltaMode === 1 ? rowHeight : event.deltaMode === 2 ? height : 1;
    go(moved(geometry, place, event.deltaY * unit));
  });
  useEffect(() => {
    const element = scroller.current;
    const listener = (event: WheelEvent) => onWheel(event);
    element?.addEventListener('wheel', listener, { passive: false });
    return () => element?.removeEventListener('wheel', listener);
  }, []);

  const shown = useRef({ geometry, place });
  shown.current = { geometry, place };
  useImperativeHandle(
    props.ref,
    () => ({
      show(row, align) {
        const { geometry: now, place: present } = shown.current;
        if (now.height === 0) setPlace({ row, offset: 0 });
        else setPlace(placeFor(now, present, { row, align }));
      },
      goTo: setPlace,
      focus: () => scroller.current?.focus({ preventScroll: true }),
      firstRow: () => shown.current.place.row,
    }),
    [],
  );

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.target !== event.currentTarget || event.altKey) return;
    if (onKey?.(event) === true) {
      event.preventDefault();
      return;
    }
    const mod = event.ctrlKey || event.metaKey;
    const page = Math.max(1, Math.floor(height / rowHeight) - 1);
    const key = event.key === ' ' ? (event.shiftKey ? 'PageUp' : 'PageDown') : event.key;
    if (mod && key !== 'Home' && key !== 'End') return;
    // Where somebody has scrolled to, not where the keys were before.
    const inView = cursor >= place.row && cursor <= place.row + Math.ceil(height / rowHeight);
    const from = inView ? cursor : place.row;
    const to = keyTarget(key, from, count, page);
    if (to === null) return;
    event.preventDefault();
    onCursor(to, event.shiftKey && event.key !== ' ');
    go(placeFor(geometry, place, { row: to, align: 'nearest' }));
  };

  const rows = count === 0 ? [] : Array.from({ length: last - first + 1 }, (_, at) => first + at);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it is a grid or a tree.
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: as above.
    <div
      ref={scroller}
      role={role}
      aria-label={label}
      tabIndex={0}
      data-pane-focus
      {...(role === 'grid'
        ? {
            'aria-rowcount': count + (head === undefined ? 0 : 1),
            'aria-colcount': columns,
            'aria-multiselectable': true,
          }
        : {})}
      aria-activedescendant={cursor >= first && cursor <= last && count > 0 ? `${id}-${cursor}` : undefined}
      onKeyDown={onKeyDown}
      onWheel={onMove}
      onPointerDown={onMove}
      onCopy={onCopy}
      onScroll={({ currentTarget: { scrollTop } }) => {
        if (Math.abs(scrollTop - ownTop.current) < 1) return;
        ownTop.current = scrollTop;
        go(placeAt(geometry, scrollTop));
      }}
      className="group/rows min-h-0 flex-1 overflow-auto outline-none"
    >
      {head}
      <div
        role="presentation"
        style={{ height: spacerHeight(geometry) }}
        className={wrap ? 'relative' : 'relative w-max min-w-full'}
      >
        <div role="presentation" style={{ top: headHeight, height }} className="sticky overflow-y-clip">
          <div role="presentation" ref={inner} className={wrap ? '' : 'w-max min-w-full'}>
            {rows.map((row) => {
              const { className, style, ...rest } = rowProps?.(row) ?? {};
              return (
                <div
                  key={row}
                  id={`${id}-${row}`}
                  data-row={row}
                  role={role === 'grid' ? 'row' : 'treeitem'}
                  {...(role === 'grid' ? { 'aria-rowindex': row + (head === undefined ? 1 : 2) } : {})}
                  style={wrap ? { minHeight: rowHeight, ...style } : { height: rowHeight, ...style }}
                  className={classes(
                    row === cursor &&
                      'group-focus-visible/rows:outline-1 group-focus-visible/rows:-outline-offset-1 group-focus-visible/rows:outline-accent',
                    className,
                  )}
                  {...rest}
                >
                  {children(row)}
                </div>
              );
            })}
          </div>
        </div>
      </div>
    </div>
  );
}
