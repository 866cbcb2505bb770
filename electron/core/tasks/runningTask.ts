// One command that goes on after its call has its result.
import type { OperationAnswers } from '#shared/api/executor';
import type { BackgroundTask } from '#shared/session/backgroundTask';
import { limitWords } from '../tools/bash/limitWords';
import type { RunningCommand } from '../tools/tool';
import { ToolFailure } from '../tools/tool';
import { counted } from '../tools/wording';

/** Why a task was ended early. */
export type StopCause = 'model' | 'person' | 'closing' | 'full';

/** Without a file the same limit holds for what is printed, in characters. */
const maxCharsWithoutFile = 64 * 1024 * 1024;
const causeNotes: Readonly<Record<StopCause, string>> = {
  model: 'stopped by the model',
  person: 'stopped by you',
  closing: 'stopped because Gatehouse was closed',
  full: 'output reached 64 MiB',
};

export class RunningTask {
  /** Resolves with the last state when nothing of the command is alive; never rejects. */
  readonly ended: Promise<BackgroundTask>;
  /** Where the model has read to, in characters of the plain text. */
  readTo = 0;
  /** The end of the last line that the model waited for. */
  watchedTo = 0;
  /** Calls of the model that wait for the end and so hear of it. */
  waiting = 0;
  private current: BackgroundTask;
  private cause: StopCause | undefined;
  private readonly running: RunningCommand;
  private readonly now: () => number;

  constructor(options: {
    readonly task: BackgroundTask;
    readonly running: RunningCommand;
    readonly now: () => number;
    readonly onEnd: (task: BackgroundTask) => void;
  }) {
    this.current = options.task;
    this.running = options.running;
    this.now = options.now;
    const unsubscribe = this.capture.onChange(() => {
      if (this.current.outputFile === '' && this.capture.totalChars > maxCharsWithoutFile) this.end('full');
    });
    this.running.detach();
    this.ended = this.running.ended
      .then((result) => this.afterEnd(result))
      .catch((error: unknown) => this.lost(error))
      .then((how) => {
        unsubscribe();
        const outputBytes = this.capture.outcome.written?.bytes ?? this.capture.totalChars;
        this.current = { ...this.current, ...how, endedAt: this.now(), outputBytes };
        options.onEnd(this.current);
        return this.current;
      });
  }

  get task(): BackgroundTask {
    return this.current;
  }

  get capture(): RunningCommand['capture'] {
    return this.running.capture;
  }

  /** Ends it with everything that it started; the first cause counts. */
  end(cause: StopCause): void {
    if (this.current.endedAt !== null || this.cause !== undefined) return;
    this.cause = cause;
    this.running.stop();
  }

  private afterEnd(result: OperationAnswers['shell.run']): Pick<BackgroundTask, 'status' | 'exitCode' | 'note'> {
    if (result.kind === 'failure') return { status: 'failed', exitCode: null, note: result.message };
    const { exitCode, signal, aborted, limit, replaced } = result;
    const cause = this.capture.outcome.full ? 'full' : aborted ? this.cause : undefined;
    if (cause !== undefined) return { status: 'stopped', exitCode, note: causeNotes[cause] };
    if (replaced !== undefined)
      return { status: 'failed', exitCode, note: `stopped: ${replaced} was replaced outside of the sandbox` };
    if (limit !== undefined) return { status: 'failed', exitCode, note: limitWords(limit).note };
    if (exitCode === null) return { status: 'failed', exitCode, note: `ended by signal ${signal ?? 'unknown'}` };
    return { status: exitCode === 0 ? 'completed' : 'failed', exitCode, note: `exit ${exitCode}` };
  }

  private lost(error: unknown): Pick<BackgroundTask, 'status' | 'exitCode' | 'note'> {
    if (this.cause !== undefined) return { status: 'stopped', exitCode: null, note: causeNotes[this.cause] };
    const note = error instanceof ToolFailure ? 'ended with the executor process' : 'lost by a fault in Gatehouse';
    return { status: 'failed', exitCode: null, note };
  }
}

/** "exit 0, 1,204 bytes of output in /path". */
export function endingOf(task: BackgroundTask): string {
  const where = task.outputFile === '' ? '' : ` in ${task.outputFile}`;
  return `${task.note}, ${counted(task.outputBytes, 'byte')} of output${where}`;
}
