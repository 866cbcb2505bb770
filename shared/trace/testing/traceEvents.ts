// A small session as events: an allowed call, one that a person was asked about, one of a sub-agent that was denied, hooks.
import type { SessionEvent, SessionEventBody } from '../../session/events';
import type { HookRun } from '../../session/hookRun';
import type { StepName, StepOutcome } from '../../session/toolCall';

/** A hook run with the given changes. */
export function hookRun(change: Partial<HookRun> = {}): HookRun {
  return {
    runId: 'h1',
    event: 'PreToolUse',
    matcher: 'Bash',
    handler: 'command',
    label: './check.sh',
    source: 'projectSettings',
    file: '/srv/app/.claude/settings.json',
    startedAt: 1_001,
    endedAt: 1_004,
    outcome: 'success',
    exitCode: 0,
    effect: 'no opinion',
    stdin: '{"tool_name":"Bash"}',
    stdout: 'fine',
    stderr: '',
    ...change,
  };
}

interface Ended {
  readonly callId: string;
  readonly step: StepName;
  readonly at: number;
  readonly ms: number;
  readonly waitedMs?: number;
  readonly outcome?: StepOutcome;
}

function stepEnded({ callId, step, at, ms, waitedMs = 0, outcome = 'passed' }: Ended): SessionEventBody {
  const trace = {
    step,
    startedAt: at,
    endedAt: at + ms,
    waitedMs,
    outcome,
    note: 'ok',
    input: { a: 'in' },
    output: 'out',
  };
  return { type: 'call.stepEnded', callId, trace };
}

const bash = (command: string) => ({
  title: 'Bash',
  summary: command,
  activity: `Running ${command}`,
  icon: 'terminal' as const,
  view: { kind: 'terminal' as const, command },
});
const rule = { text: 'Bash(npm test *)', behavior: 'allow', source: 'projectSettings', line: 3 } as const;
const askRule = { text: 'Bash(git push *)', behavior: 'ask', source: 'projectSettings', line: 21 } as const;

const timed: readonly (readonly [at: number, body: SessionEventBody])[] = [
  [
    900,
    {
      type: 'session.created',
      folder: '/srv/app',
      title: 'Fix the tides',
      mode: 'default',
      model: { id: 'm', label: 'M', scripted: true },
      network: false,
    },
  ],
  [950, { type: 'hook.ran', run: hookRun({ runId: 's', event: 'SessionStart', matcher: 'startup' }) }],
  [990, { type: 'message.sent', messageId: 'u1', text: 'go' }],
  [
    1_000,
    {
      type: 'call.created',
      callId: 'c1',
      messageId: 'm1',
      name: 'Bash',
      input: { command: 'npm test' },
      presentation: bash('npm test'),
    },
  ],
  [1_000, stepEnded({ callId: 'c1', step: 'lookup', at: 1_000, ms: 0.5 })],
  [1_001, { type: 'call.stepStarted', callId: 'c1', step: 'preHook' }],
  [1_004, { type: 'hook.ran', callId: 'c1', run: hookRun() }],
  [1_004, { type: 'hook.ran', callId: 'c1', run: hookRun({ runId: 'h2', outcome: 'error', exitCode: 1 }) }],
  [1_005, stepEnded({ callId: 'c1', step: 'preHook', at: 1_001, ms: 4, outcome: 'touched' })],
  [
    1_006,
    { type: 'call.decided', callId: 'c1', decision: { behavior: 'allow', reason: { type: 'rule', rule }, parts: [] } },
  ],
  [1_006, stepEnded({ callId: 'c1', step: 'permission', at: 1_005, ms: 1 })],
  [1_006, { type: 'call.stepStarted', callId: 'c1', step: 'execution' }],
  [1_006, { type: 'call.started', callId: 'c1' }],
  [3_000, stepEnded({ callId: 'c1', step: 'execution', at: 1_006, ms: 1_994 })],
  [
    3_001,
    {
      type: 'call.finished',
      callId: 'c1',
      status: 'succeeded',
      content: [{ type: 'text', text: 'all passed' }],
      view: { kind: 'terminal', command: 'npm test', output: 'all passed', exitCode: 0 },
      note: 'exit 0',
      persisted: { file: '/data/r.txt', bytes: 50_000, previewChars: 2_000 },
    },
  ],
  [
    4_000,
    {
      type: 'call.created',
      callId: 'c2',
      messageId: 'm1',
      name: 'Bash',
      input: { command: 'git push' },
      presentation: bash('git push\norigin'),
    },
  ],
  [
    4_002,
    {
      type: 'call.asked',
      callId: 'c2',
      ask: {
        kind: 'permission',
        askId: 'a',
        title: 'Bash wants to run',
        toolName: 'Bash',
        input: { command: 'git push' },
        view: { kind: 'terminal', command: 'git push' },
        cwd: '/srv/app',
        mode: 'default',
        reason: { type: 'rule', rule: askRule },
        parts: [{ text: 'git push', kind: 'command', behavior: 'ask', reason: { type: 'rule', rule: askRule } }],
        paths: [],
        hosts: [],
        sandbox: { active: true, kind: 'bubblewrap', network: false, reason: '' },
        agent: null,
        suggestions: [{ rules: ['Bash(git push)'], covers: 'this' }],
      },
    },
  ],
  [14_002, { type: 'call.answered', callId: 'c2', askId: 'a', by: 'person' }],
  [
    14_003,
    {
      type: 'call.decided',
      callId: 'c2',
      decision: { behavior: 'allow', reason: { type: 'user', answer: 'once' }, parts: [] },
    },
  ],
  [14_003, stepEnded({ callId: 'c2', step: 'permission', at: 4_001, ms: 10_002, waitedMs: 10_000 })],
  [14_004, { type: 'call.stepStarted', callId: 'c2', step: 'execution' }],
  [14_004, { type: 'call.started', callId: 'c2' }],
  [
    15_000,
    {
      type: 'call.created',
      callId: 'c3',
      messageId: 'm2',
      name: 'Bash',
      input: { command: 'rm -rf cache' },
      presentation: bash('rm -rf cache'),
      agentId: 'a1',
    },
  ],
  [
    15_001,
    {
      type: 'agent.changed',
      agent: {
        agentId: 'a1',
        callId: 'c2',
        parent: null,
        type: 'explore',
        description: 'check the stations',
        model: 'm',
        background: false,
        status: 'running',
        startedAt: 14_900,
        endedAt: null,
        note: '',
      },
    },
  ],
  [
    15_002,
    {
      type: 'call.decided',
      callId: 'c3',
      decision: { behavior: 'deny', reason: { type: 'noRule', detail: 'no rule' }, parts: [] },
    },
  ],
  [15_003, stepEnded({ callId: 'c3', step: 'permission', at: 15_001, ms: 2, outcome: 'stopped' })],
  [
    15_004,
    {
      type: 'call.finished',
      callId: 'c3',
      status: 'denied',
      content: [{ type: 'text', text: 'no' }],
      view: null,
      note: 'denied',
    },
  ],
];

/** The session; its second call still runs at the end. */
export const traceEvents: readonly SessionEvent[] = timed.map(([at, body], index) => ({ seq: index + 1, at, body }));
