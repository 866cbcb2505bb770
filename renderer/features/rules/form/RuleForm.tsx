import { useEffect, useId, useState } from 'react';
import type { LintFinding } from '#shared/api/rules';
import type { RuleDraft } from '#shared/permissions/ruleEdits';
import type { Behavior, RuleRef } from '#shared/permissions/ruleRef';
import { type RuleSource, ruleSources, SavableSource } from '#shared/permissions/sources';
import type { RuleLifetime } from '#shared/session/ask';
import { host } from '../../../host/client';
import { draftOf, editsOf, useRuleDraft } from '../../../stores/ruleDraft';
import { useRules } from '../../../stores/rules';
import { useRulesPage } from '../../../stores/rulesPage';
import { messageOf } from '../../../stores/toasts';
import { Button } from '../../../ui/Button';
import { classes } from '../../../ui/classes';
import { Select, type SelectOption } from '../../../ui/Select';
import { TextField } from '../../../ui/TextField';
import { VerdictIcon } from '../../../ui/Verdict';
import { sentence } from '../../frame/words';
import { stage } from '../actions';
import { ReachView } from '../lab/ReachView';
import { rowKey } from '../table/rows';
import { RuleParts } from './RuleParts';
import { TryLine } from './TryLine';

const meanings: Readonly<Record<Behavior, string>> = {
  deny: 'Never runs, whatever else allows it.',
  ask: 'Always waits for you, whatever else allows it.',
  allow: 'Runs without asking, unless a deny or ask rule speaks of it.',
};

const lifetimes: readonly { readonly value: RuleLifetime; readonly label: string }[] = [
  { value: 'session', label: 'as long as the session' },
  { value: 'hour', label: 'for one hour' },
  { value: 'quarterHour', label: 'for 15 minutes' },
  { value: 'turn', label: 'until this task ends' },
];

/** Milliseconds after the last key before the core is asked. */
const settleMs = 120;

export interface RuleFormProps {
  /** The rule that is changed; null: a new one. */
  readonly rule: RuleRef | null;
  readonly start: { readonly behavior: Behavior; readonly text: string; readonly source: SavableSource };
  /** `made`: key of the row that the rule has become; null when nothing was done. */
  readonly onDone: (made: string | null) => void;
}

/** Writes a rule: what it says, where it stands, and at once what is wrong with it and which past calls it meets. */
export function RuleForm({ rule, start, onDone }: RuleFormProps) {
  const [behavior, setBehavior] = useState(start.behavior);
  const [text, setText] = useState(start.text);
  const [source, setSource] = useState<SavableSource>(start.source);
  const [lifetime, setLifetime] = useState<RuleLifetime>('session');
  const edits = editsFor({ rule, behavior, text, source, lifetime });
  const { problems, findings } = useChecked(edits, rowKey({ source, behavior, text: text.trim() }));
  const managedOnly = useRules((rules) => rules.view?.managedOnly ?? false);
  const group = useId();
  const submit = () => {
    if (edits.length === 0 || problems.length > 0) return;
    stage(edits);
    onDone(rowKey({ source, behavior, text: text.trim() }));
  };
  return (
    <form
      className="flex flex-col gap-4 px-4 py-3.5"
      onKeyDown={(event) => {
        // A menu of the form closes itself first.
        if (event.key === 'Escape' && !event.defaultPrevented) onDone(null);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <fieldset>
        <legend className="mb-1.5 font-medium">Verdict</legend>
        <div className="grid grid-cols-3 gap-1.5">
          {(['deny', 'ask', 'allow'] as const).map((one) => (
            <label
              key={one}
              className={classes(
                'flex h-8 cursor-pointer items-center justify-center gap-1.5 rounded-control border has-focus-visible:outline-2 has-focus-visible:outline-accent',
                one === behavior ? 'border-accent bg-selected font-semibold' : 'border-line-strong hover:bg-hover',
              )}
            >
              <input
                type="radio"
                name={group}
                value={one}
                checked={one === behavior}
                onChange={() => setBehavior(one)}
                className="sr-only"
              />
              <VerdictIcon verdict={one} />
              {one}
            </label>
          ))}
        </div>
        <p className="mt-1 text-muted text-small">{meanings[behavior]}</p>
      </fieldset>
      <TextField
        label="Rule"
        mono
        autoFocus
        placeholder="Bash(npm test *)"
        value={text}
        onChange={setText}
        problem={text.trim() === '' ? '' : problems.map(sentence).join(' ')}
      />
      <RuleParts text={text} onText={setText} />
      {findings.length === 0 ? null : (
        <ul aria-label="Remarks" className="flex flex-col gap-1.5">
          {findings.map((finding) => (
            <li key={`${finding.kind} ${finding.message}`} className="text-ask text-small">
              {finding.message}
              <Fix
                finding={finding}
                onFix={(fixed) => {
                  setText(fixed.text);
                  setBehavior(fixed.behavior);
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <div className="grid grid-cols-2 gap-3">
        <Select<RuleSource>
          label="Stands in"
          value={source}
          options={places}
          onChange={(value) => {
            const known = SavableSource.safeParse(value);
            if (known.success) setSource(known.data);
          }}
        />
        {source === 'session' && rule?.source !== 'session' ? (
          <Select label="Counts" value={lifetime} options={lifetimes} onChange={setLifetime} />
        ) : (
          <div className="flex flex-col gap-1.5">
            <span className="font-medium">Where</span>
            <span className="flex h-8 items-center truncate font-mono text-mono text-muted">
              {ruleSources[source].where}
            </span>
          </div>
        )}
      </div>
      {source === 'projectSettings' ? (
        <p className="-mt-2 text-muted text-small">Shared with the team. You see the change before it is written.</p>
      ) : null}
      {managedOnly ? (
        <p className="-mt-2 text-ask text-small">The administrator lets only the rules of the policy count.</p>
      ) : null}
      <TryLine edits={edits} text={text.trim()} />
      <ReachView rules={[text]} behavior={behavior} source={source} />
      <div className="flex items-center gap-2">
        <Button
          type="submit"
          variant="primary"
          disabled={edits.length === 0 || text.trim() === '' || problems.length > 0}
        >
          {rule === null ? 'Add to the draft' : 'Change'}
        </Button>
        <Button onClick={() => onDone(null)}>Cancel</Button>
      </div>
    </form>
  );
}

/** Every source, with why a rule cannot be written there. */
const places: readonly SelectOption<RuleSource>[] = [
  ...SavableSource.options.map((value) => ({ value, label: ruleSources[value].label })),
  { value: 'policySettings', label: 'policy · the administrator writes it', disabled: true },
  { value: 'flagSettings', label: 'flag · given at launch', disabled: true },
  { value: 'cliArg', label: 'command line · given at launch', disabled: true },
  { value: 'command', label: 'command · ends with its turn', disabled: true },
];

/** What the form would do; empty while it would do nothing. */
function editsFor(form: {
  readonly rule: RuleRef | null;
  readonly behavior: Behavior;
  readonly text: string;
  readonly source: SavableSource;
  readonly lifetime: RuleLifetime;
}): RuleDraft {
  const { rule, behavior, source, lifetime } = form;
  const text = form.text.trim();
  if (text === '' || text.length > 2_000) return [];
  if (rule === null) return [{ type: 'add', source, behavior, text, ...(source === 'session' ? { lifetime } : {}) }];
  const changed: RuleDraft =
    rule.text === text && rule.behavior === behavior ? [] : [{ type: 'change', rule, behavior, text }];
  const { line: _line, ...place } = { ...rule, text, behavior };
  return rule.source === source
    ? changed
    : [...changed, { type: 'move', rule: changed.length === 0 ? rule : place, to: source }];
}

/** What the core says of the draft with these edits: problems of the edits, remarks on the row of that key, each once. */
function useChecked(
  edits: RuleDraft,
  key: string,
): {
  readonly problems: readonly string[];
  readonly findings: readonly LintFinding[];
} {
  const sessionId = useRulesPage((page) => page.sessionId);
  const draft = useRuleDraft((store) => editsOf(draftOf(store, sessionId)));
  const [said, setSaid] = useState<{ readonly problems: readonly string[]; readonly findings: readonly LintFinding[] }>(
    {
      problems: [],
      findings: [],
    },
  );
  const asked = JSON.stringify(edits);
  useEffect(() => {
    if (sessionId === null || asked === '[]') {
      setSaid({ problems: [], findings: [] });
      return;
    }
    let current = true;
    const wanted: RuleDraft = [...draft, ...(JSON.parse(asked) as RuleDraft)];
    const timer = setTimeout(() => {
      Promise.all([
        host().call('rules.preview', { sessionId, draft: wanted }),
        host().call('rules.lint', { sessionId, draft: wanted }),
      ]).then(
        ([preview, { findings }]) => {
          if (!current) return;
          setSaid({
            problems: preview.problems.filter(({ edit }) => edit >= draft.length).map(({ problem }) => problem),
            findings: onceEach(findings.filter(({ rule }) => rule !== null && rowKey(rule) === key)),
          });
        },
        (error: unknown) => {
          if (current) setSaid({ problems: [messageOf(error)], findings: [] });
        },
      );
    }, settleMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [sessionId, draft, asked, key]);
  return said;
}

function onceEach(findings: readonly LintFinding[]): readonly LintFinding[] {
  return [...new Map(findings.map((finding) => [`${finding.kind} ${finding.message}`, finding])).values()];
}

/** A fix that writes another text or verdict goes into the fields. */
function Fix({
  finding,
  onFix,
}: {
  readonly finding: LintFinding;
  readonly onFix: (fixed: { readonly text: string; readonly behavior: Behavior }) => void;
}) {
  const edit = finding.fix?.edits[0];
  if (edit === undefined || edit.type !== 'change') return null;
  const sameText = edit.text === finding.rule?.text;
  return (
    <Button size="small" className="ml-2" onClick={() => onFix(edit)}>
      {sameText ? `Make it ${edit.behavior}` : `Write ${edit.text}`}
    </Button>
  );
}
