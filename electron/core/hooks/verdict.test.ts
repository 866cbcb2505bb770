// Exit code × what is printed × event: what each run comes to.
import { expect, it } from 'vitest';
import type { HookEventName } from '#shared/session/hookRun';
import type { Handler } from './handler';
import type { HookEvent } from './hooks';
import { type Ended, judge, noVote, type Vote } from './verdict';

const call = { toolName: 'Bash', toolInput: {}, toolUseId: 'toolu_1' };
const stop = { stopHookActive: false, lastAssistantMessage: '' };
const events: Readonly<Record<HookEventName, HookEvent>> = {
  PreToolUse: { name: 'PreToolUse', call },
  PermissionRequest: { name: 'PermissionRequest', call, suggestions: [] },
  PermissionDenied: { name: 'PermissionDenied', call, reason: '' },
  PostToolUse: { name: 'PostToolUse', call, toolResponse: '', durationMs: 1 },
  PostToolUseFailure: { name: 'PostToolUseFailure', call, error: '', isInterrupt: false, durationMs: 1 },
  PostToolBatch: { name: 'PostToolBatch', calls: [] },
  UserPromptSubmit: { name: 'UserPromptSubmit', prompt: '' },
  Stop: { name: 'Stop', ...stop },
  StopFailure: { name: 'StopFailure', error: '', errorDetails: '' },
  SubagentStart: { name: 'SubagentStart', agentId: '', agentType: '' },
  SubagentStop: { name: 'SubagentStop', agentId: '', agentType: '', ...stop },
  SessionStart: { name: 'SessionStart', source: 'startup' },
  SessionEnd: { name: 'SessionEnd', reason: '' },
  PreCompact: { name: 'PreCompact', trigger: 'auto' },
  PostCompact: { name: 'PostCompact', trigger: 'auto' },
  Notification: { name: 'Notification', message: '', title: '', notificationType: '' },
  ConfigChange: { name: 'ConfigChange', source: 'user_settings', file: '' },
  CwdChanged: { name: 'CwdChanged', oldCwd: '', newCwd: '' },
  FileChanged: { name: 'FileChanged', file: '' },
};

const handlerOf = (event: HookEventName, more: object = {}): Handler => ({
  event,
  matcher: '',
  action: { type: 'command', command: 'check.sh', ...more },
  source: 'userSettings',
  file: '/u.json',
  line: 1,
});

function run(event: HookEventName, ended: Partial<Extract<Ended, { kind: 'exited' }>>, more: object = {}) {
  const whole: Ended = { kind: 'exited', exitCode: 0, signal: null, stdout: '', stderr: '', cut: false, ...ended };
  return judge({ event: events[event], handler: handlerOf(event, more), ended: whole });
}

const name = '“check.sh” (user settings)';
const vote = (more: Partial<Vote>): Vote => ({ ...noVote, ...more });
const deny = (reason: string): Partial<Vote> => ({ block: reason, opinion: { behavior: 'deny', reason } });
const failed = (event: string, problem: string): Vote =>
  vote({ messages: [expect.stringContaining(`The hook ${name} failed on ${event}: ${problem}`)] });

// Exit code 2 with plain text, for every event.
it.each<[HookEventName, Partial<Vote>]>([
  ['PreToolUse', deny('no')],
  ['PermissionRequest', {}],
  ['PermissionDenied', {}],
  ['PostToolUse', { context: ['no'] }],
  ['PostToolUseFailure', { context: ['no'] }],
  ['PostToolBatch', { block: 'no' }],
  ['UserPromptSubmit', { block: 'no' }],
  ['Stop', { block: 'no' }],
  ['StopFailure', {}],
  ['SubagentStart', { messages: [`${name}: no`] }],
  ['SubagentStop', { block: 'no' }],
  ['SessionStart', { messages: [`${name}: no`] }],
  ['SessionEnd', { messages: [`${name}: no`] }],
  ['PreCompact', { block: 'no' }],
  ['PostCompact', { messages: [`${name}: no`] }],
  ['Notification', {}],
  ['ConfigChange', { block: 'no' }],
  ['CwdChanged', { messages: [`${name}: no`] }],
  ['FileChanged', { messages: [`${name}: no`] }],
])('exit code 2 on %s', (event, expected) => {
  expect(run(event, { exitCode: 2, stdout: 'text', stderr: 'no\n' }).vote).toEqual(vote(expected));
});

it('cannot hold up a change of the policy', () => {
  const event: HookEvent = { name: 'ConfigChange', source: 'policy_settings', file: '' };
  const ended: Ended = { kind: 'exited', exitCode: 2, signal: null, stdout: '', stderr: 'no', cut: false };
  expect(judge({ event, handler: handlerOf('ConfigChange'), ended }).vote).toEqual(noVote);
});

const said = (decision: string, more: object = {}): string =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: decision, ...more } });

// The table of exit codes against what is printed, on PreToolUse.
it.each<[string, Parameters<typeof run>[1], Vote]>([
  ['0, nothing', {}, noVote],
  ['0, text', { stdout: 'fine' }, noVote],
  ['0, JSON allow', { stdout: said('allow') }, vote({ opinion: { behavior: 'allow', reason: '' } })],
  [
    '0, JSON deny',
    { stdout: said('deny', { permissionDecisionReason: 'why' }) },
    vote({ opinion: { behavior: 'deny', reason: 'why' } }),
  ],
  ['0, JSON of no shape', { stdout: '{"a": 1}' }, noVote],
  ['0, broken JSON', { stdout: '{"a": }' }, failed('PreToolUse', 'its output is not valid JSON')],
  ['0, text before JSON', { stdout: `ready\n${said('deny')}` }, noVote],
  ['0, JSON before text', { stdout: `${said('allow')}\nready` }, noVote],
  ['0, a list', { stdout: `[${said('allow')}]` }, noVote],
  ['2, nothing', { exitCode: 2 }, vote(deny('The hook gave no reason.'))],
  [
    '2, JSON allow',
    { exitCode: 2, stdout: said('allow', { updatedInput: { command: 'x' } }), stderr: 'no' },
    vote(deny('no')),
  ],
  [
    '2, JSON deny with its reason',
    { exitCode: 2, stdout: said('deny', { permissionDecisionReason: 'why' }), stderr: 'no' },
    vote(deny('why')),
  ],
  ['2, JSON stop', { exitCode: 2, stdout: '{"continue": false}', stderr: 'no' }, vote(deny('no'))],
  ['2, broken JSON', { exitCode: 2, stdout: '{"a": }', stderr: 'no' }, vote(deny('no'))],
  ['1, nothing', { exitCode: 1 }, failed('PreToolUse', 'exit code 1')],
  ['1, text', { exitCode: 1, stdout: 'x', stderr: 'first\nsecond' }, failed('PreToolUse', 'exit code 1: first')],
  [
    '1, JSON deny',
    { exitCode: 1, stdout: said('deny', { permissionDecisionReason: 'why' }) },
    vote({ opinion: { behavior: 'deny', reason: 'why' } }),
  ],
  ['1, JSON allow', { exitCode: 1, stdout: said('allow') }, vote({ opinion: { behavior: 'allow', reason: '' } })],
  ['1, broken JSON', { exitCode: 1, stdout: '{"a": }' }, failed('PreToolUse', 'its output is not valid JSON')],
  [
    '127',
    { exitCode: 127, stderr: 'sh: x: not found' },
    failed('PreToolUse', 'exit code 127 (the program was not found): sh: x: not found'),
  ],
  ['a signal', { exitCode: null, signal: 'SIGSEGV' }, failed('PreToolUse', 'it was ended by SIGSEGV')],
])('exit %s', (_name, ended, expected) => {
  expect(run('PreToolUse', ended).vote).toEqual(expected);
});

// `onFailure: "block"` with each way to fail.
const late: Ended = { kind: 'timeout', seconds: 2 };
it.each<[HookEventName, Ended | Parameters<typeof run>[1], 'block' | 'deny' | 'context' | 'message' | 'none']>([
  ['PreToolUse', { exitCode: 1 }, 'block'],
  ['PreToolUse', { exitCode: 1, stdout: said('allow') }, 'block'],
  ['PreToolUse', { stdout: '{"a": }' }, 'block'],
  ['PreToolUse', { stdout: '{"hookSpecificOutput": {"hookEventName": "Stop"}}' }, 'block'],
  ['PreToolUse', late, 'block'],
  ['PreToolUse', { kind: 'failed', problem: 'x' }, 'block'],
  ['PreToolUse', { kind: 'cancelled' }, 'none'],
  ['PreToolUse', { stdout: 'text' }, 'none'],
  ['PermissionRequest', late, 'deny'],
  ['PermissionRequest', { exitCode: 1 }, 'deny'],
  ['UserPromptSubmit', late, 'block'],
  ['PostToolUse', late, 'context'],
  ['SessionStart', late, 'message'],
  ['Stop', late, 'none'],
  ['SubagentStop', late, 'none'],
  ['Notification', late, 'none'],
])('failing blocks %s on %j: %s', (event, how, expected) => {
  const verdict =
    'kind' in how && how.kind !== undefined
      ? judge({ event: events[event], handler: handlerOf(event, { onFailure: 'block' }), ended: how as Ended })
      : run(event, how as Parameters<typeof run>[1], { onFailure: 'block' });
  const { block, opinion, context, messages } = verdict.vote;
  const found =
    block !== null
      ? 'block'
      : opinion !== null
        ? opinion.behavior
        : context.length > 0
          ? 'context'
          : messages.some((text) => text.includes('its failing blocks'))
            ? 'message'
            : 'none';
  expect(found).toBe(expected);
});

it('never blocks by the failing of a background handler', () => {
  const { vote: found } = run('PreToolUse', { exitCode: 1 }, { onFailure: 'block', async: true });
  expect(found.block).toBe(null);
});

const own = (event: HookEventName, more: object): string =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...more } });

// What the JSON of each event can say.
it.each<[HookEventName, string, Partial<Vote>]>([
  ['PreToolUse', said('ask'), { opinion: { behavior: 'ask', reason: 'The hook gave no reason.' } }],
  [
    'PreToolUse',
    said('defer', { permissionDecisionReason: 'later' }),
    { opinion: { behavior: 'defer', reason: 'later' } },
  ],
  [
    'PreToolUse',
    said('allow', { updatedInput: { command: 'x' } }),
    { opinion: { behavior: 'allow', reason: '' }, updatedInput: { value: { command: 'x' } } },
  ],
  [
    'PreToolUse',
    said('deny', { permissionDecisionReason: 'r', updatedInput: {} }),
    { opinion: { behavior: 'deny', reason: 'r' } },
  ],
  [
    'PreToolUse',
    own('PreToolUse', { updatedInput: { command: 'x' }, additionalContext: 'c' }),
    { updatedInput: { value: { command: 'x' } }, context: ['c'] },
  ],
  ['PreToolUse', '{"decision": "block", "reason": "old"}', { opinion: { behavior: 'deny', reason: 'old' } }],
  ['PreToolUse', '{"decision": "approve"}', { opinion: { behavior: 'allow', reason: '' } }],
  ['PreToolUse', '{"continue": false, "stopReason": "enough"}', { stop: 'enough' }],
  ['PreToolUse', '{"continue": false}', { stop: 'The hook gave no reason.' }],
  [
    'PreToolUse',
    '{"continue": true, "systemMessage": "hello", "suppressOutput": true}',
    { messages: [`${name}: hello`] },
  ],
  [
    'PermissionRequest',
    own('PermissionRequest', { decision: { behavior: 'allow' } }),
    { opinion: { behavior: 'allow', reason: '' } },
  ],
  [
    'PermissionRequest',
    own('PermissionRequest', { decision: { behavior: 'deny', message: 'm', interrupt: true } }),
    { opinion: { behavior: 'deny', reason: 'm' }, interrupt: true },
  ],
  [
    'PermissionRequest',
    own('PermissionRequest', {
      decision: {
        behavior: 'allow',
        updatedInput: { command: 'x' },
        updatedPermissions: [
          {
            type: 'addRules',
            behavior: 'allow',
            rules: [{ toolName: 'Bash', ruleContent: 'npm test:*' }, { toolName: 'Read' }, 'Edit(src/**)'],
            destination: 'localSettings',
          },
          { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
          { type: 'addDirectories', directories: ['/d'], destination: 'session' },
        ],
      },
    }),
    {
      opinion: { behavior: 'allow', reason: '' },
      updatedInput: { value: { command: 'x' } },
      permissionUpdates: [
        {
          type: 'addRules',
          behavior: 'allow',
          rules: ['Bash(npm test:*)', 'Read', 'Edit(src/**)'],
          destination: 'localSettings',
        },
        { type: 'setMode', mode: 'acceptEdits' },
        { type: 'addDirectories', directories: ['/d'] },
      ],
    },
  ],
  ['PostToolUse', '{"decision": "block", "reason": "r"}', { block: 'r' }],
  [
    'PostToolUse',
    own('PostToolUse', { updatedToolOutput: { a: 1 }, additionalContext: 'c' }),
    { updatedOutput: { value: { a: 1 } }, context: ['c'] },
  ],
  ['PostToolUse', own('PostToolUse', { updatedMCPToolOutput: 'x' }), { updatedOutput: { value: 'x' } }],
  ['PermissionDenied', own('PermissionDenied', { retry: true }), { retry: true }],
  ['UserPromptSubmit', '{"decision": "block"}', { block: 'The hook gave no reason.' }],
  ['UserPromptSubmit', 'today is Monday', { context: ['today is Monday'] }],
  ['UserPromptSubmit', own('UserPromptSubmit', { additionalContext: 'c' }), { context: ['c'] }],
  ['SessionStart', '{ not JSON', { context: ['{ not JSON'] }],
  ['SessionStart', '  text \n', { context: ['text'] }],
  ['Stop', '{"decision": "block", "reason": "tests fail"}', { block: 'tests fail' }],
  ['Stop', '{"decision": "approve"}', {}],
  ['Stop', 'text', {}],
  ['SessionEnd', '{"decision": "block", "reason": "r"}', {}],
  ['PreCompact', '{"decision": "block", "reason": "r"}', { block: 'r' }],
])('%s understands %s', (event, stdout, expected) => {
  expect(run(event, { stdout }).vote).toEqual(vote(expected));
});

// JSON that is not of the documented shape is an error, and no vote.
it.each<[HookEventName, string]>([
  ['PreToolUse', '{"hookSpecificOutput": {"permissionDecision": "allow"}}'],
  ['PreToolUse', '{"hookSpecificOutput": {"hookEventName": "PostToolUse", "permissionDecision": "allow"}}'],
  ['PreToolUse', '{"hookSpecificOutput": "allow"}'],
  ['PreToolUse', own('PreToolUse', { permissionDecision: 'yes' })],
  ['PreToolUse', own('PreToolUse', { permissionDecision: 'allow', updatedInput: 'rm' })],
  ['PreToolUse', own('PreToolUse', { permissionDecision: 'allow', additionalContext: 1 })],
  ['PreToolUse', '{"continue": "no"}'],
  ['PreToolUse', '{"decision": "allow"}'],
  ['Stop', '{"decision": "deny"}'],
  ['PermissionRequest', own('PermissionRequest', { decision: 'allow' })],
  [
    'PermissionRequest',
    own('PermissionRequest', {
      decision: {
        behavior: 'allow',
        updatedPermissions: [{ type: 'addRules', behavior: 'allow', rules: ['Bash(x\ny)'], destination: 'session' }],
      },
    }),
  ],
  [
    'PermissionRequest',
    own('PermissionRequest', {
      decision: { behavior: 'allow', updatedPermissions: [{ type: 'setMode', mode: 'yolo' }] },
    }),
  ],
])('%s refuses %s', (event, stdout) => {
  const { outcome, vote: found } = run(event, { stdout });
  expect({ outcome, vote: found }).toEqual({
    outcome: 'error',
    vote: vote({ messages: [expect.stringContaining('its JSON is not valid: ')] }),
  });
});

it('hears no allow from an exit code that contradicts it', () => {
  const allow = own('PermissionRequest', { decision: { behavior: 'allow' } });
  const deny = own('PermissionRequest', { decision: { behavior: 'deny', message: 'm' } });
  expect(run('PermissionRequest', { exitCode: 2, stdout: allow }).vote.opinion).toBe(null);
  expect(run('PermissionRequest', { exitCode: 2, stdout: deny }).vote.opinion).toEqual({
    behavior: 'deny',
    reason: 'm',
  });
});

// What a model's no means.
it.each<[HookEventName, object, Partial<Vote>]>([
  ['PreToolUse', {}, deny('bad')],
  ['PermissionRequest', {}, { opinion: { behavior: 'deny', reason: 'bad' } }],
  ['Stop', {}, { block: 'bad' }],
  ['UserPromptSubmit', {}, { block: 'bad' }],
  ['PostToolUse', {}, { stop: 'bad' }],
  ['PostToolUse', { continueOnBlock: true }, { block: 'bad' }],
])('a model’s no on %s with %j', (event, more, expected) => {
  const handler = handlerOf(event);
  const judging: Handler = { ...handler, action: { type: 'prompt', prompt: 'x', ...more } };
  const answer = (ok: boolean, impossible = false) =>
    judge({ event: events[event], handler: judging, ended: { kind: 'judged', ok, reason: 'bad', impossible } }).vote;
  expect(answer(false)).toEqual(vote(expected));
  expect(answer(true)).toEqual(noVote);
});

it('does not go on for what cannot be reached', () => {
  const ended: Ended = { kind: 'judged', ok: false, reason: 'no network', impossible: true };
  const handler: Handler = { ...handlerOf('Stop'), action: { type: 'prompt', prompt: 'all green?' } };
  expect(judge({ event: events.Stop, handler, ended }).vote).toEqual(
    vote({ messages: ['“all green?” (user settings): no network'] }),
  );
});
