import { describe, expect, it, test } from 'vitest';
import type { Decision } from '#shared/permissions/decision';
import type { PermissionMode } from '#shared/permissions/modes';
import type { CallFacts } from './callFacts';
import {
  activeBlocks,
  afterPerson,
  asksAgain,
  type ClassifierBlocks,
  denialPattern,
  denialWindowMs,
  guardDecision,
  liftBlock,
  noClassifierBlocks,
  noDenials,
  noRepeats,
  recordCall,
  recordClassifier,
  recordDenial,
} from './denials';
import { gatherFacts } from './facts';

const minute = 60_000;

function denied(times: readonly (readonly [pattern: string, at: number])[]) {
  return times.reduce((state, [pattern, at]) => recordDenial(state, pattern, at), noDenials);
}

describe('three denials of one pattern within five minutes', () => {
  test.each([
    [
      'none after two',
      [
        ['a', 0],
        ['a', minute],
      ],
      minute,
      [],
    ],
    [
      'a block after three, until five minutes from the first',
      [
        ['a', 0],
        ['a', minute],
        ['a', 2 * minute],
      ],
      2 * minute,
      [{ pattern: 'a', count: 3, until: denialWindowMs }],
    ],
    [
      'over when the five minutes are',
      [
        ['a', 0],
        ['a', minute],
        ['a', 2 * minute],
      ],
      denialWindowMs,
      [],
    ],
    [
      'still there one millisecond before',
      [
        ['a', 0],
        ['a', 1],
        ['a', 2],
      ],
      denialWindowMs - 1,
      [{ pattern: 'a', count: 3, until: denialWindowMs }],
    ],
    [
      'none when they are spread over more',
      [
        ['a', 0],
        ['a', 3 * minute],
        ['a', denialWindowMs],
      ],
      denialWindowMs,
      [],
    ],
    [
      'the window slides',
      [
        ['a', 0],
        ['a', 3 * minute],
        ['a', 6 * minute],
        ['a', 7 * minute],
      ],
      7 * minute,
      [{ pattern: 'a', count: 3, until: 8 * minute }],
    ],
    [
      'other patterns do not count',
      [
        ['a', 0],
        ['b', 1],
        ['a', 2],
        ['b', 3],
      ],
      4,
      [],
    ],
    [
      'each pattern has its own',
      [
        ['a', 0],
        ['b', 0],
        ['a', 1],
        ['b', 1],
        ['b', 2],
      ],
      3,
      [{ pattern: 'b', count: 3, until: denialWindowMs }],
    ],
  ] as const)('%s', (_name, times, now, blocks) => {
    expect(activeBlocks(denied(times), now)).toEqual(blocks);
  });

  it('is lifted with its denials, so that one more does not block again', () => {
    const lifted = liftBlock(
      denied([
        ['a', 0],
        ['a', 1],
        ['a', 2],
      ]),
      'a',
    );
    expect(activeBlocks(lifted, 3)).toEqual([]);
    expect(activeBlocks(recordDenial(lifted, 'a', 4), 4)).toEqual([]);
  });
});

const view = { kind: () => null, linkTarget: () => '', names: () => [] };
const place = {
  folder: '/p',
  cwd: '/p',
  home: '/h',
  additional: [],
  privateFiles: [],
  platform: 'linux' as const,
  ignoreCase: false,
};
function factsOf(toolName: string, command: string | null): CallFacts {
  return gatherFacts(
    {
      toolName,
      isMcp: false,
      isReadOnly: false,
      input: {},
      facts: command === null ? [] : [{ kind: 'command', command, cwd: '/p' }],
      own: { behavior: 'passthrough' },
    },
    place,
    view,
  );
}
const asking = (texts: readonly string[]): Decision => ({
  behavior: 'ask',
  reason: { type: 'noRule', detail: 'No rule.' },
  parts: texts.map((text) => ({
    text,
    kind: 'command',
    behavior: 'ask',
    reason: { type: 'noRule', detail: 'No rule.' },
  })),
});

test.each([
  ['Edit', null, [], 'Edit'],
  ['mcp__db__query', null, [], 'mcp__db__query'],
  ['Bash', 'git push origin main', ['git push origin main'], 'Bash(git push)'],
  ['Bash', 'git push --force', ['git push --force'], 'Bash(git push)'],
  ['Bash', 'touch a', ['touch a'], 'Bash(touch)'],
  ['Bash', 'rm -rf build', ['rm -rf build'], 'Bash(rm)'],
  ['Bash', 'python3 -c "x"', ['python3 -c "x"'], 'Bash(python3)'],
  ['Bash', 'npm run build -- -w', ['npm run build -- -w'], 'Bash(npm run build)'],
  ['Bash', 'docker run x sh', ['docker run x sh'], 'Bash(docker run)'],
  ['Bash', 'git -C /x push', ['git -C /x push'], 'Bash(git)'],
  ['Bash', 'ls && git push', ['git push'], 'Bash(git push)'],
  ['Bash', 'npm test && git push', ['npm test', 'git push'], 'Bash(git push && npm test)'],
  ['Bash', 'git push && npm test', ['git push', 'npm test'], 'Bash(git push && npm test)'],
  ['Bash', 'echo x > /srv/o', [], 'Bash(echo)'],
] as const)('%s %s stands for the pattern %s', (tool, command, open, pattern) => {
  expect(denialPattern(factsOf(tool, command), asking(open))).toBe(pattern);
});

describe('identical calls in a row', () => {
  const counts = (calls: readonly (readonly [string, unknown])[]) => {
    let state = noRepeats;
    return calls.map(([toolName, input]) => {
      state = recordCall(state, { toolName, input });
      return state.count;
    });
  };
  test.each([
    [
      'the same',
      [
        ['Read', { a: 1 }],
        ['Read', { a: 1 }],
        ['Read', { a: 1 }],
      ],
      [1, 2, 3],
    ],
    [
      'fields in another order',
      [
        ['Read', { a: 1, b: [{ c: 1, d: 2 }] }],
        ['Read', { b: [{ d: 2, c: 1 }], a: 1 }],
      ],
      [1, 2],
    ],
    [
      'another input',
      [
        ['Read', { a: 1 }],
        ['Read', { a: 2 }],
        ['Read', { a: 1 }],
      ],
      [1, 1, 1],
    ],
    [
      'another tool',
      [
        ['Read', {}],
        ['Glob', {}],
        ['Read', {}],
      ],
      [1, 1, 1],
    ],
    [
      'a list is in order',
      [
        ['Read', [1, 2]],
        ['Read', [2, 1]],
      ],
      [1, 1],
    ],
    [
      'a text is not a number',
      [
        ['Read', { a: 1 }],
        ['Read', { a: '1' }],
      ],
      [1, 1],
    ],
  ] as const)('%s', (_name, calls, expected) => {
    expect(counts(calls)).toEqual(expected);
  });
});

describe('the guards', () => {
  const allow: Decision = { behavior: 'allow', reason: { type: 'readOnly', detail: 'a read' }, parts: [] };
  const ask = asking([]);
  const deny: Decision = { behavior: 'deny', reason: { type: 'mode', mode: 'plan' }, parts: [] };
  const block = { pattern: 'Bash(git push)', count: 3, until: 100_000 };
  const limited: Decision = {
    ...ask,
    behavior: 'deny',
    reason: {
      type: 'denialLimit',
      detail:
        'the denial limit: Bash(git push) was denied 3 times within five minutes and is not asked for another 2 minutes',
    },
  };
  const repeated = (behavior: 'ask' | 'deny', count: number): Decision => ({
    ...allow,
    behavior,
    reason: {
      type: 'safety',
      check: 'repeatedCall',
      detail: `This is the same call ${count} times in a row; the agent may be going round in circles.`,
    },
  });
  test.each<[string, Decision, PermissionMode, number, boolean, Decision]>([
    ['nothing to do', allow, 'default', 1, false, allow],
    ['twice is fine', allow, 'default', 2, false, allow],
    ['the third asks', allow, 'default', 3, false, repeated('ask', 3)],
    ['so does the fourth', allow, 'acceptEdits', 4, false, repeated('ask', 4)],
    ['dontAsk denies it', allow, 'dontAsk', 3, false, repeated('deny', 3)],
    ['bypass runs it', allow, 'bypassPermissions', 9, false, allow],
    ['what asks asks for its own reason', ask, 'default', 3, false, ask],
    ['a deny stays', deny, 'plan', 3, true, deny],
    ['a blocked pattern that would ask is denied', ask, 'default', 1, true, limited],
    ['a blocked pattern that is allowed runs', allow, 'default', 1, true, allow],
  ])('%s', (_name, decision, mode, repeats, blocked, expected) => {
    expect(guardDecision({ decision, mode, repeats, block: blocked ? block : null, now: 20_000 })).toEqual(expected);
  });
});

test.each<[string, readonly boolean[], ClassifierBlocks, boolean]>([
  ['two blocks', [true, true], { inRow: 2, total: 2 }, false],
  ['three in a row', [true, true, true], { inRow: 3, total: 3 }, true],
  ['an allow between them', [true, true, false, true], { inRow: 1, total: 3 }, false],
  ['twenty in total', Array.from({ length: 30 }, (_, index) => index % 3 !== 2), { inRow: 0, total: 20 }, true],
])('the classifier after %s', (_name, blocks, expected, person) => {
  const state = blocks.reduce(recordClassifier, noClassifierBlocks);
  expect(state).toEqual(expected);
  expect(asksAgain(state)).toBe(person);
});

test.each<[string, ClassifierBlocks, ClassifierBlocks]>([
  ['a row ends, the total goes on', { inRow: 3, total: 7 }, { inRow: 0, total: 7 }],
  ['a full total starts anew', { inRow: 1, total: 20 }, noClassifierBlocks],
])('once a person allowed a call %s', (_name, before, after) => {
  expect(afterPerson(before)).toEqual(after);
});
