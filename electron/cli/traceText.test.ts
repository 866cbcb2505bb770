import { expect, it } from 'vitest';
import type { ToolCall } from '#shared/session/toolCall';
import { callLine, callText } from './traceText';

const step = (name: ToolCall['steps'][number]['step'], at: number, took: number, waitedMs = 0) => ({
  step: name,
  startedAt: 1_000 + at,
  endedAt: 1_000 + at + took,
  waitedMs,
  outcome: 'passed' as const,
  note: `note of ${name}`,
});

const call: ToolCall = {
  status: 'succeeded',
  callId: 'm1.0',
  messageId: 'm1',
  name: 'Bash',
  input: { command: 'echo \u001b[31m\u202ered' },
  presentation: { title: 'Bash', summary: 'echo red', activity: '', icon: 'terminal' },
  createdAt: 1_000,
  steps: [step('lookup', 0, 0.25), step('permission', 1, 5_002, 5_000), step('execution', 5_003, 20)],
  currentStep: null,
  decision: { behavior: 'allow', reason: { type: 'user', answer: 'once' }, parts: [] },
  hooks: [
    {
      runId: 'r',
      event: 'PreToolUse',
      matcher: 'Bash',
      handler: 'command',
      label: './look.sh',
      source: 'userSettings',
      file: '/home/.claude/settings.json',
      startedAt: 1_000,
      endedAt: 1_012.5,
      outcome: 'success',
      exitCode: 0,
      effect: 'no opinion',
      stdin: '{}',
      stdout: 'fine\n',
      stderr: '',
    },
  ],
  endedAt: 6_030,
  view: null,
  modelText: 'red\nagain',
  note: 'exit 0',
  persisted: { file: '/data/x.txt', bytes: 50_000_000, previewChars: 4_096 },
};
const session = {
  sessionId: 's1',
  title: 'T',
  folder: '/f',
  createdAt: 0,
  updatedAt: 0,
  running: false,
  pinned: false,
  archived: false,
  origin: null,
};

it('tells a call from its input to its file, a person’s time apart, nothing of it painting over the terminal', () => {
  expect(callText(call, session)).toBe(`Bash · succeeded · 30.0 ms of work, 5.00 s waiting for a person
call m1.0 · session s1 · /f

input
  {
    "command": "echo \\u001b[31m\\u{202e}red"
  }

steps
                             begins at    takes
  1 lookup      passed         +0.0 ms   0.3 ms  note of lookup
  2 input       not reached
  3 validation  not reached
  4 preHook     not reached
  5 permission  passed         +1.0 ms   2.0 ms  note of permission (and 5.00 s waiting for a person)
  6 execution   passed         +5.00 s  20.0 ms  note of execution
  7 postHook    not reached

decision
  ALLOW: Bash may do this without asking
  └─ you

hooks
  PreToolUse (Bash) · command ./look.sh · userSettings, /home/.claude/settings.json
    success, exit 0, 12.5 ms: no opinion
    stdout: fine

result
  exit 0
  │ red
  │ again
  kept whole in /data/x.txt (50,000,000 bytes, the model got 4,096 characters)`);
});

it('lists a call in one line', () => {
  expect(callLine(call, 7)).toBe('  7  m1.0  succeeded       5.03 s  Bash echo red');
});

it('says which sub-agent made a call', () => {
  const made = { ...call, agentId: 'a1' };
  expect(callLine(made, 2)).toBe('  2  m1.0  succeeded       5.03 s  [a1] Bash echo red');
  expect(callText(made, session).split('\n')[1]).toBe('call m1.0 · by sub-agent a1 · session s1 · /f');
});
