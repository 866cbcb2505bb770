import type { ReactNode } from 'react';
import { classes } from './classes';

const looks = {
  neutral: 'bg-undetermined-tint text-muted',
  accent: 'bg-accent-tint text-accent',
  allow: 'bg-allow-tint text-allow',
  ask: 'bg-ask-tint text-ask',
  deny: 'bg-deny-tint text-deny',
  hook: 'bg-hook-tint text-hook',
};

/** A short word or number that qualifies what stands beside it. */
export function Badge({
  tone = 'neutral',
  children,
}: {
  readonly tone?: keyof typeof looks;
  readonly children: ReactNode;
}) {
  return (
    <span
      className={classes(
        'inline-flex shrink-0 items-center whitespace-nowrap rounded-small px-1.5 text-head font-semibold',
        looks[tone],
      )}
    >
      {children}
    </span>
  );
}
