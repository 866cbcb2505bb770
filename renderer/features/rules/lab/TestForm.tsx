import { useId, useState } from 'react';
import type { RuleTest } from '#shared/api/rules';
import { Behavior } from '#shared/permissions/ruleRef';
import { host } from '../../../host/client';
import { messageOf } from '../../../stores/toasts';
import { Button } from '../../../ui/Button';
import { Chip } from '../../../ui/Chip';
import { Select } from '../../../ui/Select';
import { TextField } from '../../../ui/TextField';
import { TextArea } from '../../tools/form/TextArea';
import { useStaged } from './lab';

/** Writes a test: a call with the verdict it must get, or what one rule must and must not match. */
export function TestForm(props: {
  /** The test that is changed; null: a new one. */
  readonly test: RuleTest | null;
  /** Resolves to what went wrong; empty when it is written. */
  readonly onSave: (test: RuleTest) => Promise<string>;
  readonly onClose: () => void;
}) {
  const { test, onSave, onClose } = props;
  const { sessionId } = useStaged();
  const [kind, setKind] = useState<RuleTest['kind']>(test?.kind ?? 'call');
  const [name, setName] = useState(test?.name ?? '');
  const [line, setLine] = useState(test?.kind === 'call' ? `${test.tool}(${JSON.stringify(test.input)})` : '');
  const [expect, setExpect] = useState<Behavior>(test?.kind === 'call' ? test.expect : 'ask');
  const [rule, setRule] = useState(test?.kind === 'rule' ? test.rule : '');
  const [match, setMatch] = useState(test?.kind === 'rule' ? test.match.join('\n') : '');
  const [notMatch, setNotMatch] = useState(test?.kind === 'rule' ? test.notMatch.join('\n') : '');
  const [problem, setProblem] = useState('');
  const title = useId();
  const isSameCall = test?.kind === 'call' && line === `${test.tool}(${JSON.stringify(test.input)})`;
  const about = kind === 'call' ? line : rule;
  const made = async (): Promise<RuleTest> => {
    if (kind === 'rule')
      return {
        kind,
        name: name.trim() || rule.trim(),
        rule: rule.trim(),
        match: lines(match),
        notMatch: lines(notMatch),
      };
    if (test?.kind === 'call' && isSameCall) return { ...test, name: name.trim() || test.name, expect };
    const trial = await host().call('rules.try', {
      sessionId: sessionId ?? '',
      draft: [],
      call: { kind: 'line', line },
    });
    const word = { allow: 'is allowed', ask: 'asks', deny: 'is denied' }[expect];
    const called = name.trim() || `${line.trim().split('\n')[0]?.slice(0, 150) ?? ''} ${word}`;
    return { kind, name: called, tool: trial.tool, input: trial.input, expect };
  };
  const save = async () => {
    try {
      const said = await onSave(await made());
      if (said === '') onClose();
      else setProblem(said);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <form
      aria-labelledby={title}
      className="flex flex-col gap-3 rounded-card border border-line-strong bg-raised px-3 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h3 id={title} className="font-semibold">
        {test === null ? 'New test' : 'Edit test'}
      </h3>
      {test === null ? (
        <fieldset aria-label="Kind of test" className="flex gap-1">
          <Chip aria-pressed={kind === 'call'} onClick={() => setKind('call')}>
            A call and its verdict
          </Chip>
          <Chip aria-pressed={kind === 'rule'} onClick={() => setKind('rule')}>
            What a rule matches
          </Chip>
        </fieldset>
      ) : null}
      {kind === 'call' ? (
        <>
          <TextArea
            label="Call"
            value={line}
            onChange={setLine}
            hint="git push --force, Read .env, WebFetch https://…"
          />
          <Select
            label="Must be"
            value={expect}
            options={Behavior.options.map((value) => ({ value, label: value }))}
            onChange={setExpect}
          />
        </>
      ) : (
        <>
          <TextField label="Rule" mono placeholder="Bash(npm test *)" value={rule} onChange={setRule} />
          <TextArea label="Must match, one call a line" rows={2} value={match} onChange={setMatch} />
          <TextArea label="Must not match, one call a line" rows={2} value={notMatch} onChange={setNotMatch} />
        </>
      )}
      <TextField label="Name" placeholder="made from the above" value={name} onChange={setName} />
      {problem === '' ? null : (
        <p role="alert" className="break-words text-deny">
          It was not saved. {problem}
        </p>
      )}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" disabled={about.trim() === ''}>
          {test === null ? 'Add test' : 'Save test'}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  );
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}
