import { Popover as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

export interface PopoverProps {
  readonly trigger: ReactElement;
  /** Name of the floating part. */
  readonly label: string;
  readonly side?: 'top' | 'right' | 'bottom' | 'left' | undefined;
  readonly align?: 'start' | 'center' | 'end' | undefined;
  readonly children: ReactNode;
}

/** Details that float beside the button which opens them. */
export function Popover({ trigger, label, side = 'bottom', align = 'start', children }: PopoverProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          side={side}
          align={align}
          sideOffset={8}
          collisionPadding={8}
          onOpenAutoFocus={(event) => {
            // The part as a whole, so that its first sentence is read before its first control.
            event.preventDefault();
            if (event.target instanceof HTMLElement) event.target.focus();
          }}
          className="appear z-50 max-h-(--radix-popover-content-available-height) w-96 max-w-[calc(100vw-16px)] overflow-y-auto rounded-card border border-line-strong bg-raised p-4 text-text shadow-float"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Around a button inside (`asChild`): closes the floating part as well. */
export const PopoverClose = Radix.Close;
