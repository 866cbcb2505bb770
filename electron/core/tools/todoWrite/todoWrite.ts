import { z } from 'zod';
import type { Todo } from '#shared/session/events';
import { buildTool } from '../buildTool';
import { counted, oneLine } from '../wording';
import prompt from './todoWrite.prompt.md';

const words = (what: string) =>
  z
    .string()
    .refine((text) => text.trim() !== '', 'expected some text')
    .describe(what);

const inputSchema = () =>
  z.strictObject({
    todos: z
      .array(
        z.strictObject({
          content: words('The step, as an instruction: "Run the tests".'),
          status: z.enum(['pending', 'in_progress', 'completed']).describe('How far the step is.'),
          activeForm: words('The step while it is being done: "Running the tests".'),
        }),
      )
      .describe('The whole list, in order. An empty list clears it.'),
  });

export type TodoWriteInput = z.infer<ReturnType<typeof inputSchema>>;

/** Replaces the session's list of steps. */
export const todoWriteTool = buildTool<TodoWriteInput, { readonly todos: readonly Todo[] }>({
  name: 'TodoWrite',
  searchHint: 'list of steps, plan, progress',
  prompt,
  icon: 'checklist',
  inputSchema,
  isReadOnly: () => true,
  canBeReadOnly: () => true,
  facts: () => [],
  checkPermissions: () => ({ behavior: 'allow', detail: 'It changes only the list of steps in this session.' }),
  call(input, context) {
    context.setTodos(input.todos);
    return Promise.resolve({ todos: input.todos });
  },
  mapResult: ({ todos }) => [{ type: 'text', text: reminder(todos) }],
  getToolUseSummary: (input) => progress(input.todos),
  getActivityDescription(input) {
    const current = input.todos.find((todo) => todo.status === 'in_progress');
    return current === undefined ? 'Updating the list of steps' : oneLine(current.activeForm, 80);
  },
  extractSearchText: ({ todos }) => todos.map((todo) => todo.content).join('\n'),
  renderUse: (input) => ({ kind: 'markdown', text: checklist(input.todos) }),
  renderResult: ({ todos }) => ({ view: { kind: 'markdown', text: checklist(todos) }, note: progress(todos) }),
});

function progress(todos: readonly Todo[]): string {
  if (todos.length === 0) return 'list cleared';
  return `${todos.filter((todo) => todo.status === 'completed').length} of ${counted(todos.length, 'step')} done`;
}

function reminder(todos: readonly Todo[]): string {
  if (todos.length === 0) return 'The list of steps is now empty.';
  const active = todos.filter((todo) => todo.status === 'in_progress').length;
  const open = todos.some((todo) => todo.status !== 'completed');
  const saved = 'The list of steps is saved.';
  if (!open) return `${saved} All steps are completed.`;
  if (active === 0) return `${saved} No step is in progress: mark the next one in_progress before you start on it.`;
  if (active > 1) return `${saved} ${active} steps are in progress: work on one at a time and mark the others pending.`;
  return `${saved} Go on with the step in progress, and mark it completed as soon as it is done.`;
}

function checklist(todos: readonly Todo[]): string {
  if (todos.length === 0) return 'No steps.';
  return todos
    .map((todo) => {
      if (todo.status === 'completed') return `- [x] ${plain(todo.content)}`;
      if (todo.status === 'in_progress') return `- [ ] **${plain(todo.activeForm)}**`;
      return `- [ ] ${plain(todo.content)}`;
    })
    .join('\n');
}

/** On one line, with characters that mean something to Markdown escaped. */
const plain = (text: string) => oneLine(text, 500).replaceAll(/[\\`*_[\]<>#|~]/g, '\\$&');
