import { z } from 'zod';
import type { BackgroundTask } from '#shared/session/backgroundTask';
import { buildTool } from '../buildTool';
import { headOfTask, requireTask, stateOf, taskIdField } from '../taskIds';
import prompt from './taskStop.prompt.md';

const inputSchema = () => z.preprocess(withoutOldName, z.strictObject({ task_id: taskIdField() }));

/** The id used to be called `shell_id`. */
function withoutOldName(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, 'shell_id')) return input;
  if (Object.hasOwn(input, 'task_id')) return input;
  const { shell_id: task_id, ...rest } = input as Record<string, unknown>;
  return { task_id, ...rest };
}

export type TaskStopInput = z.infer<ReturnType<typeof inputSchema>>;

interface Stopped {
  readonly task: BackgroundTask;
  /** It had ended before. */
  readonly already: boolean;
  readonly at: number;
}

/** Ends a background task. */
export const taskStopTool = buildTool<TaskStopInput, Stopped>({
  name: 'TaskStop',
  aliases: ['KillShell', 'KillBash'],
  searchHint: 'stop, end, kill a background task',
  shouldDefer: true,
  prompt,
  icon: 'terminal',
  inputSchema,
  facts: () => [],
  checkPermissions: () => ({ behavior: 'allow', detail: 'It ends only what this session has started.' }),
  interruptBehavior: () => 'block',
  async call(input, context) {
    const found = requireTask(input.task_id, context);
    if (found.status !== 'running') return { task: found, already: true, at: Date.now() };
    return { task: await context.tasks.stop(found.taskId, 'model'), already: false, at: Date.now() };
  },
  mapResult: ({ task, already, at }) => [
    { type: 'text', text: already ? `It had ended already.\n${headOfTask(task, at)}` : headOfTask(task, at) },
  ],
  getToolUseSummary: (input) => input.task_id,
  getActivityDescription: (input) => `Stopping background task ${input.task_id}`,
  renderUse: (input) => ({ kind: 'text', text: `Stop background task ${input.task_id}` }),
  renderResult: ({ task, at }) => ({
    view: { kind: 'text', text: headOfTask(task, at) },
    note: `${task.taskId} ${stateOf(task, at)}`,
  }),
});
