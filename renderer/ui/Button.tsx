import type { LucideIcon } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { classes } from './classes';
import { Kbd } from './Kbd';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly variant?: 'plain' | 'primary' | 'danger' | 'ghost' | undefined;
  readonly size?: 'normal' | 'small' | undefined;
  readonly icon?: LucideIcon | undefined;
  /** Keys shown inside, for example `Mod+Enter`. */
  readonly keys?: string | undefined;
  readonly ref?: Ref<HTMLButtonElement> | undefined;
  readonly children: ReactNode;
}

const looks = {
  plain: 'border-line-strong bg-raised text-text not-disabled:hover:bg-hover',
  primary: 'border-transparent bg-accent-fill text-on-accent not-disabled:hover:brightness-110',
  danger: 'border-line-strong bg-raised text-deny not-disabled:hover:bg-deny-tint',
  ghost: 'border-transparent bg-transparent text-muted not-disabled:hover:bg-hover not-disabled:hover:text-text',
};

/** A button with words. */
export function Button({
  variant = 'plain',
  size = 'normal',
  icon: Icon,
  keys,
  children,
  className,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      className={classes(
        'inline-flex shrink-0 items-center justify-center gap-2 whitespace-nowrap rounded-control border font-medium transition-colors duration-100 disabled:opacity-50 aria-disabled:opacity-60',
        size === 'normal' ? 'h-8 px-3 text-ui' : 'h-6 px-2 text-small',
        looks[variant],
        className,
      )}
      {...rest}
    >
      {Icon === undefined ? null : <Icon aria-hidden size={size === 'normal' ? 16 : 14} strokeWidth={1.75} />}
      {children}
      {keys === undefined ? null : <Kbd keys={keys} />}
    </button>
  );
}
