import { CircleCheck, CircleDashed, CircleQuestionMark, EyeOff, FileCheck, type LucideIcon } from 'lucide-react';
import type { Seen } from '#shared/api/results';
import { classes } from '../../../ui/classes';
import { seenWords } from './words';

const looks: Readonly<Record<Seen['kind'], { readonly icon: LucideIcon; readonly colour: string }>> = {
  preview: { icon: CircleDashed, colour: 'text-muted' },
  again: { icon: CircleCheck, colour: 'text-allow' },
  whole: { icon: FileCheck, colour: 'text-allow' },
  never: { icon: EyeOff, colour: 'text-ask' },
  unknown: { icon: CircleQuestionMark, colour: 'text-muted' },
};

/** How much of a result the model knows, in words and with a shape of its own. */
export function SeenState({ seen }: { readonly seen: Seen }) {
  const { icon: Icon, colour } = looks[seen.kind];
  const words = seenWords(seen);
  return (
    <span title={words} className={classes('flex min-w-0 items-center gap-1.5', colour)}>
      <Icon aria-hidden size={14} strokeWidth={1.75} className="shrink-0" />
      <span className="min-w-0 truncate">{words}</span>
    </span>
  );
}
