import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PermissionEngine } from './engine';
import { createPermissionEngine } from './permissionEngine';
import { engineWorld } from './testing/engineWorld';

let base = '';
let engine: PermissionEngine;
const world = engineWorld(() => base);

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'gatehouse-updates-'));
  engine = createPermissionEngine(world.engineOptions());
  await engine.openSession('s', world.project());
});
afterEach(async () => {
  await engine.dispose();
  await rm(base, { recursive: true, force: true });
});

const verdict = async (command: string) =>
  (await engine.evaluate(world.bash(command), world.situation())).decision.behavior;
const read = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'));

test('rules of each kind live in the session until they are removed or replaced', async () => {
  const destination = 'session' as const;
  const added = await engine.applyUpdates('s', [
    { type: 'addRules', behavior: 'allow', rules: ['Bash(make *)', 'Bash(npm *)'], destination },
    { type: 'addRules', behavior: 'deny', rules: ['Bash(npm publish)'], destination },
    { type: 'addRules', behavior: 'ask', rules: ['Bash(make clean)'], destination },
  ]);
  expect(added.map(({ problem }) => problem)).toEqual([null, null, null]);
  expect(added[0]?.added).toEqual({ rules: ['Bash(make *)', 'Bash(npm *)'], source: 'session', file: null });
  expect([await verdict('make all'), await verdict('npm publish'), await verdict('make clean')]).toEqual([
    'allow',
    'deny',
    'ask',
  ]);
  await engine.applyUpdates('s', [
    { type: 'removeRules', behavior: 'ask', rules: ['Bash(make clean)'], destination },
    { type: 'replaceRules', behavior: 'allow', rules: ['Bash(make *)'], destination },
  ]);
  expect([await verdict('make clean'), await verdict('npm test'), await verdict('npm publish')]).toEqual([
    'allow',
    'ask',
    'deny',
  ]);
});

test('rules in files are changed as text; replacing leaves the other lists alone', async () => {
  await world.put(world.file.user(), {
    theme: 'dark',
    permissions: { allow: ['Read', 'Bash(ls)'], deny: ['Bash(curl *)'] },
  });
  const destination = 'userSettings' as const;
  const [replaced] = await engine.applyUpdates('s', [
    { type: 'replaceRules', behavior: 'allow', rules: ['Read', 'Bash(make *)'], destination },
    { type: 'removeRules', behavior: 'deny', rules: ['Bash(curl *)', 'Bash(never there)'], destination },
  ]);
  expect(replaced?.added?.file).toBe(world.file.user());
  expect(await read(world.file.user())).toEqual({
    theme: 'dark',
    permissions: { allow: ['Read', 'Bash(make *)'], deny: [] },
  });
});

test('one change that cannot be made leaves the others', async () => {
  await world.put(world.file.local(), '{ broken');
  const results = await engine.applyUpdates('s', [
    { type: 'addRules', behavior: 'deny', rules: ['Bash(('], destination: 'session' },
    { type: 'addRules', behavior: 'allow', rules: ['Bash(a)\nRead'], destination: 'session' },
    { type: 'removeRules', behavior: 'allow', rules: ['Read'], destination: 'localSettings' },
    { type: 'addDirectories', directories: ['relative'] },
    { type: 'addRules', behavior: 'deny', rules: Array.from({ length: 201 }, () => 'Read'), destination: 'session' },
    { type: 'addRules', behavior: 'deny', rules: ['Bash(curl *)'], destination: 'session' },
  ]);
  expect(results.map(({ problem }) => problem !== null)).toEqual([true, true, true, true, true, false]);
  expect(await verdict('curl x')).toBe('deny');
});

test('working folders are added and taken back', async () => {
  await engine.applyUpdates('s', [{ type: 'addDirectories', directories: ['/srv/a', '/srv/b'] }]);
  await engine.applyUpdates('s', [{ type: 'removeDirectories', directories: ['/srv/a'] }]);
  expect(engine.view('s').folders).toEqual([world.project(), '/srv/b']);
});

test('where only the policy counts nothing is added', async () => {
  await world.put(world.file.managed(), { allowManagedPermissionRulesOnly: true });
  const [result] = await engine.applyUpdates('s', [
    { type: 'addRules', behavior: 'allow', rules: ['Bash'], destination: 'session' },
  ]);
  expect(result?.problem).toBe('The administrator lets only the rules of the policy count.');
  expect(await verdict('make all')).toBe('ask');
});

test('a session that is gone is told', async () => {
  engine.closeSession('s');
  const [result] = await engine.applyUpdates('s', [
    { type: 'addRules', behavior: 'allow', rules: ['Bash'], destination: 'session' },
  ]);
  expect(result?.problem).toBe('The session is not open any more.');
});

test('adding by hand is shown before it is done, with file and line, and changes nothing yet', async () => {
  await world.put(world.file.local(), '{\n  "permissions": {\n    "deny": ["Bash(rm *)"]\n  }\n}\n');
  const change = {
    behavior: 'deny' as const,
    rules: ['mcp__files__write_file'],
    destination: 'localSettings' as const,
  };
  const shown = await engine.previewAdded('s', change);
  expect(shown).toMatchObject({ problems: [], file: world.file.local() });
  expect(shown.addedLines.map(({ text }) => text.trim()).join('\n')).toContain('"mcp__files__write_file"');
  expect(await read(world.file.local())).toEqual({ permissions: { deny: ['Bash(rm *)'] } });
  expect(await engine.previewAdded('s', { ...change, destination: 'session' })).toEqual({
    problems: [],
    file: null,
    addedLines: [],
  });
});

test.each([
  ['a rule of no known form', 'Bash(', 'localSettings'],
  ['two lines', 'Bash(a)\nBash(b)', 'session'],
] as const)('adding by hand says what is wrong: %s', async (_name, rule, destination) => {
  const { problems } = await engine.previewAdded('s', { behavior: 'deny', rules: [rule], destination });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain('Bash(');
});
