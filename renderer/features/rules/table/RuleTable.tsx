import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { ruleSources, SavableSource } from '#shared/permissions/sources';
import { useRulesPage } from '../../../stores/rulesPage';
import { classes } from '../../../ui/classes';
import { useGridRows } from '../../../ui/useGridRows';
import { moveRules } from '../ruleActions';
import { GroupHead } from './GroupHead';
import { RuleCells } from './RuleCells';
import { headHeight, RuleHeads } from './RuleHeads';
import type { RuleLine, RuleRow } from './rows';
import { rulesGridId } from './rulesGrid';
import { type RuleGridActions, useRuleGrid } from './useRuleGrid';

/** In pixels. */
const rowHeight = 35;

export interface RuleTableProps {
  readonly lines: readonly RuleLine[];
  readonly rows: readonly RuleRow[];
  readonly actions: RuleGridActions;
}

/** The rules of all sources: one tab stop, arrow keys move, Space chooses, Enter shows the details. */
export function RuleTable({ lines, rows, actions }: RuleTableProps) {
  const id = useId();
  const chosen = useRulesPage((page) => page.chosen);
  const active = useRulesPage((page) => page.active);
  const bySource = useRulesPage((page) => page.grouping === 'source');
  const scroller = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const cursor = Math.min(at, Math.max(0, lines.length - 1));
  const virtualizer = useGridRows({
    scroller,
    count: lines.length,
    cursor,
    rowHeight,
    headHeight,
    keyOf: (index) => lines[index]?.key,
  });
  const onCursor = (index: number) => {
    setAt(index);
    virtualizer.scrollToIndex(index);
  };
  const { onKeyDown, onRowClick } = useRuleGrid({ lines, cursor, onCursor, actions });
  const selected = useMemo(() => new Set(chosen), [chosen]);
  const shownActive = lines.findIndex(({ key }) => key === active);
  useEffect(() => {
    if (shownActive === -1) return;
    setAt(shownActive);
    virtualizer.scrollToIndex(shownActive);
  }, [shownActive, virtualizer]);

  const [over, setOver] = useState<SavableSource | null>(null);
  const dragged = useRef<readonly RuleRow[]>([]);
  /** Where rules dropped on a line go; null where they cannot be dropped. */
  const dropSource = (line: RuleLine): SavableSource | null => {
    if (!bySource) return null;
    const known = SavableSource.safeParse(line.kind === 'group' ? line.group.source : line.row.rule.source);
    return known.success && dragged.current.some(({ rule }) => rule.source !== known.data) ? known.data : null;
  };
  const leave = () => setOver(null);

  return (
    <div ref={scroller} className="@container min-h-0 flex-1 overflow-y-auto" data-testid="rules-scroller">
      {/* biome-ignore lint/a11y/useSemanticElements: a table element cannot keep this head in place beside grid columns. */}
      <div
        id={rulesGridId}
        role="grid"
        aria-label="Rules"
        aria-multiselectable
        aria-rowcount={lines.length + 1}
        aria-colcount={7}
        tabIndex={0}
        aria-activedescendant={lines.length === 0 ? undefined : `${id}-${cursor}`}
        onKeyDown={onKeyDown}
        onDragLeave={(event) => {
          const to = event.relatedTarget;
          if (!(to instanceof Node) || !event.currentTarget.contains(to)) leave();
        }}
        className="group/grid min-w-0 outline-none"
      >
        <RuleHeads />
        <div role="presentation" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const line = lines[index];
            if (line === undefined) return null;
            const isCursor = index === cursor;
            const isChosen = line.kind === 'rule' && selected.has(line.key);
            const isShown = isChosen || line.key === active;
            const isTarget =
              over !== null && over === (line.kind === 'group' ? line.group.source : line.row.rule.source);
            return (
              // biome-ignore lint/a11y/useSemanticElements: see the grid.
              // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names this row.
              // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the grid.
              <div
                key={line.key}
                id={`${id}-${index}`}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={line.kind === 'rule' ? isShown : undefined}
                draggable={line.kind === 'rule' && line.row.state !== 'removed'}
                onClick={(event) => onRowClick(index, event)}
                onDragStart={(event) => {
                  if (line.kind !== 'rule') return;
                  dragged.current = selected.has(line.key) ? rows.filter(({ key }) => selected.has(key)) : [line.row];
                  event.dataTransfer.setData('text/plain', dragged.current.map(({ rule }) => rule.text).join('\n'));
                  event.dataTransfer.effectAllowed = 'copyMove';
                }}
                onDragOver={(event) => {
                  const source = dropSource(line);
                  setOver(source);
                  if (source !== null) event.preventDefault();
                }}
                onDragEnd={leave}
                onDrop={(event) => {
                  event.preventDefault();
                  const source = dropSource(line);
                  leave();
                  if (source === null) return;
                  const isLocked = dragged.current.every(({ locked }) => locked !== '');
                  moveRules(dragged.current, source, isLocked || event.ctrlKey || event.altKey ? 'copy' : 'move');
                }}
                style={{ position: 'absolute', insetInline: 0, top: start - headHeight, height: rowHeight }}
                className={classes(
                  'group/row border-line/60 border-b',
                  line.kind === 'rule' && (isShown ? 'bg-selected' : 'hover:bg-hover'),
                  isCursor && 'z-20 group-focus-visible/grid:outline-2 group-focus-visible/grid:-outline-offset-2',
                  isCursor && 'group-focus-visible/grid:outline-accent',
                  isTarget && 'bg-accent-tint',
                )}
              >
                {line.kind === 'group' ? (
                  <GroupHead group={line.group} isTarget={isTarget} />
                ) : (
                  <RuleCells
                    row={line.row}
                    isChosen={isChosen}
                    isChoosing={selected.size > 0}
                    isCursor={isCursor}
                    bySource={bySource}
                  />
                )}
              </div>
            );
          })}
        </div>
      </div>
      <p className="sr-only" role="status">
        {over === null ? '' : `Drop to move to ${ruleSources[over].label}`}
      </p>
    </div>
  );
}
