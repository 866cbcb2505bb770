import { z } from 'zod';
import { buildTool } from '../buildTool';
import { lineOf, namedItems, onlyTheList, requireItem, type TaskItem, type TaskItems, taskIdInput } from '../taskItems';
import { ToolFailure } from '../tool';
import { oneLine } from '../wording';
import prompt from './taskCreate.prompt.md';

/** Tasks that a session's list may have. */
const maxTasks = 200;

const words = (what: string, maxChars: number) =>
  z
    .string()
    .max(maxChars)
    .refine((text) => text.trim() !== '', 'expected some text')
    .describe(what);

const inputSchema = () =>
  z.strictObject({
    subject: words('The task, as an instruction: "Run the tests".', 500),
    description: z.string().max(5_000).optional().describe('What exactly is to be done, and when it counts as done.'),
    activeForm: words('The task while it is being done: "Running the tests".', 500).optional(),
    blockedBy: z.array(taskIdInput()).max(50).optional().describe('Ids of tasks that must be completed first.'),
  });

export type TaskCreateInput = z.infer<ReturnType<typeof inputSchema>>;

/** Adds one item to the list of tasks. */
export function createTaskCreateTool(items: TaskItems) {
  return buildTool<TaskCreateInput, { readonly item: TaskItem; readonly line: string }>({
    name: 'TaskCreate',
    searchHint: 'add a task to the list, plan, dependencies',
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
      if (before.length >= maxTasks)
        throw new ToolFailure(
          'tool',
          `The list has ${maxTasks} tasks. Delete those that no longer matter (TaskUpdate).`,
        );
      const blockedBy = [...new Set((input.blockedBy ?? []).map((id) => requireItem(before, id).taskId))];
      const highest = Math.max(0, ...before.map(({ taskId }) => Number(taskId)).filter(Number.isSafeInteger));
      const item: TaskItem = {
        taskId: String(highest + 1),
        content: input.subject.trim(),
        activeForm: (input.activeForm ?? input.subject).trim(),
        status: 'pending',
        ...(input.description === undefined ? {} : { description: input.description }),
        ...(blockedBy.length === 0 ? {} : { blockedBy }),
      };
      const all = [...before, item];
      items.replace(sessionId, all);
      return Promise.resolve({ item, line: lineOf(all, item) });
    },
    mapResult: ({ line }) => [{ type: 'text', text: `Added task ${line}` }],
    getToolUseSummary: (input) => oneLine(input.subject, 120),
    getActivityDescription: () => 'Adding a task',
    extractSearchText: ({ item }) => item.content,
    renderUse: (input) => ({ kind: 'text', text: [input.subject, input.description ?? ''].join('\n').trim() }),
    renderResult: ({ item, line }) => ({ view: { kind: 'text', text: line }, note: `task ${item.taskId}` }),
  });
}
