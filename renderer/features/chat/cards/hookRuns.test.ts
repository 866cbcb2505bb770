import { describe, expect, test } from 'vitest';
import { hookEventNames } from '#shared/session/hookRun';
import { stepNames } from '#shared/session/toolCall';
import { sampleHook, succeeded } from '../testing/samples';
import { countedHooks, runsOfStep } from './hookRuns';

describe('runsOfStep', () => {
  test('every event of a call has its step', () => {
    const hooks = hookEventNames.map((event) => sampleHook({ event, runId: event }));
    const call = succeeded({ hooks });
    const told = stepNames.map((step) => [step, runsOfStep(call, step).map((run) => run.event)]);
    expect(told).toEqual([
      ['lookup', []],
      ['input', []],
      ['validation', []],
      ['preHook', ['PreToolUse']],
      ['permission', ['PermissionRequest', 'PermissionDenied']],
      [
        'execution',
        hookEventNames.filter((name) => !/^(PreToolUse|Permission(Request|Denied)|PostTool.*)$/.test(name)),
      ],
      ['postHook', ['PostToolUse', 'PostToolUseFailure', 'PostToolBatch']],
    ]);
  });

  test('in the order of their start, however they ended', () => {
    const hooks = [sampleHook({ runId: 'late', startedAt: 30 }), sampleHook({ runId: 'early', startedAt: 20 })];
    expect(runsOfStep(succeeded({ hooks }), 'preHook').map((run) => run.runId)).toEqual(['early', 'late']);
    expect(runsOfStep(succeeded(), 'preHook')).toEqual([]);
  });
});

test.each([
  { outcomes: [], expected: '' },
  { outcomes: ['success'], expected: '1 hook' },
  { outcomes: ['success', 'blocked', 'cancelled', 'background'], expected: '4 hooks' },
  { outcomes: ['error', 'success', 'timeout'], expected: '3 hooks, 2 failed' },
] as const)('$outcomes are $expected', ({ outcomes, expected }) => {
  expect(countedHooks(outcomes.map((outcome) => sampleHook({ outcome })))).toBe(expected);
});
