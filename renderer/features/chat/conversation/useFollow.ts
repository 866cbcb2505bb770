// Keeps the end of a growing list in view while the reader is there, and the reader's place when they are not.
import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

interface Place {
  readonly following: boolean;
  /** The first row in view and how far it is scrolled off, in pixels. */
  readonly key: string;
  readonly offset: number;
  /** Where that row stood among those that were held. */
  readonly index: number;
  /** Its item's position in the conversation. */
  readonly position: number;
  /** The last row there was when the reader left the end. */
  readonly seenKey: string;
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
  /** Scrolls so that this many pixels lie above the view. */
  readonly moveTo: (top: number) => void;
}

export function useFollow(options: {
  readonly sessionId: string;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly virtualizer: Virtualizer<HTMLDivElement, Element>;
  readonly keys: readonly string[];
  /** The position in the conversation of a row's item. */
  readonly positionAt: (index: number) => number;
  /** There is more behind the rows: their end is not the conversation's. */
  readonly hasNewer: boolean;
  /** Brings the item at a position among the rows, where it is not. */
  readonly onLost: (position: number) => void;
  /** Changes whenever what stands below the rows does. */
  readonly tail: string;
}): Follow {
  const { sessionId, scroller, virtualizer, keys, tail, hasNewer, positionAt, onLost } = options;
  const saved = places.get(sessionId);
  const [state, setState] = useState({
    sessionId,
    following: saved?.following ?? true,
    seenKey: saved?.seenKey ?? lastOf(keys),
  });
  const current =
    state.sessionId === sessionId
      ? state
      : { sessionId, following: saved?.following ?? true, seenKey: saved?.seenKey ?? lastOf(keys) };
  const lastTop = useRef(0);

  const toEnd = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    element.scrollTop = element.scrollHeight;
    lastTop.current = element.scrollTop;
  }, [scroller]);

  /** By the list itself, which corrects its own position as rows are measured: what it had in mind before is void then. */
  const moveTo = useCallback(
    (top: number) => {
      virtualizer.scrollToOffset(top);
      if (scroller.current !== null) lastTop.current = scroller.current.scrollTop;
    },
    [scroller, virtualizer],
  );

  // Back to the place in another session, once per session.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a place is taken up when the session is opened, not later.
  useLayoutEffect(() => {
    const place = places.get(sessionId);
    const index = place === undefined || place.following ? -1 : keys.indexOf(place.key);
    if (place !== undefined && !place.following && index === -1) {
      // It is brought here, and then kept in place like any other row.
      places.set(sessionId, { ...place, index: -1 });
      onLost(place.position);
      return;
    }
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

  // Rows that come or go above the reader move nothing.
  useLayoutEffect(() => {
    const place = places.get(sessionId);
    const element = scroller.current;
    if (element === null || place === undefined || current.following) return;
    const index = keys.indexOf(place.key);
    if (index === -1 || index === place.index) return;
    const start = virtualizer.measurementsCache[index]?.start;
    if (start === undefined) return;
    moveTo(start + place.offset);
    places.set(sessionId, { ...place, index });
  });

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
    const near = !hasNewer && element.scrollHeight - element.scrollTop - element.clientHeight < nearPx;
    // Only a move up is the reader's wish to leave: growing content moves the end away too.
    const stays = !hasNewer && current.following && element.scrollTop >= lastTop.current - 1;
    const following = near || stays;
    lastTop.current = element.scrollTop;
    const seenKey = following || current.following ? lastOf(keys) : current.seenKey;
    const first = virtualizer.getVirtualItems().find((item) => item.end > element.scrollTop);
    places.set(sessionId, {
      following,
      key: first === undefined ? '' : String(first.key),
      offset: first === undefined ? 0 : element.scrollTop - first.start,
      index: first?.index ?? -1,
      position: first === undefined ? 0 : positionAt(first.index),
      seenKey,
    });
    if (following !== current.following || state.sessionId !== sessionId) setState({ sessionId, following, seenKey });
  };

  const jumpToEnd = () => {
    setState({ sessionId, following: true, seenKey: lastOf(keys) });
    toEnd();
  };
  const leave = () => {
    if (current.following) setState({ sessionId, following: false, seenKey: lastOf(keys) });
  };
  return {
    leave,
    moveTo,
    following: current.following,
    newRows: current.following || hasNewer ? 0 : rowsAfter(keys, current.seenKey),
    onScroll,
    jumpToEnd,
  };
}

function lastOf(keys: readonly string[]): string {
  return keys.at(-1) ?? '';
}

/** Rows behind the one that was seen last; none when it is not there any more. */
function rowsAfter(keys: readonly string[], seenKey: string): number {
  const index = keys.lastIndexOf(seenKey);
  return index === -1 ? 0 : keys.length - 1 - index;
}
