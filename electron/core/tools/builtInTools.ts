import { askUserQuestionTool } from './askUserQuestion/askUserQuestion';
import { type BashOptions, createBashTool } from './bash/bash';
import { editTool } from './edit/edit';
import { globTool } from './glob/glob';
import { grepTool } from './grep/grep';
import { monitorTool } from './monitor/monitor';
import { readTool } from './read/read';
import { taskListTool } from './taskList/taskList';
import { taskOutputTool } from './taskOutput/taskOutput';
import { taskStopTool } from './taskStop/taskStop';
import { todoWriteTool } from './todoWrite/todoWrite';
import type { AnyTool } from './tool';
import { writeTool } from './write/write';

/** What built-in tools need from the rest of the core. Without a classifier of shell text, no command counts as read-only. */
export type BuiltInOptions = Partial<BashOptions>;

/** All built-in tools, once per core: stage 1 of the pool. */
export function builtInTools(options: BuiltInOptions = {}): readonly AnyTool[] {
  return [
    createBashTool({ isReadOnlyCommand: () => false, ...options }),
    taskOutputTool,
    taskStopTool,
    taskListTool,
    monitorTool,
    readTool,
    writeTool,
    editTool,
    globTool,
    grepTool,
    todoWriteTool,
    askUserQuestionTool,
  ];
}
