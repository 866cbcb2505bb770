import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { ruleSources, type SavableSource } from '#shared/permissions/sources';
import { useRulesPage } from '../../../stores/rulesPage';
import { classes } from '../../../ui/classes';
import { moveRules, removeRules } from '../ruleActions';
import { GroupHead } from './GroupHead';
import { RuleCells, ruleColumns } from './RuleCells';
import type { RuleLine, RuleRow } from './rows';
import { useRuleGrid } from './useRuleGrid';

/** In pixels. */
const rowHeight = 35;
const headHeight = 31;

export interface RuleTableProps {
  readonly lines: readonly RuleLine[];
  readonly rows: readonly RuleRow[];
  readonly onOpen: (key: string) => void;
}

/** The rules of all sources: one tab stop, arrow keys move, Space chooses, Enter shows the details. */
export function RuleTable({ lines, rows, onOpen }: RuleTableProps) {
  const id = useId();
  const chosen = useRulesPage((page) => page.chosen);
  const active = useRulesPage((page) => page.active);
  const scroller = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const cursor = Math.min(at, Math.max(0, lines.length - 1));
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => lines[index]?.key ?? index,
    overscan: 12,
    scrollPaddingStart: headHeight,
    scrollMargin: headHeight,
    // The line that the keys are about is always there, or nobody could tell assistive technology about it.
    rangeExtractor: (range) => {
      const kept = cursor < range.count ? [cursor] : [];
      return [...new Set([...defaultRangeExtractor(range), ...kept])].sort((a, b) => a - b);
    },
  });
  const onCursor = (index: number) => {
    setAt(index);
    virtualizer.scrollToIndex(index);
  };
  const { onKeyDown, onRowClick } = useRuleGrid({
    lines,
    cursor,
    onCursor,
    actions: { onOpen, onRemove: () => removeRules(chosenRows(rows)) },
  });
  const selected = useMemo(() => new Set(chosen), [chosen]);
  const shownActive = lines.findIndex(({ key }) => key === active);
  useEffect(() => {
    if (shownActive !== -1) setAt(shownActive);
  }, [shownActive]);

  const [over, setOver] = useState<SavableSource | null>(null);
  const dragged = useRef<readonly RuleRow[]>([]);
  const dropSource = (line: RuleLine): SavableSource | null => {
    const source = line.kind === 'group' ? line.group.source : line.row.rule.source;
    return source === 'userSettings' ||
      source === 'projectSettings' ||
      source === 'localSettings' ||
      source === 'session'
      ? source
      : null;
  };

  return (
    <div ref={scroller} className="@container min-h-0 flex-1 overflow-y-auto" data-testid="rules-scroller">
      {/* biome-ignore lint/a11y/useSemanticElements: a table element cannot keep this head in place beside grid columns. */}
      <div
        role="grid"
        aria-label="Rules"
        aria-multiselectable
        aria-rowcount={lines.length + 1}
        aria-colcount={7}
        tabIndex={0}
        aria-activedescendant={lines.length === 0 ? undefined : `${id}-${cursor}`}
        onKeyDown={onKeyDown}
        className="group/grid min-w-0 outline-none"
      >
        <Heads />
        <div role="presentation" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const line = lines[index];
            if (line === undefined) return null;
            const source = dropSource(line);
            const isCursor = index === cursor;
            const isChosen = line.kind === 'rule' && (selected.has(line.key) || line.key === active);
            const draggable = line.kind === 'rule' && line.row.state !== 'removed';
            return (
              // biome-ignore lint/a11y/useSemanticElements: see the grid.
              // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names this row.
              // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the grid.
              <div
                key={line.key}
                id={`${id}-${index}`}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={line.kind === 'rule' ? isChosen : undefined}
                draggable={draggable}
                onClick={(event) => onRowClick(index, event)}
                onDragStart={(event) => {
                  if (line.kind !== 'rule') return;
                  dragged.current = selected.has(line.key) ? chosenRows(rows) : [line.row];
                  event.dataTransfer.setData('text/plain', line.row.rule.text);
                  event.dataTransfer.effectAllowed = 'copyMove';
                }}
                onDragOver={(event) => {
                  if (source === null) return;
                  event.preventDefault();
                  setOver(source);
                }}
                onDragEnd={() => setOver(null)}
                onDrop={(event) => {
                  event.preventDefault();
                  setOver(null);
                  if (source === null) return;
                  const how = event.ctrlKey || event.altKey ? 'copy' : 'move';
                  moveRules(dragged.current, source, how);
                }}
                style={{ position: 'absolute', insetInline: 0, top: start - headHeight, height: rowHeight }}
                className={classes(
                  'border-line/60 border-b',
                  line.kind === 'rule' && (isChosen ? 'bg-selected' : 'hover:bg-hover'),
                  isCursor && 'group-focus-visible/grid:outline-2 group-focus-visible/grid:-outline-offset-2',
                  isCursor && 'group-focus-visible/grid:outline-accent',
                  over !== null && source === over && 'bg-accent-tint',
                )}
              >
                {line.kind === 'group' ? <GroupHead group={line.group} /> : <RuleCells row={line.row} />}
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

function Heads() {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid.
    // biome-ignore lint/a11y/useFocusableInteractive: heads have nothing to do.
    <div
      role="row"
      className={classes(
        ruleColumns,
        'sticky top-0 z-10 h-7.75 items-center border-line border-b bg-background px-3 font-semibold text-head text-muted',
      )}
    >
      {['Verdict', 'Rule'].map((name) => (
        <Head key={name}>{name}</Head>
      ))}
      <Head wide>Source</Head>
      <Head wide right>
        Line
      </Head>
      <Head wide right>
        Matched
      </Head>
      <Head wide>Last</Head>
      <Head>Check</Head>
    </div>
  );
}

function Head(props: { readonly children: string; readonly wide?: boolean; readonly right?: boolean }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid.
    // biome-ignore lint/a11y/useFocusableInteractive: heads have nothing to do.
    <div
      role="columnheader"
      className={classes('min-w-0', props.wide && 'hidden @3xl:block', props.right && 'text-right')}
    >
      {props.children}
    </div>
  );
}

/** The chosen rows, in the order of the table; without any, the one whose details are shown. */
export function chosenRows(rows: readonly RuleRow[]): readonly RuleRow[] {
  const { chosen, active } = useRulesPage.getState();
  const keys = new Set(chosen.length > 0 ? chosen : active === null ? [] : [active]);
  return rows.filter(({ key }) => keys.has(key));
}
