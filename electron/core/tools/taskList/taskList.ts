import { z } from 'zod';
import type { BackgroundTask } from '#shared/session/backgroundTask';
import { buildTool } from '../buildTool';
import { headOfTask, stateOf } from '../taskIds';
import { counted, oneLine } from '../wording';
import prompt from './taskList.prompt.md';

/** Ended ones beyond this are told as a number. */
const maxEnded = 20;

const inputSchema = () => z.strictObject({});

interface TaskListOutput {
  readonly running: readonly BackgroundTask[];
  /** Newest first. */
  readonly ended: readonly BackgroundTask[];
  readonly at: number;
}

/** The background tasks of the session. */
export const taskListTool = buildTool<Record<string, never>, TaskListOutput>({
  name: 'TaskList',
  searchHint: 'list background tasks',
  shouldDefer: true,
  prompt,
  icon: 'checklist',
  inputSchema,
  isReadOnly: () => true,
  canBeReadOnly: () => true,
  isConcurrencySafe: () => true,
  facts: () => [],
  checkPermissions: () => ({ behavior: 'allow', detail: 'It only lists what this session has started.' }),
  call(_input, context) {
    const tasks = context.tasks.list();
    const running = tasks.filter((task) => task.status === 'running');
    const ended = tasks.filter((task) => task.status !== 'running').toReversed();
    return Promise.resolve({ running, ended, at: Date.now() });
  },
  mapResult: (output) => [{ type: 'text', text: textOf(output) }],
  getToolUseSummary: () => '',
  getActivityDescription: () => 'Listing background tasks',
  extractSearchText: ({ running, ended }) => [...running, ...ended].map((task) => task.command).join('\n'),
  renderUse: () => ({ kind: 'text', text: 'Background tasks of this session' }),
  renderResult: ({ running, ended, at }) => ({
    view: {
      kind: 'table',
      columns: ['Task', 'State', 'Command'],
      rows: [...running, ...ended].map((task) => [task.taskId, stateOf(task, at), oneLine(task.command)]),
    },
    note: `${running.length} running, ${ended.length} ended`,
  }),
});

function textOf({ running, ended, at }: TaskListOutput): string {
  if (running.length + ended.length === 0) return 'This session has had no background tasks.';
  const shown = [...running, ...ended.slice(0, maxEnded)].map((task) => headOfTask(task, at));
  const rest = ended.length - maxEnded;
  return [...shown, ...(rest > 0 ? [`And ${counted(rest, 'older one')} that ended.`] : [])].join('\n\n');
}
