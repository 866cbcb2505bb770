// The documented JSON of each event.
import { expect, it } from 'vitest';
import { hookInput } from './hookInput';
import type { HookEvent } from './hooks';

const place = { sessionId: 's', folder: '/p', cwd: '/p/sub', mode: 'acceptEdits' as const, callId: 'c' };
const call = { toolName: 'mcp__m__t', toolInput: { a: 1 }, toolUseId: 'toolu_1', mcpServer: 'm' };
const called = { tool_name: 'mcp__m__t', tool_input: { a: 1 }, mcp_server: 'm' };
const identified = { ...called, tool_use_id: 'toolu_1' };
const stop = { stopHookActive: true, lastAssistantMessage: 'Done.' };
const stopped = { stop_hook_active: true, last_assistant_message: 'Done.' };

it.each<[HookEvent, object]>([
  [{ name: 'PreToolUse', call }, identified],
  [
    { name: 'PermissionRequest', call, suggestions: ['Bash(npm test:*)', 'Read', 'not ( a rule'] },
    {
      ...called,
      permission_suggestions: [
        {
          type: 'addRules',
          rules: [{ toolName: 'Bash', ruleContent: 'npm test:*' }],
          behavior: 'allow',
          destination: 'localSettings',
        },
        { type: 'addRules', rules: [{ toolName: 'Read' }], behavior: 'allow', destination: 'localSettings' },
      ],
    },
  ],
  [
    { name: 'PermissionDenied', call, reason: 'r' },
    { ...identified, reason: 'r' },
  ],
  [
    { name: 'PostToolUse', call, toolResponse: { b: 2 }, durationMs: 3 },
    { ...identified, tool_response: { b: 2 }, duration_ms: 3 },
  ],
  [
    { name: 'PostToolUseFailure', call, error: 'Exit code 1.\n\nno such file.', isInterrupt: false, durationMs: 3 },
    { ...identified, error: 'Exit code 1\n\nno such file.', is_interrupt: false, duration_ms: 3 },
  ],
  [
    { name: 'PostToolBatch', calls: [{ ...call, result: 'text', isError: true }] },
    { tool_calls: [{ ...identified, tool_response: 'text', is_error: true }] },
  ],
  [{ name: 'UserPromptSubmit', prompt: 'hello' }, { prompt: 'hello' }],
  [{ name: 'Stop', ...stop }, stopped],
  [
    { name: 'StopFailure', error: 'rate_limit', errorDetails: 'd' },
    { error: 'rate_limit', error_details: 'd' },
  ],
  [
    { name: 'SubagentStart', agentId: 'i', agentType: 't' },
    { agent_id: 'i', agent_type: 't' },
  ],
  [
    { name: 'SubagentStop', agentId: 'i', agentType: 't', ...stop },
    { agent_id: 'i', agent_type: 't', ...stopped },
  ],
  [{ name: 'SessionStart', source: 'resume' }, { source: 'resume' }],
  [{ name: 'SessionEnd', reason: 'other' }, { reason: 'other' }],
  [
    { name: 'PreCompact', trigger: 'manual' },
    { trigger: 'manual', custom_instructions: '' },
  ],
  [
    { name: 'PostCompact', trigger: 'auto' },
    { trigger: 'auto', custom_instructions: '' },
  ],
  [
    { name: 'Notification', message: 'm', title: 't', notificationType: 'idle_prompt' },
    { message: 'm', title: 't', notification_type: 'idle_prompt' },
  ],
  [
    { name: 'ConfigChange', source: 'user_settings', file: '/f' },
    { source: 'user_settings', file_path: '/f' },
  ],
  [
    { name: 'CwdChanged', oldCwd: '/a', newCwd: '/b' },
    { old_cwd: '/a', new_cwd: '/b' },
  ],
  [{ name: 'FileChanged', file: '/f' }, { file_path: '/f' }],
])('%j', (event, fields) => {
  expect(hookInput(event, place, { transcriptPath: '/t', promptId: 'u1' })).toEqual({
    session_id: 's',
    transcript_path: '/t',
    cwd: '/p/sub',
    permission_mode: 'acceptEdits',
    hook_event_name: event.name,
    prompt_id: 'u1',
    ...fields,
  });
});

it('has no prompt before the first', () => {
  const input = hookInput({ name: 'SessionEnd', reason: 'clear' }, place, { transcriptPath: '', promptId: null });
  expect(input).not.toHaveProperty('prompt_id');
});
