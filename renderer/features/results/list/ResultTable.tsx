import { memo, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { ResultFile } from '#shared/api/results';
import { useResultsPage } from '../../../stores/resultsPage';
import { classes } from '../../../ui/classes';
import { useGridRows } from '../../../ui/useGridRows';
import { useNow } from '../../frame/useNow';
import { ResultCells } from './ResultCells';
import { headHeight, ResultHeads } from './ResultHeads';
import { focusFile, resultsGridId } from './resultsGrid';
import { useResultGrid } from './useResultGrid';

/** In pixels. */
const rowHeight = 35;

/** The files of all sessions: one tab stop, arrow keys move, Space chooses, Enter opens. */
export const ResultTable = memo(function ResultTable({ files }: { readonly files: readonly ResultFile[] }) {
  const id = useId();
  const chosen = useResultsPage((page) => page.chosen);
  const active = useResultsPage((page) => page.active);
  const show = useResultsPage((page) => page.show);
  const now = useNow(60_000);
  const scroller = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const cursor = Math.min(at, Math.max(0, files.length - 1));
  const virtualizer = useGridRows({
    scroller,
    count: files.length,
    cursor,
    rowHeight,
    headHeight,
    keyOf: (index) => files[index]?.id,
  });
  const { onKeyDown, onRowClick } = useResultGrid({
    files,
    cursor,
    onCursor: (index) => {
      setAt(index);
      virtualizer.scrollToIndex(index);
    },
    onOpen: (file) => {
      // What is open already is gone into.
      if (file.id === active) focusFile();
      else show({ active: file.id, compared: null });
    },
  });
  const selected = useMemo(() => new Set(chosen), [chosen]);
  const shownActive = files.findIndex((file) => file.id === active);
  useEffect(() => {
    if (shownActive === -1) return;
    setAt(shownActive);
    virtualizer.scrollToIndex(shownActive);
  }, [shownActive, virtualizer]);

  return (
    <div ref={scroller} className="@container min-h-0 flex-1 overflow-y-auto" data-testid="results-scroller">
      {/* biome-ignore lint/a11y/useSemanticElements: a table element cannot keep this head in place beside grid columns. */}
      <div
        id={resultsGridId}
        role="grid"
        aria-label="Results"
        aria-multiselectable
        aria-rowcount={files.length + 1}
        aria-colcount={6}
        tabIndex={0}
        data-pane-focus
        aria-activedescendant={files.length === 0 ? undefined : `${id}-${cursor}`}
        onKeyDown={onKeyDown}
        className="group/grid min-w-0 outline-none"
      >
        <ResultHeads />
        <div role="presentation" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const file = files[index];
            if (file === undefined) return null;
            const isCursor = index === cursor;
            const isChosen = selected.has(file.id);
            const isShown = isChosen || file.id === active;
            return (
              // biome-ignore lint/a11y/useSemanticElements: see the grid.
              // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names this row.
              // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the grid.
              <div
                key={file.id}
                id={`${id}-${index}`}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={isShown}
                onClick={(event) => onRowClick(index, event)}
                style={{ position: 'absolute', insetInline: 0, top: start - headHeight, height: rowHeight }}
                className={classes(
                  'group/row border-line/60 border-b',
                  isShown ? 'bg-selected' : 'hover:bg-hover',
                  isCursor && 'z-20 group-focus-visible/grid:outline-2 group-focus-visible/grid:-outline-offset-2',
                  isCursor && 'group-focus-visible/grid:outline-accent',
                )}
              >
                <ResultCells file={file} isChosen={isChosen} isChoosing={selected.size > 0} now={now} />
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
});
