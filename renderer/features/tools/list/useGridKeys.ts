import { type KeyboardEvent, useRef } from 'react';

/** Keys that move through a list, and by how much; pages are ten rows. */
const moves: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(last, at + 1),
  ArrowUp: (at) => Math.max(0, at - 1),
  PageDown: (at, last) => Math.min(last, at + 10),
  PageUp: (at) => Math.max(0, at - 10),
  Home: () => 0,
  End: (_at, last) => last,
};

/** Lets arrow keys move the focus through the rows of one list; exactly one row is in the tab order. */
export function useGridKeys<Id extends string>(options: {
  readonly ids: readonly Id[];
  readonly chosen: Id | null;
  readonly onChoose: (id: Id) => void;
  /** Brings a row into being and sight where not all are there; left out: all are. */
  readonly onReach?: (index: number) => void;
}) {
  const { ids, chosen, onChoose, onReach } = options;
  const awaited = useRef<Id | null>(null);
  const rows = useRef(new Map<Id, HTMLElement>());
  const inTabOrder = chosen !== null && ids.includes(chosen) ? chosen : ids[0];
  return (id: Id) => ({
    ref: (element: HTMLElement | null) => {
      if (element === null) rows.current.delete(id);
      else {
        rows.current.set(id, element);
        if (awaited.current === id) {
          awaited.current = null;
          element.focus();
        }
      }
    },
    tabIndex: id === inTabOrder ? 0 : -1,
    onClick: () => onChoose(id),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.target !== event.currentTarget) return;
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        onChoose(id);
        return;
      }
      const index = moves[event.key]?.(ids.indexOf(id), ids.length - 1) ?? -1;
      const to = ids[index];
      if (to === undefined) return;
      event.preventDefault();
      onReach?.(index);
      const row = rows.current.get(to);
      if (row === undefined) awaited.current = to;
      row?.focus();
      row?.scrollIntoView({ block: 'nearest' });
    },
  });
}
