import { History } from 'lucide-react';
import type { PastRun } from '#shared/api/hooks';
import { useApp } from '../../stores/app';
import { type RunFilter, useHooksPage } from '../../stores/hooksPage';
import { useUi } from '../../stores/ui';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { Skeleton } from '../../ui/Skeleton';
import { VisibleText } from '../../ui/VisibleText';
import { HookRuns } from '../chat/inspector/HookRuns';
import { counted } from '../frame/words';
import { hasFailed } from './hookWords';

const filters: readonly { readonly value: RunFilter; readonly label: string; fits(run: PastRun): boolean }[] = [
  { value: 'all', label: 'All', fits: () => true },
  { value: 'failed', label: 'Failed', fits: ({ run }) => hasFailed(run) },
  { value: 'blocked', label: 'Blocked', fits: ({ run }) => run.outcome === 'blocked' },
  { value: 'noCall', label: 'For no call', fits: ({ call }) => call === null },
];

/** Every run of the session, the newest first; those of calls lead to their call. */
export function RunsTab() {
  const view = useHooksPage((page) => page.view);
  const problem = useHooksPage((page) => page.problem);
  const runs = useHooksPage((page) => page.runs);
  const more = useHooksPage((page) => page.moreRuns);
  const filter = useHooksPage((page) => page.runFilter);
  const show = useHooksPage((page) => page.show);
  const loadOlder = useHooksPage((page) => page.loadOlderRuns);
  if (view === null)
    return problem === '' ? <Skeleton label="Loading the runs" className="flex-1 p-6" rows={6} /> : null;
  const shown = runs.filter((run) => filters.find(({ value }) => value === filter)?.fits(run) ?? true);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex w-full max-w-200 flex-col gap-3 px-4 py-3">
        {runs.length === 0 ? (
          <div className="py-10 text-center">
            <h2 className="font-semibold text-title">No hook has run in this session</h2>
            <p className="mt-1 text-muted">
              Each run is kept with what it was told, what it said, its exit code, its time and what it did.
            </p>
          </div>
        ) : (
          <>
            <fieldset className="flex flex-wrap items-center gap-1.5">
              <legend className="sr-only">Which runs</legend>
              {filters.map(({ value, label, fits }) => (
                <Chip key={value} aria-pressed={filter === value} onClick={() => show({ runFilter: value })}>
                  {label} {runs.filter(fits).length}
                </Chip>
              ))}
              <span role="status" className="ml-auto text-muted text-small">
                {counted(shown.length, 'run')}
                {more ? ', older ones below' : ''}
              </span>
            </fieldset>
            {shown.length === 0 ? <p className="text-muted">None of the loaded runs is of that kind.</p> : null}
            <ol aria-label="Runs" className="flex flex-col gap-3">
              {shown.map((past) => (
                <li key={past.run.runId}>
                  <About past={past} />
                  <HookRuns runs={[past.run]} />
                </li>
              ))}
            </ol>
            {more ? (
              <div>
                <Button icon={History} onClick={() => void loadOlder()}>
                  Older runs
                </Button>
              </div>
            ) : null}
          </>
        )}
      </div>
    </div>
  );
}

function About({ past }: { readonly past: PastRun }) {
  const go = useApp((app) => app.go);
  const inspect = useUi((ui) => ui.inspectCall);
  const { call, run } = past;
  const at = new Date(run.startedAt);
  return (
    <p className="flex min-w-0 items-baseline gap-2 text-muted text-small">
      <time dateTime={at.toISOString()} title={at.toISOString()}>
        {at.toLocaleTimeString('en-GB')}
      </time>
      {call === null ? (
        <span>for the session, no call</span>
      ) : (
        <button
          type="button"
          onClick={() => {
            go('chat');
            inspect(call.callId, 'trace');
          }}
          className="flex min-w-0 items-baseline gap-1.5 rounded-small text-accent hover:underline"
        >
          {call.title}
          <span className="truncate font-mono text-mono">
            <VisibleText text={call.summary} />
          </span>
        </button>
      )}
    </p>
  );
}
