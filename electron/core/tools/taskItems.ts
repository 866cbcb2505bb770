// What the tools for the session's list of tasks have in common. TodoWrite shows the same list.
import { z } from 'zod';
import type { Todo } from '#shared/session/events';
import { ToolFailure } from './tool';
import { oneLine } from './wording';

/** An item that the task tools can name. */
export interface TaskItem extends Todo {
  readonly taskId: string;
}

/** The session's list, read and replaced as a whole. */
export interface TaskItems {
  list(sessionId: string): readonly Todo[];
  replace(sessionId: string, items: readonly Todo[]): void;
}

export const taskIdInput = () =>
  z
    .string()
    .refine((id) => id.trim() !== '', 'expected the id of a task')
    .describe('Id of the task, as TaskCreate gave it: "3".');

/** Items as they are named: those that TodoWrite made get the next free ids, in order. */
export function namedItems(items: readonly Todo[]): readonly TaskItem[] {
  let next = Math.max(0, ...items.map(({ taskId }) => Number(taskId ?? 0)).filter(Number.isSafeInteger));
  return items.map((item) => {
    if (item.taskId !== undefined) return { ...item, taskId: item.taskId };
    next += 1;
    return { ...item, taskId: String(next) };
  });
}

/** The item, or a ToolFailure that names those there are. */
export function requireItem(items: readonly TaskItem[], id: string): TaskItem {
  const wished = id.trim().replace(/^#/, '');
  const found = items.find(({ taskId }) => taskId === wished);
  if (found !== undefined) return found;
  const ids = items.map(({ taskId }) => taskId);
  const known = ids.length === 0 ? 'The list is empty.' : `There are: ${ids.join(', ')}.`;
  throw new ToolFailure('notFound', `There is no task ${oneLine(id, 40)}. ${known}`);
}

/** Ids of the items that must be completed before this one may start. */
export function openBlockers(items: readonly TaskItem[], item: TaskItem): readonly string[] {
  return (item.blockedBy ?? []).filter((id) =>
    items.some((other) => other.taskId === id && other.status !== 'completed'),
  );
}

/** Whether an item waits for another one, over whatever stands between. */
export function waitsFor(items: readonly TaskItem[], from: string, on: string): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === on) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...(items.find(({ taskId }) => taskId === id)?.blockedBy ?? []));
  }
  return false;
}

/** One line: `3 in_progress: Run the tests (waits for 1, 2)`. */
export function lineOf(items: readonly TaskItem[], item: TaskItem): string {
  const blockers = openBlockers(items, item);
  const waits = blockers.length === 0 ? '' : ` (waits for ${blockers.join(', ')})`;
  return `${item.taskId} ${item.status}: ${oneLine(item.content, 200)}${waits}`;
}

export const onlyTheList = {
  behavior: 'allow',
  detail: 'It concerns only the list of tasks in this session.',
} as const;
