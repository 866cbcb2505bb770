import { beforeAll, describe, expect, it, test } from 'vitest';
import type { RuleTest } from '#shared/api/rules';
import type { Behavior } from '#shared/permissions/decision';
import { memoryView } from '../../permissions/caseWorld';
import { noSources, type Sources } from '../../permissions/combineSources';
import { isReadOnlyCommand } from '../../permissions/readOnlyCommand';
import { loadSecondParser } from '../../permissions/shell/treeSitter';
import { builtInTools } from '../../tools/builtInTools';
import { runTests } from './runTests';
import { readTests, sameTests, writeTests } from './testFile';

beforeAll(async () => loadSecondParser());

const folder = '/srv/app';
const tools = builtInTools({ isReadOnlyCommand });
const host = {
  home: '/home/kim',
  data: null,
  privateFiles: [],
  platform: 'linux',
  view: memoryView(new Map([['/srv/app/src/a.ts', '']])),
} as const;

function sourcesWith(lists: Partial<Record<Behavior, readonly string[]>>): Sources {
  const rules = (['allow', 'ask', 'deny'] as const).flatMap((behavior) =>
    (lists[behavior] ?? []).map((text, at) => ({
      ref: {
        text,
        behavior,
        source: 'projectSettings' as const,
        file: `${folder}/.claude/settings.json`,
        line: at + 4,
      },
      sourceFolder: null,
    })),
  );
  return { ...noSources(folder), rules };
}

const sources = sourcesWith({
  allow: ['Bash(npm test *)', 'Edit(src/**)'],
  deny: ['Bash(git push *)'],
  ask: ['WebFetch'],
});

const call = (more: Partial<Extract<RuleTest, { kind: 'call' }>>): RuleTest => ({
  kind: 'call',
  name: 'one',
  tool: 'Bash',
  input: { command: 'npm test' },
  expect: 'allow',
  ...more,
});
const rule = (more: Partial<Extract<RuleTest, { kind: 'rule' }>>): RuleTest => ({
  kind: 'rule',
  name: 'one',
  rule: 'Bash(git push *)',
  match: [],
  notMatch: [],
  ...more,
});

const edit = { file_path: 'src/a.ts', old_string: 'a', new_string: 'b' };

test.each<[string, RuleTest, string]>([
  ['allowed', call({}), ''],
  ['denied by a rule', call({ input: { command: 'git push' }, expect: 'deny' }), ''],
  [
    'another verdict',
    call({ input: { command: 'git push -f' } }),
    'allow was expected; it came to deny, because of Bash(git push *) · project, line 4 (/srv/app/.claude/settings.json).',
  ],
  ['a mode', call({ tool: 'Write', input: { file_path: 'x', content: '' }, mode: 'acceptEdits' }), ''],
  ['a folder below', call({ tool: 'Edit', input: { ...edit, file_path: 'a.ts' }, cwd: 'src' }), ''],
  ['a folder above', call({ cwd: '..' }), '“cwd” .. leads out of the project’s folder.'],
  ['an absolute folder elsewhere', call({ cwd: '/etc' }), '“cwd” /etc leads out of the project’s folder.'],
  ['odd input', call({ tool: 'Edit', input: { file_path: 1 } }), 'This is no input for Edit: '],
  ['a tool that is not there', call({ tool: 'mcp__git__push', input: {}, expect: 'ask' }), ''],
  [
    'a match',
    rule({ match: ['git push', 'git push origin', 'cd x && git push'], notMatch: ['git pushd', 'git stash'] }),
    '',
  ],
  ['no match', rule({ match: ['git stash'] }), 'Bash(git push *) does not speak of “git stash”, and it should.'],
  [
    'a match too many',
    rule({ notMatch: ['git push -f'] }),
    'Bash(git push *) speaks of “git push -f”, and it should not.',
  ],
  [
    'a path',
    rule({ rule: 'Edit(src/**)', match: ['Edit src/a.ts', 'Write src/b.ts'], notMatch: ['Edit lib/a.ts'] }),
    '',
  ],
  [
    'a rule that stands nowhere',
    rule({
      rule: 'WebFetch(domain:*.example.com)',
      match: ['WebFetch https://a.example.com/x'],
      notMatch: ['WebFetch https://example.com'],
    }),
    '',
  ],
  ['a dead rule', rule({ rule: 'Write(x)', match: ['Write x'] }), 'The rule never matches anything: '],
  ['no call', rule({ match: ['Bahs(x)'] }), '“Bahs(x)”: There is no tool Bahs. Did you mean Bash?'],
])('%s', (_, one, problem) => {
  const [result] = runTests([one], { sources, host, tools });
  if (problem === '') expect(result).toEqual({ test: one, passed: true, problem: '' });
  else {
    expect(result?.passed).toBe(false);
    expect(result?.problem.startsWith(problem)).toBe(true);
  }
});

describe('the file', () => {
  const tests = [call({}), rule({ match: ['git push'] })];

  it('gives back what was written, whatever order the fields came in', () => {
    const read = readTests(writeTests(tests));
    expect(read).toEqual({ ok: true, value: { tests, problems: [] } });
    const turned = tests.map((one) => Object.fromEntries(Object.entries(one).reverse()) as RuleTest);
    expect(sameTests(turned, tests)).toBe(true);
    expect(sameTests([...tests].reverse(), tests)).toBe(false);
    expect(writeTests(tests)).toMatch(/^\{\n {2}"version": 1,\n {2}"tests": \[\n/);
  });

  it.each([
    ['nothing', null],
    ['blank', ' \n'],
  ])('is empty when there is %s', (_, text) => {
    expect(readTests(text)).toEqual({ ok: true, value: { tests: [], problems: [] } });
  });

  it('names what it skips, with the line', () => {
    const text =
      '{\n "version": 1,\n "more": 2,\n "tests": [\n  {"kind":"call"},\n  {"kind":"rule","name":"x","rule":"Bash","match":[],"notMatch":[],"run":"rm"}\n ]\n}';
    const read = readTests(text);
    expect(read.ok && read.value.tests).toEqual([]);
    expect(read.ok && read.value.problems.map((one) => one.line)).toEqual([3, 5, 6]);
  });

  it.each([
    ['broken JSON', '{"version": 1,', 'Line 1'],
    ['another version', '{"version": 2, "tests": []}', 'Line 1: “version” must be 1'],
    ['no list', '{"version": 1, "tests": {}}', 'Line 1: “tests” must be a list.'],
    ['no object', '[]', 'Line 1: the file must hold an object'],
  ])('is refused as a whole with %s', (_, text, problem) => {
    const read = readTests(text);
    expect(read.ok).toBe(false);
    expect(!read.ok && read.error.startsWith(problem)).toBe(true);
  });
});
