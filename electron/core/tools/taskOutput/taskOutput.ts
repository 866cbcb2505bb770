import { z } from 'zod';
import type { BackgroundTask } from '#shared/session/backgroundTask';
import { buildTool } from '../buildTool';
import { semanticBoolean, semanticInteger } from '../semanticInput';
import { headOfTask, patternField, requireTask, stateOf, taskIdField } from '../taskIds';
import { counted, grouped } from '../wording';
import prompt from './taskOutput.prompt.md';

const defaultWaitMs = 30_000;
const maxWaitMs = 600_000;
const maxChars = 30_000;

const inputSchema = () =>
  z.strictObject({
    task_id: taskIdField(),
    block: semanticBoolean().default(true).describe('Wait for the end of the task first; true when left out.'),
    timeout: semanticInteger(0)
      .default(defaultWaitMs)
      .describe(`Longest wait in milliseconds; ${defaultWaitMs} when left out, at most ${maxWaitMs}.`),
    filter: patternField().optional().describe('Regular expression; only lines that match it are given.'),
  });

export type TaskOutputInput = z.infer<ReturnType<typeof inputSchema>>;

export interface TaskOutputResult {
  readonly task: BackgroundTask;
  /** Null: no longer in memory. */
  readonly text: string | null;
  readonly skippedChars: number;
  /** Lines that the filter left out. */
  readonly hiddenLines: number;
  readonly at: number;
}

/** What a background task has printed since the last look. */
export const taskOutputTool = buildTool<TaskOutputInput, TaskOutputResult>({
  name: 'TaskOutput',
  aliases: ['BashOutput', 'AgentOutputTool'],
  searchHint: 'output and state of a background task',
  shouldDefer: true,
  prompt,
  icon: 'terminal',
  inputSchema,
  isReadOnly: () => true,
  canBeReadOnly: () => true,
  isConcurrencySafe: () => true,
  facts: () => [],
  checkPermissions: () => ({ behavior: 'allow', detail: 'It only looks at what a command of this session printed.' }),
  maxResultSizeChars: maxChars + 2_000,
  async call(input, context) {
    const found = requireTask(input.task_id, context);
    const { taskId } = found;
    const waitMs = Math.min(input.timeout, maxWaitMs);
    const task = input.block ? await context.tasks.wait(taskId, { waitMs, signal: context.signal }) : found;
    const filter = input.filter === undefined ? {} : { filter: new RegExp(input.filter) };
    const fresh = context.tasks.readNew(taskId, { maxChars, ...filter });
    const { text = null, skippedChars = 0, hiddenLines = 0 } = fresh ?? {};
    return { task, text, skippedChars, hiddenLines, at: Date.now() };
  },
  mapResult: (output) => [{ type: 'text', text: textOf(output) }],
  getToolUseSummary: (input) => input.task_id,
  getActivityDescription: (input) => `Looking at background task ${input.task_id}`,
  extractSearchText: (output) => output.text ?? '',
  renderUse: (input) => ({ kind: 'text', text: `Output of background task ${input.task_id}` }),
  renderResult: ({ task, text, at }) => ({
    view: { kind: 'terminal', command: task.command, output: text ?? '', exitCode: task.exitCode },
    note: `${task.taskId} ${stateOf(task, at)} · ${counted((text ?? '').length, 'new character')}`,
  }),
});

function textOf({ task, text, skippedChars, hiddenLines, at }: TaskOutputResult): string {
  const skipped = skippedChars > 0 ? [`[… ${grouped(skippedChars)} earlier characters left out …]`] : [];
  const hidden = hiddenLines === 0 ? [] : [`[${counted(hiddenLines, 'line')} not matching]`];
  const body =
    text === null
      ? 'Its output is no longer in memory; read the output file.'
      : text.trim() === ''
        ? 'No new output.'
        : text.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
  return [headOfTask(task, at), '', ...skipped, body, ...hidden].join('\n');
}
