import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';

interface Options {
  /** What scrolls; it holds the sticky head, too. */
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly count: number;
  /** The row that the keys are about. */
  readonly cursor: number;
  /** Pixels. */
  readonly rowHeight: number;
  readonly headHeight: number;
  /** Of a row, as long as it is the same row. */
  readonly keyOf: (index: number) => string | undefined;
  /** Rows that are drawn beyond those in sight. */
  readonly overscan?: number;
}

/** The rows of a long grid that are drawn. */
export function useGridRows(options: Options): Virtualizer<HTMLDivElement, Element> {
  const { scroller, count, cursor, rowHeight, headHeight, keyOf, overscan = 12 } = options;
  return useVirtualizer<HTMLDivElement, Element>({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => keyOf(index) ?? index,
    overscan,
    scrollPaddingStart: headHeight,
    scrollMargin: headHeight,
    // The row that the keys are about is always there, or nobody could tell assistive technology about it.
    rangeExtractor: (range) => {
      const kept = cursor < range.count ? [cursor] : [];
      return [...new Set([...defaultRangeExtractor(range), ...kept])].sort((a, b) => a - b);
    },
  });
}
