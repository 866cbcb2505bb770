// An executor inside the test: commands that run, print, hang and are stopped without a process of their own.
import { captured } from '../../tools/testing/recordingExecutor';
import { type GrantedExecutor, ToolFailure } from '../../tools/tool';

type Start = GrantedExecutor['start'];
type Ended = Awaited<Awaited<ReturnType<Start>>['ended']>;

export interface StandIn {
  /** Commands that run now. */
  running(): number;
  /** Commands that were started. */
  started(): number;
  start(command: Parameters<Start>[0], signal: AbortSignal): ReturnType<Start>;
}

/**
 * `hang` runs until it is stopped, `lost` loses the executor, `fail` ends with 2, `slow` takes a few turns of the event loop;
 * everything else ends at once.
 */
export function standInExecutor(): StandIn {
  let running = 0;
  let started = 0;
  return {
    running: () => running,
    started: () => started,
    async start({ command }, signal) {
      running += 1;
      started += 1;
      let end: (result: Ended) => void = () => undefined;
      let lose: (error: Error) => void = () => undefined;
      let open = true;
      const ended = new Promise<Ended>((resolve, reject) => {
        end = resolve;
        lose = reject;
      });
      const finish = (how: { readonly exitCode: number | null; readonly aborted: boolean } | 'lost'): void => {
        if (!open) return;
        open = false;
        running -= 1;
        signal.removeEventListener('abort', stop);
        if (how === 'lost') lose(new ToolFailure('executor', 'The executor process ended.'));
        else
          end({
            kind: 'exit',
            signal: how.exitCode === null ? 'SIGTERM' : null,
            timedOut: false,
            outputChars: 2,
            durationMs: 1,
            sandboxed: false,
            finalCwd: null,
            ...how,
          });
      };
      const stop = (): void => finish({ exitCode: null, aborted: true });
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop);
      if (command === 'lost') setImmediate(() => finish('lost'));
      else if (command === 'slow') setImmediate(() => setImmediate(() => finish({ exitCode: 0, aborted: false })));
      else if (command !== 'hang')
        queueMicrotask(() => finish({ exitCode: command === 'fail' ? 2 : 0, aborted: false }));
      return {
        capture: captured('ok'),
        ended,
        stop,
        detach: () => signal.removeEventListener('abort', stop),
      };
    },
  };
}
