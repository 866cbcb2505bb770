import { FileCheck2, FileWarning } from 'lucide-react';
import type { RuleFile, RulesView } from '#shared/api/permissions';
import { ruleSources } from '#shared/permissions/sources';
import { useApp } from '../../stores/app';
import { useRules } from '../../stores/rules';
import { Badge } from '../../ui/Badge';
import { MiddleEllipsis } from '../../ui/MiddleEllipsis';
import { Popover } from '../../ui/Popover';
import { VisibleText } from '../../ui/VisibleText';
import { StatusButton } from './StatusButton';
import { counted, placeOf } from './words';

const states: Readonly<
  Record<RuleFile['state'], { readonly word: string; readonly tone: 'neutral' | 'allow' | 'deny' }>
> = {
  absent: { word: 'none', tone: 'neutral' },
  read: { word: 'in force', tone: 'allow' },
  broken: { word: 'broken', tone: 'deny' },
  unreadable: { word: 'unreadable', tone: 'deny' },
  ignored: { word: 'ignored', tone: 'deny' },
};

/** "3 rule files, 2 warnings": files in force, files in trouble count as warnings. */
export function summarise(view: RulesView): string {
  const files = view.files.filter((file) => file.state !== 'absent').length;
  const troubles = view.warnings.length + view.files.filter((file) => states[file.state].tone === 'deny').length;
  const fileWords = counted(files, 'rule file');
  return troubles === 0 ? fileWords : `${fileWords}, ${counted(troubles, 'warning')}`;
}

/** Rule files of the session, with what is wrong in them. */
export function StatusRules() {
  const view = useRules((rules) => rules.view);
  const problem = useRules((rules) => rules.problem);
  const home = useApp((app) => app.hello?.home ?? '');
  if (view === null) return problem === '' ? null : <span title={problem}>rules unknown</span>;
  const troubled = view.warnings.length > 0 || view.files.some((file) => states[file.state].tone === 'deny');
  const Icon = troubled ? FileWarning : FileCheck2;
  return (
    <Popover
      label="Rule files"
      side="top"
      trigger={
        <StatusButton className={troubled ? 'text-ask' : ''}>
          <Icon aria-hidden size={14} strokeWidth={1.75} />
          {summarise(view)}
        </StatusButton>
      }
    >
      <h2 className="text-title font-semibold">Rule files</h2>
      <p className="text-muted">
        {counted(view.rules.length, 'rule')} in force. Deny beats ask beats allow, wherever a rule stands.
      </p>
      <ul className="mt-3 flex flex-col gap-2.5">
        {view.files.map((file) => (
          <li key={`${file.source} ${file.path}`}>
            <div className="flex min-w-0 items-center gap-2">
              <span className="w-14 shrink-0 font-medium">{ruleSources[file.source].label}</span>
              <MiddleEllipsis
                text={placeOf(file, home)}
                className="flex-1 font-mono text-mono text-muted"
                keepEnd={24}
              />
              <Badge tone={states[file.state].tone}>{states[file.state].word}</Badge>
            </div>
            {file.problem === '' ? null : <p className="mt-0.5 break-words text-small text-deny">{file.problem}</p>}
          </li>
        ))}
      </ul>
      {view.warnings.length === 0 ? null : (
        <>
          <h3 className="mt-4 mb-1.5 border-t border-line pt-3 text-head font-semibold text-muted">
            Rules that do not do what they say
          </h3>
          <ul className="flex flex-col gap-2.5">
            {view.warnings.map((warning) => (
              <li
                key={`${warning.rule.source} ${warning.rule.behavior} ${warning.rule.text} ${warning.problem}`}
                className="break-words"
              >
                <div className="font-mono text-mono">
                  {warning.rule.behavior}: <VisibleText text={warning.rule.text} />
                </div>
                <div className="text-small text-muted">
                  {ruleSources[warning.rule.source].label}
                  {warning.rule.line === undefined ? '' : `, line ${warning.rule.line}`} · {warning.problem}
                  {warning.instead === undefined ? null : (
                    <>
                      {' '}
                      Write <code className="font-mono text-mono text-text">{warning.instead}</code> instead.
                    </>
                  )}
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </Popover>
  );
}
