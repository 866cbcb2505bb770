// The time axis of the page: its scale, what of it is in view, and how that changes.
import { useCallback, useMemo } from 'react';
import type { TraceRow } from '#shared/trace/traceRow';
import { type SessionHook, useTracePage } from '../../stores/tracePage';
import { placeOf, type Shown, type TimeScale, timeAt, timeScale } from './timeScale';

/** Nearer than so many milliseconds of the axis nothing is to be seen. */
const nearest = 2;

export interface Waterfall {
  readonly scale: TimeScale;
  readonly shown: Shown;
  readonly zoomed: boolean;
  /** Shows more (factor above 1) or less around a place, given as a part of the view from 0 to 1. */
  zoom(factor: number, around?: number): void;
  /** Moves the view by a part of itself. */
  pan(part: number): void;
  /** Shows what lies between two parts of the view. */
  zoomTo(from: number, to: number): void;
  /** Shows a stretch of time with a little around it. */
  zoomToTime(from: number, to: number): void;
  whole(): void;
}

/** The axis over all calls and hooks; `width` in pixels. */
export function useWaterfall(about: {
  readonly rows: readonly TraceRow[];
  readonly hooks: readonly SessionHook[];
  readonly now: number;
  readonly width: number;
}): Waterfall {
  const { rows, hooks, now, width } = about;
  const fold = useTracePage((page) => page.foldIdle);
  const zoom = useTracePage((page) => page.zoom);
  const scale = useMemo(() => {
    const calls = rows.map(({ createdAt, endedAt }) => ({ from: createdAt, to: endedAt ?? now }));
    const runs = hooks.map(({ run }) => ({ from: run.startedAt, to: run.endedAt ?? run.startedAt }));
    return timeScale([...calls, ...runs], { fold });
  }, [rows, hooks, now, fold]);
  const shown = useMemo((): Shown => {
    if (zoom === null) return { from: 0, to: scale.length, width };
    const from = placeOf(scale, zoom.from);
    return { from, to: Math.max(placeOf(scale, zoom.to), from + nearest), width };
  }, [scale, zoom, width]);

  const set = useCallback(
    (from: number, to: number) => {
      const length = Math.max(nearest, to - from);
      if (length >= scale.length) {
        useTracePage.getState().show({ zoom: null });
        return;
      }
      const start = Math.min(Math.max(0, from), scale.length - length);
      useTracePage.getState().show({ zoom: { from: timeAt(scale, start), to: timeAt(scale, start + length) } });
    },
    [scale],
  );

  return useMemo(() => {
    const length = shown.to - shown.from;
    return {
      scale,
      shown,
      zoomed: zoom !== null,
      zoom(factor, around = 0.5) {
        const centre = shown.from + around * length;
        set(centre - around * length * factor, centre + (1 - around) * length * factor);
      },
      pan: (part) => set(shown.from + part * length, shown.to + part * length),
      zoomTo: (from, to) => set(shown.from + from * length, shown.from + to * length),
      zoomToTime(from, to) {
        const [start, end] = [placeOf(scale, from), placeOf(scale, to)];
        const margin = Math.max(nearest, (end - start) * 0.08);
        set(start - margin, end + margin);
      },
      whole: () => useTracePage.getState().show({ zoom: null }),
    };
  }, [scale, shown, zoom, set]);
}
