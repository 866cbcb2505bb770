import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { classes } from './classes';

export interface DialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  /** One or two sentences under the title. */
  readonly description?: ReactNode;
  readonly width?: 'narrow' | 'normal' | 'wide';
  /** Buttons at the bottom, the main one last. */
  readonly footer?: ReactNode;
  readonly children?: ReactNode;
}

const widths = { narrow: 'max-w-md', normal: 'max-w-xl', wide: 'max-w-3xl' };

/** A modal dialog; Escape and the cross close it. */
export function Dialog({ open, onOpenChange, title, description, width = 'normal', footer, children }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-overlay" />
        <Radix.Content
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          className={classes(
            'appear fixed inset-x-4 top-[10vh] z-50 mx-auto flex max-h-[80vh] flex-col overflow-hidden rounded-card border border-line-strong bg-raised text-text shadow-float',
            widths[width],
          )}
        >
          <header className="px-5 pt-4 pr-12 pb-2">
            <Radix.Title className="text-title font-semibold">{title}</Radix.Title>
            {description === undefined ? null : (
              <Radix.Description asChild>
                <div className="mt-0.5 text-muted">{description}</div>
              </Radix.Description>
            )}
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-5">{children}</div>
          {footer === undefined ? null : (
            <footer className="flex items-center justify-end gap-2 border-t border-line bg-panel px-5 py-3">
              {footer}
            </footer>
          )}
          {/* Last, so that the first focus goes to what the dialog is about. */}
          <Radix.Close
            aria-label="Close"
            className="absolute top-3.5 right-3.5 inline-flex size-7 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-text"
          >
            <X aria-hidden size={16} strokeWidth={1.75} />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
