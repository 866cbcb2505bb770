import type { LucideIcon } from 'lucide-react';
import type { ButtonHTMLAttributes, Ref } from 'react';
import { classes } from './classes';
import { Tooltip } from './Tooltip';

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label' | 'children'> {
  /** Name for assistive technology and the tooltip. */
  readonly label: string;
  readonly icon: LucideIcon;
  /** Keys shown in the tooltip. */
  readonly keys?: string | undefined;
  readonly size?: 'normal' | 'small' | undefined;
  readonly side?: 'top' | 'right' | 'bottom' | 'left' | undefined;
  readonly ref?: Ref<HTMLButtonElement> | undefined;
}

/** A button that shows only a picture; its name is required. */
export function IconButton({ label, icon: Icon, keys, size = 'normal', side, className, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} keys={keys} side={side}>
      <button
        type="button"
        aria-label={label}
        className={classes(
          'inline-flex shrink-0 items-center justify-center rounded-control text-muted transition-colors duration-100 not-disabled:hover:bg-hover not-disabled:hover:text-text disabled:opacity-50 aria-pressed:bg-selected aria-pressed:text-text data-[state=open]:bg-hover data-[state=open]:text-text',
          size === 'normal' ? 'size-8' : 'size-6',
          className,
        )}
        {...rest}
      >
        <Icon aria-hidden size={size === 'normal' ? 17 : 15} strokeWidth={1.75} />
      </button>
    </Tooltip>
  );
}
