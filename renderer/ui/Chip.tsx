import type { LucideIcon } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { classes } from './classes';

export interface ChipProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly icon?: LucideIcon | undefined;
  readonly tone?: 'plain' | 'ask' | 'accent' | undefined;
  readonly ref?: Ref<HTMLButtonElement> | undefined;
  readonly children: ReactNode;
}

const tones = { plain: 'text-muted hover:text-text', ask: 'text-ask', accent: 'text-accent' };

/** A small button that shows a present choice and lets one change it. `aria-pressed` marks a chosen one. */
export function Chip({ icon: Icon, tone = 'plain', className, children, ...rest }: ChipProps) {
  return (
    <button
      type="button"
      className={classes(
        'inline-flex h-6 min-w-0 items-center gap-1.5 whitespace-nowrap rounded-small border border-line-strong bg-transparent px-2 text-small transition-colors duration-100 not-disabled:hover:bg-hover disabled:opacity-50 aria-pressed:border-accent aria-pressed:bg-accent-tint aria-pressed:text-accent data-[state=open]:bg-hover',
        tones[tone],
        className,
      )}
      {...rest}
    >
      {Icon === undefined ? null : <Icon aria-hidden className="shrink-0" size={14} strokeWidth={1.75} />}
      {children}
    </button>
  );
}
