import { describe, expect, it } from 'vitest';
import type { BackgroundTask } from '#shared/session/backgroundTask';
import { monitorTool } from './monitor/monitor';
import { headOfTask, stateOf } from './taskIds';
import { taskListTool } from './taskList/taskList';
import { taskOutputTool } from './taskOutput/taskOutput';
import { taskStopTool } from './taskStop/taskStop';
import { recordCall } from './testing/recordingExecutor';
import { samplePlace } from './testing/samplePlace';

const task = (change: Partial<BackgroundTask> = {}): BackgroundTask => ({
  taskId: 'b1',
  callId: 'c1',
  command: 'npm run dev\nexit',
  description: '',
  status: 'running',
  startedAt: 1_000,
  endedAt: null,
  exitCode: null,
  outputFile: '/data/c1.txt',
  outputBytes: 0,
  note: '',
  ...change,
});
const ended = task({ status: 'failed', endedAt: 63_000, exitCode: 1, note: 'exit 1', outputBytes: 1_204 });

describe('input', () => {
  it.each([
    [taskOutputTool, { task_id: 'b1' }, { task_id: 'b1', block: true, timeout: 30_000 }],
    [
      taskOutputTool,
      { task_id: 'b1', block: 'false', timeout: '5', filter: 'a+' },
      { task_id: 'b1', block: false, timeout: 5, filter: 'a+' },
    ],
    [taskOutputTool, { task_id: 'b1', filter: '(' }, null],
    [taskOutputTool, { task_id: ' ' }, null],
    [taskOutputTool, { bash_id: 'b1' }, null],
    [taskStopTool, { task_id: 'b1' }, { task_id: 'b1' }],
    [taskStopTool, { shell_id: 'b1' }, { task_id: 'b1' }],
    [taskStopTool, { task_id: 'b1', shell_id: 'b1' }, null],
    [taskStopTool, {}, null],
    [taskStopTool, 'b1', null],
    [taskListTool, {}, {}],
    [taskListTool, { all: true }, null],
    [monitorTool, { task_id: 'b1', pattern: 'ready' }, { task_id: 'b1', pattern: 'ready', timeout: 60_000 }],
    [monitorTool, { task_id: 'b1', pattern: '' }, null],
    [monitorTool, { task_id: 'b1', pattern: '[' }, null],
    [monitorTool, { task_id: 'b1', pattern: 'x'.repeat(1_001) }, null],
    [monitorTool, { task_id: 'b1', pattern: 'x', timeout: 0 }, null],
  ])('%#', (tool, input, expected) => {
    expect(tool.inputSchema().safeParse(input).data ?? null).toEqual(expected);
  });
});

it.each([
  [task(), 'running for 12 s', 'Task b1: running for 12 s\nCommand: npm run dev ⏎ exit\nOutput file: /data/c1.txt'],
  [
    ended,
    'failed (exit 1) after 1 min 2 s',
    'Task b1: failed (exit 1) after 1 min 2 s\nCommand: npm run dev ⏎ exit\nOutput file: /data/c1.txt, 1,204 bytes',
  ],
  [task({ outputFile: '' }), 'running for 12 s', 'Task b1: running for 12 s\nCommand: npm run dev ⏎ exit'],
])('a task in words %#', (given, state, head) => {
  expect([stateOf(given, 13_000), headOfTask(given, 13_000)]).toEqual([state, head]);
});

describe('permission', () => {
  it('is not asked for: they reach nothing but what the session has started', () => {
    const tools = [taskOutputTool, taskStopTool, taskListTool, monitorTool] as const;
    expect(
      tools.map((tool) => [
        tool.name,
        tool.checkPermissions({} as never, samplePlace).behavior,
        tool.isReadOnly({} as never),
      ]),
    ).toEqual([
      ['TaskOutput', 'allow', true],
      ['TaskStop', 'allow', false],
      ['TaskList', 'allow', true],
      ['Monitor', 'allow', true],
    ]);
    expect(tools.flatMap((tool) => tool.aliases)).toEqual(expect.arrayContaining(['BashOutput', 'KillShell']));
  });
});

describe('TaskList', () => {
  it('tells running ones first, then the newest, and counts the rest', async () => {
    const old = Array.from({ length: 22 }, (_, index) => ({ ...ended, taskId: `b${index + 1}` }));
    const { context } = recordCall();
    const tasks = { ...context.tasks, list: () => [...old, task({ taskId: 'b23' })] };
    const output = await taskListTool.call({}, { ...context, tasks });
    const [block] = taskListTool.mapResult(output, {});
    const text = block?.type === 'text' ? block.text : '';
    expect([...text.matchAll(/^Task (b\d+)/gm)].map(([, id]) => id)).toEqual([
      'b23',
      ...Array.from({ length: 20 }, (_, index) => `b${22 - index}`),
    ]);
    expect(text.endsWith('\n\nAnd 2 older ones that ended.')).toBe(true);
    expect(taskListTool.renderResult(output, {}, samplePlace)).toMatchObject({
      view: { kind: 'table', columns: ['Task', 'State', 'Command'] },
      note: '1 running, 22 ended',
    });
  });

  it('says that there are none', async () => {
    const { context } = recordCall();
    const output = await taskListTool.call({}, context);
    expect(taskListTool.mapResult(output, {})).toEqual([
      { type: 'text', text: 'This session has had no background tasks.' },
    ]);
  });
});

describe('TaskOutput', () => {
  it.each([
    [{ text: 'a\n', skippedChars: 0, hiddenLines: 0 }, 'a'],
    [{ text: 'a', skippedChars: 1_200, hiddenLines: 0 }, '[… 1,200 earlier characters left out …]\na'],
    [{ text: ' \n', skippedChars: 0, hiddenLines: 1 }, 'No new output.\n[1 line not matching]'],
    [null, 'Its output is no longer in memory; read the output file.'],
  ])('%j', async (fresh, body) => {
    const { context } = recordCall();
    const tasks = { ...context.tasks, find: () => ended, readNew: () => fresh };
    const input = { task_id: 'b1', block: false, timeout: 1 };
    const output = await taskOutputTool.call(input, { ...context, tasks });
    expect(taskOutputTool.mapResult(output, input)).toEqual([
      { type: 'text', text: `${headOfTask(ended, 0)}\n\n${body}` },
    ]);
  });
});
