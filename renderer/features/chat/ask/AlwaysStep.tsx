import { TriangleAlert } from 'lucide-react';
import { RadioGroup } from 'radix-ui';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { SavableSource } from '#shared/permissions/sources';
import { type PermissionAsk, RuleLifetime } from '#shared/session/ask';
import type { RulePreview } from '../../../stores/session';
import { messageOf } from '../../../stores/toasts';
import { Button } from '../../../ui/Button';
import { TextField } from '../../../ui/TextField';
import { VisibleText } from '../../../ui/VisibleText';
import { hasInvisible } from '../../../ui/visibleCharacters';
import { ArmedButton } from './ArmedButton';
import { Choice } from './Choice';
import { useArmed } from './useArmed';

export type PreviewRule = (request: { askId: string; rules: string[]; source: SavableSource }) => Promise<RulePreview>;

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
  /** `lifetime` only for rules of this session. */
  readonly onSave: (saved: SavedRule) => void;
  readonly onBack: () => void;
}

const targets: Readonly<Record<SavableSource, { readonly label: string; readonly hint: string }>> = {
  session: { label: 'This session', hint: 'In memory, in no file' },
  localSettings: { label: 'Only me, here', hint: '.claude/settings.local.json' },
  projectSettings: { label: 'Project, shared', hint: '.claude/settings.json, which others who work here read too' },
  userSettings: { label: 'All my projects', hint: '~/.claude/settings.json' },
};

const lifetimes: Readonly<Record<RuleLifetime, string>> = {
  session: 'Until the session ends',
  hour: 'For 1 hour',
  quarterHour: 'For 15 minutes',
  turn: 'Until this task ends',
};

/** Typing in a rule asks for its preview only after this pause. */
const settleMs = 200;

type Preview =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'ready'; readonly preview: RulePreview };

/** Second step of "Always allow…": which rule, where it is saved, and what that does; nothing is saved unseen. */
export function AlwaysStep({ ask, armDelayMs, blocked, onPreview, onSave, onBack }: AlwaysStepProps) {
  const [chosen, setChosen] = useState(0);
  const [rules, setRules] = useState<readonly string[]>(ask.suggestions[0]?.rules ?? []);
  const [source, setSource] = useState<SavableSource>('localSettings');
  const [lifetime, setLifetime] = useState<RuleLifetime>('session');
  const preview = usePreview({ askId: ask.askId, rules, source, onPreview });
  const arming = useArmed(JSON.stringify([rules, source, lifetime, preview]), armDelayMs);
  const obstacle = blocked || obstacleOf(preview);
  return (
    <div className="flex min-h-0 flex-col border-line border-t">
      <div className="flex min-h-0 flex-col gap-3 overflow-y-auto px-3.5 pt-3 pb-1 chat-ask-step">
        <Suggestions
          ask={ask}
          chosen={chosen}
          onChoose={(index) => {
            setChosen(index);
            setRules(ask.suggestions[index]?.rules ?? []);
          }}
        >
          <RuleFields rules={rules} onChange={setRules} />
        </Suggestions>
      </div>
      {/* Outside the scrolling part: what is about to be saved is always on screen. */}
      <div className="flex flex-col gap-2 px-3.5 pt-2.5">
        <Choice
          label="Where the rule is saved"
          value={source}
          options={targets}
          schema={SavableSource}
          onChange={setSource}
        />
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
      </div>
      <div className="flex flex-wrap items-center gap-2 px-3.5 pt-2 pb-3">
        <ArmedButton
          variant="primary"
          arming={arming}
          armDelayMs={armDelayMs}
          blocked={obstacle}
          onPress={() =>
            onSave({
              rules: rules.map((rule) => rule.trim()),
              source,
              ...(source === 'session' ? { lifetime } : {}),
            })
          }
        >
          Save and run
        </ArmedButton>
        <Button variant="ghost" onClick={onBack}>
          Back
        </Button>
      </div>
    </div>
  );
}

/** The chosen suggestion's rules stand in fields, as `children`: they are saved as they are there. */
function Suggestions(props: {
  readonly ask: PermissionAsk;
  readonly chosen: number;
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
                <span className="mt-0.5 grid size-3.5 shrink-0 place-items-center rounded-full border border-control group-data-[state=checked]:border-accent">
                  <RadioGroup.Indicator className="size-2 rounded-full bg-accent" />
                </span>
                <span className="min-w-0">
                  {!chosen && <RuleTexts rules={suggestion.rules} />}
                  <span className="block text-muted text-small">{suggestion.covers}</span>
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

function PreviewBox({ preview, source }: { readonly preview: Preview; readonly source: SavableSource }) {
  if (preview.state === 'loading') return <p className="text-muted text-small">Looking at what this would change…</p>;
  if (preview.state === 'failed') return <Problem>{preview.message}</Problem>;
  const { problems, wouldRun, stillBecause, file, addedLines } = preview.preview;
  return (
    <div aria-live="polite" className="flex flex-col gap-1.5">
      {problems.map((problem) => (
        <Problem key={problem}>{problem}</Problem>
      ))}
      {problems.length === 0 && !wouldRun && <Problem>Would still ask: {stillBecause}</Problem>}
      {problems.length === 0 && (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long change must scroll by keyboard too.
          tabIndex={0}
          aria-label="Change to the file"
          className="chat-ask-preview overflow-y-auto rounded-control border border-line bg-code -outline-offset-2 font-mono text-mono"
        >
          {addedLines.map((added) => (
            <div key={added.line} className="flex gap-2 bg-added-tint px-2.5 text-added">
              <span aria-hidden="true" className="select-none">
                +
              </span>
              <span className="chat-verbatim">
                <span className="sr-only">added: </span>
                <VisibleText text={added.text} />
              </span>
            </div>
          ))}
          <div className="chat-verbatim px-2.5 py-0.5 text-muted">
            {file === null ? targets[source].hint : placeOf(file, addedLines)}
          </div>
        </section>
      )}
    </div>
  );
}

function placeOf(file: string, addedLines: RulePreview['addedLines']): string {
  const first = addedLines[0];
  return first === undefined ? `${file}, nothing to add` : `${file}:${first.line}`;
}

function Problem({ children }: { readonly children: ReactNode }) {
  return (
    <p className="flex items-start gap-1.5 text-ask text-small">
      <TriangleAlert aria-hidden="true" size={15} strokeWidth={1.75} className="mt-px shrink-0" />
      <span>{children}</span>
    </p>
  );
}

function obstacleOf(preview: Preview): string {
  if (preview.state === 'loading') return 'Looking at what this would change.';
  if (preview.state === 'failed') return preview.message;
  if (preview.preview.problems.length > 0) return preview.preview.problems.join(' ');
  return preview.preview.wouldRun ? '' : `It would still ask: ${preview.preview.stillBecause}`;
}

function usePreview(options: {
  readonly askId: string;
  readonly rules: readonly string[];
  readonly source: SavableSource;
  readonly onPreview: PreviewRule;
}): Preview {
  const { askId, rules, source, onPreview } = options;
  const key = JSON.stringify([askId, rules, source]);
  const [result, setResult] = useState<{ readonly key: string; readonly preview: Preview } | null>(null);
  useEffect(() => {
    let wanted = true;
    const [id, texts, place] = JSON.parse(key) as [string, string[], SavableSource];
    const show = (preview: Preview) => {
      if (wanted) setResult({ key, preview });
    };
    const timer = setTimeout(() => {
      if (texts.some((text) => text.trim() === '')) {
        show({
          state: 'failed',
          message: 'A rule is empty. Write one, for example Bash(npm test), or choose another.',
        });
        return;
      }
      onPreview({ askId: id, rules: texts.map((text) => text.trim()), source: place }).then(
        (preview) => show({ state: 'ready', preview }),
        (error: unknown) => show({ state: 'failed', message: messageOf(error) }),
      );
    }, settleMs);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [key, onPreview]);
  return result?.key === key ? result.preview : { state: 'loading' };
}
