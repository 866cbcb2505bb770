import type { Behavior, RuleRef } from '#shared/permissions/decision';
import { VerdictIcon } from '../../../ui/Verdict';
import { counted } from '../../frame/words';

const order: readonly Behavior[] = ['deny', 'ask', 'allow'];

/** How many rules of each verdict name a tool. */
export function RuleMarks({ rules }: { readonly rules: readonly RuleRef[] }) {
  const counts = order
    .map((behavior) => ({ behavior, count: rules.filter((rule) => rule.behavior === behavior).length }))
    .filter(({ count }) => count > 0);
  if (counts.length === 0) return <span className="text-dim">none</span>;
  return (
    <span className="inline-flex items-center gap-2.5">
      {counts.map(({ behavior, count }) => (
        <span key={behavior} className="inline-flex items-center gap-1">
          <VerdictIcon verdict={behavior} size={14} />
          <span aria-hidden>{count}</span>
          <span className="sr-only">{counted(count, `${behavior} rule`)}</span>
        </span>
      ))}
    </span>
  );
}
