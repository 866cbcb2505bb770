import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { Plug } from 'lucide-react';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { ToolView } from '#shared/api/tools';
import { classes } from '../../../ui/classes';
import { VisibleText } from '../../../ui/VisibleText';
import { RuleMarks } from './RuleMarks';
import { ToolState } from './ToolState';
import { useGridKeys } from './useGridKeys';

/** Rows beyond which only those in sight are there. */
const longList = 100;
/** In pixels: a row with its line, and the head above all. */
const rowHeight = 35;
const headHeight = 31;

export interface ToolTableProps {
  readonly tools: readonly ToolView[];
  readonly chosen: string | null;
  readonly onChoose: (name: string) => void;
}

const columns =
  'grid grid-cols-[minmax(0,1fr)_6.5rem_4.5rem] @2xl:grid-cols-[minmax(0,1fr)_10rem_6.5rem_5rem_7rem] gap-x-4';

/** The list of tools: one tab stop, arrow keys move, Enter shows the details. */
export function ToolTable({ tools, chosen, onChoose }: ToolTableProps) {
  const [focused, setFocused] = useState(0);
  const ids = useMemo(() => tools.map(({ name }) => name), [tools]);
  const scroller = useRef<HTMLDivElement>(null);
  const isLong = tools.length > longList;
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: isLong ? tools.length : 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    scrollPaddingStart: headHeight,
    scrollMargin: headHeight,
    // The row in the tab order stays there, and so does the one with the focus.
    rangeExtractor: (range) => {
      const kept = [focused, chosen === null ? 0 : Math.max(0, ids.indexOf(chosen))];
      const rows = new Set([...defaultRangeExtractor(range), ...kept.filter((index) => index < range.count)]);
      return [...rows].sort((a, b) => a - b);
    },
  });
  const reach = (index: number) => {
    setFocused(index);
    virtualizer.scrollToIndex(index);
  };
  const rowProps = useGridKeys({ ids, chosen, onChoose, ...(isLong ? { onReach: reach } : {}) });
  return (
    <div ref={scroller} className="@container min-h-0 flex-1 overflow-y-auto">
      {/* biome-ignore lint/a11y/useSemanticElements: a table element cannot keep this head in place beside grid columns. */}
      <div role="grid" aria-label="Tools" aria-rowcount={tools.length + 1} className="min-w-0">
        {/* biome-ignore lint/a11y/useSemanticElements: see above. */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: heads have nothing to do. */}
        <div
          role="row"
          className={classes(
            columns,
            'sticky top-0 z-10 border-line border-b bg-background px-4 py-1.5 font-semibold text-head text-muted',
          )}
        >
          <Head>Tool</Head>
          <Head wide>Origin</Head>
          <Head>State</Head>
          <Head right>Tokens, est.</Head>
          <Head wide>Rules</Head>
        </div>
        {isLong ? (
          <div role="presentation" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
            {virtualizer.getVirtualItems().map(({ index, start }) => {
              const tool = tools[index];
              return tool === undefined ? null : (
                <div
                  key={tool.name}
                  role="presentation"
                  className="absolute inset-x-0"
                  style={{ top: start - headHeight }}
                >
                  <ToolRow tool={tool} index={index} chosen={tool.name === chosen} place={rowProps(tool.name)} />
                </div>
              );
            })}
          </div>
        ) : (
          tools.map((tool, index) => (
            <ToolRow
              key={tool.name}
              tool={tool}
              index={index}
              chosen={tool.name === chosen}
              place={rowProps(tool.name)}
            />
          ))
        )}
      </div>
    </div>
  );
}

interface ToolRowProps {
  readonly tool: ToolView;
  readonly index: number;
  readonly chosen: boolean;
  readonly place: ReturnType<ReturnType<typeof useGridKeys>>;
}

function ToolRow({ tool, index, chosen, place }: ToolRowProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid.
    // biome-ignore lint/a11y/useFocusableInteractive: the properties hold its place in the tab order.
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={chosen}
      {...place}
      className={classes(
        columns,
        'h-8.75 items-center border-line/60 border-b px-4 -outline-offset-2',
        chosen ? 'bg-selected' : 'hover:bg-hover',
        tool.state === 'disabled' && 'text-muted',
      )}
    >
      <Cell>
        <span className="block truncate font-mono text-mono" title={tool.name}>
          <VisibleText text={tool.name} />
        </span>
      </Cell>
      <Cell wide>
        <Origin tool={tool} />
      </Cell>
      <Cell>
        <ToolState state={tool.state} />
      </Cell>
      <Cell right>{tool.tokens.toLocaleString('en')}</Cell>
      <Cell wide>
        <RuleMarks rules={tool.rules} />
      </Cell>
    </div>
  );
}

function Origin({ tool }: { readonly tool: ToolView }) {
  if (tool.origin.kind === 'builtIn') return <span className="text-muted">built in</span>;
  return (
    <span className="flex min-w-0 items-center gap-1.5" title={tool.origin.server}>
      <Plug aria-hidden size={14} strokeWidth={1.75} className="shrink-0 text-muted" />
      <span className="truncate">
        <VisibleText text={tool.origin.server} />
      </span>
    </span>
  );
}

interface CellProps {
  /** Only where the list is wide enough. */
  readonly wide?: boolean;
  readonly right?: boolean;
  readonly children: ReactNode;
}

const cell = ({ wide = false, right = false }: CellProps) =>
  classes('min-w-0', wide && 'hidden @2xl:block', right && 'text-right');

function Head(props: CellProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid.
    // biome-ignore lint/a11y/useFocusableInteractive: heads have nothing to do.
    <div role="columnheader" className={cell(props)}>
      {props.children}
    </div>
  );
}

function Cell(props: CellProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid.
    // biome-ignore lint/a11y/useFocusableInteractive: the row has the focus.
    <div role="gridcell" className={cell(props)}>
      {props.children}
    </div>
  );
}
