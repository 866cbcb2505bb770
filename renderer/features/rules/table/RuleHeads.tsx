import { ArrowDown, ArrowUp } from 'lucide-react';
import { type RuleOrder, useRulesPage } from '../../../stores/rulesPage';
import { classes } from '../../../ui/classes';
import { ruleColumns, sourceColumn } from './RuleCells';

/** In pixels. */
export const headHeight = 31;

/** Orders in which the largest come first. */
const largestFirst: readonly RuleOrder[] = ['matched', 'lastUsed', 'check'];

/** Heads of the columns; those that can sort are buttons. */
export function RuleHeads() {
  const bySource = useRulesPage((page) => page.grouping === 'source');
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid.
    // biome-ignore lint/a11y/useFocusableInteractive: the buttons in it have the focus.
    <div
      role="row"
      className={classes(
        ruleColumns(bySource),
        'sticky top-0 z-30 h-7.75 items-center border-line border-b bg-background px-3 font-semibold text-head text-muted',
      )}
    >
      <Head name="Verdict" indented />
      <Head name="Rule" order="rule" />
      <Head name="Source" className={sourceColumn(bySource)} />
      <Head name="Line" order="place" wide right />
      <Head name="Matched" order="matched" wide right />
      <Head name="Last" order="lastUsed" wide />
      <Head name="Check" order="check" />
    </div>
  );
}

interface HeadProps {
  readonly name: string;
  readonly order?: RuleOrder;
  readonly wide?: boolean;
  readonly right?: boolean;
  /** Leaves room for the boxes that rows have there. */
  readonly indented?: boolean;
  readonly className?: string;
}

function Head({ name, order, wide = false, right = false, indented = false, className }: HeadProps) {
  const isSorted = useRulesPage((page) => order !== undefined && page.order === order);
  const descending = useRulesPage((page) => page.descending);
  const show = useRulesPage((page) => page.show);
  const Arrow = descending ? ArrowDown : ArrowUp;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid.
    // biome-ignore lint/a11y/useFocusableInteractive: the button in it has the focus.
    <div
      role="columnheader"
      {...(order === undefined ? {} : { 'aria-sort': isSorted ? (descending ? 'descending' : 'ascending') : 'none' })}
      className={classes('min-w-0', wide && 'hidden @3xl:block', right && 'text-right', indented && 'pl-6', className)}
    >
      {order === undefined ? (
        name
      ) : (
        <button
          type="button"
          className="inline-flex items-center gap-0.5 rounded-small font-semibold hover:text-text"
          onClick={() => {
            // Three presses lead back to the places of the files.
            const first = largestFirst.includes(order);
            if (!isSorted) show({ order, descending: first });
            else if (order !== 'place' && descending === first) show({ descending: !first });
            else show({ order: 'place', descending: false });
          }}
        >
          {name}
          {isSorted && order !== 'place' ? <Arrow aria-hidden size={12} strokeWidth={2} /> : null}
        </button>
      )}
    </div>
  );
}
