// Calls and asks for the chat's tests.
import type { PermissionAsk } from '#shared/session/ask';
import type { HookRun } from '#shared/session/hookRun';
import type { NetworkAsk } from '#shared/session/networkAsk';
import type { StepName, StepTrace, ToolCall } from '#shared/session/toolCall';

export const sampleAsk: PermissionAsk = {
  kind: 'permission',
  askId: 'ask-1',
  title: 'Bash wants to run 2 commands',
  toolName: 'Bash',
  input: { command: 'git commit -am "Fix tide offset" && git push origin tides' },
  view: { kind: 'terminal', command: 'git commit -am "Fix tide offset" && git push origin tides' },
  cwd: '/home/kim/code/harbor',
  mode: 'default',
  reason: {
    type: 'rule',
    rule: {
      text: 'Bash(git push *)',
      behavior: 'ask',
      source: 'projectSettings',
      file: '/p/.claude/settings.json',
      line: 21,
    },
  },
  parts: [
    {
      text: 'git commit -am "Fix tide offset"',
      kind: 'command',
      behavior: 'allow',
      reason: {
        type: 'rule',
        rule: { text: 'Bash(git commit:*)', behavior: 'allow', source: 'userSettings', line: 9 },
      },
    },
    {
      text: 'git push origin tides',
      kind: 'command',
      behavior: 'ask',
      reason: {
        type: 'rule',
        rule: { text: 'Bash(git push *)', behavior: 'ask', source: 'projectSettings', line: 21 },
      },
    },
  ],
  paths: [],
  hosts: [],
  sandbox: { active: true, kind: 'bubblewrap', network: false, reason: '' },
  agent: null,
  suggestions: [
    { rules: ['Bash(git push origin tides)'], covers: 'exactly this command' },
    { rules: ['Bash(git push origin *)'], covers: 'pushes of any branch to origin' },
  ],
};

export const sampleNetworkAsk: NetworkAsk = {
  askId: 'net-1',
  callId: 'call-1',
  host: 'registry.npmjs.org',
  port: 443,
  command: 'npm install left-pad',
  agent: null,
  patterns: ['registry.npmjs.org', '*.npmjs.org'],
};

/** A passed step; `at` is its start. */
export function passed(step: StepName, at = 1_000): StepTrace {
  return { step, startedAt: at, endedAt: at + 1, waitedMs: 0, outcome: 'passed', note: 'ok' };
}

type Base = Omit<Extract<ToolCall, { status: 'checking' }>, 'status'>;

export const sampleBase: Base = {
  callId: 'call-1',
  messageId: 'm-1',
  name: 'Bash',
  input: { command: 'npm test' },
  presentation: {
    title: 'Bash',
    summary: 'npm test',
    activity: 'Running npm test',
    icon: 'terminal',
    view: { kind: 'terminal', command: 'npm test' },
  },
  createdAt: 1_000,
  steps: [],
  currentStep: null,
  decision: null,
};

/** A hook that ran before the call and had nothing to say, with the given changes. */
export function sampleHook(change: Partial<HookRun> = {}): HookRun {
  return {
    runId: 'h1',
    event: 'PreToolUse',
    matcher: 'Bash',
    handler: 'command',
    label: './check.sh --strict',
    source: 'projectSettings',
    file: '/p/.claude/settings.json',
    startedAt: 1_000,
    endedAt: 1_042,
    outcome: 'success',
    exitCode: 0,
    effect: 'no opinion',
    stdin: '{"hook_event_name":"PreToolUse","tool_name":"Bash"}',
    stdout: '',
    stderr: '',
    ...change,
  };
}

/** A call that has succeeded, with the given view and changes. */
export function succeeded(change: Partial<Extract<ToolCall, { status: 'succeeded' }>> = {}): ToolCall {
  return {
    ...sampleBase,
    steps: [
      passed('lookup'),
      passed('input'),
      passed('validation'),
      { ...passed('preHook'), outcome: 'skipped' },
      passed('permission'),
      passed('execution'),
      { ...passed('postHook'), outcome: 'skipped' },
    ],
    decision: {
      behavior: 'allow',
      reason: {
        type: 'rule',
        rule: { text: 'Bash(npm test *)', behavior: 'allow', source: 'projectSettings', line: 14 },
      },
      parts: [],
    },
    status: 'succeeded',
    endedAt: 3_100,
    view: { kind: 'terminal', command: 'npm test', output: 'all good\n', exitCode: 0 },
    modelText: 'all good',
    note: 'exit 0 · 9 characters',
    ...change,
  };
}
