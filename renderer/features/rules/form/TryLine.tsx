import { useState } from 'react';
import type { Trial } from '#shared/api/rules';
import { describeReason } from '#shared/permissions/decision';
import type { RuleDraft } from '#shared/permissions/ruleEdits';
import { host } from '../../../host/client';
import { draftOf, editsOf, useRuleDraft } from '../../../stores/ruleDraft';
import { useRulesPage } from '../../../stores/rulesPage';
import { TextField } from '../../../ui/TextField';
import { Verdict } from '../../../ui/Verdict';
import { VisibleText } from '../../../ui/VisibleText';
import { sentence } from '../../frame/words';
import { useAnswer } from '../lab/useAnswer';

/** Milliseconds after the last key before the core is asked. */
const settleMs = 120;

export interface TryLineProps {
  /** What the form would do. */
  readonly edits: RuleDraft;
  /** The rule as it is being written. */
  readonly text: string;
}

/** A call or path to hold against the rule that is being written: whether the rule speaks of it, and what is decided. */
export function TryLine({ edits, text }: TryLineProps) {
  const sessionId = useRulesPage((page) => page.sessionId);
  const draft = useRuleDraft((store) => editsOf(draftOf(store, sessionId)));
  const [line, setLine] = useState('');
  const wanted = [...draft, ...edits];
  const { value, problem } = useAnswer({
    key: sessionId === null || line.trim() === '' ? null : JSON.stringify([sessionId, line, wanted]),
    settleMs,
    ask: () => host().call('rules.try', { sessionId: sessionId ?? '', draft: wanted, call: { kind: 'line', line } }),
  });
  return (
    <div className="flex flex-col gap-1.5">
      <TextField
        label="Does it match?"
        mono
        placeholder="git push origin main, or Read src/a.ts"
        value={line}
        onChange={setLine}
        hint="A command, or a tool with a path. Nothing is run."
      />
      {problem === '' ? null : (
        <p role="alert" className="text-deny text-small">
          {sentence(problem)}
        </p>
      )}
      {value === null || problem !== '' ? null : <Answer trial={value} text={text} />}
    </div>
  );
}

function Answer({ trial, text }: { readonly trial: Trial; readonly text: string }) {
  const { decision } = trial;
  if (decision === null)
    return (
      <p role="status" className="text-muted text-small">
        {sentence(trial.steps.find(({ state }) => state === 'stops')?.detail ?? 'It does not come to the rules')}
      </p>
    );
  const speaks = decision.why?.rules.find(({ rule }) => rule.text === text);
  const near = decision.why?.nearMisses.find(({ rule }) => rule.text === text);
  const files = decision.why?.files.filter(({ real }) => real !== null) ?? [];
  return (
    <div role="status" className="rounded-control border border-line bg-panel px-3 py-2 text-small">
      <p className="flex flex-wrap items-center gap-x-1.5">
        <Verdict verdict={decision.behavior} /> <span className="text-muted">because of</span>{' '}
        <VisibleText text={describeReason(decision.reason)} />
      </p>
      <p className={speaks === undefined ? 'text-ask' : 'text-muted'}>
        {speaks !== undefined
          ? 'This rule speaks of it.'
          : near === undefined
            ? 'This rule does not speak of it.'
            : `This rule does not speak of it: ${sentence(near.because)}`}
      </p>
      {files.map(({ given, real }) => (
        <p key={`${given} ${real}`} className="break-all font-mono text-mono text-muted">
          <VisibleText text={`${given} → ${real}`} />
        </p>
      ))}
    </div>
  );
}
