// What taking back would write, and the choice of it.
import { type ReactNode, useState } from 'react';
import type { NotCovered } from '#shared/api/changes';
import { type Scope, type Step, useChanges } from '../../stores/changes';
import { useSession } from '../../stores/session';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { Skeleton } from '../../ui/Skeleton';
import { VisibleText } from '../../ui/VisibleText';
import { counted } from '../frame/words';
import { FileChoice } from './FileChoice';
import { NotCoveredList } from './NotCoveredList';
import { StepDiff } from './StepDiff';
import { whyNotRestore } from './whyNotRestore';
import { restoreWords } from './words';

/** Files are open from the start as long as their hunks have no more lines than this together. */
const openLines = 400;
/** Of what is made or deleted as a whole less is read. */
const openWholeLines = 40;

export function RestoreView() {
  const changes = useChanges();
  const { steps, selected, scope, restoring, restore } = changes;
  const [view, setView] = useState<'restore' | 'did'>('restore');
  const step = steps.find(({ key }) => key === selected);
  const whyNot = useSession(whyNotRestore);
  const nothing = Object.keys(changes.chosen).length === 0;
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-line border-b px-4 py-2">
        <Scopes />
        <Chip
          className="ml-auto"
          aria-pressed={view === 'did'}
          onClick={() => setView(view === 'did' ? 'restore' : 'did')}
        >
          What the step did
        </Chip>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {view === 'did' && step !== undefined ? (
          <StepDiff key={step.key} step={step} />
        ) : (
          <>
            {step !== undefined && <Intro step={step} scope={scope} />}
            <Files />
            {/* Where there is no room beside, it stands below. */}
            <div className="@min-[720px]:hidden">
              <NotCoveredList calls={changes.notCovered} />
            </div>
          </>
        )}
      </div>
      <footer className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-2 border-line border-t bg-panel px-4 py-2.5">
        <p role="status" className="min-w-0 flex-1 text-muted text-small [flex-basis:14rem]">
          {whyNot !== '' ? (
            <span className="text-ask">{whyNot}</span>
          ) : changes.files === null ? (
            'Looking at the files…'
          ) : (
            restoreWords(changes.files, changes.chosen)
          )}
        </p>
        <Button
          variant="primary"
          keys="Mod+Enter"
          disabled={nothing || whyNot !== ''}
          aria-disabled={restoring || changes.files === null}
          onClick={() => void restore()}
        >
          {restoring ? 'Restoring…' : 'Restore'}
        </Button>
      </footer>
    </div>
  );
}

function Scopes() {
  const { steps, selected, scope, these, setScope } = useChanges();
  const at = steps.findIndex(({ key }) => key === selected);
  const later = at < 0 ? 0 : steps.length - at;
  const choices: readonly { readonly value: Scope; readonly label: ReactNode; readonly shown: boolean }[] = [
    { value: 'step', label: 'Only this step', shown: true },
    { value: 'since', label: later <= 1 ? 'Back to before it' : `Back to before it, all ${later} steps`, shown: true },
    {
      value: 'these',
      label: `${counted(these.length, 'change')} since the message`,
      shown: these.length > 0 || scope === 'these',
    },
  ];
  return (
    <fieldset className="flex min-w-0 flex-wrap items-center gap-1.5">
      <legend className="sr-only">What to take back</legend>
      {choices
        .filter(({ shown }) => shown)
        .map(({ value, label }) => (
          <Chip key={value} aria-pressed={scope === value} onClick={() => setScope(value)}>
            {label}
          </Chip>
        ))}
    </fieldset>
  );
}

function Intro({ step, scope }: { readonly step: Step; readonly scope: Scope }) {
  const notCovered = useChanges((changes) => changes.notCovered);
  const since = scope === 'step' ? [] : notCovered.filter(({ at }) => at >= step.at);
  return (
    <div className="border-line border-b px-4 py-3">
      <h2 className="line-clamp-2 min-w-0 font-semibold [overflow-wrap:anywhere]" title={step.title}>
        {scope === 'these' ? 'Take back what was changed since the message' : <TitleOf step={step} scope={scope} />}
      </h2>
      <p className="mt-0.5 text-muted text-small">{introWords(step, scope)}</p>
      {since.length > 0 && <StaysAsItIs calls={since} />}
    </div>
  );
}

function TitleOf({ step, scope }: { readonly step: Step; readonly scope: Scope }) {
  return (
    <>
      {scope === 'since' ? 'Files as they were before ' : step.restore ? 'Undo: ' : 'Take back '}
      <span className={step.restore ? '' : 'font-mono font-normal text-mono'}>
        <VisibleText text={step.title} />
      </span>
    </>
  );
}

function introWords(step: Step, scope: Scope): string {
  if (scope === 'since') return 'Everything that this step and later ones changed goes back to that moment.';
  if (scope === 'these') return 'What you or commands changed in other places of these files stays.';
  return step.restore
    ? 'The files become as they were before it; what was changed since in other places stays.'
    : 'Later steps, and what was changed since in other places, stay.';
}

function StaysAsItIs({ calls }: { readonly calls: readonly NotCovered[] }) {
  const [last] = calls.slice(-1);
  return (
    <p className="mt-2 text-ask text-small">
      Not covered: {counted(calls.length, 'call')} since then
      {last !== undefined && (
        <>
          , the last one{' '}
          <span className="font-mono text-mono [overflow-wrap:anywhere]">
            <VisibleText text={last.title} />
          </span>
        </>
      )}
      . What {calls.length === 1 ? 'it' : 'they'} changed stays as it is.
    </p>
  );
}

function Files() {
  const { files, chosen, choose, previewProblem, refresh } = useChanges();
  const folder = useSession(({ state }) => state.folder);
  if (files === null) return <Skeleton label="Looking at the files" className="p-6" rows={4} />;
  if (previewProblem !== '') {
    return (
      <div className="px-4 py-6">
        <p className="font-semibold text-deny">The files could not be looked at.</p>
        <p className="mt-1 text-muted">{previewProblem}</p>
        <Button className="mt-3" size="small" onClick={() => void refresh()}>
          Try again
        </Button>
      </div>
    );
  }
  if (files.length === 0)
    return <p className="px-4 py-6 text-muted">Choose a step to see what taking it back would write.</p>;
  let lines = 0;
  return (
    <ul aria-label="Files">
      {files.map((file) => {
        const own = file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
        lines += own;
        const fits = lines <= openLines && (file.does === 'change' || own <= openWholeLines);
        return (
          <FileChoice
            key={file.path}
            file={file}
            folder={folder}
            chosen={chosen[file.path] ?? null}
            openAtFirst={fits || file.state === 'conflict' || file.state === 'lost'}
            onChoose={(what) => choose(file.path, what)}
          />
        );
      })}
    </ul>
  );
}
