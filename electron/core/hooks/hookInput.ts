// The documented JSON that a handler gets on stdin or as request body.
import { parseRule } from '#shared/permissions/rule';
import type { HookEvent, HookedCall, HookPlace } from './hooks';

function callFields({ toolName, toolInput, mcpServer }: HookedCall) {
  return {
    tool_name: toolName,
    tool_input: toolInput,
    ...(mcpServer === undefined ? {} : { mcp_server: mcpServer }),
  };
}

function withId(call: HookedCall) {
  return { ...callFields(call), tool_use_id: call.toolUseId };
}

function suggestionsAsUpdates(rules: readonly string[]): readonly object[] {
  return rules.flatMap((text) => {
    const rule = parseRule(text);
    if (!rule.ok) return [];
    const { tool, content } = rule.value;
    return {
      type: 'addRules',
      rules: [{ toolName: tool, ...(content === null ? {} : { ruleContent: content }) }],
      behavior: 'allow',
      destination: 'localSettings',
    };
  });
}

function eventFields(event: HookEvent): object {
  switch (event.name) {
    case 'PreToolUse':
      return withId(event.call);
    case 'PermissionRequest':
      return { ...callFields(event.call), permission_suggestions: suggestionsAsUpdates(event.suggestions) };
    case 'PermissionDenied':
      return { ...withId(event.call), reason: event.reason };
    case 'PostToolUse':
      return { ...withId(event.call), tool_response: event.toolResponse, duration_ms: event.durationMs };
    case 'PostToolUseFailure':
      return {
        ...withId(event.call),
        // Scripts compare the first line as it is documented, without the full stop that the model's sentence has.
        error: event.error.replace(/^(Exit code \d+)\.(?=\n|$)/, '$1'),
        is_interrupt: event.isInterrupt,
        duration_ms: event.durationMs,
      };
    case 'PostToolBatch':
      return {
        tool_calls: event.calls.map((call) => ({
          ...withId(call),
          tool_response: call.result,
          is_error: call.isError,
        })),
      };
    case 'UserPromptSubmit':
      return { prompt: event.prompt };
    case 'Stop':
      return stopFields(event);
    case 'StopFailure':
      return { error: event.error, error_details: event.errorDetails };
    case 'SubagentStart':
      return { agent_id: event.agentId, agent_type: event.agentType };
    case 'SubagentStop':
      return { agent_id: event.agentId, agent_type: event.agentType, ...stopFields(event) };
    case 'SessionStart':
    case 'ConfigChange':
      return 'file' in event ? { source: event.source, file_path: event.file } : { source: event.source };
    case 'SessionEnd':
      return { reason: event.reason };
    case 'PreCompact':
    case 'PostCompact':
      return { trigger: event.trigger, custom_instructions: '' };
    case 'Notification':
      return { message: event.message, title: event.title, notification_type: event.notificationType };
    case 'CwdChanged':
      return { old_cwd: event.oldCwd, new_cwd: event.newCwd };
    case 'FileChanged':
      return { file_path: event.file };
  }
}

function stopFields(event: { readonly stopHookActive: boolean; readonly lastAssistantMessage: string }) {
  return { stop_hook_active: event.stopHookActive, last_assistant_message: event.lastAssistantMessage };
}

export interface HookSession {
  /** The file that tells the session so far; empty: there is none. */
  readonly transcriptPath: string;
  /** The person's message that the turn answers; null before the first. */
  readonly promptId: string | null;
}

/** The fields of an event. */
export function hookInput(
  event: HookEvent,
  place: HookPlace,
  { transcriptPath, promptId }: HookSession,
): Readonly<Record<string, unknown>> {
  return {
    session_id: place.sessionId,
    transcript_path: transcriptPath,
    cwd: place.cwd,
    permission_mode: place.mode,
    hook_event_name: event.name,
    ...(promptId === null ? {} : { prompt_id: promptId }),
    ...(place.agent === undefined ? {} : { agent_id: place.agent.agentId, agent_type: place.agent.agentType }),
    ...eventFields(event),
  };
}
