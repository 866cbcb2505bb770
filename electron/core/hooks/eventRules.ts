// THE table of hook events: what matchers look at, what exit code 2 means, which handlers may listen.
import type { HookEventName, HookHandlerType } from '#shared/session/hookRun';
import type { HookEvent } from './hooks';

/**
 * What exit code 2 (and a failing handler with `onFailure: "block"`) does: block = what the event is about does not
 * happen, or the work goes on; context = its stderr is told to the model; message = to the person; ignore = nothing.
 */
export type ExitTwo = 'block' | 'context' | 'message' | 'ignore';

export interface EventRules {
  /** How a matcher is read; null: matchers are ignored, because the event has nothing to look at. */
  readonly matcher: 'pattern' | 'exact' | null;
  readonly exitTwo: ExitTwo;
  /** Whether `onFailure: "block"` has an effect. */
  readonly failureBlocks: boolean;
  /** Whether top-level `decision: "block"` is understood. */
  readonly decisionBlocks: boolean;
  /** Whether plain text on stdout is told to the model. */
  readonly plainIsContext: boolean;
  readonly handlers: readonly HookHandlerType[];
  /** Seconds that replace a handler's own default. */
  readonly defaultSeconds: number | null;
  /** Whether the handler gets a file for lines that set variables of later commands. */
  readonly hasEnvFile: boolean;
}

const everyHandler: readonly HookHandlerType[] = ['command', 'http', 'prompt', 'agent', 'mcp_tool'];
const withoutModel: readonly HookHandlerType[] = ['command', 'http', 'mcp_tool'];

const base: EventRules = {
  matcher: null,
  exitTwo: 'ignore',
  failureBlocks: true,
  decisionBlocks: false,
  plainIsContext: false,
  handlers: withoutModel,
  defaultSeconds: null,
  hasEnvFile: false,
};

const tool: EventRules = { ...base, matcher: 'pattern', handlers: everyHandler };

export const eventRules: Readonly<Record<HookEventName, EventRules>> = {
  SessionStart: {
    ...base,
    matcher: 'pattern',
    exitTwo: 'message',
    plainIsContext: true,
    handlers: ['command', 'mcp_tool'],
    hasEnvFile: true,
  },
  SessionEnd: { ...base, matcher: 'pattern', exitTwo: 'message' },
  UserPromptSubmit: {
    ...base,
    exitTwo: 'block',
    decisionBlocks: true,
    plainIsContext: true,
    handlers: everyHandler,
    defaultSeconds: 30,
  },
  PreToolUse: { ...tool, exitTwo: 'block' },
  PermissionRequest: { ...tool, handlers: ['command', 'http', 'prompt', 'mcp_tool'] },
  PermissionDenied: { ...tool, handlers: withoutModel },
  PostToolUse: { ...tool, exitTwo: 'context', decisionBlocks: true },
  PostToolUseFailure: { ...tool, exitTwo: 'context', decisionBlocks: true },
  PostToolBatch: { ...base, exitTwo: 'block', decisionBlocks: true, handlers: everyHandler },
  Stop: { ...base, exitTwo: 'block', failureBlocks: false, decisionBlocks: true, handlers: everyHandler },
  StopFailure: { ...base, matcher: 'exact' },
  SubagentStart: { ...base, matcher: 'pattern', exitTwo: 'message' },
  SubagentStop: {
    ...base,
    matcher: 'pattern',
    exitTwo: 'block',
    failureBlocks: false,
    decisionBlocks: true,
    handlers: everyHandler,
  },
  PreCompact: { ...base, matcher: 'pattern', exitTwo: 'block', decisionBlocks: true },
  PostCompact: { ...base, matcher: 'pattern', exitTwo: 'message' },
  Notification: { ...base, matcher: 'pattern' },
  ConfigChange: { ...base, matcher: 'pattern', exitTwo: 'block', decisionBlocks: true },
  CwdChanged: { ...base, exitTwo: 'message', hasEnvFile: true },
  FileChanged: { ...base, matcher: 'exact', exitTwo: 'message', hasEnvFile: true },
};

/** Events where a hook is a gate: what cannot be told there counts as a refusal. */
export function isGate(name: HookEventName): boolean {
  return name === 'PreToolUse' || name === 'PermissionRequest';
}

/** Events about one call, where a condition (`if`) can be judged. */
export function isToolEvent(name: HookEventName): boolean {
  return eventRules[name].matcher === 'pattern' && /^(Pre|Post)ToolUse|^Permission/.test(name);
}

/** What matchers look at; empty where there is nothing. */
export function subjectOf(event: HookEvent): string {
  switch (event.name) {
    case 'PreToolUse':
    case 'PermissionRequest':
    case 'PermissionDenied':
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return event.call.toolName;
    case 'SessionStart':
    case 'ConfigChange':
      return event.source;
    case 'SessionEnd':
      return event.reason;
    case 'SubagentStart':
    case 'SubagentStop':
      return event.agentType;
    case 'PreCompact':
    case 'PostCompact':
      return event.trigger;
    case 'Notification':
      return event.notificationType;
    case 'StopFailure':
      return event.error;
    case 'FileChanged':
      return event.file;
    case 'PostToolBatch':
    case 'UserPromptSubmit':
    case 'Stop':
    case 'CwdChanged':
      return '';
  }
}
