import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { classes } from '../../ui/classes';

export interface StatusButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly ref?: Ref<HTMLButtonElement>;
  readonly children: ReactNode;
}

/** A piece of the status bar that opens details. */
export function StatusButton({ className, children, ...rest }: StatusButtonProps) {
  return (
    <button
      type="button"
      className={classes(
        '-mx-1.5 inline-flex h-6 min-w-0 shrink-0 items-center gap-1.5 rounded-small px-1.5 -outline-offset-2 hover:bg-hover data-[state=open]:bg-hover',
        className,
      )}
      {...rest}
    >
      {children}
    </button>
  );
}
