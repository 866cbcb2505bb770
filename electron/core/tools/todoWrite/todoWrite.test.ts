import { expect, it } from 'vitest';
import type { Todo } from '#shared/session/events';
import { recordCall } from '../testing/recordingExecutor';
import { samplePlace } from '../testing/samplePlace';
import { todoWriteTool } from './todoWrite';

const todo = (content: string, status: Todo['status']): Todo => ({ content, status, activeForm: `${content}ing` });

it.each<[string, Todo[], string, string, string]>([
  [
    'work in progress',
    [todo('Read', 'completed'), todo('Edit *all*\n- [x] done', 'in_progress'), todo('Test', 'pending')],
    'The list of steps is saved. Go on with the step in progress, and mark it completed as soon as it is done.',
    '- [x] Read\n- [ ] **Edit \\*all\\* ⏎ - \\[x\\] doneing**\n- [ ] Test',
    '1 of 3 steps done',
  ],
  [
    'nothing in progress',
    [todo('Test', 'pending')],
    'The list of steps is saved. No step is in progress: mark the next one in_progress before you start on it.',
    '- [ ] Test',
    '0 of 1 step done',
  ],
  [
    'two in progress',
    [todo('A', 'in_progress'), todo('B', 'in_progress')],
    'The list of steps is saved. 2 steps are in progress: work on one at a time and mark the others pending.',
    '- [ ] **Aing**\n- [ ] **Bing**',
    '0 of 2 steps done',
  ],
  [
    'all done',
    [todo('A', 'completed')],
    'The list of steps is saved. All steps are completed.',
    '- [x] A',
    '1 of 1 step done',
  ],
  ['cleared', [], 'The list of steps is now empty.', 'No steps.', 'list cleared'],
])('%s', async (_, todos, reminder, checklist, note) => {
  const recording = recordCall();
  const output = await todoWriteTool.call({ todos }, recording.context);
  expect({
    set: recording.todos,
    text: todoWriteTool.mapResult(output, { todos }),
    result: todoWriteTool.renderResult(output, { todos }, samplePlace),
    use: todoWriteTool.renderUse({ todos }, samplePlace),
    summary: todoWriteTool.getToolUseSummary({ todos }, samplePlace),
  }).toEqual({
    set: [todos],
    text: [{ type: 'text', text: reminder }],
    result: { view: { kind: 'markdown', text: checklist }, note },
    use: { kind: 'markdown', text: checklist },
    summary: note,
  });
});

it('needs no permission, touches nothing and says what is going on', () => {
  const input = { todos: [todo('Test', 'in_progress')] };
  expect([
    todoWriteTool.checkPermissions(input, samplePlace).behavior,
    todoWriteTool.facts(input, samplePlace),
    todoWriteTool.isReadOnly(input),
    todoWriteTool.isConcurrencySafe(input),
    todoWriteTool.getActivityDescription(input, samplePlace),
    todoWriteTool.getActivityDescription({ todos: [] }, samplePlace),
  ]).toEqual(['allow', [], true, false, 'Testing', 'Updating the list of steps']);
});

it.each([
  [{ todos: [{ content: '', status: 'pending', activeForm: 'x' }] }],
  [{ todos: [{ content: 'x', status: 'done', activeForm: 'x' }] }],
  [{ todos: [{ content: 'x', status: 'pending' }] }],
  [{ todos: [{ content: 'x', status: 'pending', activeForm: 'x', id: '1' }] }],
  [{}],
])('input %j is an error', (input) => {
  expect(todoWriteTool.inputSchema().safeParse(input).success).toBe(false);
});
