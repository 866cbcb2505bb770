import { z } from 'zod';
import { buildTool } from '../buildTool';
import { lineOf, namedItems, onlyTheList, type TaskItem, type TaskItems } from '../taskItems';
import { counted } from '../wording';
import prompt from './taskListItems.prompt.md';

const inputSchema = () => z.strictObject({});

/** Shows the list of tasks. */
export function createTaskListItemsTool(items: TaskItems) {
  return buildTool<z.infer<ReturnType<typeof inputSchema>>, readonly TaskItem[]>({
    name: 'TaskListItems',
    searchHint: 'list of tasks, what is left, what is blocked',
    prompt,
    icon: 'checklist',
    inputSchema,
    shouldDefer: true,
    isReadOnly: () => true,
    canBeReadOnly: () => true,
    isConcurrencySafe: () => true,
    facts: () => [],
    checkPermissions: () => onlyTheList,
    call: (_input, { sessionId }) => Promise.resolve(namedItems(items.list(sessionId))),
    mapResult: (all) => [{ type: 'text', text: all.length === 0 ? 'The list of tasks is empty.' : linesOf(all) }],
    getToolUseSummary: () => '',
    getActivityDescription: () => 'Looking at the list of tasks',
    extractSearchText: (all) => linesOf(all),
    renderUse: () => ({ kind: 'text', text: 'The list of tasks' }),
    renderResult: (all) => ({
      view: { kind: 'text', text: all.length === 0 ? 'No tasks.' : linesOf(all) },
      note: counted(all.length, 'task'),
    }),
  });
}

const linesOf = (all: readonly TaskItem[]) => all.map((item) => lineOf(all, item)).join('\n');
