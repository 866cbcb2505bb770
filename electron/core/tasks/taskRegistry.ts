// The background tasks of all sessions: takes running commands over, tells model and person how they end, ends them all.
import type { Unsubscribe } from '#shared/rpc/transport';
import type { BackgroundTask } from '#shared/session/backgroundTask';
import type { SessionService } from '../sessions/service';
import { type RunningCommand, type SessionTasks, ToolFailure } from '../tools/tool';
import { oneLine } from '../tools/wording';
import { LineMatcher, PatternTooSlow } from './lineMatcher';
import { endingOf, RunningTask, type StopCause } from './runningTask';
import { waitForLine } from './waitForLine';

/** The page hears of a running task's output at most this often. */
const progressEveryMs = 1_000;
/** Closing waits at most this long for tasks to end; the executor's own end takes along what is left. */
const closingMs = 5_000;
const lastLineChars = 200;
/** Ended tasks of a session whose output stays in memory; that of older ones is in their files. */
const keptEnded = 16;

/** No task of this session has that name. */
export class UnknownTask extends Error {
  override readonly name = 'UnknownTask';
}

export class TaskRegistry {
  /** By session, then by task id, oldest first. The last ended ones stay: their output can still be asked for. */
  private readonly sessions = new Map<string, Map<string, RunningTask>>();
  private closing = false;

  constructor(
    private readonly options: {
      readonly sessions: SessionService;
      readonly now: () => number;
      readonly log: { error(message: string, error: unknown): void };
    },
  ) {}

  /** The tasks of a session as one of its calls sees them; what that call starts bears its id. */
  forCall(sessionId: string, callId: string): SessionTasks {
    const list = (): readonly BackgroundTask[] => Object.values(this.options.sessions.state(sessionId).tasks);
    return {
      adopt: (command) => this.adopt({ sessionId, callId, ...command }),
      list,
      find: (taskId) => list().find((task) => task.taskId === taskId),
      wait: (taskId, options) => this.wait(sessionId, taskId, options),
      waitForLine: async (taskId, options) => {
        const task = this.sessions.get(sessionId)?.get(taskId);
        if (task === undefined) return null;
        const found = await waitForLine(task, { ...options, fromChar: task.watchedTo }).catch(asToolFailure);
        task.watchedTo = found?.nextChar ?? task.watchedTo;
        return found?.line ?? null;
      },
      readNew: (taskId, options) => {
        const task = this.sessions.get(sessionId)?.get(taskId);
        return task === undefined ? null : readNew(task, options);
      },
      stop: (taskId, by) => this.stop(sessionId, taskId, by),
    };
  }

  /** Ends a task with everything it started; resolves when nothing of it is alive. One that has ended stays as it is. */
  async stop(sessionId: string, taskId: string, by: StopCause): Promise<BackgroundTask> {
    const stored = this.stored(sessionId, taskId);
    const task = this.sessions.get(sessionId)?.get(taskId);
    if (task === undefined) return stored;
    if (by === 'model') task.waiting += 1;
    task.end(by);
    const ended = await task.ended;
    if (by === 'model') task.waiting -= 1;
    return ended;
  }

  /**
   * Marks as stopped what the log says is running and is not: tasks of an earlier run of the program, which the executor
   * ends when it starts. Only for sessions that nobody else works in.
   */
  repair(sessionId: string): void {
    const { sessions } = this.options;
    for (const task of Object.values(sessions.state(sessionId).tasks)) {
      if (task.status !== 'running' || this.sessions.get(sessionId)?.has(task.taskId) === true) continue;
      const note = 'ended with Gatehouse, which was closed or broke off while it ran';
      const ended: BackgroundTask = { ...task, status: 'stopped', endedAt: this.options.now(), note };
      sessions.append(sessionId, { type: 'task.changed', task: ended });
      this.tellModel(sessionId, ended);
    }
  }

  /** Ends the tasks of a session that is about to be deleted. */
  async closeSession(sessionId: string): Promise<void> {
    const tasks = [...(this.sessions.get(sessionId)?.values() ?? [])];
    await endAll(tasks);
    this.sessions.delete(sessionId);
  }

  /** Ends all tasks and waits for them. */
  async dispose(): Promise<void> {
    this.closing = true;
    await endAll([...this.sessions.values()].flatMap((tasks) => [...tasks.values()]));
  }

  private adopt(command: {
    readonly sessionId: string;
    readonly callId: string;
    readonly command: string;
    readonly description: string;
    readonly outputFile: string | null;
    readonly running: RunningCommand;
  }): BackgroundTask {
    if (this.closing) throw new ToolFailure('aborted', 'Gatehouse is closing.');
    const { sessionId, callId, running } = command;
    const { sessions, now, log } = this.options;
    const task: BackgroundTask = {
      taskId: `b${Object.keys(sessions.state(sessionId).tasks).length + 1}`,
      callId,
      command: command.command,
      description: command.description,
      status: 'running',
      startedAt: now(),
      endedAt: null,
      exitCode: null,
      outputFile: command.outputFile ?? '',
      outputBytes: 0,
      note: '',
    };
    sessions.append(sessionId, { type: 'task.changed', task });
    let stopProgress: Unsubscribe = () => undefined;
    const taken = new RunningTask({
      task,
      running,
      now,
      onEnd: (ended) => {
        stopProgress();
        try {
          this.announceEnd(sessionId, taken, ended);
        } catch (error) {
          log.error('the end of a background task could not be recorded', error);
        }
      },
    });
    stopProgress = this.publishProgress(sessionId, taken);
    const tasks = this.sessions.get(sessionId) ?? new Map<string, RunningTask>();
    this.sessions.set(sessionId, tasks.set(task.taskId, taken));
    return task;
  }

  private async wait(
    sessionId: string,
    taskId: string,
    { waitMs, signal }: { readonly waitMs: number; readonly signal: AbortSignal },
  ): Promise<BackgroundTask> {
    const stored = this.stored(sessionId, taskId);
    const task = this.sessions.get(sessionId)?.get(taskId);
    if (task === undefined || task.task.endedAt !== null) return stored;
    const late = AbortSignal.timeout(waitMs);
    const enough = AbortSignal.any([signal, late]);
    task.waiting += 1;
    try {
      await Promise.race([task.ended, aborted(enough)]);
    } finally {
      task.waiting -= 1;
    }
    return task.task;
  }

  private stored(sessionId: string, taskId: string): BackgroundTask {
    const task = this.options.sessions.state(sessionId).tasks[taskId];
    if (task === undefined) throw new UnknownTask(`There is no background task ${taskId} in this session.`);
    return task;
  }

  private announceEnd(sessionId: string, running: RunningTask, task: BackgroundTask): void {
    const { sessions } = this.options;
    if (!sessions.exists(sessionId)) return;
    sessions.append(sessionId, { type: 'task.changed', task });
    this.forgetOld(sessionId);
    if (running.waiting === 0) this.tellModel(sessionId, task);
    if (!running.capture.outcome.full && !(task.note.startsWith('output reached') && task.outputFile === '')) return;
    const kept = task.outputFile === '' ? '' : ` What it had printed is in ${task.outputFile}.`;
    sessions.append(sessionId, {
      type: 'notice',
      level: 'warning',
      text: `Background task ${task.taskId} (${oneLine(task.command, 80)}) was stopped because its output reached 64 MiB.${kept}`,
      next: 'Let it print less, or send its output elsewhere, before it is started again.',
    });
  }

  /** At the next occasion: no turn is started for it. What the task printed is not quoted; it may hold anything. */
  private tellModel(sessionId: string, task: BackgroundTask): void {
    this.options.sessions.append(sessionId, {
      type: 'context.added',
      from: `background task ${task.taskId}`,
      text: `Background task ${task.taskId} (${oneLine(task.command, 200)}) is no longer running: ${endingOf(task)}. Look at its output only if you need it.`,
    });
  }

  private forgetOld(sessionId: string): void {
    const tasks = this.sessions.get(sessionId);
    const ended = [...(tasks?.values() ?? [])].filter(({ task }) => task.endedAt !== null);
    for (const { task } of ended.slice(0, Math.max(0, ended.length - keptEnded))) tasks?.delete(task.taskId);
  }

  private publishProgress(sessionId: string, running: RunningTask): Unsubscribe {
    let timer: NodeJS.Timeout | undefined;
    const publish = (): void => {
      timer = undefined;
      if (!this.options.sessions.exists(sessionId)) return;
      const { capture, task } = running;
      const { text } = capture.plainSince(0, 4_096);
      const lastLine = oneLine(text.split('\n').findLast((line) => line.trim() !== '') ?? '', lastLineChars);
      this.options.sessions.publish(sessionId, {
        type: 'task.progress',
        taskId: task.taskId,
        outputChars: capture.totalChars,
        lastLine,
      });
    };
    const unsubscribe = running.capture.onChange(() => {
      timer ??= setTimeout(publish, progressEveryMs);
    });
    if (running.capture.totalChars > 0) publish();
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }
}

function readNew(
  task: RunningTask,
  { maxChars, filter }: { readonly maxChars: number; readonly filter?: RegExp },
): ReturnType<SessionTasks['readNew']> {
  const { text, skippedChars, nextChar } = task.capture.plainSince(task.readTo, maxChars);
  if (filter === undefined) {
    task.readTo = nextChar;
    return { text, skippedChars, hiddenLines: 0 };
  }
  const lines = text.split('\n');
  const kept = matching(filter, lines);
  task.readTo = nextChar;
  return { text: kept.join('\n'), skippedChars, hiddenLines: lines.length - kept.length };
}

function matching(filter: RegExp, lines: readonly string[]): readonly string[] {
  try {
    return new LineMatcher(filter).filter(lines);
  } catch (error) {
    return asToolFailure(error);
  }
}

async function endAll(tasks: readonly RunningTask[]): Promise<void> {
  for (const task of tasks) task.end('closing');
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), closingMs);
  await Promise.race([Promise.all(tasks.map((task) => task.ended)), aborted(patience.signal)]);
  clearTimeout(timer);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function asToolFailure(error: unknown): never {
  if (!(error instanceof PatternTooSlow)) throw error;
  throw new ToolFailure(
    'tool',
    'This pattern takes too long on the output (it backtracks). Write it without nested repetitions, such as (a+)+.',
  );
}
