import { Tooltip as Radix } from 'radix-ui';
import type { ReactElement } from 'react';
import { Kbd } from './Kbd';

export interface TooltipProps {
  readonly text: string;
  readonly keys?: string | undefined;
  readonly side?: 'top' | 'right' | 'bottom' | 'left' | undefined;
  readonly children: ReactElement;
}

/** Words on hover and focus. `TooltipProvider` must be above. */
export function Tooltip({ text, keys, side = 'bottom', children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="appear z-60 flex max-w-120 items-center gap-2 break-all rounded-small border border-line-strong bg-raised px-2 py-1 text-small text-text shadow-float"
        >
          {text}
          {keys === undefined ? null : <Kbd keys={keys} />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Shared delay of all tooltips. */
export const TooltipProvider = Radix.Provider;
