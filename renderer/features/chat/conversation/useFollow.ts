// Keeps the end of a growing list in view while the reader is there, and the reader's place when they are not.
import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

interface Place {
  readonly following: boolean;
  /** The first row in view and how far it is scrolled off, in pixels. */
  readonly key: string;
  readonly offset: number;
  readonly rowsSeen: number;
}

/** Reading places by session, for as long as the page lives. */
const places = new Map<string, Place>();

/** This near to the end (pixels) counts as being there. */
const nearPx = 48;

export interface Follow {
  readonly following: boolean;
  /** Rows that came since the reader left the end. */
  readonly newRows: number;
  readonly onScroll: () => void;
  readonly jumpToEnd: () => void;
  /** The reader is led elsewhere: the end is not followed any more. */
  readonly leave: () => void;
}

export function useFollow(options: {
  readonly sessionId: string;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly virtualizer: Virtualizer<HTMLDivElement, Element>;
  readonly keys: readonly string[];
  /** Changes whenever what stands below the rows does. */
  readonly tail: string;
}): Follow {
  const { sessionId, scroller, virtualizer, keys, tail } = options;
  const saved = places.get(sessionId);
  const [state, setState] = useState({
    sessionId,
    following: saved?.following ?? true,
    rowsSeen: saved?.rowsSeen ?? keys.length,
  });
  const current =
    state.sessionId === sessionId
      ? state
      : { sessionId, following: saved?.following ?? true, rowsSeen: saved?.rowsSeen ?? keys.length };
  const lastTop = useRef(0);

  const toEnd = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    element.scrollTop = element.scrollHeight;
    lastTop.current = element.scrollTop;
  }, [scroller]);

  // Back to the place in another session, once per session.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a place is taken up when the session is opened, not later.
  useLayoutEffect(() => {
    const place = places.get(sessionId);
    const index = place === undefined || place.following ? -1 : keys.indexOf(place.key);
    if (place === undefined || index === -1) {
      toEnd();
      return;
    }
    virtualizer.scrollToIndex(index, { align: 'start' });
    const frame = requestAnimationFrame(() => {
      if (scroller.current !== null) scroller.current.scrollTop += place.offset;
    });
    return () => cancelAnimationFrame(frame);
  }, [sessionId]);

  const size = virtualizer.getTotalSize();
  // biome-ignore lint/correctness/useExhaustiveDependencies: size and tail say that there is something new to follow.
  useLayoutEffect(() => {
    if (current.following) toEnd();
  }, [size, tail, keys.length, current.following, toEnd]);

  // The box itself changes its height with the ask and the message box below.
  useEffect(() => {
    const element = scroller.current;
    if (element === null || !current.following || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(toEnd);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, current.following, toEnd]);

  const onScroll = () => {
    const element = scroller.current;
    if (element === null) return;
    const near = element.scrollHeight - element.scrollTop - element.clientHeight < nearPx;
    // Only a move up is the reader's wish to leave: growing content moves the end away too.
    const following = near || (current.following && element.scrollTop >= lastTop.current - 1);
    lastTop.current = element.scrollTop;
    const rowsSeen = following || current.following ? keys.length : current.rowsSeen;
    const first = virtualizer.getVirtualItems().find((item) => item.end > element.scrollTop);
    places.set(sessionId, {
      following,
      key: first === undefined ? '' : String(first.key),
      offset: first === undefined ? 0 : element.scrollTop - first.start,
      rowsSeen,
    });
    if (following !== current.following || state.sessionId !== sessionId) setState({ sessionId, following, rowsSeen });
  };

  const jumpToEnd = () => {
    setState({ sessionId, following: true, rowsSeen: keys.length });
    toEnd();
  };
  const leave = () => {
    if (current.following) setState({ sessionId, following: false, rowsSeen: keys.length });
  };
  return {
    leave,
    following: current.following,
    newRows: current.following ? 0 : Math.max(0, keys.length - current.rowsSeen),
    onScroll,
    jumpToEnd,
  };
}
