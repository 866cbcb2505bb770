import { FlaskConical, History, Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { PastCall } from '#shared/api/history';
import type { Trial, TriedCall, TriedStep } from '#shared/api/rules';
import { PermissionMode, permissionModes } from '#shared/permissions/modes';
import { host } from '../../../host/client';
import { useRulesPage } from '../../../stores/rulesPage';
import { useSession } from '../../../stores/session';
import { Button } from '../../../ui/Button';
import { Chip } from '../../../ui/Chip';
import { Select } from '../../../ui/Select';
import { Spinner } from '../../../ui/Spinner';
import { TextField } from '../../../ui/TextField';
import { stepLabels } from '../../chat/cards/track';
import { TextArea } from '../../tools/form/TextArea';
import { WhyTree } from '../../why/WhyTree';
import type { WhyStep } from '../../why/whyNodes';
import { CallForm } from './CallForm';
import { DraftMark } from './DraftMark';
import { useLab, useStaged } from './lab';
import { PastCalls } from './PastCalls';
import { ruleFor } from './ruleFor';
import { addTest } from './testActions';
import { useAnswer } from './useAnswer';

/** Milliseconds after the last key before the call is tried. */
const settleMs = 150;

/** A call that somebody imagines: what would become of it with the rules and the unsaved changes. */
export function TryTab() {
  const { sessionId, draft } = useStaged();
  const { line, input, cwd, mode, set } = useLab();
  const tried = useRulesPage((page) => page.tried);
  const show = useRulesPage((page) => page.show);
  const present = useSession((session) => session.state.mode);
  const [way, setWay] = useState<'line' | 'form' | 'past'>(input === null ? 'line' : 'form');
  useEffect(() => {
    if (tried === null) return;
    set({ line: tried, input: null });
    setWay('line');
    show({ tried: null });
  }, [tried, set, show]);
  const call: TriedCall | null =
    way === 'line' ? (line.trim() === '' ? null : { kind: 'line', line }) : way === 'form' ? input : null;
  const question = {
    draft,
    call: call ?? { kind: 'line' as const, line: '' },
    ...(cwd.trim() === '' ? {} : { cwd: cwd.trim() }),
    ...(mode === null ? {} : { mode }),
  };
  const answered = useAnswer({
    key: sessionId === null || call === null ? null : JSON.stringify([sessionId, question]),
    settleMs,
    ask: () => host().call('rules.try', { sessionId: sessionId ?? '', ...question }),
  });
  const pick = (past: PastCall) => {
    set({ input: { kind: 'input', tool: past.tool, input: inputOf(past) }, cwd: past.cwd });
    setWay('form');
  };
  return (
    <div className="flex flex-col gap-4 px-4 py-3.5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-semibold text-title">Try a call</h2>
        <DraftMark />
      </div>
      <fieldset aria-label="How the call is given" className="flex gap-1">
        <Chip aria-pressed={way === 'line'} onClick={() => setWay('line')}>
          One line
        </Chip>
        <Chip aria-pressed={way === 'form'} onClick={() => setWay('form')}>
          Form
        </Chip>
        <Chip icon={History} aria-pressed={way === 'past'} onClick={() => setWay('past')}>
          Past call
        </Chip>
      </fieldset>
      {way === 'line' ? (
        <TextArea
          label="Call"
          value={line}
          onChange={(text) => set({ line: text })}
          hint="A command, or a tool with what it is about: git push, Read src/a.ts, WebFetch https://example.org"
        />
      ) : way === 'form' ? (
        <CallForm value={input} onChange={(next) => set({ input: next })} />
      ) : (
        <PastCalls onPick={pick} />
      )}
      {way === 'past' ? null : (
        <div className="grid grid-cols-2 gap-3">
          <TextField
            label="Folder"
            mono
            placeholder="the session's"
            value={cwd}
            onChange={(text) => set({ cwd: text })}
          />
          <Select
            label="Mode"
            value={mode ?? present}
            options={PermissionMode.options.map((value) => ({ value, label: permissionModes[value].label }))}
            onChange={(value) => set({ mode: value === present ? null : value })}
          />
        </div>
      )}
      {answered.problem === '' ? null : (
        <p role="alert" className="break-words text-deny">
          {answered.problem}
        </p>
      )}
      {answered.isAsking && answered.value === null && call !== null ? <Spinner label="Trying" /> : null}
      {answered.value === null || answered.problem !== '' ? null : <Outcome trial={answered.value} />}
    </div>
  );
}

function inputOf({ input }: PastCall): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    // A long input is cut and no JSON any more; the form then starts empty.
    return {};
  }
}

const states: Readonly<Record<TriedStep['state'], string>> = {
  passes: 'passes',
  stops: 'stops here',
  asks: 'asks you',
  open: 'cannot be told',
  notReached: 'not reached',
};

function stepsOf({ steps, decision }: Trial): readonly WhyStep[] {
  return steps.map(({ step, state, detail }) => ({
    step,
    label: stepLabels[step],
    state: states[state],
    // The verdict at the root says what the permission step finds.
    detail: step === 'permission' && decision !== null ? '' : detail,
    stops: state === 'stops' || state === 'asks',
  }));
}

function Outcome({ trial }: { readonly trial: Trial }) {
  const { tool, input, cwd, mode, decision, warning } = trial;
  const folder = useSession((session) => session.state.folder);
  const show = useRulesPage((page) => page.show);
  const makeTest = () => {
    if (decision === null) return;
    void addTest({
      kind: 'call',
      name: nameOf(trial),
      tool,
      input,
      mode,
      ...(cwd.startsWith(`${folder}/`) ? { cwd: cwd.slice(folder.length + 1) } : {}),
      expect: decision.behavior,
    });
  };
  return (
    <section aria-label="What would become of it" aria-live="polite" className="flex flex-col gap-3">
      {warning === '' ? null : <p className="rounded-control bg-ask-tint px-3 py-2">{warning}</p>}
      <WhyTree label={`Why, for ${tool}`} decision={decision} steps={stepsOf(trial)} />
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          icon={Plus}
          onClick={() =>
            show({
              tab: 'rule',
              active: null,
              writing: {
                behavior: decision?.behavior === 'allow' ? 'deny' : 'allow',
                text: ruleFor(trial),
                source: 'localSettings',
              },
            })
          }
        >
          Make a rule…
        </Button>
        <Button size="small" icon={FlaskConical} disabled={decision === null} onClick={makeTest}>
          Make this a test
        </Button>
      </div>
      <p className="text-dim text-small">Nothing was run. Computed from the documented rules.</p>
    </section>
  );
}

/** `git push asks`, short enough for a list. */
function nameOf({ tool, input, decision }: Trial): string {
  const first = [input.command, input.file_path, input.path, input.url].find((value) => typeof value === 'string');
  const about = first === undefined ? tool : `${tool === 'Bash' ? '' : `${tool} `}${first.split('\n')[0] ?? ''}`;
  const word = { allow: 'is allowed', ask: 'asks', deny: 'is denied' }[decision?.behavior ?? 'ask'];
  return `${about.slice(0, 150)} ${word}`;
}
