import type { ReactNode } from 'react';
import { classes } from './classes';

interface Props {
  readonly right?: boolean;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A cell of a grid that has the focus itself. */
export function GridCell({ right = false, className, children }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows that are drawn when in sight are no table.
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus.
    <div role="gridcell" className={classes('min-w-0 text-small', right && 'text-right', className)}>
      {children}
    </div>
  );
}
