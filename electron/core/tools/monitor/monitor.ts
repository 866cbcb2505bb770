import { z } from 'zod';
import type { BackgroundTask } from '#shared/session/backgroundTask';
import { buildTool } from '../buildTool';
import { semanticInteger } from '../semanticInput';
import { headOfTask, patternField, requireTask, stateOf, taskIdField } from '../taskIds';
import { ToolFailure } from '../tool';
import { duration, headOf, oneLine } from '../wording';
import prompt from './monitor.prompt.md';

const defaultWaitMs = 60_000;
const maxWaitMs = 600_000;
const maxLineChars = 2_000;

const inputSchema = () =>
  z.strictObject({
    task_id: taskIdField(),
    pattern: patternField().describe('Regular expression for the line to wait for.'),
    timeout: semanticInteger(1)
      .default(defaultWaitMs)
      .describe(`Longest wait in milliseconds; ${defaultWaitMs} when left out, at most ${maxWaitMs}.`),
  });

export type MonitorInput = z.infer<ReturnType<typeof inputSchema>>;

interface Seen {
  readonly task: BackgroundTask;
  /** Null: none came. */
  readonly line: string | null;
  readonly waitedMs: number;
  readonly at: number;
}

/** Waits for a line in the output of a background task. */
export const monitorTool = buildTool<MonitorInput, Seen>({
  name: 'Monitor',
  searchHint: 'wait for a line of output of a background task, server ready',
  shouldDefer: true,
  prompt,
  icon: 'terminal',
  inputSchema,
  isReadOnly: () => true,
  canBeReadOnly: () => true,
  isConcurrencySafe: () => true,
  facts: () => [],
  checkPermissions: () => ({ behavior: 'allow', detail: 'It only looks at what a command of this session printed.' }),
  async call(input, context) {
    const { taskId, outputFile } = requireTask(input.task_id, context);
    const startedAt = Date.now();
    const line = await context.tasks.waitForLine(taskId, {
      pattern: new RegExp(input.pattern),
      waitMs: Math.min(input.timeout, maxWaitMs),
      signal: context.signal,
    });
    if (line === null && context.signal.aborted) throw new ToolFailure('aborted', 'Interrupted before the line came.');
    const task = context.tasks.find(taskId);
    if (task === undefined) throw new ToolFailure('notFound', `Task ${taskId} is no longer known. Read ${outputFile}.`);
    return { task, line, waitedMs: Date.now() - startedAt, at: Date.now() };
  },
  mapResult: (output, input) => [{ type: 'text', text: textOf(output, input) }],
  getToolUseSummary: (input) => `${input.task_id}: ${oneLine(input.pattern)}`,
  getActivityDescription: (input) => `Waiting for ${oneLine(input.pattern, 60)} in ${input.task_id}`,
  extractSearchText: (output) => output.line ?? '',
  renderUse: (input) => ({ kind: 'text', text: `Wait for a line of ${input.task_id} that matches ${input.pattern}` }),
  renderResult: ({ task, line, waitedMs, at }) => ({
    view: { kind: 'text', text: line === null ? 'No such line came.' : headOf(line, maxLineChars) },
    note: `${task.taskId} ${stateOf(task, at)} · waited ${duration(waitedMs)}`,
  }),
});

function textOf({ task, line, waitedMs, at }: Seen, input: MonitorInput): string {
  if (line !== null) {
    const cut = line.length > maxLineChars ? `${headOf(line, maxLineChars)} [line cut]` : line;
    return `${cut}\n\n${headOfTask(task, at)}`;
  }
  const next =
    task.status === 'running'
      ? `No line matched ${oneLine(input.pattern, 200)} within ${duration(waitedMs)}. TaskOutput shows what was printed.`
      : `No line matched ${oneLine(input.pattern, 200)}, and the task has ended. TaskOutput shows what was printed.`;
  return `${next}\n\n${headOfTask(task, at)}`;
}
