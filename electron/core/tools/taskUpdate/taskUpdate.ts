import { z } from 'zod';
import { buildTool } from '../buildTool';
import {
  lineOf,
  namedItems,
  onlyTheList,
  openBlockers,
  requireItem,
  type TaskItem,
  type TaskItems,
  taskIdInput,
  waitsFor,
} from '../taskItems';
import { ToolFailure } from '../tool';
import prompt from './taskUpdate.prompt.md';

const inputSchema = () =>
  z.strictObject({
    taskId: taskIdInput(),
    status: z
      .enum(['pending', 'in_progress', 'completed', 'deleted'])
      .optional()
      .describe('How far it is; "deleted" takes it off the list.'),
    subject: z.string().min(1).max(500).optional().describe('The task in other words.'),
    description: z.string().max(5_000).optional().describe('What exactly is to be done.'),
    activeForm: z.string().min(1).max(500).optional().describe('The task while it is being done.'),
    addBlockedBy: z.array(taskIdInput()).max(50).optional().describe('Ids of tasks that must be completed first.'),
    removeBlockedBy: z.array(taskIdInput()).max(50).optional().describe('Ids of tasks that it no longer waits for.'),
  });

export type TaskUpdateInput = z.infer<ReturnType<typeof inputSchema>>;

/** Changes one item of the list of tasks. */
export function createTaskUpdateTool(items: TaskItems) {
  return buildTool<TaskUpdateInput, string>({
    name: 'TaskUpdate',
    searchHint: 'change a task of the list, mark it completed, dependencies',
    prompt,
    icon: 'checklist',
    inputSchema,
    shouldDefer: true,
    isReadOnly: () => true,
    canBeReadOnly: () => true,
    facts: () => [],
    checkPermissions: () => onlyTheList,
    call(input, { sessionId }) {
      const before = namedItems(items.list(sessionId));
      const item = requireItem(before, input.taskId);
      if (input.status === 'deleted') {
        items.replace(sessionId, without(before, item.taskId));
        return Promise.resolve(`Task ${item.taskId} is off the list.`);
      }
      const changed = changedItem(before, item, input);
      const after = before.map((one) => (one === item ? changed : one));
      const blockers = openBlockers(after, changed);
      if (input.status !== undefined && input.status !== 'pending' && blockers.length > 0)
        throw new ToolFailure(
          'tool',
          `Task ${item.taskId} waits for ${blockers.join(', ')}. Complete these first, or take them away with removeBlockedBy.`,
        );
      items.replace(sessionId, after);
      const free = after.filter(
        (one) =>
          one.status === 'pending' && one.blockedBy?.includes(item.taskId) && openBlockers(after, one).length === 0,
      );
      const next =
        changed.status === 'completed' && free.length > 0
          ? ` Now free to start: ${free.map(({ taskId }) => taskId).join(', ')}.`
          : '';
      return Promise.resolve(`Task ${lineOf(after, changed)}.${next}`);
    },
    mapResult: (text) => [{ type: 'text', text }],
    getToolUseSummary: (input) => `task ${input.taskId}${input.status === undefined ? '' : `, ${input.status}`}`,
    getActivityDescription: (input) => `Changing task ${input.taskId}`,
    extractSearchText: (text) => text,
    renderUse: (input) => ({ kind: 'json', value: JSON.parse(JSON.stringify(input)) }),
    renderResult: (text, input) => ({ view: { kind: 'text', text }, note: `task ${input.taskId}` }),
  });
}

function changedItem(all: readonly TaskItem[], item: TaskItem, input: TaskUpdateInput): TaskItem {
  const { blockedBy: before = [], ...rest } = item;
  const removed = new Set((input.removeBlockedBy ?? []).map((id) => requireItem(all, id).taskId));
  const added = (input.addBlockedBy ?? []).map((id) => requireItem(all, id).taskId);
  const circle = added.find((id) => waitsFor(all, id, item.taskId));
  if (circle !== undefined)
    throw new ToolFailure('tool', `Task ${circle} itself waits for task ${item.taskId}; neither could ever start.`);
  const blockedBy = [...new Set([...before, ...added])].filter((id) => !removed.has(id));
  return {
    ...rest,
    ...(input.status === undefined || input.status === 'deleted' ? {} : { status: input.status }),
    ...(input.subject === undefined ? {} : { content: input.subject.trim() }),
    ...(input.activeForm === undefined ? {} : { activeForm: input.activeForm.trim() }),
    ...(input.description === undefined ? {} : { description: input.description }),
    ...(blockedBy.length === 0 ? {} : { blockedBy }),
  };
}

/** Nothing waits any more for what is gone. */
function without(all: readonly TaskItem[], taskId: string): readonly TaskItem[] {
  return all
    .filter((one) => one.taskId !== taskId)
    .map(({ blockedBy, ...rest }) => {
      const left = (blockedBy ?? []).filter((id) => id !== taskId);
      return left.length === 0 ? rest : { ...rest, blockedBy: left };
    });
}
