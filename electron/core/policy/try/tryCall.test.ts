import { beforeAll, describe, expect, it, test } from 'vitest';
import type { TriedCall, TriedStep } from '#shared/api/rules';
import type { RuleRef } from '#shared/permissions/decision';
import { memoryView } from '../../permissions/caseWorld';
import { noSources } from '../../permissions/combineSources';
import { isReadOnlyCommand } from '../../permissions/readOnlyCommand';
import type { SettingsInForce } from '../../permissions/settingsInForce';
import { loadSecondParser } from '../../permissions/shell/treeSitter';
import { builtInTools } from '../../tools/builtInTools';
import { readCallLine } from './callLine';
import { tryCall } from './tryCall';

beforeAll(async () => loadSecondParser());

test.each<[string, string, object]>([
  ['git push', 'Bash', { command: 'git push' }],
  ['  ls -l ', 'Bash', { command: 'ls -l' }],
  ['Bash(git push)', 'Bash', { command: 'git push' }],
  ['(cd x; ls)', 'Bash', { command: '(cd x; ls)' }],
  ['echo $(Read)', 'Bash', { command: 'echo $(Read)' }],
  ['Read src/a b.ts', 'Read', { file_path: 'src/a b.ts' }],
  ['Edit src/a.ts', 'Edit', { file_path: 'src/a.ts', old_string: 'old', new_string: 'new' }],
  ['WebFetch https://example.com/x', 'WebFetch', { url: 'https://example.com/x', prompt: 'What does it say?' }],
  ['WebFetch(domain:example.com)', 'WebFetch', { url: 'https://example.com', prompt: 'What does it say?' }],
  ['mcp__git__push {"remote": "origin"}', 'mcp__git__push', { remote: 'origin' }],
  ['mcp__git__push', 'mcp__git__push', {}],
  ['Grep {"pattern": "TODO", "path": "src"}', 'Grep', { pattern: 'TODO', path: 'src' }],
  ['Makefile.sh x', 'Bash', { command: 'Makefile.sh x' }],
])('%s', (line, tool, input) => {
  const read = readCallLine(line);
  expect(read.ok && { tool: read.value.tool, input: read.value.input }).toEqual({ tool, input });
});

test.each([
  ['', 'Write a call'],
  ['Raed src/a.ts', 'There is no tool Raed. Did you mean Read?'],
  ['bash(ls)', 'There is no tool bash. Did you mean Bash?'],
  ['Read', 'Read needs something'],
  ['mcp__a__b x', 'Give the input of mcp__a__b as JSON'],
  ['Grep {"a"', 'The text behind the tool’s name is not JSON'],
])('%j is no call', (line, problem) => {
  const read = readCallLine(line);
  expect(!read.ok && read.error.startsWith(problem)).toBe(true);
});

const rule = (text: string, behavior: RuleRef['behavior']) => ({
  ref: { text, behavior, source: 'userSettings' as const, file: '/home/kim/.claude/settings.json', line: 4 },
  sourceFolder: '/home/kim/.claude',
});

const hooks: readonly SettingsInForce[] = [
  {
    source: 'userSettings',
    path: '/home/kim/.claude/settings.json',
    unknown: false,
    waits: false,
    content: {
      value: {
        hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: './guard.sh' }] }] },
      },
      lineOf: () => 3,
    },
  },
];

async function tried(call: TriedCall | string, files: readonly SettingsInForce[] = []) {
  const sources = {
    ...noSources('/srv/app'),
    rules: [rule('Bash(npm test *)', 'allow'), rule('Bash(git push *)', 'deny')],
  };
  return await tryCall({
    call: typeof call === 'string' ? { kind: 'line', line: call } : call,
    sources,
    cwd: '/srv/app',
    mode: 'default',
    host: {
      home: '/home/kim',
      data: null,
      privateFiles: [],
      platform: 'linux',
      view: memoryView(new Map([['/srv/app/a.ts', '']])),
    },
    tools: builtInTools({ isReadOnlyCommand }),
    files,
  });
}

async function statesOf(
  call: TriedCall | string,
  files?: readonly SettingsInForce[],
): Promise<readonly TriedStep['state'][]> {
  const trial = await tried(call, files);
  return trial.ok ? trial.value.steps.map((one) => one.state) : [];
}

describe('a trial', () => {
  it('goes through all seven steps', async () => {
    expect(await statesOf('npm test')).toEqual(['passes', 'passes', 'passes', 'passes', 'passes', 'passes', 'passes']);
    expect(await statesOf('npm ci')).toEqual(['passes', 'passes', 'passes', 'passes', 'asks', 'open', 'passes']);
    expect(await statesOf('git push')).toEqual([
      'passes',
      'passes',
      'passes',
      'passes',
      'stops',
      'notReached',
      'notReached',
    ]);
    expect(await statesOf('Edit a.ts')).toEqual(['passes', 'passes', 'open', 'passes', 'asks', 'open', 'passes']);
    expect(await statesOf('mcp__x__y')).toEqual(['open', 'open', 'open', 'passes', 'asks', 'open', 'passes']);
  });

  it('names the rule and its place, and gives all that lies behind', async () => {
    const trial = await tried('git push -f');
    expect(trial.ok && trial.value.decision?.reason).toEqual({
      type: 'rule',
      rule: rule('Bash(git push *)', 'deny').ref,
    });
    expect(trial.ok && trial.value.decision?.why?.rules.length).toBe(1);
  });

  it('names hooks that would run and runs none', async () => {
    const trial = await tried('npm test', hooks);
    expect(trial.ok && trial.value.steps[3]).toEqual({
      step: 'preHook',
      state: 'open',
      detail: 'Would run, and was not run now: ./guard.sh. It may stop, change or allow the call.',
    });
  });

  it('stops at what is no input, and at a name that is close to another', async () => {
    const stop = ['passes', 'stops', 'notReached', 'notReached', 'notReached', 'notReached', 'notReached'];
    expect(await statesOf({ kind: 'input', tool: 'Read', input: { file_pat: 'x' } })).toEqual(stop);
    const unknown = await tried({ kind: 'input', tool: 'Reed', input: {} });
    expect(unknown.ok && [unknown.value.steps[0]?.state, unknown.value.decision]).toEqual(['stops', null]);
  });

  it('takes an old name', async () => {
    const trial = await tried({ kind: 'input', tool: 'BashOutput', input: { task_id: 'x' } });
    expect(trial.ok && trial.value.steps[0]?.detail).toBe('BashOutput is an old name of TaskOutput.');
  });

  it('refuses a line that is no call', async () => {
    expect(await tried('Raed x')).toMatchObject({ ok: false });
  });
});
