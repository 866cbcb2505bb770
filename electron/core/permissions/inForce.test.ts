// What every call asks the engine besides its decision, on a real disk.
import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { PermissionEngine } from './engine';
import { createPermissionEngine } from './permissionEngine';
import { engineWorld } from './testing/engineWorld';

let base: string;
let engine: PermissionEngine;
const { project, file, engineOptions, situation, bash, put } = engineWorld(() => base);

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'in-force-')));
  await mkdir(join(project(), '.claude'), { recursive: true });
  engine = createPermissionEngine(engineOptions());
  await engine.openSession('s', project());
});
afterEach(async () => {
  await engine.dispose();
  await rm(base, { recursive: true, force: true });
});

it('reads an edited file before it names the rules, and names the folders that were found then', async () => {
  const before = [engine.inForce('s'), engine.workingFolders('s')];
  const more = join(base, 'more');
  await mkdir(more);
  await put(file.user(), { permissions: { deny: ['Grep'], additionalDirectories: [more] } });
  const after = [engine.inForce('s').map(({ text }) => text), engine.workingFolders('s')];
  expect([before, after]).toEqual([
    [[], [project()]],
    [['Grep'], [project(), more]],
  ]);
});

it('knows no rules and no folders of a session that is not open', () => {
  expect([engine.inForce('other'), engine.workingFolders('other')]).toEqual([[], []]);
});

it('gives the same list while no rule has changed', async () => {
  const first = engine.inForce('s');
  const same = engine.inForce('s') === first;
  await engine.saveRules({ sessionId: 's', rules: ['Bash(npm test)'], source: 'session' });
  expect([same, engine.inForce('s').map(({ text }) => text)]).toEqual([true, ['Bash(npm test)']]);
});

it('classifies only where a model takes part', async () => {
  const nobody = await engine.classify(bash('npm test'), situation());
  await put(file.user(), { autoMode: { allow: ['Running the tests'] } });
  const asked = await engine.classify(bash('npm test'), situation());
  expect([nobody, asked?.descriptions.allow, asked?.open]).toEqual([null, ['Running the tests'], true]);
});

it('decides by files as they are now, even where its lists were asked for a moment before in the same step', async () => {
  const deny = (...rules: string[]) => writeFileSync(file.user(), JSON.stringify({ permissions: { deny: rules } }));
  const listed = () => engine.inForce('s').map(({ text }) => text);
  await mkdir(dirname(file.user()), { recursive: true });
  await engine.evaluate(bash('ls'), situation());
  await new Promise(setImmediate);
  const before = listed();
  deny('Bash(ls)');
  const { decision } = await engine.evaluate(bash('ls'), situation());
  const after = listed();
  deny('Bash(ls)', 'Grep');
  await new Promise(setImmediate);
  expect([before, decision.behavior, after, listed()]).toEqual([[], 'deny', ['Bash(ls)'], ['Bash(ls)', 'Grep']]);
});
