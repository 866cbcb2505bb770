import type { HTMLAttributes, ReactNode, Ref } from 'react';
import { classes } from './classes';

export interface RowProps extends HTMLAttributes<HTMLDivElement> {
  readonly selected?: boolean;
  readonly ref?: Ref<HTMLDivElement>;
  readonly children: ReactNode;
}

/** The one row of lists and tables: 34 pixels. */
export function Row({ selected = false, className, children, ...rest }: RowProps) {
  return (
    <div
      className={classes(
        'flex h-8.5 min-w-0 items-center gap-2.5 rounded-control px-2 text-ui',
        selected ? 'bg-selected' : 'hover:bg-hover',
        className,
      )}
      {...rest}
    >
      {children}
    </div>
  );
}
