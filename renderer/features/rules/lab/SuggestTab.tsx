import { ChevronLeft, ChevronRight, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Suggestion } from '#shared/api/history';
import type { RuleDraft } from '#shared/permissions/ruleEdits';
import { ruleSources } from '#shared/permissions/sources';
import { host } from '../../../host/client';
import { Button } from '../../../ui/Button';
import { IconButton } from '../../../ui/IconButton';
import { Skeleton } from '../../../ui/Skeleton';
import { Verdict } from '../../../ui/Verdict';
import { VisibleText } from '../../../ui/VisibleText';
import { Hint } from '../../chat/inspector/Hint';
import { counted, sentence } from '../../frame/words';
import { stage } from '../actions';
import { IndexProgress } from './IndexProgress';
import { useLab, useStaged } from './lab';
import { useAnswer } from './useAnswer';
import { useHistoryState } from './useHistoryState';

const settleMs = 150;

/** The smallest rules that would have saved the most prompts. */
export function SuggestTab() {
  const { sessionId, draft } = useStaged();
  const { where, days } = useLab();
  const state = useHistoryState();
  const { value, problem } = useAnswer({
    key: sessionId === null ? null : JSON.stringify([sessionId, draft, where, days, state?.phase, state?.sessions]),
    settleMs,
    ask: () => host().call('history.suggest', { scope: { sessionId: sessionId ?? '', where, days }, draft }),
  });
  return (
    <div className="flex flex-col gap-3 px-4 py-3.5">
      <IndexProgress state={state} />
      {problem === '' ? null : (
        <p role="alert" className="break-words text-deny">
          {problem}
        </p>
      )}
      {value === null ? (
        problem === '' && <Skeleton label="Looking for rules" rows={6} />
      ) : value.suggestions.length === 0 ? (
        <Hint title={value.asked === 0 ? 'Nothing asked in this time' : 'No rule would be worth it'}>
          {value.asked === 0
            ? `No past call of the last ${days} days would ask with the rules as they are.`
            : `${counted(value.asked, 'prompt')} in ${days} days, too different from each other or too dangerous to be allowed by a rule.`}
        </Hint>
      ) : (
        <>
          <div>
            <h2 className="font-semibold text-title">
              {counted(value.suggestions.length, 'suggestion')} for {counted(value.asked, 'prompt')}
            </h2>
            <p className="text-muted text-small">
              over {days} days {where === 'folder' ? 'in this folder' : 'everywhere'} · computed from the documented
              rules
            </p>
          </div>
          <ul aria-label="Suggestions" className="flex flex-col gap-2.5">
            {value.suggestions.map((suggestion) => (
              <li key={`${suggestion.source} ${suggestion.rules.join('\n')}`}>
                <Proposal suggestion={suggestion} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function Proposal({ suggestion }: { readonly suggestion: Suggestion }) {
  const { behavior, source, reach, because, variants } = suggestion;
  const own = variants.findIndex(({ rules }) => rules.join('\n') === suggestion.rules.join('\n'));
  const [at, setAt] = useState(own);
  const variant = variants[at];
  const rules = variant?.rules ?? suggestion.rules;
  const covers = variant?.covers ?? reach.covers;
  const overReach = variant?.overReach ?? reach.overReach;
  const isOwn = at === own;
  const edits: RuleDraft = isOwn ? suggestion.edits : rules.map((text) => ({ type: 'add', source, behavior, text }));
  return (
    <article className="rounded-card border border-line-strong bg-raised px-3 py-2.5">
      <div className="flex items-start gap-2">
        <span className="text-small">
          <Verdict verdict={behavior} />
        </span>
        <div className="min-w-0 flex-1">
          {rules.map((rule) => (
            <code key={rule} className="block break-words font-mono text-mono">
              <VisibleText text={rule} />
            </code>
          ))}
        </div>
        {variants.length < 2 ? null : (
          <fieldset aria-label="How much it covers" className="flex shrink-0">
            <IconButton
              size="small"
              icon={ChevronLeft}
              label="Narrower"
              disabled={at <= 0}
              onClick={() => setAt(at - 1)}
            />
            <IconButton
              size="small"
              icon={ChevronRight}
              label="Wider"
              disabled={at >= variants.length - 1}
              onClick={() => setAt(at + 1)}
            />
          </fieldset>
        )}
      </div>
      <p role="status" className="mt-1.5">
        <span className="font-semibold">{counted(covers, 'prompt')} fewer</span>
        {overReach === 0 ? (
          <span className="text-muted"> · nothing dangerous among them</span>
        ) : (
          <span className="text-ask"> · {overReach.toLocaleString('en')} more that were refused or are dangerous</span>
        )}
      </p>
      <p className="text-muted text-small">{sentence(because)}</p>
      {isOwn && reach.worst.length > 0 ? (
        <>
          <p className="mt-1.5 text-muted text-small">The most dangerous that it would allow:</p>
          <ul className="flex flex-col gap-0.5">
            {reach.worst.map(({ call, danger }) => (
              <li key={call.id} className="flex min-w-0 items-baseline gap-2">
                <code className="min-w-0 flex-1 truncate font-mono text-mono" title={call.title}>
                  <VisibleText text={call.title} />
                </code>
                <span className="max-w-[55%] shrink-0 text-ask text-small">{danger.reason}</span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
      <div className="mt-2 flex items-center gap-2">
        <Button size="small" icon={Plus} onClick={() => stage(edits)}>
          Add to the draft
        </Button>
        <span className="text-dim text-small">{ruleSources[source].label} settings</span>
      </div>
    </article>
  );
}
