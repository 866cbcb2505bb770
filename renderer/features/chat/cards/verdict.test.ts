import { describe, expect, test } from 'vitest';
import type { Decision, DecisionReason } from '#shared/permissions/decision';
import type { ToolCall } from '#shared/session/toolCall';
import { sampleAsk, sampleBase, succeeded } from '../testing/samples';
import { verdictOf, verdictOfDecision, verdictText } from './verdict';

const words = (behavior: Decision['behavior'], reason: DecisionReason) =>
  verdictText(verdictOfDecision({ behavior, reason, parts: [] }));

describe('a decision in words', () => {
  const cases: readonly [behavior: Decision['behavior'], reason: DecisionReason, expected: string][] = [
    [
      'allow',
      { type: 'rule', rule: { text: 'Bash(npm test *)', behavior: 'allow', source: 'projectSettings', line: 14 } },
      'allowed by Bash(npm test *) · project, line 14',
    ],
    [
      'deny',
      { type: 'rule', rule: { text: 'Bash(rm *)', behavior: 'deny', source: 'session' } },
      'denied by Bash(rm *) · session',
    ],
    [
      'ask',
      { type: 'rule', rule: { text: 'Bash(git push *)', behavior: 'ask', source: 'userSettings', line: 2 } },
      'asks because of Bash(git push *) · user, line 2',
    ],
    ['allow', { type: 'mode', mode: 'acceptEdits' }, 'allowed by Accept edits mode'],
    ['ask', { type: 'mode', mode: 'plan' }, 'asks because of Plan mode'],
    ['allow', { type: 'readOnly', detail: 'reads inside the folder' }, 'allowed · reads inside the folder'],
    ['allow', { type: 'noPermissionNeeded' }, 'allowed · this tool needs no permission'],
    [
      'allow',
      { type: 'classifier', detail: 'the classifier: It runs tests.' },
      'allowed · the classifier: It runs tests.',
    ],
    ['deny', { type: 'hook', detail: 'the hook check.sh: not now' }, 'denied by the hook check.sh: not now'],
    ['ask', { type: 'hook', detail: 'the hook check.sh' }, 'asks because of the hook check.sh'],
    ['ask', { type: 'noRule', detail: 'no rule allows it' }, 'asks · no rule allows it'],
    ['allow', { type: 'user', answer: 'once' }, 'allowed once by you'],
    ['allow', { type: 'user', answer: 'always' }, 'allowed, rule saved by you'],
    ['deny', { type: 'user', answer: 'deny', words: 'not now' }, 'denied by you: “not now”'],
    ['deny', { type: 'user', answer: 'deny', words: '' }, 'denied by you'],
    ['allow', { type: 'user', answer: 'answered' }, 'answered by you'],
    ['deny', { type: 'nobodyToAsk', detail: 'nobody could be asked' }, 'denied · nobody could be asked'],
  ];
  test.each(cases)('%s, %o', (behavior, reason, expected) => {
    expect(words(behavior, reason)).toBe(expected);
  });
});

describe('a call', () => {
  test('nothing while it is being checked', () => {
    expect(verdictOf({ ...sampleBase, status: 'checking' })).toBeNull();
  });
  test('an asking call tells why it asks', () => {
    const call: ToolCall = { ...sampleBase, status: 'asking', ask: sampleAsk, askedAt: 1 };
    expect(verdictOf(call)).toMatchObject({ behavior: 'ask', rule: 'Bash(git push *)', detail: 'project, line 21' });
  });
  test('a question waits', () => {
    const ask = { kind: 'question', askId: 'q', questions: [] } as const;
    const call: ToolCall = { ...sampleBase, status: 'asking', ask: { ...ask, questions: [] }, askedAt: 1 };
    expect(verdictOf(call)).toMatchObject({ behavior: 'ask', detail: 'waits for your answer' });
  });
  test('an ended call tells its decision', () => {
    expect(verdictOf(succeeded())).toMatchObject({ behavior: 'allow', rule: 'Bash(npm test *)' });
  });
});
