// Whether the end of a scrollable text has been on screen: nobody approves what they could not see.
import { type RefObject, useCallback, useEffect, useState } from 'react';

export interface Seen {
  /** True when all fits, or the end was scrolled into view. */
  readonly toEnd: boolean;
  readonly overflows: boolean;
  /** Lines on screen so far, and in all, as wrapped. */
  readonly linesShown: number;
  readonly lines: number;
}

const nothingMeasured = { bottom: 0, height: 0, box: 0 };
/** Sub-pixel layouts end up to this far from the true end. */
const slackPx = 2;

/** Watches `box`; call `onScroll` from it. `content` names what it shows: new content has not been seen. */
export function useSeenToEnd(
  box: RefObject<HTMLElement | null>,
  options: { readonly content: string; readonly lineHeightPx: number },
): Seen & { readonly onScroll: () => void } {
  const { content, lineHeightPx } = options;
  const [measured, setMeasured] = useState({ ...nothingMeasured, content });

  const measure = useCallback(() => {
    const element = box.current;
    if (element === null) return;
    setMeasured((before) => {
      const bottom = element.scrollTop + element.clientHeight;
      const kept = before.content === content ? before.bottom : 0;
      return { content, bottom: Math.max(kept, bottom), height: element.scrollHeight, box: element.clientHeight };
    });
  }, [box, content]);

  useEffect(() => {
    measure();
    const element = box.current;
    if (element === null || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, [box, measure]);

  const current = measured.content === content ? measured : nothingMeasured;
  const overflows = current.height > current.box + slackPx;
  const lines = Math.max(1, Math.round(current.height / lineHeightPx));
  return {
    toEnd: measured.content === content && (!overflows || current.bottom >= current.height - slackPx),
    overflows,
    lines,
    linesShown: Math.min(lines, Math.floor((current.bottom + slackPx) / lineHeightPx)),
    onScroll: measure,
  };
}
