import type { McpServers } from '../mcp/mcpServers';
import { askUserQuestionTool } from './askUserQuestion/askUserQuestion';
import { type BashOptions, createBashTool } from './bash/bash';
import { editTool } from './edit/edit';
import { globTool } from './glob/glob';
import { grepTool } from './grep/grep';
import { createListMcpPromptsTool } from './listMcpPrompts/listMcpPrompts';
import { createListMcpResourcesTool } from './listMcpResources/listMcpResources';
import { monitorTool } from './monitor/monitor';
import { readTool } from './read/read';
import { createReadMcpResourceTool } from './readMcpResource/readMcpResource';
import { taskListTool } from './taskList/taskList';
import { taskOutputTool } from './taskOutput/taskOutput';
import { taskStopTool } from './taskStop/taskStop';
import { todoWriteTool } from './todoWrite/todoWrite';
import type { AnyTool } from './tool';
import { createWaitForMcpServersTool } from './waitForMcpServers/waitForMcpServers';
import { writeTool } from './write/write';

/** What built-in tools need from the rest of the core. Without a classifier of shell text, no command counts as read-only. */
export type BuiltInOptions = Partial<BashOptions> & {
  /** Servers whose resources, prompts and states the model may look at; left out: those tools are not offered. */
  readonly mcp?: McpServers;
};

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
    createListMcpResourcesTool(options.mcp),
    createReadMcpResourceTool(options.mcp),
    createListMcpPromptsTool(options.mcp),
    createWaitForMcpServersTool(options.mcp),
  ];
}
