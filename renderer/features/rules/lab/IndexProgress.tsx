import { Pause, Play } from 'lucide-react';
import type { HistoryState } from '#shared/api/history';
import { host } from '../../../host/client';
import { reportFailure } from '../../../stores/toasts';
import { Button } from '../../../ui/Button';
import { counted } from '../../frame/words';

/** How far the reading of past calls is, while it is under way, waits or has failed. */
export function IndexProgress({ state }: { readonly state: HistoryState | null }) {
  if (state === null || state.phase === 'idle') return null;
  if (state.phase === 'failed')
    return (
      <p role="alert" className="break-words rounded-control bg-deny-tint px-3 py-2">
        Past calls cannot be read. {state.problem}
      </p>
    );
  const paused = state.phase === 'paused';
  const share = state.bytes === 0 ? 0 : Math.min(100, Math.round((state.bytesDone / state.bytes) * 100));
  return (
    <section aria-label="Reading past calls" className="rounded-control border border-line bg-panel px-3 py-2">
      <div className="flex items-center gap-2">
        <p className="min-w-0 flex-1">
          {paused ? 'Reading is paused' : 'Reading past calls'} · {share} %
          <span className="block text-muted text-small">
            {state.filesDone.toLocaleString('en')} of {counted(state.files, 'transcript')},{' '}
            {counted(state.calls, 'call')} so far
          </span>
        </p>
        <Button
          size="small"
          icon={paused ? Play : Pause}
          onClick={() =>
            void host()
              .call('history.pause', { paused: !paused })
              .catch((error: unknown) => reportFailure('The reading goes on as before.', error))
          }
        >
          {paused ? 'Continue' : 'Pause'}
        </Button>
      </div>
      <div
        role="progressbar"
        aria-label="Read"
        aria-valuenow={share}
        aria-valuemin={0}
        aria-valuemax={100}
        className="mt-2 h-1 overflow-hidden rounded-full bg-line"
      >
        <div className="h-full bg-accent" style={{ width: `${share}%` }} />
      </div>
    </section>
  );
}
