import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { classes } from './classes';

export interface SheetProps {
  readonly side: 'left' | 'right';
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly children: ReactNode;
}

/** A pane that lies over the content where the window is too narrow for it. */
export function Sheet({ side, open, onOpenChange, title, children }: SheetProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-30 bg-overlay" />
        <Radix.Content
          aria-describedby={undefined}
          className={classes(
            'fixed inset-y-0 z-40 flex flex-col bg-panel text-text shadow-float',
            side === 'left' ? 'left-0 w-80 border-r' : 'right-0 w-110 border-l',
            'max-w-[88vw] border-line-strong',
          )}
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
