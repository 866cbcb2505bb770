import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { useTracePage } from '../../stores/tracePage';
import { classes } from '../../ui/classes';
import { type Column, columnsOf, listHeads } from './columns';
import { TimeAxis } from './TimeAxis';
import type { Waterfall } from './useWaterfall';

/** Heads of the columns: the time axis in the waterfall, orders in the list. */
export function LineHeads(props: {
  readonly view: 'waterfall' | 'list';
  readonly waterfall: Waterfall;
  readonly axis: Ref<HTMLDivElement>;
}) {
  const { view, waterfall, axis } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid.
    // biome-ignore lint/a11y/useFocusableInteractive: the buttons in it have the focus.
    <div
      role="row"
      className={classes(
        columnsOf(view),
        'sticky top-0 z-30 h-7.75 items-center border-line border-b bg-background px-3 font-semibold text-head text-muted',
      )}
    >
      {view === 'waterfall' ? (
        <>
          <Head>
            <span className="sr-only">Kind</span>
          </Head>
          <Head>Tool</Head>
          <Head>Call</Head>
          <Head className="@max-2xl:hidden">Verdict</Head>
          <Head className="h-full">
            <span className="sr-only">When</span>
            <TimeAxis ref={axis} waterfall={waterfall} />
          </Head>
          <Head className="text-right">Time</Head>
        </>
      ) : (
        listHeads.map((column) => <Sorting key={column.order} column={column} />)
      )}
    </div>
  );
}

function Head({ className, children }: { readonly className?: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid.
    // biome-ignore lint/a11y/useFocusableInteractive: it names its column and does nothing.
    <div role="columnheader" className={classes('min-w-0', className)}>
      {children}
    </div>
  );
}

function Sorting({ column }: { readonly column: Column }) {
  const { name, order, right = false, wide = false, descending: first = false } = column;
  const isSorted = useTracePage((page) => page.order === order);
  const descending = useTracePage((page) => page.descending);
  const show = useTracePage((page) => page.show);
  const Arrow = descending ? ArrowDown : ArrowUp;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the grid.
    // biome-ignore lint/a11y/useFocusableInteractive: the button in it has the focus.
    <div
      role="columnheader"
      aria-sort={isSorted ? (descending ? 'descending' : 'ascending') : 'none'}
      className={classes('min-w-0', right && 'text-right', wide && '@max-2xl:hidden')}
    >
      <button
        type="button"
        className="inline-flex items-center gap-0.5 rounded-small font-semibold hover:text-text"
        onClick={() => {
          // Three presses lead back to the order in which the calls were made.
          if (!isSorted) show({ order, descending: first });
          else if (descending === first) show({ descending: !first });
          else show({ order: 'number', descending: false });
        }}
      >
        {name === '#' ? (
          <>
            <span aria-hidden>#</span>
            <span className="sr-only">Number</span>
          </>
        ) : (
          name
        )}
        {isSorted && (order !== 'number' || descending) ? <Arrow aria-hidden size={12} strokeWidth={2} /> : null}
      </button>
    </div>
  );
}
