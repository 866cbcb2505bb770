// What the tools for background tasks have in common: naming one, and saying how it is.
import { z } from 'zod';
import type { BackgroundTask } from '#shared/session/backgroundTask';
import { type CallContext, ToolFailure } from './tool';
import { counted, duration, oneLine } from './wording';

/** The id of a background task, as Bash gave it. */
export const taskIdField = () =>
  z
    .string()
    .refine((id) => id.trim() !== '', 'expected the id of a background task')
    .describe('Id of the background task, as Bash gave it: "b1".');

const maxPatternChars = 1_000;

/** A regular expression for lines of output; what does not parse is an error of the input. */
export const patternField = () =>
  z
    .string()
    .min(1)
    .refine((pattern) => pattern.length <= maxPatternChars, `expected at most ${maxPatternChars} characters`)
    .refine(parses, 'expected a regular expression (JavaScript syntax)');

function parses(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch {
    return false;
  }
}

/** The task, or a ToolFailure that names those there are. */
export function requireTask(taskId: string, context: Pick<CallContext, 'tasks'>): BackgroundTask {
  const task = context.tasks.find(taskId.trim());
  if (task !== undefined) return task;
  const ids = context.tasks.list().map(({ taskId: id }) => id);
  const known = ids.length === 0 ? 'This session has had none.' : `There are: ${ids.join(', ')}.`;
  throw new ToolFailure('notFound', `There is no background task ${oneLine(taskId, 40)}. ${known}`);
}

/** "running for 12 s", "failed (exit 1) after 3 min". */
export function stateOf(task: BackgroundTask, now: number): string {
  const lasted = duration(Math.max(0, (task.endedAt ?? now) - task.startedAt));
  return task.status === 'running' ? `running for ${lasted}` : `${task.status} (${task.note}) after ${lasted}`;
}

/** Its state, command and file on lines of their own. */
export function headOfTask(task: BackgroundTask, now: number): string {
  const size = task.status === 'running' ? '' : `, ${counted(task.outputBytes, 'byte')}`;
  return [
    `Task ${task.taskId}: ${stateOf(task, now)}`,
    `Command: ${oneLine(task.command, 200)}`,
    ...(task.outputFile === '' ? [] : [`Output file: ${task.outputFile}${size}`]),
  ].join('\n');
}
