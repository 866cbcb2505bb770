// What counts for a while: rules with an end, limits after denials, calls that come again and again.
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PermissionEngine, PermissionSituation } from './engine';
import { createPermissionEngine } from './permissionEngine';
import { engineWorld } from './testing/engineWorld';

let base: string;
let clock: number;
let engine: PermissionEngine;
const minute = 60_000;
const { project, engineOptions, situation, bash } = engineWorld(() => base);

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'lifetimes-')));
  clock = 1_000_000;
  await mkdir(project());
  engine = createPermissionEngine({ ...engineOptions(), now: () => clock });
  await engine.openSession('s', project());
});
afterEach(async () => {
  await engine.dispose();
  await rm(base, { recursive: true, force: true });
});

async function decided(command: string, more: Partial<PermissionSituation> = {}) {
  return (await engine.evaluate(bash(command), situation(more))).decision;
}
const behavior = async (command: string) => (await decided(command)).behavior;

describe('what ends by itself', () => {
  it.each([
    ['quarterHour', 15 * minute],
    ['hour', 60 * minute],
  ] as const)('a rule for one %s', async (lifetime, length) => {
    const saved = await engine.saveRules({ sessionId: 's', rules: ['Bash(make:*)'], source: 'session', lifetime });
    expect(saved.ok && saved.value.file).toBeNull();
    expect(engine.view('s').expiring).toEqual([{ text: 'Bash(make:*)', until: clock + length }]);
    clock += length - 1;
    expect(await behavior('make')).toBe('allow');
    const told: string[] = [];
    engine.onChange((sessionId) => told.push(sessionId));
    clock += 1;
    expect(await behavior('make')).toBe('ask');
    expect([told, engine.view('s').expiring]).toEqual([['s'], []]);
  });

  it('a rule until the task ends, and the rules of a command', async () => {
    await engine.saveRules({ sessionId: 's', rules: ['Bash(make:*)'], source: 'session', lifetime: 'turn' });
    await engine.saveRules({ sessionId: 's', rules: ['Bash(npm ci)'], source: 'session' });
    engine.setCommandRules('s', { allow: ['Bash(go:*)'], deny: ['Bash(npm test)'] });
    expect(engine.view('s').expiring).toEqual([{ text: 'Bash(make:*)', until: null }]);
    const all = async () => [
      await behavior('make'),
      await behavior('npm ci'),
      await behavior('go x'),
      await behavior('npm test'),
    ];
    expect(await all()).toEqual(['allow', 'allow', 'allow', 'deny']);
    engine.endTurn('s');
    expect(await all()).toEqual(['ask', 'allow', 'ask', 'ask']);
    expect(engine.view('s').expiring).toEqual([]);
  });

  it('saving a rule again gives it the new end', async () => {
    await engine.saveRules({ sessionId: 's', rules: ['Bash(make:*)'], source: 'session', lifetime: 'quarterHour' });
    await engine.saveRules({ sessionId: 's', rules: ['Bash(make:*)'], source: 'session' });
    clock += 60 * minute;
    expect([await behavior('make'), engine.view('s').rules.length]).toEqual(['allow', 1]);
  });
});

describe('the guards', () => {
  it('three denials: denied without asking until the five minutes are over, or until lifted', async () => {
    const { pattern } = await engine.evaluate(bash('git push origin main'), situation());
    expect(pattern).toBe('Bash(git push)');
    expect([engine.recordDenial('s', pattern), engine.recordDenial('s', pattern)]).toEqual([null, null]);
    const block = { pattern, count: 3, until: clock + 5 * minute };
    expect(engine.recordDenial('s', pattern)).toEqual(block);
    expect(engine.recordDenial('s', pattern)).toBeNull();
    expect((await decided('git push --force')).reason).toMatchObject({ type: 'denialLimit' });
    expect([await behavior('git push x'), await behavior('git status'), await behavior('npm ci')]).toEqual([
      'deny',
      'allow',
      'ask',
    ]);
    expect(engine.view('s').denials).toEqual([{ ...block, count: 4 }]);
    clock += 5 * minute;
    expect([await behavior('git push x'), engine.view('s').denials]).toEqual(['ask', []]);
  });

  it('lifting tells the page, once', async () => {
    for (let count = 0; count < 3; count += 1) engine.recordDenial('s', 'Bash(git push)');
    const told: string[] = [];
    engine.onChange((sessionId) => told.push(sessionId));
    expect([engine.liftDenial('s', 'Bash(git push)'), engine.liftDenial('s', 'Bash(git push)')]).toEqual([true, false]);
    expect([told, await behavior('git push x')]).toEqual([['s'], 'ask']);
  });

  it('a saved rule goes before the limit', async () => {
    for (let count = 0; count < 3; count += 1) engine.recordDenial('s', 'Bash(git push)');
    await engine.saveRules({ sessionId: 's', rules: ['Bash(git push:*)'], source: 'session' });
    expect(await behavior('git push x')).toBe('allow');
  });

  it('each session has its own', async () => {
    await engine.openSession('t', project());
    for (let count = 0; count < 3; count += 1) engine.recordDenial('t', 'Bash(git push)');
    expect(await behavior('git push x')).toBe('ask');
  });

  it('counts identical calls within a turn, and asks at the third', async () => {
    const call = { toolName: 'Bash', input: { command: 'ls' } };
    expect([1, 2, 3].map(() => engine.countCall('s', call))).toEqual([1, 2, 3]);
    engine.startTurn('s');
    expect(engine.countCall('s', call)).toBe(1);
    const third = await engine.evaluate(bash('ls'), situation({ repeats: 3 }));
    const gates = third.decision.why?.gates.map(({ check, decides }) => ({ check, decides }));
    expect(gates).toEqual([{ check: 'repeatedCall', decides: true }]);
    expect([third.decision.behavior, third.decision.reason, third.suggestions]).toEqual([
      'ask',
      {
        type: 'safety',
        check: 'repeatedCall',
        detail: 'This is the same call 3 times in a row; the agent may be going round in circles.',
      },
      [],
    ]);
    expect((await decided('ls', { repeats: 3, mode: 'dontAsk' })).behavior).toBe('deny');
    expect((await decided('ls', { repeats: 3, mode: 'bypassPermissions' })).behavior).toBe('allow');
  });
});
