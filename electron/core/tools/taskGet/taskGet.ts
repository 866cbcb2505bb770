import { z } from 'zod';
import { buildTool } from '../buildTool';
import { lineOf, namedItems, onlyTheList, requireItem, type TaskItems, taskIdInput } from '../taskItems';
import prompt from './taskGet.prompt.md';

const inputSchema = () => z.strictObject({ taskId: taskIdInput() });

export type TaskGetInput = z.infer<ReturnType<typeof inputSchema>>;

/** Shows one item of the list of tasks. */
export function createTaskGetTool(items: TaskItems) {
  return buildTool<TaskGetInput, string>({
    name: 'TaskGet',
    searchHint: 'one task of the list, description, what it waits for',
    prompt,
    icon: 'checklist',
    inputSchema,
    shouldDefer: true,
    isReadOnly: () => true,
    canBeReadOnly: () => true,
    isConcurrencySafe: () => true,
    facts: () => [],
    checkPermissions: () => onlyTheList,
    call(input, { sessionId }) {
      const all = namedItems(items.list(sessionId));
      const item = requireItem(all, input.taskId);
      const holdsUp = all.filter((other) => other.blockedBy?.includes(item.taskId)).map(({ taskId }) => taskId);
      const lines = [
        `Task ${lineOf(all, item)}`,
        ...(holdsUp.length === 0 ? [] : [`Tasks that wait for it: ${holdsUp.join(', ')}`]),
        ...(item.description === undefined ? [] : ['', item.description]),
      ];
      return Promise.resolve(lines.join('\n'));
    },
    mapResult: (text) => [{ type: 'text', text }],
    getToolUseSummary: (input) => `task ${input.taskId}`,
    getActivityDescription: (input) => `Looking at task ${input.taskId}`,
    extractSearchText: (text) => text,
    renderUse: (input) => ({ kind: 'text', text: `Task ${input.taskId}` }),
    renderResult: (text, input) => ({ view: { kind: 'text', text }, note: `task ${input.taskId}` }),
  });
}
