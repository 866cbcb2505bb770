import { Check, CircleSlash, Clock3, type LucideIcon } from 'lucide-react';
import type { ToolState as State } from '#shared/api/tools';
import { classes } from '../../../ui/classes';

const looks: Readonly<Record<State, { readonly word: string; readonly icon: LucideIcon; readonly colour: string }>> = {
  loaded: { word: 'loaded', icon: Check, colour: 'text-text' },
  deferred: { word: 'deferred', icon: Clock3, colour: 'text-accent' },
  disabled: { word: 'disabled', icon: CircleSlash, colour: 'text-muted' },
};

/** A tool's state as word and shape. */
export function ToolState({ state }: { readonly state: State }) {
  const { word, icon: Icon, colour } = looks[state];
  return (
    <span className={classes('inline-flex items-center gap-1.5 whitespace-nowrap', colour)}>
      <Icon aria-hidden size={14} strokeWidth={1.75} className="shrink-0" />
      {word}
    </span>
  );
}
