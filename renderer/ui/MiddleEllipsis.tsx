import { classes } from './classes';
import { Tooltip } from './Tooltip';

export interface MiddleEllipsisProps {
  readonly text: string;
  /** Characters at the end that always stay. */
  readonly keepEnd?: number;
  readonly className?: string;
}

/** Cuts the first part when space is short and keeps the end, which tells paths apart. */
export function splitForEllipsis(text: string, keepEnd: number): { readonly head: string; readonly tail: string } {
  if (text.length <= keepEnd) return { head: '', tail: text };
  const slash = text.lastIndexOf('/');
  const fromSlash = slash > 0 && text.length - slash <= keepEnd * 2 ? slash : text.length - keepEnd;
  return { head: text.slice(0, fromSlash), tail: text.slice(fromSlash) };
}

/** One line of a long path: the middle gives way, the whole text shows on hover and focus. */
export function MiddleEllipsis({ text, keepEnd = 18, className }: MiddleEllipsisProps) {
  const { head, tail } = splitForEllipsis(text, keepEnd);
  return (
    <Tooltip text={text}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a cut text must be readable by keyboard too */}
      <span tabIndex={0} className={classes('flex min-w-0 max-w-full whitespace-pre rounded-small', className)}>
        {/* Not `truncate`: its nowrap would swallow a blank where the text is split. */}
        <span className="min-w-0 overflow-hidden text-ellipsis whitespace-pre">{head}</span>
        <span className="max-w-full shrink-0 overflow-hidden text-ellipsis">{tail}</span>
      </span>
    </Tooltip>
  );
}
