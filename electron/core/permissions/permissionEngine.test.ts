import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CallFact } from '../tools/tool';
import type { PermissionEngine, PermissionRequest, PermissionSituation } from './engine';
import { createPermissionEngine, type PermissionEngineOptions } from './permissionEngine';
import { loadSecondParser } from './shell/treeSitter';
import { engineWorld } from './testing/engineWorld';
import { createFolderTrust, type FolderTrust } from './trust';

let base: string;
let engine: PermissionEngine;
const { project, file, engineOptions, situation } = engineWorld(() => base);
const untrusted = (): FolderTrust => {
  const kept = new Map<string, unknown>();
  return createFolderTrust({
    preference: (key) => kept.get(key),
    setPreference: (key, value) => void kept.set(key, value),
  });
};
function make(more: Partial<PermissionEngineOptions> = {}): PermissionEngine {
  return createPermissionEngine({ ...engineOptions(), ...more });
}

// Loading the grammar takes most of the time that a hook has, on a busy machine.
beforeAll(loadSecondParser, 60_000);

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'engine-')));
  for (const folder of ['data', 'home/.claude', 'etc', 'project/.claude', 'project/src'])
    await mkdir(join(base, folder), { recursive: true });
  engine = make();
  await engine.openSession('s', project());
});
afterEach(async () => {
  await engine.dispose();
  await rm(base, { recursive: true, force: true });
});

function request(toolName: string, facts: readonly CallFact[], input: Record<string, unknown> = {}): PermissionRequest {
  return {
    toolName,
    isMcp: toolName.startsWith('mcp__'),
    isReadOnly: toolName === 'Read',
    input,
    facts,
    own: { behavior: 'passthrough' },
  };
}
const bash = (command: string): PermissionRequest =>
  request('Bash', [{ kind: 'command', command, cwd: project() }], { command });
const edit = (path: string): PermissionRequest =>
  request('Edit', [{ kind: 'path', access: 'write', path }], { file_path: path });

async function behavior(what: PermissionRequest, more: Partial<PermissionSituation> = {}): Promise<string> {
  return (await engine.evaluate(what, situation(more))).decision.behavior;
}

async function settings(path: string, permissions: Record<string, unknown>): Promise<void> {
  await writeFile(path, `${JSON.stringify({ permissions }, null, 2)}\n`);
}

describe('sources', () => {
  it('names the rule, its source, file and line', async () => {
    await settings(file.project(), { deny: ['Bash(rm:*)'], allow: ['Bash(ls:*)', 'Bash(npm test:*)'] });
    const { decision } = await engine.evaluate(bash('npm test'), situation());
    expect(decision.reason).toEqual({
      type: 'rule',
      rule: { text: 'Bash(npm test:*)', behavior: 'allow', source: 'projectSettings', file: file.project(), line: 8 },
    });
  });

  it('takes an edited file from the next call on', async () => {
    await settings(file.local(), { allow: ['Bash(npm test:*)'] });
    expect(await behavior(bash('npm test'))).toBe('allow');
    await settings(file.local(), { deny: ['Bash(npm test:*)'] });
    expect(await behavior(bash('npm test'))).toBe('deny');
    await rm(file.local());
    expect(await behavior(bash('npm test'))).toBe('ask');
  });

  it('sees each of many edits of the same length that follow at once', async () => {
    for (let edit = 0; edit < 60; edit++) {
      const word = edit % 2 === 0 ? 'even' : 'odds';
      await settings(file.local(), { allow: [`Bash(${word}:*)`] });
      expect([await behavior(bash('even')), await behavior(bash('odds'))]).toEqual(
        edit % 2 === 0 ? ['allow', 'ask'] : ['ask', 'allow'],
      );
    }
  });

  it('keeps the rules of a file that a writer has emptied before filling it', async () => {
    await settings(file.user(), { deny: ['Bash(ls:*)'] });
    expect(await behavior(bash('ls'))).toBe('deny');
    await writeFile(file.user(), '');
    expect(await behavior(bash('ls'))).toBe('deny');
    expect(engine.view('s').files.find((one) => one.source === 'userSettings')).toMatchObject({
      state: 'broken',
      problem: 'The file is empty. Its last good rules stay in force. Write {} into it if it is to have none.',
    });
    await writeFile(file.user(), '{}');
    expect(await behavior(bash('ls'))).toBe('allow');
  });

  it('keeps the last good rules of a broken file and says where it is broken', async () => {
    await settings(file.user(), { allow: ['Bash(npm test:*)'] });
    expect(await behavior(bash('npm test'))).toBe('allow');
    await writeFile(file.user(), '{\n  "permissions": {\n    "allow": [,]\n  }\n}');
    expect(await behavior(bash('npm test'))).toBe('allow');
    const broken = engine.view('s').files.find((one) => one.source === 'userSettings');
    expect(broken).toMatchObject({ state: 'broken', line: 3, column: 15 });
    expect(broken?.problem).toContain('Its last good rules stay in force');
    await settings(file.user(), { allow: [] });
    expect(await behavior(bash('npm test'))).toBe('ask');
  });

  it('has no rules of a file that was broken from the start, and skips a bad entry alone', async () => {
    await writeFile(file.user(), '{');
    await settings(file.local(), { allow: ['Bash(npm test:*)', 5, 'Write(src/**)'] });
    expect(await behavior(bash('npm test'))).toBe('allow');
    const view = engine.view('s');
    expect(view.files.map((one) => [one.source, one.state, one.line ?? 0])).toEqual([
      ['policySettings', 'absent', 0],
      ['localSettings', 'read', 5],
      ['projectSettings', 'absent', 0],
      ['userSettings', 'broken', 1],
    ]);
    expect(view.warnings.map((one) => [one.rule.text, one.instead])).toEqual([['Write(src/**)', 'Edit(src/**)']]);
  });

  it('reads the policy with its drop-ins, and what was given at launch', async () => {
    await mkdir(join(base, 'etc', 'managed-settings.d'));
    await settings(join(base, 'etc', 'managed-settings.json'), { deny: ['Bash(curl:*)'] });
    await settings(join(base, 'etc', 'managed-settings.d', '10.json'), {
      ask: ['Bash(make:*)'],
      disableBypassPermissionsMode: 'disable',
    });
    await engine.dispose();
    engine = make({ extraSources: [{ source: 'cliArg', allow: ['Bash(make:*)', 'Bash(npm ci)'] }] });
    await engine.openSession('s', project());
    expect([await behavior(bash('curl x')), await behavior(bash('make')), await behavior(bash('npm ci'))]).toEqual([
      'deny',
      'ask',
      'allow',
    ]);
    expect(engine.modeAvailable('bypassPermissions').available).toBe(false);
  });

  it('puts the local file at the root of the git checkout, for a worktree at the main one', async () => {
    await mkdir(join(project(), '.git', 'worktrees', 'w'), { recursive: true });
    await mkdir(join(base, 'tree', 'deep'), { recursive: true });
    await writeFile(join(base, 'tree', '.git'), `gitdir: ${join(project(), '.git', 'worktrees', 'w')}\n`);
    await settings(file.local(), { allow: ['Bash(npm test:*)'] });
    for (const [name, folder] of [
      ['a', join(project(), 'src')],
      ['b', join(base, 'tree', 'deep')],
    ] as const) {
      await engine.openSession(name, folder);
      expect(await behavior(bash('npm test'), { sessionId: name, folder, cwd: folder })).toBe('allow');
    }
  });

  it('takes the starting mode from the strongest source, never a wide one from the repository', async () => {
    await settings(file.user(), { defaultMode: 'acceptEdits' });
    expect(engine.startingMode('s')).toBe('acceptEdits');
    await settings(file.project(), { defaultMode: 'bypassPermissions' });
    expect(engine.startingMode('s')).toBe('acceptEdits');
    await settings(file.local(), { defaultMode: 'plan' });
    expect(engine.startingMode('s')).toBe('plan');
  });

  it('tells when a file was edited by somebody else, without being asked', async () => {
    const told: string[] = [];
    engine.onChange((sessionId) => told.push(sessionId));
    let edits = 0;
    await vi.waitFor(
      async () => {
        await settings(file.local(), { allow: [`Bash(make ${edits++})`] });
        expect(told).toContain('s');
      },
      { timeout: 15_000, interval: 100 },
    );
  });

  it('takes only restrictions from an untrusted folder', async () => {
    await settings(file.project(), {
      allow: ['Bash(npm test:*)'],
      deny: ['Bash(npm ci:*)'],
      additionalDirectories: ['/srv'],
      defaultMode: 'acceptEdits',
    });
    await engine.dispose();
    engine = make({ trust: untrusted() });
    await engine.openSession('s', project());
    expect([
      await behavior(bash('npm test')),
      await behavior(bash('npm ci')),
      await behavior(bash('cat /srv/x')),
    ]).toEqual(['ask', 'deny', 'ask']);
    expect(engine.startingMode('s')).toBe('default');
  });

  it('tells when rules changed', async () => {
    const told: string[] = [];
    const stop = engine.onChange((sessionId) => told.push(sessionId));
    await engine.saveRules({ sessionId: 's', rules: ['Bash(make:*)'], source: 'session' });
    stop();
    await engine.saveRules({ sessionId: 's', rules: ['Bash(go:*)'], source: 'session' });
    expect(told).toEqual(['s']);
  });
});

describe('modes', () => {
  it.each([
    ['bypass not enabled at launch', { allowBypass: false }],
    ['as root', { runsAsRoot: true }],
  ])('refuses bypass: %s', (_, options) => {
    const other = make(options);
    expect(other.modeAvailable('bypassPermissions').available).toBe(false);
    expect(other.modeAvailable('plan')).toEqual({ available: true, reason: '' });
  });
});

describe('files', () => {
  it('never opens its own secrets, in no mode and by no rule', async () => {
    await settings(file.user(), { allow: ['Bash', 'Read', 'Edit'] });
    await symlink(join(base, 'data', 'key'), join(project(), 'innocent'));
    const key = join(base, 'data', 'key');
    await writeFile(key, 'x');
    for (const command of [
      `cat ${key}`,
      'cat innocent',
      `cat ${join(base, 'data')}/k*`,
      `echo x > ${key}`,
      `bash -c 'cat ${key}'`,
    ])
      expect([command, await behavior(bash(command), { mode: 'bypassPermissions' })]).toEqual([command, 'deny']);
    expect(await behavior(edit(key), { mode: 'bypassPermissions' })).toBe('deny');
  });

  it('follows links, also to files that do not exist yet', async () => {
    await symlink(join(base, 'home'), join(project(), 'out'));
    const { decision, paths: shown } = await engine.evaluate(
      edit(join(project(), 'out', 'new.txt')),
      situation({ mode: 'acceptEdits' }),
    );
    expect([decision.behavior, shown]).toEqual([
      'ask',
      [{ given: join(project(), 'out', 'new.txt'), real: join(base, 'home', 'new.txt'), access: 'write' }],
    ]);
  });
});

describe('saving', () => {
  it('writes the suggested rule, and the call runs', async () => {
    await writeFile(file.local(), '{\n  "model": "x",\n  "permissions": {\n    "allow": []\n  }\n}\n');
    const { suggestions } = await engine.evaluate(bash('git commit -m "a b"'), situation());
    expect(suggestions).toEqual([
      { rules: ['Bash(git commit -m "a b")'], covers: 'exactly git commit -m "a b"' },
      { rules: ['Bash(git commit:*)'], covers: 'any git commit command' },
    ]);
    const preview = await engine.preview({
      rules: ['Bash(git commit:*)'],
      source: 'localSettings',
      request: bash('git commit'),
      situation: situation(),
    });
    expect(preview).toEqual({
      problems: [],
      wouldRun: true,
      stillBecause: '',
      file: file.local(),
      addedLines: [
        { line: 4, text: '    "allow": [' },
        { line: 5, text: '      "Bash(git commit:*)"' },
        { line: 6, text: '    ]' },
      ],
    });
    expect(await engine.saveRules({ sessionId: 's', rules: ['Bash(git commit:*)'], source: 'localSettings' })).toEqual({
      ok: true,
      value: { where: `${file.local()}, line 5`, file: file.local(), step: expect.any(String) },
    });
    expect(JSON.parse(await readFile(file.local(), 'utf8'))).toEqual({
      model: 'x',
      permissions: { allow: ['Bash(git commit:*)'] },
    });
    expect(await behavior(bash('git commit -m x'))).toBe('allow');
    const rule = engine.view('s').rules[0];
    if (rule === undefined) throw new Error('the rule is not there');
    expect(await engine.removeRule('s', rule)).toEqual({ ok: true, value: null });
    expect(await readFile(file.local(), 'utf8')).toBe(
      '{\n  "model": "x",\n  "permissions": {\n    "allow": []\n  }\n}\n',
    );
    expect(await engine.removeRule('s', rule)).toEqual({
      ok: false,
      error: `${file.local()}: Bash(git commit:*) is not in the file’s allow list any more.`,
    });
  });

  it('makes the local file when there is none', async () => {
    expect((await engine.saveRules({ sessionId: 's', rules: ['Bash(make)'], source: 'localSettings' })).ok).toBe(true);
    expect(await behavior(bash('make'))).toBe('allow');
  });

  it('keeps session rules in memory until the session is closed', async () => {
    await engine.saveRules({ sessionId: 's', rules: ['Bash(make)'], source: 'session' });
    expect(await behavior(bash('make'))).toBe('allow');
    engine.closeSession('s');
    await engine.openSession('s', project());
    expect(await behavior(bash('make'))).toBe('ask');
  });

  it.each([
    ['Bash(', 'It must read'],
    ['Bash(curl -H "Authorization: Bearer abcdefgh")', 'key or password'],
    ['Bash(a\nb)', 'one line'],
    ['Write(src/**)', 'Write Edit(src/**)'],
  ])('refuses to save %j', async (rule, reason) => {
    const saved = await engine.saveRules({ sessionId: 's', rules: [rule], source: 'localSettings' });
    expect(saved.ok ? '' : saved.error).toContain(reason);
  });

  it('says in the preview what keeps a rule from helping', async () => {
    await settings(file.user(), { ask: ['Bash(npm publish:*)'] });
    const preview = await engine.preview({
      rules: ['Bash(npm publish)'],
      source: 'session',
      request: bash('npm publish'),
      situation: situation(),
    });
    expect(preview).toMatchObject({
      wouldRun: false,
      stillBecause: 'the rule Bash(npm publish:*) comes first',
      file: null,
    });
  });
});

describe('suggestions', () => {
  const rulesFor = async (what: PermissionRequest, more: Partial<PermissionSituation> = {}) =>
    (await engine.evaluate(what, situation(more))).suggestions.map((one) => one.rules);

  it.each([
    ['npm run dev', [['Bash(npm run dev)'], ['Bash(npm run dev:*)']]],
    ['npm test -- --watch', [['Bash(npm test -- --watch)'], ['Bash(npm test:*)']]],
    ['timeout 60 npm test', [['Bash(npm test)'], ['Bash(npm test:*)']]],
    ['CI=1 cargo build --release', [['Bash(cargo build --release)'], ['Bash(cargo build:*)']]],
    ['docker compose up -d', [['Bash(docker compose up -d)'], ['Bash(docker compose up:*)']]],
    [
      'ls && npm ci && npm test',
      [
        ['Bash(npm ci)', 'Bash(npm test)'],
        ['Bash(npm ci:*)', 'Bash(npm test:*)'],
      ],
    ],
    [['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `npm run ${name}`).join(' && '), [['Bash(npm run:*)']]],
    ['npm publish --token abcdefghij', [['Bash(npm publish:*)']]],
    ['git commit -m "a\nb"', [['Bash(git commit:*)']]],
    ['python3 x.py', [['Bash(python3 x.py)']]],
    ['node -e 1', [['Bash(node -e 1)']]],
    ['sudo make', [['Bash(sudo make)']]],
    ['bash -c "ls"', [['Bash(bash -c "ls")']]],
    ['env A=1 make', [['Bash(env A=1 make)']]],
    ['rm -rf dist', [['Bash(rm -rf dist)']]],
    ['npx tsc', [['Bash(npx tsc)']]],
    ['docker run x', [['Bash(docker run x)']]],
    ['cat /srv/data/a.txt', [['Read(//srv/data/a.txt)'], ['Read(//srv/data/**)']]],
    ['ls > out.txt', [['Edit(/out.txt)'], ['Edit(/**)']]],
    [
      'make all > src/log',
      [
        ['Bash(make all)', 'Edit(/src/log)'],
        ['Bash(make all:*)', 'Edit(/src/**)'],
      ],
    ],
  ])('%s', async (command, expected) => {
    expect(await rulesFor(bash(command))).toEqual(expected);
  });

  it.each([
    ['a && b && c && d && e && f', 'more than 5 rules'],
    ['make $(id)', 'safe to keep'],
    ['make `id`', 'safe to keep'],
    ['make "x', 'not complete shell'],
    ['$X y', 'cannot be allowed by a rule'],
    ['curl -H "Authorization: Bearer abcdefgh" x', 'cannot be allowed by a rule'],
    ['node -e "a\nb"', 'cannot be allowed by a rule'],
    ['rm -rf ~', 'No rule can allow this'],
    ['echo x > .git/config', 'No rule can allow this'],
    ['rm *.txt', 'safe to keep'],
    ['touch $F', 'No rule can cover'],
  ])('none for %s', async (command, why) => {
    const evaluation = await engine.evaluate(bash(command), situation());
    expect([evaluation.suggestions, evaluation.noSuggestions]).toEqual([[], expect.stringContaining(why)]);
  });

  it('anchors files at the project, folders as the broader step', async () => {
    expect(await rulesFor(edit(join(project(), 'src', 'a[1].ts')))).toEqual([
      ['Edit(/src/a\\[1\\].ts)'],
      ['Edit(/src/**)'],
    ]);
    expect(await rulesFor(request('mcp__db__read', []))).toEqual([['mcp__db__read'], ['mcp__db']]);
    expect(await rulesFor(request('WebFetch', [{ kind: 'host', host: 'example.org' }]))).toEqual([
      ['WebFetch(domain:example.org)'],
    ]);
    expect(await rulesFor(request('Skill', []))).toEqual([['Skill']]);
  });
});

it('warns of what destroys', async () => {
  const { warning } = await engine.evaluate(bash('git status && git push --force'), situation());
  expect(warning).toBe('Overwrites or deletes branches on the remote.');
});

it("lets a tool's own opinion count after the rules", async () => {
  const own = async (own: PermissionRequest['own']) =>
    (await engine.evaluate({ ...request('TodoWrite', []), own }, situation())).decision.behavior;
  expect(await own({ behavior: 'deny', detail: 'no' })).toBe('deny');
  expect(await own({ behavior: 'ask', detail: 'sure?' })).toBe('ask');
  expect(await own({ behavior: 'allow', detail: '' })).toBe('allow');
  await settings(file.user(), { deny: ['TodoWrite'] });
  expect(await own({ behavior: 'allow', detail: '' })).toBe('deny');
});
