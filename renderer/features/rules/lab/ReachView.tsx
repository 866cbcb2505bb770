import { useEffect, useState } from 'react';
import type { Reach } from '#shared/api/history';
import type { Behavior } from '#shared/permissions/ruleRef';
import type { SavableSource } from '#shared/permissions/sources';
import { host } from '../../../host/client';
import { draftOf, editsOf, useRuleDraft } from '../../../stores/ruleDraft';
import { useRulesPage } from '../../../stores/rulesPage';
import { messageOf } from '../../../stores/toasts';
import { VisibleText } from '../../../ui/VisibleText';
import { counted } from '../../frame/words';

const settleMs = 200;
const shown = 4;

export interface ReachViewProps {
  readonly rules: readonly string[];
  readonly behavior: Behavior;
  readonly source: SavableSource;
}

/** Which calls of the last 30 days a rule would have spoken of. */
export function ReachView({ rules, behavior, source }: ReachViewProps) {
  const sessionId = useRulesPage((page) => page.sessionId);
  const draft = useRuleDraft((store) => editsOf(draftOf(store, sessionId)));
  const [reach, setReach] = useState<Reach | null>(null);
  const [problem, setProblem] = useState('');
  const asked = rules.map((rule) => rule.trim()).filter((rule) => rule !== '');
  const key = JSON.stringify(asked);
  useEffect(() => {
    const wanted: string[] = JSON.parse(key);
    if (sessionId === null || wanted.length === 0) {
      setReach(null);
      return;
    }
    let current = true;
    const scope = { sessionId, where: 'everywhere', days: 30 } as const;
    const timer = setTimeout(() => {
      host()
        .call('history.reach', { scope, draft, rules: wanted, behavior, source })
        .then(
          (found) => {
            if (!current) return;
            setReach(found);
            setProblem('');
          },
          (error: unknown) => {
            if (current) setProblem(messageOf(error));
          },
        );
    }, settleMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [sessionId, draft, key, behavior, source]);
  if (problem !== '') return <p className="text-muted text-small">Past calls: {problem}</p>;
  if (reach === null) return null;
  const rows = behavior === 'allow' ? reach.worst : reach.covered.slice(0, shown);
  return (
    <section aria-label="Past calls" className="rounded-control border border-line bg-panel px-3 py-2">
      <p role="status">
        <span className="font-semibold">{counted(reach.covers, 'past call')}</span>{' '}
        {behavior === 'allow'
          ? 'would not have asked'
          : behavior === 'deny'
            ? 'would have been denied'
            : 'would have asked'}
        {behavior === 'allow' && reach.overReach > 0 ? (
          <span className="text-ask">
            {' '}
            · {counted(reach.overReach, 'dangerous or refused one', 'dangerous or refused ones')} among them
          </span>
        ) : null}
        <span className="text-muted"> · 30 days, computed from the documented rules</span>
      </p>
      {rows.length === 0 ? null : (
        <ul className="mt-1.5 flex flex-col gap-1">
          {rows.map(({ call, count, danger }) => (
            <li key={call.id} className="flex min-w-0 items-baseline gap-2">
              <code className="min-w-0 flex-1 truncate font-mono text-mono" title={call.title}>
                <VisibleText text={call.title} />
              </code>
              <span className="shrink-0 text-muted text-small">
                {behavior === 'allow' && danger.reason !== '' ? danger.reason : `${count}×`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
