// Agent, Skill and the task tools: what the model sees, takes and is told.
import { expect, test } from 'vitest';
import type { Todo } from '#shared/session/events';
import { agentBench, skillNamed } from '../agent/testing/agentBench';
import { bench, message } from '../testing/bench';
import { createAgentTool } from './agent/agent';
import { createRegistry } from './registry';
import { createSkillTool } from './skill/skill';
import { createTaskCreateTool } from './taskCreate/taskCreate';
import { createTaskGetTool } from './taskGet/taskGet';
import type { TaskItems } from './taskItems';
import { createTaskListItemsTool } from './taskListItems/taskListItems';
import { createTaskUpdateTool } from './taskUpdate/taskUpdate';
import type { AnyTool } from './tool';

const done = (body: { type: string }) => body.type === 'turn.finished';

function itemTools(items: TaskItems): AnyTool[] {
  return [
    createTaskCreateTool(items),
    createTaskGetTool(items),
    createTaskUpdateTool(items),
    createTaskListItemsTool(items),
  ];
}

test('what the model sees of them, byte for byte', async () => {
  const tools = [
    createAgentTool({
      types: () => Promise.resolve([]),
      refusal: () => null,
      run: () => Promise.reject(new Error('not run')),
      worktrees: { whyNot: () => '', prepare: () => Promise.resolve() },
    }),
    createSkillTool({ skills: () => Promise.resolve([]), commands: { begin: () => undefined }, byAgent: () => false }),
    ...itemTools({ list: () => [], replace: () => undefined }),
  ];
  const definitions = createRegistry({ tools }).toolDefinitions();
  await expect(`${JSON.stringify(definitions, null, 2)}\n`).toMatchFileSnapshot('./testing/agentToolDefinitions.snap');
});

test('a list of tasks that wait for one another', async () => {
  let todos: readonly Todo[] = [{ content: 'From TodoWrite', activeForm: 'Doing', status: 'completed' }];
  const items: TaskItems = {
    list: () => todos,
    replace(_id, next) {
      todos = next;
    },
  };
  const steps: [string, object, string][] = [
    ['TaskListItems', {}, '1 completed: From TodoWrite'],
    ['TaskCreate', { subject: 'Write it', description: 'In English.' }, 'Added task 2 pending: Write it'],
    ['TaskCreate', { subject: 'Test it', blockedBy: ['2', '1'] }, 'Added task 3 pending: Test it (waits for 2)'],
    ['TaskCreate', { subject: 'x', blockedBy: ['9'] }, 'There is no task 9. There are: 1, 2, 3.'],
    ['TaskGet', { taskId: '#2' }, 'Task 2 pending: Write it\nTasks that wait for it: 3\n\nIn English.'],
    [
      'TaskUpdate',
      { taskId: '3', status: 'in_progress' },
      'Task 3 waits for 2. Complete these first, or take them away with removeBlockedBy.',
    ],
    ['TaskUpdate', { taskId: '2', addBlockedBy: ['3'] }, 'Task 3 itself waits for task 2; neither could ever start.'],
    ['TaskUpdate', { taskId: '2', addBlockedBy: ['2'] }, 'Task 2 itself waits for task 2; neither could ever start.'],
    ['TaskUpdate', { taskId: '2', status: 'in_progress', activeForm: 'Writing' }, 'Task 2 in_progress: Write it.'],
    ['TaskUpdate', { taskId: '2', status: 'completed' }, 'Task 2 completed: Write it. Now free to start: 3.'],
    ['TaskUpdate', { taskId: '1', status: 'deleted' }, 'Task 1 is off the list.'],
    ['TaskUpdate', { taskId: '3', subject: 'Try it' }, 'Task 3 pending: Try it.'],
    ['TaskListItems', {}, '2 completed: Write it\n3 pending: Try it'],
  ];
  const b = bench({
    tools: itemTools(items),
    plays: steps.map(([name, input]) => message({ call: name, input })),
  });
  const ended = b.until(done);
  b.agent.send(b.sessionId, 'go');
  await ended;
  expect(b.calls().map((call) => ('modelText' in call ? call.modelText : call.status))).toEqual(
    steps.map(([, , text]) => text),
  );
  expect(todos).toEqual([
    {
      ...{ taskId: '2', content: 'Write it', activeForm: 'Writing', status: 'completed', description: 'In English.' },
    },
    { taskId: '3', content: 'Try it', activeForm: 'Test it', status: 'pending', blockedBy: ['2'] },
  ]);
});

test('a skill that the model loads brings its text and its rules for the turn', async () => {
  const set: unknown[] = [];
  const skills = [
    skillNamed({ name: 'notes', body: 'Write about $ARGUMENTS.', allow: ['Read'], deny: ['WebFetch'] }),
    skillNamed({ name: 'mine', forModel: false }),
  ];
  const b = agentBench({
    skills,
    engine: { setCommandRules: (_id, rules) => void set.push(rules) },
    plays: [
      message(
        { call: 'Skill', input: { skill: '/notes', args: 'tides' } },
        { call: 'Skill', input: { skill: 'mine' } },
        { call: 'Skill', input: { skill: 'note' } },
      ),
    ],
  });
  const ended = b.until(done);
  b.agent.send(b.sessionId, 'go');
  await ended;
  expect(b.calls().map((call) => [call.status, 'modelText' in call ? call.modelText.split('\n').at(-1) : ''])).toEqual([
    ['succeeded', 'Write about tides.'],
    ['failed', '<tool_use_error>Only the person may use mine. Tell them to type /mine.</tool_use_error>'],
    ['failed', '<tool_use_error>There is no skill called note. Did you mean notes?</tool_use_error>'],
  ]);
  expect(set).toEqual([{ allow: ['Read'], deny: ['WebFetch'] }]);
  expect(b.calls()[0]).toMatchObject({
    note: 'loaded, allows 1 rule, denies 1 rule for this turn',
    presentation: {
      view: {
        kind: 'markdown',
        text: 'Runs without asking until the turn ends: `Read`\n\nIs denied until the turn ends: `WebFetch`\n\nWrite about $ARGUMENTS.',
      },
    },
  });
});

test('a command that the person types reaches the model as such, with its rules and model for the turn', async () => {
  const set: unknown[] = [];
  const b = agentBench({
    skills: [
      skillNamed({ kind: 'command', name: 'fix', body: 'Fix $1.', allow: ['Read'] }),
      skillNamed({ name: 'quiet', forPerson: false }),
    ],
    engine: { setCommandRules: (_id, rules) => void set.push(rules) },
  });
  for (const text of ['/fix a.ts now', '/quiet', '/etc/passwd']) {
    const ended = b.until(done);
    b.agent.send(b.sessionId, text);
    await ended;
  }
  const texts = b.requests.map(({ messages }) => JSON.stringify(messages.at(-1)?.content));
  expect(texts[0]).toContain('"/fix a.ts now"');
  expect(texts[0]).toContain('source=\\"command /fix\\"');
  expect(texts[0]).toContain('Fix a.ts.');
  expect(texts.slice(1).some((text) => text.includes('source=\\"command'))).toBe(false);
  expect(set).toEqual([{ allow: ['Read'], deny: [] }]);
});
