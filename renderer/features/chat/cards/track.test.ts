import { describe, expect, test } from 'vitest';
import { stepNames, type ToolCall } from '#shared/session/toolCall';
import { passed, sampleAsk, sampleBase, sampleHook, succeeded } from '../testing/samples';
import { describeTrack, hostAskedAt, hostWaitMs, type SegmentState, trackOf, waitedMs } from './track';

const P = 'passed' as const;
const N = 'notReached' as const;
const first4 = stepNames.slice(0, 4).map((step) => passed(step));

const cases: readonly [name: string, call: ToolCall, expected: SegmentState[]][] = [
  ['just created', { ...sampleBase, status: 'checking' }, [N, N, N, N, N, N, N]],
  [
    'in its third step',
    { ...sampleBase, status: 'checking', steps: first4.slice(0, 2), currentStep: 'validation' },
    [P, P, 'running', N, N, N, N],
  ],
  [
    'waiting for a person',
    { ...sampleBase, status: 'asking', steps: first4, currentStep: 'permission', ask: sampleAsk, askedAt: 1 },
    [P, P, P, P, 'waiting', N, N],
  ],
  [
    'asking in the middle of its execution',
    {
      ...sampleBase,
      status: 'asking',
      steps: [...first4, passed('permission')],
      currentStep: 'execution',
      ask: sampleAsk,
      askedAt: 1,
    },
    [P, P, P, P, P, 'waiting', N],
  ],
  [
    'running, while its command waits for a word about a host',
    {
      ...sampleBase,
      status: 'running',
      steps: [...first4, passed('permission')],
      currentStep: 'execution',
      startedAt: 1,
      hosts: [{ askId: 'n', host: 'a.example', port: 443, askedAt: 2, answered: null }],
    },
    [P, P, P, P, P, 'waiting', N],
  ],
  [
    'running',
    {
      ...sampleBase,
      status: 'running',
      steps: [...first4, passed('permission')],
      currentStep: 'execution',
      startedAt: 1,
    },
    [P, P, P, P, P, 'running', N],
  ],
  ['done, with nothing for the hooks to do', succeeded(), [P, P, P, 'skipped', P, P, 'skipped']],
  [
    'touched by a hook',
    succeeded({
      steps: stepNames.map((step) => ({ ...passed(step), outcome: step === 'preHook' ? 'touched' : 'passed' })),
    }),
    [P, P, P, 'touched', P, P, P],
  ],
  [
    'allowed by a hook that answered in place of a person',
    succeeded({
      hooks: [sampleHook({ event: 'PermissionRequest', effect: 'allowed' })],
      decision: { behavior: 'allow', reason: { type: 'hook', detail: 'the hook check.sh' }, parts: [] },
    }),
    [P, P, P, 'skipped', 'touched', P, 'skipped'],
  ],
  [
    'asked by a hook that had no answer',
    succeeded({ hooks: [sampleHook({ event: 'PermissionRequest' })] }),
    [P, P, P, 'skipped', P, P, 'skipped'],
  ],
  [
    'stopped by its input',
    {
      ...succeeded(),
      status: 'failed',
      failure: 'input',
      steps: [passed('lookup'), { ...passed('input'), outcome: 'stopped' }],
      endedAt: 2,
      view: null,
      modelText: '',
      note: '',
    },
    [P, 'stopped', N, N, N, N, N],
  ],
  [
    'interrupted while it ran: the step without a trace is where it ended',
    {
      ...succeeded(),
      status: 'interrupted',
      steps: [...first4, passed('permission')],
      endedAt: 2,
      view: null,
      modelText: '',
      note: '',
    },
    [P, P, P, P, P, 'stopped', N],
  ],
];

describe('trackOf', () => {
  test.each(cases)('%s', (_name, call, expected) => {
    expect(trackOf(call).map((segment) => segment.state)).toEqual(expected);
  });
  test('counts the hooks that failed, by step', () => {
    const hooks = [
      sampleHook({ outcome: 'error' }),
      sampleHook({ outcome: 'timeout' }),
      sampleHook({ outcome: 'blocked' }),
      sampleHook({ event: 'PostToolUse', outcome: 'error' }),
    ];
    expect(trackOf(succeeded({ hooks })).map((segment) => segment.failedHooks)).toEqual([0, 0, 0, 2, 0, 0, 1]);
  });
  test('always names the seven steps in order', () => {
    expect(trackOf(succeeded()).map((segment) => segment.step)).toEqual([...stepNames]);
  });
});

test('the track in words', () => {
  const waiting: ToolCall = {
    ...sampleBase,
    status: 'asking',
    steps: first4,
    currentStep: 'permission',
    ask: sampleAsk,
    askedAt: 1,
  };
  expect(describeTrack(trackOf(waiting))).toBe('4 of 7 steps done, permission waiting for you');
  expect(describeTrack(trackOf(succeeded()))).toBe('7 of 7 steps done');
  const steps = stepNames.map((step) => ({
    ...passed(step),
    outcome: step === 'preHook' ? ('touched' as const) : ('passed' as const),
  }));
  expect(describeTrack(trackOf(succeeded({ steps, hooks: [sampleHook({ outcome: 'error' })] })))).toBe(
    '7 of 7 steps done, pre-hook and classifier touched by a hook, 1 hook failed',
  );
});

describe('hosts that were asked about', () => {
  const outcome = { by: 'person', allowed: true } as const;
  const asked = (askedAt: number, at: number | null) => ({
    askId: `n${askedAt}`,
    host: 'a.example',
    port: 443,
    askedAt,
    answered: at === null ? null : { at, outcome },
  });
  const running: ToolCall = { ...sampleBase, status: 'running', startedAt: 1 };
  const cases: readonly [name: string, call: ToolCall, waited: number, since: number | null][] = [
    ['none', running, 0, null],
    [
      'time is counted once where two were asked at once',
      { ...running, hosts: [asked(10, 40), asked(20, 60)] },
      50,
      null,
    ],
    ['what still waits is not counted yet', { ...running, hosts: [asked(10, 40), asked(70, null)] }, 30, 70],
    [
      'a task that goes on after its call waits in its own time',
      succeeded({ endedAt: 100, hosts: [asked(90, 130), asked(150, 170), asked(180, null)] }),
      10,
      null,
    ],
  ];
  test.each(cases)('%s', (_name, call, waited, since) => {
    expect([hostWaitMs(call), waitedMs(call), hostAskedAt(call)]).toEqual([waited, waited, since]);
  });
});
