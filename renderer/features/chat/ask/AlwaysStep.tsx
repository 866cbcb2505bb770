import { RadioGroup } from 'radix-ui';
import { type ReactNode, useId, useMemo, useState } from 'react';
import type { Reach } from '#shared/api/history';
import { SavableSource } from '#shared/permissions/sources';
import { type PermissionAsk, RuleLifetime } from '#shared/session/ask';
import { TextField } from '../../../ui/TextField';
import { VisibleText } from '../../../ui/VisibleText';
import { hasInvisible } from '../../../ui/visibleCharacters';
import { AlwaysFrame, ChoiceMark } from './AlwaysFrame';
import type { AskStudy } from './askStudy';
import { Choice } from './Choice';
import { ReachLine, StudyOfRules } from './PastReach';
import { RecentlySaved } from './RecentlySaved';
import { obstacleOf, PreviewBox, type PreviewRule, usePreview } from './RulePreview';
import { targets } from './targets';
import { useArmed } from './useArmed';
import { type Known, useLocks, useReaches, useStudied } from './useStudy';

export interface SavedRule {
  readonly rules: readonly string[];
  readonly source: SavableSource;
  readonly lifetime?: RuleLifetime;
}

export interface AlwaysStepProps {
  readonly ask: PermissionAsk;
  readonly armDelayMs: number;
  readonly blocked: string;
  readonly onPreview: PreviewRule;
  /** Left out: nothing is told of past calls. */
  readonly study?: AskStudy | undefined;
  /** `lifetime` only for rules of this session. */
  readonly onSave: (saved: SavedRule) => void;
  readonly onBack: () => void;
}

const lifetimes: Readonly<Record<RuleLifetime, string>> = {
  session: 'Until the session ends',
  hour: 'For 1 hour',
  quarterHour: 'For 15 minutes',
  turn: 'Until this task ends',
};

/** Second step of "Always allow…": which rule, where it is saved, and what that does; nothing is saved unseen. */
export function AlwaysStep({ ask, armDelayMs, blocked, onPreview, study, onSave, onBack }: AlwaysStepProps) {
  const [chosen, setChosen] = useState(0);
  const [rules, setRules] = useState<readonly string[]>(ask.suggestions[0]?.rules ?? []);
  const [source, setSource] = useState<SavableSource>('localSettings');
  const [lifetime, setLifetime] = useState<RuleLifetime>('session');
  const preview = usePreview({ askId: ask.askId, rules, source, onPreview });
  const proposals = useMemo(() => ask.suggestions.map((suggestion) => suggestion.rules), [ask]);
  const reaches = useReaches(study, proposals, source);
  const studied = useStudied(study, rules, source);
  const locks = useLocks(study);
  // What comes late moves what stands below it: the button arms anew.
  const arming = useArmed(JSON.stringify([rules, source, lifetime, preview, reaches, studied, locks]), armDelayMs);
  const obstacle = blocked || (locks[source] ?? '') || obstacleOf(preview);
  return (
    <AlwaysFrame
      arming={arming}
      armDelayMs={armDelayMs}
      blocked={obstacle}
      action="Save and run"
      onSave={() =>
        onSave({
          rules: rules.map((rule) => rule.trim()),
          source,
          ...(source === 'session' ? { lifetime } : {}),
        })
      }
      onBack={onBack}
      choices={
        <>
          <Suggestions
            ask={ask}
            chosen={chosen}
            reaches={study === undefined ? null : reaches}
            onChoose={(index) => {
              setChosen(index);
              setRules(ask.suggestions[index]?.rules ?? []);
            }}
          >
            <RuleFields rules={rules} onChange={setRules} />
            {study === undefined ? null : <StudyOfRules studied={studied} />}
          </Suggestions>
          {study === undefined ? null : <RecentlySaved study={study} />}
        </>
      }
    >
      <Choice
        label="Where the rule is saved"
        value={source}
        options={targets}
        schema={SavableSource}
        locked={locks}
        onChange={setSource}
      />
      {Object.entries(locks).map(([place, reason]) => (
        <p key={place} className="text-muted text-small">
          {targets[SavableSource.parse(place)].label}: {reason}
        </p>
      ))}
      {source === 'session' && (
        <Choice
          label="How long it counts"
          value={lifetime}
          options={lifetimes}
          schema={RuleLifetime}
          onChange={setLifetime}
        />
      )}
      <PreviewBox preview={preview} source={source} />
    </AlwaysFrame>
  );
}

/** The chosen suggestion's rules stand in fields, as `children`: they are saved as they are there. */
function Suggestions(props: {
  readonly ask: PermissionAsk;
  readonly chosen: number;
  /** Null: nothing is told of past calls. */
  readonly reaches: readonly Known<Reach>[] | null;
  readonly onChoose: (index: number) => void;
  readonly children: ReactNode;
}) {
  const labelId = useId();
  return (
    <div>
      <p id={labelId} className="pb-1.5 font-medium">
        Always allow, from narrow to broad
      </p>
      <RadioGroup.Root
        aria-labelledby={labelId}
        value={`${props.chosen}`}
        onValueChange={(value) => props.onChoose(Number(value))}
        className="flex flex-col gap-1"
      >
        {props.ask.suggestions.map((suggestion, index) => {
          const chosen = index === props.chosen;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: suggestions of one ask never change.
            <div key={index} className={chosen ? 'rounded-control bg-accent-tint' : ''}>
              <RadioGroup.Item
                value={`${index}`}
                className="group flex w-full items-start gap-2.5 rounded-control px-1.5 py-1 text-left hover:bg-hover"
              >
                <ChoiceMark />
                <span className="min-w-0">
                  {!chosen && <RuleTexts rules={suggestion.rules} />}
                  <span className="block text-muted text-small">{suggestion.covers}</span>
                  {chosen || props.reaches === null ? null : <ReachLine reach={props.reaches[index] ?? 'asking'} />}
                </span>
              </RadioGroup.Item>
              {chosen && <div className="pr-1.5 pb-1.5 pl-7.5">{props.children}</div>}
            </div>
          );
        })}
      </RadioGroup.Root>
    </div>
  );
}

function RuleTexts({ rules }: { readonly rules: readonly string[] }) {
  return rules.map((rule) => (
    <code key={rule} className="chat-verbatim block font-mono text-mono">
      <VisibleText text={rule} />
    </code>
  ));
}

function RuleFields(props: {
  readonly rules: readonly string[];
  readonly onChange: (rules: readonly string[]) => void;
}) {
  const { rules, onChange } = props;
  return (
    <div className="flex flex-col gap-1.5">
      {rules.map((rule, index) => (
        <TextField
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule's place among the others is what identifies it.
          key={index}
          mono
          hideLabel
          label={rules.length === 1 ? 'Rule, as it will be saved' : `Rule ${index + 1} of ${rules.length}`}
          value={rule}
          onChange={(text) => onChange(rules.map((old, at) => (at === index ? text : old)))}
          {...(hasInvisible(rule) ? { problem: 'This rule has characters that cannot be seen.' } : {})}
        />
      ))}
    </div>
  );
}
