import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { AppContract } from '#shared/api/app';
import type { ToolView } from '#shared/api/tools';
import type { Behavior, RuleRef } from '#shared/permissions/decision';
import { ruleSources, SavableSource } from '#shared/permissions/sources';
import type { Answer } from '#shared/rpc/contract';
import { host } from '../../../host/client';
import { useApp } from '../../../stores/app';
import { useRules } from '../../../stores/rules';
import { useSession } from '../../../stores/session';
import { messageOf, useToasts } from '../../../stores/toasts';
import { Button } from '../../../ui/Button';
import { IconButton } from '../../../ui/IconButton';
import { Select } from '../../../ui/Select';
import { Verdict, VerdictIcon } from '../../../ui/Verdict';
import { VisibleText } from '../../../ui/VisibleText';
import { homePath } from '../../frame/words';
import { Part } from './Part';

const verdicts: readonly Behavior[] = ['deny', 'ask', 'allow'];

const verbs: Readonly<Record<Behavior, string>> = { allow: 'Allow…', ask: 'Ask…', deny: 'Deny…' };

const places: Readonly<Record<SavableSource, string>> = {
  session: 'This session, in no file',
  localSettings: 'Only me, here (.claude/settings.local.json)',
  projectSettings: 'Project, shared (.claude/settings.json)',
  userSettings: 'All my projects (~/.claude/settings.json)',
};

/** Rules that name a tool, and three buttons for a new one about all its calls. */
export function ToolRules({ tool }: { readonly tool: ToolView }) {
  return (
    <>
      <Part title="Rules that name it, the strongest first">
        {tool.rules.length === 0 ? (
          <p className="text-muted">None. What no rule allows asks, unless the mode or the tool itself settles it.</p>
        ) : (
          <ul className="flex flex-col">
            {verdicts.flatMap((verdict) =>
              tool.rules
                .filter((rule) => rule.behavior === verdict)
                .map((rule) => (
                  <RuleLine key={`${verdict} ${rule.source} ${rule.line ?? ''} ${rule.text}`} rule={rule} />
                )),
            )}
          </ul>
        )}
      </Part>
      <Part title="A rule for every call of this tool">
        <NewRule tool={tool} />
      </Part>
    </>
  );
}

function RuleLine({ rule }: { readonly rule: RuleRef }) {
  const home = useApp((app) => app.hello?.home ?? '');
  const removeRule = useRules((rules) => rules.removeRule);
  const { label, where, editable } = ruleSources[rule.source];
  const file = rule.file === undefined ? where : homePath(rule.file, home);
  return (
    <li className="flex min-h-8.5 items-center gap-3 border-line/60 border-b py-1 last:border-b-0">
      <span className="w-14 shrink-0">
        <Verdict verdict={rule.behavior} />
      </span>
      <span className="min-w-0 flex-1">
        <code className="chat-verbatim block font-mono text-mono">
          <VisibleText text={rule.text} />
        </code>
        <span className="block break-all text-muted text-small">
          {label} · {file}
          {rule.line === undefined ? '' : `:${rule.line}`}
        </span>
      </span>
      {editable ? (
        <IconButton
          size="small"
          icon={X}
          label={`Remove ${rule.behavior}: ${rule.text}`}
          onClick={() => void removeRule(rule)}
        />
      ) : null}
    </li>
  );
}

type Preview = Answer<AppContract, 'permissions.previewRule'>;

function NewRule({ tool }: { readonly tool: ToolView }) {
  const [source, setSource] = useState<SavableSource>('session');
  const [behavior, setBehavior] = useState<Behavior | null>(null);
  return (
    <div className="flex flex-col gap-3">
      <code className="chat-verbatim rounded-control border border-line bg-code px-2.5 py-1.5 font-mono text-mono">
        <VisibleText text={tool.ruleName} />
      </code>
      <Select
        label="Where it is saved"
        value={source}
        options={SavableSource.options.map((value) => ({ value, label: places[value] }))}
        onChange={setSource}
      />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups form fields; these are buttons. */}
      <div role="group" aria-label="Verdict of the new rule" className="flex flex-wrap gap-2">
        {(['allow', 'ask', 'deny'] as const).map((verdict) => (
          <Button
            key={verdict}
            aria-pressed={behavior === verdict}
            className="aria-pressed:border-accent aria-pressed:bg-accent-tint"
            onClick={() => setBehavior(behavior === verdict ? null : verdict)}
          >
            <VerdictIcon verdict={verdict} />
            {verbs[verdict]}
          </Button>
        ))}
      </div>
      {behavior === null ? null : (
        <RulePreview
          key={`${behavior} ${source}`}
          rule={tool.ruleName}
          behavior={behavior}
          source={source}
          onDone={() => setBehavior(null)}
        />
      )}
    </div>
  );
}

interface RulePreviewProps {
  readonly rule: string;
  readonly behavior: Behavior;
  readonly source: SavableSource;
  readonly onDone: () => void;
}

/** What saving would change; nothing is saved unseen. */
function RulePreview({ rule, behavior, source, onDone }: RulePreviewProps) {
  const sessionId = useSession((session) => session.sessionId) ?? '';
  const [preview, setPreview] = useState<Preview | null>(null);
  const [problem, setProblem] = useState('');
  const [saving, setSaving] = useState(false);

  useEffect(() => {
    let wanted = true;
    host()
      .call('permissions.previewRule', { sessionId, rule, behavior, source })
      .then(
        (answer) => {
          if (wanted) setPreview(answer);
        },
        (error: unknown) => {
          if (wanted) setProblem(messageOf(error));
        },
      );
    return () => {
      wanted = false;
    };
  }, [sessionId, rule, behavior, source]);

  async function save(): Promise<void> {
    setSaving(true);
    try {
      await host().call('permissions.addRule', { sessionId, rule, behavior, source });
      useToasts.getState().show({
        level: 'info',
        title: `Saved to ${ruleSources[source].label}`,
        text: `${behavior}: ${rule}`,
        action: {
          label: 'Undo',
          run: () => void useRules.getState().removeRule({ text: rule, behavior, source }),
        },
      });
      onDone();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setSaving(false);
    }
  }

  const problems = [...(preview?.problems ?? []), ...(problem === '' ? [] : [problem])];
  return (
    <section aria-label="What saving changes" aria-live="polite" className="flex flex-col gap-2">
      {preview === null && problem === '' ? <p className="text-muted">Looking at what this would change…</p> : null}
      {problems.map((text) => (
        <p key={text} className="break-words text-deny">
          {text}
        </p>
      ))}
      {preview === null || preview.problems.length > 0 ? null : <Change preview={preview} behavior={behavior} />}
      <div className="flex gap-2">
        <Button
          variant="primary"
          disabled={saving || preview === null || preview.problems.length > 0}
          onClick={() => void save()}
        >
          Save {behavior} rule
        </Button>
        <Button variant="ghost" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </section>
  );
}

function Change({ preview, behavior }: { readonly preview: Preview; readonly behavior: Behavior }) {
  const home = useApp((app) => app.hello?.home ?? '');
  const { file, addedLines } = preview;
  const [first] = addedLines;
  const place =
    file === null
      ? 'In memory, until the session ends.'
      : first === undefined
        ? `${homePath(file, home)}: it stands there already.`
        : `${homePath(file, home)}:${first.line}`;
  return (
    <div className="overflow-hidden rounded-control border border-line bg-code font-mono text-mono">
      {addedLines.map((added) => (
        <div key={added.line} className="flex gap-2 bg-added-tint px-2.5 text-added">
          <span aria-hidden className="select-none">
            +
          </span>
          <span className="chat-verbatim">
            <span className="sr-only">added: </span>
            <VisibleText text={added.text} />
          </span>
        </div>
      ))}
      <div className="chat-verbatim px-2.5 py-1 text-muted">
        {behavior}: {place}
      </div>
    </div>
  );
}
