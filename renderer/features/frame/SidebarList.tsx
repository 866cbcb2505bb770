// The rows of the sidebar, drawn only where they are in view; one Tab stop, the arrow keys go on from there.
import { defaultRangeExtractor, observeElementRect, useVirtualizer } from '@tanstack/react-virtual';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useApp } from '../../stores/app';
import { useSidebar } from '../../stores/sidebar';
import { useTranscripts } from '../../stores/transcripts';
import type { Entry, EntryGroup } from './entries';
import type { RowAction, RowMove } from './rowActions';
import { SessionRow } from './SessionRow';

interface Props {
  readonly groups: readonly EntryGroup[];
  /** Epoch milliseconds. */
  readonly now: number;
  readonly showFolder: boolean;
  /** The archived ones are shown, whether their group is open or not: something is sought. */
  readonly unfolded: boolean;
  readonly onAction: (entry: Entry, action: Exclude<RowAction, 'menu' | 'closeMenu'>) => void;
  /** Above the rows, scrolled with them. */
  readonly children?: ReactNode;
}

type Line =
  | { readonly kind: 'head'; readonly group: EntryGroup }
  | { readonly kind: 'row'; readonly group: EntryGroup; readonly entry: Entry; readonly position: number };

/** Of rows and heads, in pixels. */
const lineHeight = 34;
/** Rows that Page Up and Page Down pass. */
const pageRows = 12;
/** Of a list that has not been laid out yet, in pixels. */
const assumedHeight = 800;

export function SidebarList({ groups, now, showFolder, unfolded, onAction, children }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const archivedOpen = useSidebar((sidebar) => sidebar.archivedOpen) || unfolded;
  const lines = useMemo(() => linesOf(groups, archivedOpen), [groups, archivedOpen]);
  const [focusKey, setFocusKey] = useState<string | null>(null);
  const [menuFor, setMenuFor] = useState<string | null>(null);
  const wantsFocus = useRef(false);
  const activeKey = useActiveKey();
  const indexByKey = useMemo(
    () => new Map(lines.flatMap((line, index) => (line.kind === 'row' ? [[line.entry.key, index] as const] : []))),
    [lines],
  );
  const indexOf = (key: string | null) => (key === null ? -1 : (indexByKey.get(key) ?? -1));
  const focusIndex = indexOf(focusKey);
  const activeIndex = focusIndex === -1 ? indexOf(activeKey) : -1;
  const stopIndex = focusIndex !== -1 ? focusIndex : activeIndex !== -1 ? activeIndex : lines.findIndex(isRow);

  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 10,
    observeElementRect: (instance, take) =>
      observeElementRect(instance, (rect) => take(rect.height === 0 ? { ...rect, height: assumedHeight } : rect)),
    // The row with the focus stays mounted, or the keyboard would fall out of the page.
    rangeExtractor: (range) => {
      const visible = defaultRangeExtractor(range);
      return stopIndex < 0 || stopIndex >= lines.length || visible.includes(stopIndex)
        ? visible
        : [...visible, stopIndex].sort((a, b) => a - b);
    },
  });

  useLayoutEffect(() => {
    if (!wantsFocus.current || focusKey === null) return;
    wantsFocus.current = false;
    rowElement(scroller.current, focusKey)?.focus();
  });

  const focusLine = (index: number) => {
    const line = lines[index];
    if (line?.kind !== 'row') return;
    wantsFocus.current = true;
    virtualizer.scrollToIndex(index);
    setFocusKey(line.entry.key);
  };

  const onMove = (move: RowMove) => {
    const rows = lines.flatMap((line, index) => (line.kind === 'row' ? [index] : []));
    const here = rows.indexOf(indexOf(focusKey));
    const target = targetOf(move, here, rows.length);
    focusLine(rows[target] ?? -1);
  };

  const act = (entry: Entry, action: RowAction) => {
    if (action === 'menu') {
      setFocusKey(entry.key);
      setMenuFor(entry.key);
      return;
    }
    setMenuFor(null);
    if (action === 'closeMenu') return;
    if (action === 'delete' || action === 'archive' || action === 'pin') {
      // The row leaves its place: the focus goes to its neighbour there.
      const index = indexOf(entry.key);
      const neighbour = [index + 1, index - 1, index + 2, index - 2].find((at) => lines[at]?.kind === 'row');
      if (neighbour !== undefined && action !== 'pin') focusLine(neighbour);
    }
    onAction(entry, action);
  };
  const latest = useRef({ act, onMove });
  latest.current = { act, onMove };
  const stableAct = useCallback((entry: Entry, action: RowAction) => latest.current.act(entry, action), []);
  const stableMove = useCallback((move: RowMove) => latest.current.onMove(move), []);

  const drawn = virtualizer.getVirtualItems();
  return (
    <div ref={scroller} data-session-list className="min-h-0 flex-1 overflow-y-auto px-2 pb-3">
      {children}
      <div className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {groups.map((group) => {
          const own = drawn.flatMap((item) => {
            const line = lines[item.index];
            return line?.group === group ? [{ item, line }] : [];
          });
          if (own.length === 0) return null;
          return (
            <section key={group.id} aria-label={group.label}>
              {own.map(({ item, line }) =>
                line.kind === 'head' ? (
                  <div key={item.key} className="absolute inset-x-0 h-8.5" style={{ top: item.start }}>
                    <GroupHead group={group} open={archivedOpen} fixed={unfolded} />
                  </div>
                ) : null,
              )}
              <ul>
                {own.map(({ item, line }) =>
                  line.kind === 'row' ? (
                    <li
                      key={line.entry.key}
                      aria-setsize={group.entries.length}
                      aria-posinset={line.position}
                      className="absolute inset-x-0 h-8.5"
                      style={{ top: item.start }}
                    >
                      <SessionRow
                        entry={line.entry}
                        now={now}
                        showFolder={showFolder}
                        tabStop={item.index === stopIndex}
                        menuOpen={menuFor === line.entry.key}
                        onAction={stableAct}
                        onMove={stableMove}
                        onFocus={setFocusKey}
                      />
                    </li>
                  ) : null,
                )}
              </ul>
            </section>
          );
        })}
      </div>
    </div>
  );
}

function GroupHead(props: { readonly group: EntryGroup; readonly open: boolean; readonly fixed: boolean }) {
  const { group, open, fixed } = props;
  const setOpen = useSidebar((sidebar) => sidebar.setArchivedOpen);
  const look = 'text-head font-semibold text-muted';
  if (group.id !== 'archived') return <h2 className={`truncate px-2 pt-3.5 pb-1 ${look}`}>{group.label}</h2>;
  return (
    <h2 className="px-1 pt-2.5">
      <button
        type="button"
        aria-expanded={open}
        disabled={fixed}
        onClick={() => setOpen(!open)}
        className={`flex h-6 items-center gap-1 rounded-small pr-2 hover:text-text ${look}`}
      >
        <ChevronRight aria-hidden size={13} strokeWidth={2} className={open ? 'rotate-90' : ''} />
        {group.label} ({group.entries.length.toLocaleString('en')})
      </button>
    </h2>
  );
}

/** Groups as lines: each head, then its rows; of the archived ones the head alone while they are folded. */
function linesOf(groups: readonly EntryGroup[], archivedOpen: boolean): Line[] {
  return groups.flatMap((group): Line[] => {
    const head: Line = { kind: 'head', group };
    if (group.id === 'archived' && !archivedOpen) return [head];
    return [head, ...group.entries.map((entry, index): Line => ({ kind: 'row', group, entry, position: index + 1 }))];
  });
}

function isRow(line: Line): boolean {
  return line.kind === 'row';
}

/** The row that a move leads to, from row `here` of so many. */
function targetOf(move: RowMove, here: number, rows: number): number {
  const within = (target: number) => Math.min(rows - 1, Math.max(0, target));
  switch (move) {
    case 'next':
      return within(here + 1);
    case 'previous':
      return within(here - 1);
    case 'first':
      return 0;
    case 'last':
      return rows - 1;
    case 'nextPage':
      return within(here + pageRows);
    case 'previousPage':
      return within(here - pageRows);
  }
}

function useActiveKey(): string | null {
  const sessionId = useApp((app) => app.activeSessionId);
  const transcript = useTranscripts((store) => store.open?.id ?? null);
  if (sessionId !== null) return `session-${sessionId}`;
  return transcript === null ? null : `transcript-${transcript}`;
}

function rowElement(list: HTMLElement | null, key: string): HTMLElement | undefined {
  const rows = [...(list?.querySelectorAll<HTMLElement>('[data-session-row]') ?? [])];
  return rows.find((row) => row.dataset.sessionRow === key);
}
