import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ResultOrder, useResultsPage } from '../../../stores/resultsPage';
import { classes } from '../../../ui/classes';
import { resultColumns } from './ResultCells';

/** In pixels. */
export const headHeight = 31;

/** Orders in which the largest come first. */
const largestFirst: readonly ResultOrder[] = ['bytes'];

/** Heads of the columns; each sorts. */
export function ResultHeads() {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid.
    // biome-ignore lint/a11y/useFocusableInteractive: the buttons in it have the focus.
    <div
      role="row"
      className={classes(
        resultColumns,
        'sticky top-0 z-30 h-7.75 items-center border-line border-b bg-background px-3 font-semibold text-head text-muted',
      )}
    >
      <Head name="Result of" order="what" className="pl-6" />
      <Head name="Session" order="session" wide />
      <Head name="Size" order="bytes" right />
      <Head name="Age" order="age" wide />
      <Head name="Model" order="seen" />
      <Head name="Clean-up" order="goes" wide />
    </div>
  );
}

interface HeadProps {
  readonly name: string;
  readonly order: ResultOrder;
  readonly wide?: boolean;
  readonly right?: boolean;
  readonly className?: string;
}

function Head({ name, order, wide = false, right = false, className }: HeadProps) {
  const isSorted = useResultsPage((page) => page.order === order);
  const descending = useResultsPage((page) => page.descending);
  const show = useResultsPage((page) => page.show);
  const Arrow = descending ? ArrowDown : ArrowUp;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid.
    // biome-ignore lint/a11y/useFocusableInteractive: the button in it has the focus.
    <div
      role="columnheader"
      aria-sort={isSorted ? (descending ? 'descending' : 'ascending') : 'none'}
      className={classes('min-w-0', wide && 'hidden @2xl:block', right && 'text-right', className)}
    >
      <button
        type="button"
        className="inline-flex items-center gap-0.5 rounded-small font-semibold hover:text-text"
        onClick={() =>
          isSorted ? show({ descending: !descending }) : show({ order, descending: largestFirst.includes(order) })
        }
      >
        {name}
        {isSorted ? <Arrow aria-hidden size={12} strokeWidth={2} /> : null}
      </button>
    </div>
  );
}
