import { beforeAll, describe, expect, it, test } from 'vitest';
import type { PermissionMode } from '#shared/permissions/modes';
import type { CallFact } from '../tools/tool';
import {
  absentClassifier,
  type ClassifierAnswer,
  classifierTakesPart,
  classifyStatically,
  type ModelClassifier,
  NoOpinion,
  startClassifier,
} from './classifier';
import { gatherFacts } from './facts';
import { loadSecondParser } from './shell/treeSitter';

beforeAll(loadSecondParser);

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
function effectOf(toolName: string, fact: CallFact, isReadOnly = false): string {
  const own = { behavior: 'passthrough' as const };
  return classifyStatically(
    gatherFacts({ toolName, isMcp: false, isReadOnly, input: {}, facts: [fact], own }, place, view),
  ).effect;
}

test.each([
  ['git status', 'readOnly'],
  ['cat a.txt | grep x', 'readOnly'],
  ['ls; pwd', 'readOnly'],
  ['npm test', 'unknown'],
  ['ls && npm test', 'unknown'],
  ['ls > out', 'unknown'],
  ['echo "', 'unknown'],
  ['rm -rf build', 'destructive'],
  ['ls && git reset --hard', 'destructive'],
  ['sudo rm -rf /', 'destructive'],
])('%s is %s', (command, effect) => {
  expect(effectOf('Bash', { kind: 'command', command, cwd: '/p' })).toBe(effect);
});

test.each([
  ['Read', { kind: 'path', access: 'read', path: '/p/a' }, true, 'readOnly'],
  ['Edit', { kind: 'path', access: 'write', path: '/p/a' }, false, 'unknown'],
  ['WebFetch', { kind: 'host', host: 'example.org' }, true, 'readOnly'],
] as const)('%s', (tool, fact, isReadOnly, effect) => {
  expect(effectOf(tool, fact, isReadOnly)).toBe(effect);
});

test.each<[PermissionMode, readonly string[], readonly string[], boolean]>([
  ['auto', [], [], true],
  ['default', [], [], false],
  ['default', ['runs the tests'], [], true],
  ['acceptEdits', [], ['deploys'], true],
])('in %s with %j and %j the model stage takes part: %s', (mode, allow, deny, expected) => {
  expect(classifierTakesPart(mode, { allow, deny })).toBe(expected);
});

describe('the model stage', () => {
  const question = {
    toolName: 'Bash',
    call: 'npm test',
    folder: '/p',
    cwd: '/p',
    mode: 'auto' as const,
    descriptions: { allow: [], deny: [] },
    effect: { effect: 'unknown' as const, why: '' },
    model: { id: 'm', label: 'M', scripted: false },
  };
  function start(classify: ModelClassifier['classify']) {
    const failures: unknown[] = [];
    const abort = new AbortController();
    const running = startClassifier({
      classifier: { classify },
      question,
      signal: abort.signal,
      onFailure: (error) => failures.push(error),
    });
    return { running, failures, abort };
  }
  const unasked = { behavior: 'none', reason: 'the model could not be asked' };
  const says = (behavior: ClassifierAnswer['behavior'], confidence: ClassifierAnswer['confidence']) => () =>
    Promise.resolve({ behavior, confidence, reason: 'so' });

  test.each([
    ['allow', 'high', { behavior: 'allow', reason: 'so' }],
    ['deny', 'high', { behavior: 'deny', reason: 'so' }],
    ['none', 'high', { behavior: 'none', reason: 'so' }],
    ['allow', 'medium', { behavior: 'none', reason: 'not sure whether to allow it: so' }],
    ['deny', 'low', { behavior: 'none', reason: 'not sure whether to deny it: so' }],
  ] as const)('%s with %s confidence', async (behavior, confidence, opinion) => {
    expect(await start(says(behavior, confidence)).running.opinion(1_000)).toEqual(opinion);
  });

  it('has no opinion when it fails, and the failure is told', async () => {
    const error = new Error('no network');
    const { running, failures } = start(() => Promise.reject(error));
    expect(await running.opinion(1_000)).toEqual(unasked);
    expect(failures).toEqual([error]);
  });

  it('has no opinion when it throws at once', async () => {
    const { running, failures } = start(() => {
      throw new Error('broken');
    });
    expect(await running.opinion(1_000)).toEqual(unasked);
    expect(failures).toHaveLength(1);
  });

  it('may decline, which is no failure', async () => {
    const { running, failures } = start(() => Promise.reject(new NoOpinion('the call is too long')));
    expect(await running.opinion(1_000)).toEqual({ behavior: 'none', reason: 'the call is too long' });
    expect(failures).toEqual([]);
  });

  it('that cannot take part says why', async () => {
    const absent = absentClassifier('no model is set up');
    absent.cancel();
    expect(await absent.opinion(1_000)).toEqual({ behavior: 'none', reason: 'no model is set up' });
  });

  it('has no opinion when it is late', async () => {
    expect(await start(() => new Promise(() => undefined)).running.opinion(5)).toEqual({
      behavior: 'none',
      reason: 'no answer within 0.005 seconds',
    });
  });

  it('is told to stop when nobody waits any more, and that is no failure', async () => {
    let signal: AbortSignal | undefined;
    const { running, failures } = start((_question, given) => {
      signal = given;
      return new Promise((_resolve, reject) => given.addEventListener('abort', () => reject(new Error('aborted'))));
    });
    const opinion = running.opinion(1_000);
    await Promise.resolve();
    running.cancel();
    expect(await opinion).toEqual(unasked);
    expect([signal?.aborted, failures]).toEqual([true, []]);
  });
});
