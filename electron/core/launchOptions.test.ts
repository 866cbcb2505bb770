import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { splitRules, takeLaunch, takePermissionOptions } from './launchOptions';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'launch-')));
  await mkdir(join(root, 'lib'));
  await mkdir(join(root, 'docs'));
  await writeFile(join(root, 's.json'), '{"permissions": {"allow": ["Edit"]}}');
  await writeFile(join(root, 'broken.json'), '{\n  "a": ,\n}');
});
afterEach(() => rm(root, { recursive: true, force: true }));

test.each([
  ['Edit', ['Edit']],
  ['Edit,Read', ['Edit', 'Read']],
  ['Edit Read', ['Edit', 'Read']],
  [' Edit , Read ', ['Edit', 'Read']],
  ['Bash(git log:*) Edit', ['Bash(git log:*)', 'Edit']],
  ['Bash(echo a, b),Read(x y)', ['Bash(echo a, b)', 'Read(x y)']],
  ['Bash(echo (a b) c) Edit', ['Bash(echo (a b) c)', 'Edit']],
  ['', []],
])('%j holds the rules %j', (text, rules) => {
  expect(splitRules(text)).toEqual(rules);
});

const none = { source: 'cliArg', allow: [], deny: [], additionalDirectories: [] };

describe('takePermissionOptions', () => {
  const take = (words: readonly string[]) => takePermissionOptions(words, { cwd: root });

  test.each<[readonly string[], readonly string[], object]>([
    [[], [], none],
    [['--port', '1', 'x'], ['--port', '1', 'x'], none],
    [
      ['--allowedTools', 'Edit', 'Bash(ls:*)', '--port', '1'],
      ['--port', '1'],
      { ...none, allow: ['Edit', 'Bash(ls:*)'] },
    ],
    [['--allowed-tools=Edit,Read', '--allowedTools=Glob', 'x'], ['x'], { ...none, allow: ['Edit', 'Read', 'Glob'] }],
    [['--disallowedTools', 'Bash(rm:*), WebFetch'], [], { ...none, deny: ['Bash(rm:*)', 'WebFetch'] }],
    [['--permission-mode', 'plan', 'x'], ['x'], { ...none, defaultMode: 'plan' }],
    [['--permission-mode=manual'], [], { ...none, defaultMode: 'default' }],
  ])('%j', (words, rest, cliArg) => {
    expect(take(words)).toEqual({ ok: true, value: { rest, permissions: { flagSettings: null, cliArg } } });
  });

  it('makes folders and files absolute', () => {
    expect(take(['--settings', 's.json', '--add-dir', 'lib', 'docs', '--add-dir=.'])).toEqual({
      ok: true,
      value: {
        rest: [],
        permissions: {
          flagSettings: { file: join(root, 's.json') },
          cliArg: { ...none, additionalDirectories: [join(root, 'lib'), join(root, 'docs'), root] },
        },
      },
    });
  });

  it('takes settings as JSON', () => {
    const words = ['--settings', ' {"permissions": {"deny": ["Bash"]}}', '--folder', '/x'];
    expect(take(words)).toEqual({
      ok: true,
      value: {
        rest: ['--folder', '/x'],
        permissions: { flagSettings: { value: { permissions: { deny: ['Bash'] } } }, cliArg: none },
      },
    });
  });

  test.each([
    [['--settings'], '--settings needs a value.'],
    [['--settings', '--port'], '--settings needs a value.'],
    [['--settings='], '--settings needs a value.'],
    [['--settings', 's.json', '--settings', 's.json'], '--settings can be given once.'],
    [['--settings', 'missing.json'], 'missing.json: the file cannot be read.'],
    [['--settings', 'broken.json'], 'broken.json: line 2, column 8: a value is missing here'],
    [['--settings', '{"a": }'], '--settings: column 7 of the JSON: a value is missing here'],
    [['--allowedTools', 'Bash(ls'], '--allowedTools: “Bash(ls” is not a rule.'],
    [['--disallowedTools', 'a)b'], '--disallowedTools: “a)b” is not a rule.'],
    [['--permission-mode', 'yolo'], 'there is no such mode. Modes: default, plan, acceptEdits'],
    [['--add-dir', 'nowhere'], 'there is no such folder.'],
    [['--add-dir', 's.json'], 'there is no such folder.'],
  ])('refuses %j', (words, error) => {
    const result = take(words);
    expect(result.ok ? '' : result.error).toContain(error);
  });

  test.each<[readonly string[], readonly string[], string | null, boolean]>([
    [['--folder', 'lib', 'x'], ['x'], 'lib', false],
    [['--folder=lib', '--port', '1'], ['--port', '1'], 'lib', false],
    [['--allow-bypass'], [], null, true],
    [['--permission-mode', 'bypassPermissions'], [], null, true],
    [['--permission-mode', 'plan'], [], null, false],
  ])('%j: a folder, and the right to use bypass', (words, rest, folder, allowBypass) => {
    const taken = takeLaunch(words, { cwd: root });
    const startFolder = folder === null ? null : join(root, folder);
    expect(taken).toMatchObject({ ok: true, value: { rest, launch: { startFolder, allowBypass } } });
  });

  test('--simple is part of the launch where it is given', () => {
    const launch = (words: readonly string[]) => {
      const taken = takeLaunch(words, { cwd: root });
      return taken.ok ? [taken.value.rest, taken.value.launch.simple] : taken.error;
    };
    expect([launch(['--simple', 'x']), launch(['x'])]).toEqual([
      [['x'], true],
      [['x'], undefined],
    ]);
  });

  test.each([[['--folder']], [['--folder', '--port', '1']], [['--folder=']]])('%j lacks a folder', (words) => {
    expect(takeLaunch(words, { cwd: root })).toEqual({ ok: false, error: '--folder needs a value.' });
  });
});
