import { type PointerEvent, type Ref, useState } from 'react';
import { formatDuration } from '../chat/cards/duration';
import { folds, ticks } from './timeScale';
import type { Waterfall } from './useWaterfall';

/** Pixels that a drag must reach to mean a stretch of time. */
const leastDrag = 6;

/** Times above the bars. Dragging over it shows that stretch alone; a double click shows all again. */
export function TimeAxis({ waterfall, ref }: { readonly waterfall: Waterfall; readonly ref: Ref<HTMLDivElement> }) {
  const { scale, shown, zoomTo, whole } = waterfall;
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number } | null>(null);
  const placeIn = (event: PointerEvent<HTMLElement>): number => {
    const box = event.currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / Math.max(1, box.width)));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: buttons and keys of the grid do the same.
    <div
      ref={ref}
      title="Drag to look closer, double-click for all"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const at = placeIn(event);
        setDrag({ from: at, to: at });
      }}
      onPointerMove={(event) => {
        if (drag !== null) setDrag({ from: drag.from, to: placeIn(event) });
      }}
      onPointerUp={() => {
        if (drag !== null && Math.abs(drag.to - drag.from) * shown.width >= leastDrag)
          zoomTo(Math.min(drag.from, drag.to), Math.max(drag.from, drag.to));
        setDrag(null);
      }}
      onPointerCancel={() => setDrag(null)}
      onDoubleClick={whole}
      className="relative h-full cursor-col-resize touch-none overflow-hidden"
    >
      {folds(scale, shown).map(({ x, width, ms }) => (
        <span
          key={x}
          className="trace-fold grid place-items-center"
          style={{ left: x, width }}
          title={`${formatDuration(ms)} without a call`}
        >
          {width < 12 ? null : <span className="bg-background px-0.5">⋯</span>}
        </span>
      ))}
      {ticks(scale, shown).map(({ x, label }) => (
        <span
          key={x}
          className="absolute inset-y-0 flex items-center whitespace-nowrap border-line border-l pl-1"
          style={{ left: x }}
        >
          {label}
        </span>
      ))}
      {drag === null ? null : (
        <span
          className="absolute inset-y-0 border-accent border-x bg-accent/20"
          style={{
            left: Math.min(drag.from, drag.to) * shown.width,
            width: Math.abs(drag.to - drag.from) * shown.width,
          }}
        />
      )}
    </div>
  );
}

/** Lines of the axis behind all rows. */
export function AxisLines({ waterfall, left }: { readonly waterfall: Waterfall; readonly left: number }) {
  const { scale, shown } = waterfall;
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute inset-y-0 overflow-hidden"
      style={{ left, width: shown.width }}
    >
      {folds(scale, shown).map(({ x, width }) => (
        <span key={x} className="trace-fold" style={{ left: x, width }} />
      ))}
      {ticks(scale, shown).map(({ x }) => (
        <span key={x} className="absolute inset-y-0 w-px bg-line/60" style={{ left: x }} />
      ))}
    </div>
  );
}
