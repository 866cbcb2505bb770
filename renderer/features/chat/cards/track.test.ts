import { describe, expect, test } from 'vitest';
import { stepNames, type ToolCall } from '#shared/session/toolCall';
import { passed, sampleAsk, sampleBase, sampleHook, succeeded } from '../testing/samples';
import { describeTrack, type SegmentState, trackOf } from './track';

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
