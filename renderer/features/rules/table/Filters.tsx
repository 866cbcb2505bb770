import { useMemo } from 'react';
import { ruleSources } from '#shared/permissions/sources';
import { useRulesPage } from '../../../stores/rulesPage';
import { Chip } from '../../../ui/Chip';
import { type RuleRow, shownSources } from './rows';

function toggled<Value>(values: readonly Value[], value: Value): readonly Value[] {
  return values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
}

/** One chip for each verdict and source that has rules; none pressed shows all. */
export function Filters({ rows }: { readonly rows: readonly RuleRow[] }) {
  const sources = useRulesPage((page) => page.sources);
  const verdicts = useRulesPage((page) => page.verdicts);
  const show = useRulesPage((page) => page.show);
  const counts = useMemo(() => {
    const of = new Map<string, number>();
    for (const { rule, state } of rows)
      for (const key of [rule.source, rule.behavior]) of.set(key, (of.get(key) ?? 0) + (state === 'removed' ? 0 : 1));
    return of;
  }, [rows]);
  return (
    <fieldset
      aria-label="Filters"
      className="flex shrink-0 items-center gap-1.5 overflow-x-auto border-line border-b px-3 py-1.5"
    >
      {(['deny', 'ask', 'allow'] as const).map((behavior) => (
        <Chip
          key={behavior}
          aria-pressed={verdicts.includes(behavior)}
          onClick={() => show({ verdicts: toggled(verdicts, behavior) })}
        >
          {behavior} {counts.get(behavior) ?? 0}
        </Chip>
      ))}
      <span aria-hidden className="mx-1 h-4 w-px shrink-0 bg-line" />
      {shownSources
        .filter((source) => counts.has(source) || sources.includes(source))
        .map((source) => (
          <Chip
            key={source}
            aria-pressed={sources.includes(source)}
            onClick={() => show({ sources: toggled(sources, source) })}
          >
            {ruleSources[source].label} {counts.get(source) ?? 0}
          </Chip>
        ))}
    </fieldset>
  );
}
