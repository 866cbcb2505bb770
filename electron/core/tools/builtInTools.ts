import type { McpServers } from '../mcp/mcpServers';
import { type AgentOptions, createAgentTool } from './agent/agent';
import { askUserQuestionTool } from './askUserQuestion/askUserQuestion';
import { type BashOptions, createBashTool } from './bash/bash';
import type { CodeOptions } from './connectCode';
import type { SelfOptions } from './connectSelf';
import { createCronCreateTool } from './cronCreate/cronCreate';
import { createCronDeleteTool } from './cronDelete/cronDelete';
import { createCronListTool } from './cronList/cronList';
import { editTool } from './edit/edit';
import { createEnterPlanModeTool } from './enterPlanMode/enterPlanMode';
import { createEnterWorktreeTool, type WorktreeOptions } from './enterWorktree/enterWorktree';
import { createExitPlanModeTool } from './exitPlanMode/exitPlanMode';
import { createExitWorktreeTool } from './exitWorktree/exitWorktree';
import { createGetConfigTool } from './getConfig/getConfig';
import { createGetDiagnosticsTool } from './getDiagnostics/getDiagnostics';
import { globTool } from './glob/glob';
import { grepTool } from './grep/grep';
import { listDirectoryTool } from './listDirectory/listDirectory';
import { createListMcpPromptsTool } from './listMcpPrompts/listMcpPrompts';
import { createListMcpResourcesTool } from './listMcpResources/listMcpResources';
import { createLspTool } from './lsp/lsp';
import { monitorTool } from './monitor/monitor';
import { multiEditTool } from './multiEdit/multiEdit';
import { notebookEditTool } from './notebookEdit/notebookEdit';
import { createPowerShellTool } from './powerShell/powerShell';
import { readTool } from './read/read';
import { createReadMcpResourceTool } from './readMcpResource/readMcpResource';
import { createReplTool } from './repl/repl';
import { createSendNotificationTool } from './sendNotification/sendNotification';
import { createSetConfigTool } from './setConfig/setConfig';
import { createSkillTool, type SkillOptions } from './skill/skill';
import { createTaskCreateTool } from './taskCreate/taskCreate';
import { createTaskGetTool } from './taskGet/taskGet';
import type { TaskItems } from './taskItems';
import { taskListTool } from './taskList/taskList';
import { createTaskListItemsTool } from './taskListItems/taskListItems';
import { taskOutputTool } from './taskOutput/taskOutput';
import { taskStopTool } from './taskStop/taskStop';
import { createTaskUpdateTool } from './taskUpdate/taskUpdate';
import { todoWriteTool } from './todoWrite/todoWrite';
import type { AnyTool } from './tool';
import { toolSearchTool } from './toolSearch/toolSearch';
import { createWaitForMcpServersTool } from './waitForMcpServers/waitForMcpServers';
import type { WebOptions } from './webFetch/connectWeb';
import { createWebFetchTool } from './webFetch/webFetch';
import { createWebSearchTool } from './webSearch/webSearch';
import { writeTool } from './write/write';

/** What built-in tools need from the rest of the core. Without a classifier of shell text, no command counts as read-only. */
export type BuiltInOptions = Partial<BashOptions> & {
  /** What reads web pages and searches for them; left out: pages come as text, and nothing is searched. */
  readonly web?: WebOptions;
  /** Servers whose resources, prompts and states the model may look at; left out: those tools are not offered. */
  readonly mcp?: McpServers;
  /** What runs code and asks language servers; left out: those tools are not there. */
  readonly code?: CodeOptions;
  /** Sub-agents, skills and the list of tasks; left out: those tools are not there. */
  readonly agents?: {
    readonly agent: Omit<AgentOptions, 'worktrees'>;
    readonly skill: SkillOptions;
    readonly items: TaskItems;
  };
  /** Plan mode, Gatehouse's own preferences and the like; left out: those tools are not there. */
  readonly self?: SelfOptions;
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
    multiEditTool,
    notebookEditTool,
    globTool,
    grepTool,
    listDirectoryTool,
    todoWriteTool,
    askUserQuestionTool,
    toolSearchTool,
    createListMcpResourcesTool(options.mcp),
    createReadMcpResourceTool(options.mcp),
    createListMcpPromptsTool(options.mcp),
    createWaitForMcpServersTool(options.mcp),
    createWebFetchTool(options.web?.fetch),
    createWebSearchTool(options.web?.searcher),
    ...(options.code === undefined ? [] : codeTools(options.code)),
    ...(options.agents === undefined ? [] : agentTools(options.agents, options.self?.worktrees ?? noWorktrees)),
    ...(options.self === undefined ? [] : selfTools(options.self)),
  ];
}

function codeTools({ repl, powerShell, languages }: CodeOptions): readonly AnyTool[] {
  return [
    createReplTool(repl),
    createPowerShellTool(powerShell),
    createLspTool(languages),
    createGetDiagnosticsTool(languages),
  ];
}

const noWorktrees: WorktreeOptions = {
  whyNot: () => 'There are no worktrees here.',
  prepare: () => Promise.resolve(),
};

function agentTools(
  { agent, skill, items }: NonNullable<BuiltInOptions['agents']>,
  worktrees: WorktreeOptions,
): readonly AnyTool[] {
  return [
    createAgentTool({ ...agent, worktrees }),
    createSkillTool(skill),
    createTaskCreateTool(items),
    createTaskGetTool(items),
    createTaskUpdateTool(items),
    createTaskListItemsTool(items),
  ];
}

function selfTools({ plans, preferences, notifications, worktrees, cron }: SelfOptions): readonly AnyTool[] {
  return [
    createEnterPlanModeTool(plans),
    createExitPlanModeTool(plans),
    createGetConfigTool(preferences),
    createSetConfigTool(preferences),
    createSendNotificationTool(notifications),
    createEnterWorktreeTool(worktrees),
    createExitWorktreeTool(worktrees),
    createCronCreateTool(cron),
    createCronListTool(cron),
    createCronDeleteTool(cron),
  ];
}
