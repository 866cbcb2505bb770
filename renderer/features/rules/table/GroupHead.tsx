import { Lock, Users } from 'lucide-react';
import { ruleSources } from '#shared/permissions/sources';
import { useApp } from '../../../stores/app';
import { useRules } from '../../../stores/rules';
import { MiddleEllipsis } from '../../../ui/MiddleEllipsis';
import { VisibleText } from '../../../ui/VisibleText';
import { counted, homePath } from '../../frame/words';
import type { RuleGroup } from './rows';

const meanings: Readonly<Record<string, string>> = {
  policySettings: 'managed by the administrator',
  projectSettings: 'shared with the team',
  localSettings: 'only you, this project',
  userSettings: 'all your projects',
  session: 'kept in memory',
  flagSettings: 'given at launch',
  cliArg: 'given at launch',
  command: 'for this turn',
};

/** The head of a group: what it stands for, how many rules it has, and of a source where it is written. */
export function GroupHead({ group }: { readonly group: RuleGroup }) {
  const { name, source, count } = group;
  const home = useApp((app) => app.hello?.home ?? '');
  const file = useRules((rules) => rules.view?.files.find((one) => one.source === source)?.path);
  const label = source === null ? name : ruleSources[source].label;
  const locked = source !== null && !ruleSources[source].editable;
  return (
    // biome-ignore lint/a11y/useSemanticElements: part of the grid of rules.
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus.
    <div role="gridcell" aria-colspan={7} className="flex h-full min-w-0 items-center gap-2 bg-panel px-3">
      {locked ? <Lock aria-label="Locked" size={14} strokeWidth={1.75} className="shrink-0 text-muted" /> : null}
      {source === 'projectSettings' ? (
        <Users aria-hidden size={14} strokeWidth={1.75} className="shrink-0 text-muted" />
      ) : null}
      <span className="shrink-0 font-semibold text-small">
        <span className={source === null ? 'font-mono' : 'capitalize'}>
          <VisibleText text={label} />
        </span>
        {source === null ? null : <span className="text-muted"> · {meanings[source]}</span>}
        <span className="text-muted">, {count === 0 ? 'no rules' : counted(count, 'rule')}</span>
      </span>
      {file === undefined ? null : (
        <span className="ml-auto hidden min-w-0 @2xl:block">
          <MiddleEllipsis text={homePath(file, home)} className="font-mono text-dim text-mono" />
        </span>
      )}
    </div>
  );
}
