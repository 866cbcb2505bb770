import { ArrowLeft } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { HistoryScope, ReplayRow } from '#shared/api/history';
import type { RuleDraft } from '#shared/permissions/ruleEdits';
import { host } from '../../../host/client';
import { useRulesPage } from '../../../stores/rulesPage';
import { Button } from '../../../ui/Button';
import { Skeleton } from '../../../ui/Skeleton';
import { VisibleText } from '../../../ui/VisibleText';
import { counted } from '../../frame/words';
import { WhyTree } from '../../why/WhyTree';
import { useLab } from './lab';
import { useAnswer } from './useAnswer';

/** One past call: why it goes as it does now, and why with the changes. */
export function ReplayedCall(props: {
  readonly row: ReplayRow;
  readonly scope: HistoryScope;
  readonly draft: RuleDraft;
  readonly onBack: () => void;
}) {
  const { row, scope, draft, onBack } = props;
  const { call, count, danger } = row;
  const set = useLab((lab) => lab.set);
  const show = useRulesPage((page) => page.show);
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus(), []);
  const before = useAnswer({
    key: JSON.stringify([scope, call.id]),
    settleMs: 0,
    ask: () => host().call('history.explain', { scope, draft: [], id: call.id }),
  });
  const after = useAnswer({
    key: draft.length === 0 ? null : JSON.stringify([scope, call.id, draft]),
    settleMs: 60,
    ask: () => host().call('history.explain', { scope, draft, id: call.id }),
  });
  const input = parsed(call.input);
  return (
    <div className="flex flex-col gap-4 px-4 py-3.5">
      <div>
        <Button ref={back} size="small" variant="ghost" icon={ArrowLeft} onClick={onBack}>
          All calls
        </Button>
      </div>
      <div>
        <p className="text-muted text-small">{call.tool}</p>
        <code className="block max-h-40 overflow-y-auto whitespace-pre-wrap break-words font-mono text-mono">
          <VisibleText text={call.title} />
        </code>
        <p className="mt-1 break-words text-muted text-small">
          made {counted(count, 'time')}, last{' '}
          {new Date(call.at).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })} in {call.cwd}
          {call.isSubagent ? ', by a sub-agent' : ''}
        </p>
        {danger.reason === '' ? null : (
          <p className="mt-1 text-ask">
            {danger.reason.charAt(0).toUpperCase()}
            {danger.reason.slice(1)}
          </p>
        )}
      </div>
      <Side title="Without the changes" answered={before} />
      {draft.length === 0 ? null : <Side title="With the changes" answered={after} />}
      {input === null ? null : (
        <div>
          <Button
            size="small"
            onClick={() => {
              set({ input: { kind: 'input', tool: call.tool, input }, cwd: call.cwd });
              show({ tab: 'try' });
            }}
          >
            Try it with changes
          </Button>
        </div>
      )}
    </div>
  );
}

function Side(props: {
  readonly title: string;
  readonly answered: ReturnType<typeof useAnswer<Parameters<typeof WhyTree>[0]['decision']>>;
}) {
  const { title, answered } = props;
  return (
    <section aria-label={title}>
      <h3 className="mb-1 font-semibold text-head text-muted">{title}</h3>
      {answered.problem !== '' ? (
        <p className="text-deny">{answered.problem}</p>
      ) : answered.value === null ? (
        <Skeleton label="Deciding anew" rows={3} />
      ) : (
        <WhyTree label={`Why, ${title.toLowerCase()}`} decision={answered.value} />
      )}
    </section>
  );
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
