import type { HTMLAttributes } from 'react';

export interface GridCellProps extends HTMLAttributes<HTMLDivElement> {
  readonly role: 'gridcell' | 'rowheader' | 'columnheader';
}

/** A cell of a grid that draws only what is in view; the grid itself has the focus. */
export function GridCell(props: GridCellProps) {
  return <div {...props} />;
}
