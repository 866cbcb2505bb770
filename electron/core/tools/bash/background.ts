// Commands that go on after their call has its result.
import type { BackgroundTask } from '#shared/session/backgroundTask';
import { type CallContext, type RunningCommand, ToolFailure } from '../tool';
import { duration } from '../wording';

/** Of one session at the same time; each holds processes, a file and memory. */
const maxRunning = 20;

/** What the model is told of a command that has just gone to the background. */
const maxShownChars = 4_000;

function runningTasks(context: Pick<CallContext, 'tasks'>): readonly BackgroundTask[] {
  return context.tasks.list().filter((task) => task.status === 'running');
}

export function hasRoom(context: Pick<CallContext, 'tasks'>): boolean {
  return runningTasks(context).length < maxRunning;
}

/** Throws ToolFailure when too many run already. */
export function requireRoom(context: Pick<CallContext, 'tasks'>): void {
  if (hasRoom(context)) return;
  const ids = runningTasks(context).map((task) => task.taskId);
  throw new ToolFailure(
    'tool',
    `${maxRunning} background tasks are running already (${ids.join(', ')}); the command was not started. Stop one that is no longer needed with TaskStop first.`,
    { note: 'not started' },
  );
}

/** Waits for the end, at most `ms`; null: it still runs. */
export async function endedWithin<T>(ended: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([ended, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The result for the model. `movedAfterMs`: it was meant to end within its call. */
export function backgroundText(about: {
  readonly task: BackgroundTask;
  readonly running: RunningCommand;
  readonly movedAfterMs: number | null;
}): string {
  const { task, running, movedAfterMs } = about;
  const start =
    movedAfterMs === null
      ? `The command runs in the background as task ${task.taskId}.`
      : `The command was still running at its timeout of ${duration(movedAfterMs)} and was moved to the background as task ${task.taskId}; it goes on.`;
  const where = task.outputFile === '' ? [] : [`Its output is written to ${task.outputFile} (Read it at any time).`];
  const printed = movedAfterMs === null ? '' : running.capture.plain(maxShownChars).trim();
  return [
    start,
    ...where,
    'You are told when it ends. Until then go on with other work; do not wait in a loop. TaskOutput gives new output, Monitor waits for a line, TaskStop ends it.',
    ...(printed === '' ? [] : ['', 'Output until now:', printed]),
  ].join('\n');
}
