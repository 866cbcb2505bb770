import { Lock, Users, Wrench } from 'lucide-react';
import { ruleSources } from '#shared/permissions/sources';
import { useApp } from '../../../stores/app';
import { useRules } from '../../../stores/rules';
import { useRulesPage } from '../../../stores/rulesPage';
import { Button } from '../../../ui/Button';
import { classes } from '../../../ui/classes';
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
export function GroupHead({ group, isTarget }: { readonly group: RuleGroup; readonly isTarget: boolean }) {
  const { name, source, count } = group;
  const home = useApp((app) => app.hello?.home ?? '');
  const file = useRules((rules) => rules.view?.files.find((one) => one.source === source));
  const show = useRulesPage((page) => page.show);
  const label = source === null ? name : ruleSources[source].label;
  const locked = source !== null && !ruleSources[source].editable;
  return (
    // biome-ignore lint/a11y/useSemanticElements: part of the grid of rules.
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus.
    <div
      role="gridcell"
      aria-colspan={7}
      className={classes('flex h-full min-w-0 items-center gap-2 px-3', isTarget ? 'bg-accent-tint' : 'bg-panel')}
    >
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
      {isTarget ? <span className="font-medium text-accent text-small">drop here</span> : null}
      {file?.state === 'broken' || file?.state === 'unreadable' ? (
        <span className="flex min-w-0 items-center gap-2 text-deny text-small">
          <span className="truncate">{file.state === 'broken' ? 'does not parse' : 'cannot be read'}</span>
          {file.state === 'broken' ? (
            <Button
              size="small"
              icon={Wrench}
              onClick={() => show({ view: 'text', file: file.path, line: file.line ?? null, repairing: true })}
            >
              Repair…
            </Button>
          ) : null}
        </span>
      ) : null}
      {file === undefined ? null : (
        <span className="ml-auto hidden min-w-0 @2xl:block">
          <span
            title={file.path}
            className="block truncate whitespace-nowrap font-mono text-dim text-mono [direction:rtl]"
          >
            <bdi dir="ltr">{homePath(file.path, home)}</bdi>
          </span>
        </span>
      )}
    </div>
  );
}
