import { CircleAlert, Info, TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from './classes';
import { IconButton } from './IconButton';

export interface BannerProps {
  readonly level: 'info' | 'warning' | 'error';
  /** The fact. */
  readonly title: ReactNode;
  /** Cause and next step. */
  readonly children?: ReactNode;
  /** A button. */
  readonly action?: ReactNode;
  readonly onDismiss?: (() => void) | undefined;
}

const looks = {
  info: { icon: Info, colour: 'text-accent', ground: 'bg-accent-tint' },
  warning: { icon: TriangleAlert, colour: 'text-ask', ground: 'bg-ask-tint' },
  error: { icon: CircleAlert, colour: 'text-deny', ground: 'bg-deny-tint' },
};

/** A line across the page about a state that lasts. */
export function Banner({ level, title, children, action, onDismiss }: BannerProps) {
  const { icon: Icon, colour, ground } = looks[level];
  return (
    <div
      role={level === 'error' ? 'alert' : 'status'}
      className={classes('flex items-start gap-3 border-b border-line px-4 py-2', ground)}
    >
      <Icon aria-hidden size={17} strokeWidth={1.75} className={classes('mt-0.5 shrink-0', colour)} />
      {/* What others wrote must not push the page out of the window. */}
      <div className="line-clamp-4 min-w-0 flex-1 [overflow-wrap:anywhere] [@media(max-height:700px)]:line-clamp-2">
        <span className={classes('font-semibold', colour)}>{title}</span>
        {children === undefined ? null : <span className="text-text"> {children}</span>}
      </div>
      {action}
      {onDismiss === undefined ? null : <IconButton label="Dismiss" icon={X} size="small" onClick={onDismiss} />}
    </div>
  );
}
