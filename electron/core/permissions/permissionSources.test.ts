// The eight sources on a real disk: who is read, who waits, who is ignored, and what ends by itself.
import { chmod, chown, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PermissionEngine, PermissionSituation } from './engine';
import { createPermissionEngine, type PermissionEngineOptions } from './permissionEngine';
import { engineWorld } from './testing/engineWorld';
import { createFolderTrust, type FolderTrust } from './trust';

let base: string;
let clock: number;
let trust: FolderTrust;
let engine: PermissionEngine;
const user = process.getuid?.() ?? 0;
const { project, file, engineOptions, situation, bash, put, permissions } = engineWorld(() => base);

function make(more: Partial<PermissionEngineOptions> = {}): PermissionEngine {
  return createPermissionEngine({ ...engineOptions(), trust, now: () => clock, ...more });
}

async function remake(more: Partial<PermissionEngineOptions> = {}): Promise<void> {
  await engine.dispose();
  engine = make(more);
  await engine.openSession('s', project());
}

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'sources-')));
  clock = 1_000_000;
  const kept = new Map<string, unknown>();
  trust = createFolderTrust({
    preference: (key) => kept.get(key),
    setPreference: (key, value) => void kept.set(key, value),
  });
  await mkdir(join(project(), '.claude'), { recursive: true });
  engine = make();
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

const state = (path: string) => engine.view('s').files.find((one) => one.path === path);

it('names each of the eight sources in a decision', async () => {
  await remake({
    flagSettings: { file: file.flag() },
    extraSources: [{ source: 'cliArg', allow: ['Bash(from cli)'] }],
  });
  const allow = (name: string) => permissions({ allow: [`Bash(from ${name})`] });
  await put(file.user(), allow('user'));
  await put(file.local(), allow('local'));
  await put(file.project(), allow('project'));
  await put(file.flag(), allow('flag'));
  await put(file.managed(), allow('policy'));
  engine.setTrust('s', true);
  engine.setCommandRules('s', { allow: ['Bash(from command)'], deny: ['Bash(from nowhere)'] });
  await engine.saveRules({ sessionId: 's', rules: ['Bash(from session)'], source: 'session' });
  const found: unknown[] = [];
  for (const name of ['user', 'project', 'local', 'flag', 'policy', 'cli', 'command', 'session']) {
    const { reason } = await decided(`from ${name}`);
    found.push(reason.type === 'rule' ? reason.rule.source : reason.type);
  }
  expect(found).toEqual([
    'userSettings',
    'projectSettings',
    'localSettings',
    'flagSettings',
    'policySettings',
    'cliArg',
    'command',
    'session',
  ]);
  expect(await behavior('from nowhere')).toBe('deny');
});

describe('--settings', () => {
  it('a file counts, is read again when it changes, and anchors / at its folder', async () => {
    await put(file.flag(), permissions({ deny: ['Bash(make:*)'], allow: ['Edit(/out/**)'] }));
    await remake({ flagSettings: { file: file.flag() } });
    expect(await behavior('make')).toBe('deny');
    await put(file.flag(), permissions({ allow: ['Bash(make:*)', 'Edit(/out/**)'] }));
    expect(await behavior('make')).toBe('allow');
    expect(await behavior(`echo x > ${join(base, 'flag', 'out', 'a')}`)).toBe('allow');
    expect(await behavior('echo x > out/a')).toBe('ask');
    expect(state(file.flag())).toEqual({ source: 'flagSettings', path: file.flag(), state: 'read', problem: '' });
  });

  it('JSON counts, and a bad entry of it is named', async () => {
    await remake({ flagSettings: { value: permissions({ allow: ['Bash(make:*)', 5] }) } });
    expect(await behavior('make')).toBe('allow');
    expect(state('--settings')).toEqual({
      source: 'flagSettings',
      path: '--settings',
      state: 'read',
      problem: 'A rule must be a text; this entry was skipped.',
    });
  });
});

describe('the starting mode', () => {
  const mode = (name: string) => permissions({ defaultMode: name });
  it.each<[string, () => Promise<void>, string]>([
    ['nothing', () => Promise.resolve(), 'default'],
    ['user', () => put(file.user(), mode('plan')), 'plan'],
    [
      'local over user',
      async () => {
        await put(file.user(), mode('plan'));
        await put(file.local(), mode('acceptEdits'));
      },
      'acceptEdits',
    ],
    [
      'flag over local',
      async () => {
        await put(file.flag(), mode('plan'));
        await put(file.local(), mode('acceptEdits'));
        await remake({ flagSettings: { file: file.flag() } });
      },
      'plan',
    ],
    [
      'command line over flag',
      async () => {
        await put(file.flag(), mode('plan'));
        await remake({
          flagSettings: { file: file.flag() },
          extraSources: [{ source: 'cliArg', defaultMode: 'dontAsk' }],
        });
      },
      'dontAsk',
    ],
    [
      'policy over the command line',
      async () => {
        await put(file.managed(), mode('plan'));
        await remake({ extraSources: [{ source: 'cliArg', defaultMode: 'dontAsk' }] });
      },
      'plan',
    ],
    ['bypass from a repository', () => put(file.local(), mode('bypassPermissions')), 'default'],
    ['bypass from the user', () => put(file.user(), mode('bypassPermissions')), 'bypassPermissions'],
    ['auto without a classifier', () => put(file.user(), mode('auto')), 'default'],
    [
      'auto with one',
      async () => {
        await put(file.user(), mode('auto'));
        await remake({ whyNoClassifier: () => '' });
      },
      'auto',
    ],
    [
      'auto switched off',
      async () => {
        await put(file.user(), permissions({ defaultMode: 'auto', disableAutoMode: 'disable' }));
        await remake({ whyNoClassifier: () => '' });
      },
      'default',
    ],
    [
      'bypass switched off by the project',
      async () => {
        await put(file.user(), mode('bypassPermissions'));
        await put(file.project(), permissions({ disableBypassPermissionsMode: 'disable' }));
      },
      'default',
    ],
  ])('%s', async (_name, prepare, expected) => {
    await prepare();
    await decided('ls');
    expect(engine.startingMode('s')).toBe(expected);
  });

  it('a mode that was taken away meanwhile counts as the default one', async () => {
    const inBypass = async () => (await decided('make', { mode: 'bypassPermissions' })).behavior;
    expect(await inBypass()).toBe('allow');
    await put(file.managed(), permissions({ disableBypassPermissionsMode: 'disable' }));
    expect([await inBypass(), engine.modeAvailable('bypassPermissions', 's').available]).toEqual(['ask', false]);
    await rm(file.managed());
    expect(await inBypass()).toBe('allow');
    await remake({ allowBypass: false });
    expect(await inBypass()).toBe('ask');
    expect((await decided('make', { mode: 'auto' })).behavior).toBe('ask');
  });

  it('says why a mode cannot be chosen', async () => {
    await put(file.managed(), permissions({ disableBypassPermissionsMode: 'disable', disableAutoMode: 'disable' }));
    await decided('ls');
    const reasons = () =>
      Object.fromEntries(engine.view('s').modes.flatMap((one) => (one.available ? [] : [[one.mode, one.reason]])));
    expect(reasons()).toEqual({
      auto: 'A settings file has switched auto mode off.',
      bypassPermissions: 'A settings file has switched bypass off.',
    });
    await remake({ whyNoClassifier: () => '' });
    expect(reasons()).toMatchObject({ auto: 'A settings file has switched auto mode off.' });
  });
});

describe('the policy', () => {
  it('is merged in name order: lists are united, the later mode counts', async () => {
    await put(file.managed(), permissions({ deny: ['Bash(one)'], defaultMode: 'plan' }));
    await put(file.dropIn('20-b.json'), permissions({ deny: ['Bash(three)'], defaultMode: 'dontAsk' }));
    await put(file.dropIn('10-a.json'), permissions({ deny: ['Bash(two)'], defaultMode: 'acceptEdits' }));
    await put(file.dropIn('30.json.off'), permissions({ deny: ['Bash(four)'] }));
    await put(file.dropIn('.hidden.json'), permissions({ deny: ['Bash(four)'] }));
    expect([await behavior('one'), await behavior('two'), await behavior('three'), await behavior('four')]).toEqual([
      'deny',
      'deny',
      'deny',
      'ask',
    ]);
    expect(engine.startingMode('s')).toBe('dontAsk');
    expect(engine.view('s').rules.map((rule) => rule.text)).toEqual(['Bash(one)', 'Bash(two)', 'Bash(three)']);
  });

  it.each<[string, () => Promise<void>, string]>([
    ['writable by its group', () => chmod(file.managed(), 0o664), 'The file may be written by others than its owner.'],
    ['writable by all', () => chmod(file.managed(), 0o646), 'The file may be written by others than its owner.'],
    [
      'in a folder that others may write',
      () => chmod(join(base, 'etc'), 0o777),
      'Its folder may be written by others than its owner.',
    ],
    ['of somebody else', () => remake({ managedOwner: user + 1 }), `The file does not belong to user ${user + 1}.`],
  ])('is ignored when it is %s, and taken again when that is mended', async (_name, spoil, problem) => {
    await put(file.managed(), permissions({ allow: ['Bash(make:*)'] }));
    expect(await behavior('make')).toBe('allow');
    await spoil();
    expect(await behavior('make')).toBe('ask');
    expect(state(file.managed())).toEqual({
      source: 'policySettings',
      path: file.managed(),
      state: 'ignored',
      problem: `${problem} Nothing of it counts. Let an administrator own it and take the right to write from all others.`,
    });
    await remake();
    await chmod(file.managed(), 0o644);
    await chmod(join(base, 'etc'), 0o755);
    expect(await behavior('make')).toBe('allow');
  });

  it.runIf(user === 0)('is ignored when it was given to a user', async () => {
    await put(file.managed(), permissions({ allow: ['Bash(make:*)'] }));
    await chown(file.managed(), 1_000, 1_000);
    expect(await behavior('make')).toBe('ask');
    expect(state(file.managed())?.problem).toContain('The file does not belong to root.');
  });

  it('may let only its own rules count', async () => {
    await put(file.user(), permissions({ allow: ['Bash(make:*)'], deny: ['Bash(git push:*)'] }));
    await engine.saveRules({ sessionId: 's', rules: ['Bash(go:*)'], source: 'session' });
    await put(file.managed(), { permissions: { allow: ['Bash(npm test)'] }, allowManagedPermissionRulesOnly: true });
    await remake({ extraSources: [{ source: 'cliArg', allow: ['Bash(cargo:*)'] }] });
    expect([
      await behavior('make'),
      await behavior('go'),
      await behavior('cargo x'),
      await behavior('npm test'),
    ]).toEqual(['ask', 'ask', 'ask', 'allow']);
    const evaluation = await engine.evaluate(bash('make'), situation());
    expect([evaluation.suggestions, evaluation.noSuggestions]).toEqual([
      [],
      'The administrator lets only the rules of the policy count, so a saved rule would change nothing.',
    ]);
    expect(await engine.saveRules({ sessionId: 's', rules: ['Bash(make)'], source: 'session' })).toEqual({
      ok: false,
      error: 'Nothing was saved. The administrator lets only the rules of the policy count.',
    });
    expect(engine.view('s').managedOnly).toBe(true);
  });

  it('has no such switch in other files', async () => {
    await put(file.user(), { permissions: { allow: ['Bash(make:*)'] } });
    await put(file.local(), { permissions: {}, allowManagedPermissionRulesOnly: true });
    expect(await behavior('make')).toBe('allow');
  });

  it('lets nothing else allow while nobody knows what it says', async () => {
    await put(file.user(), permissions({ allow: ['Bash(make:*)'], deny: ['Bash(go:*)'] }));
    await put(file.managed(), '{ "permissions": ');
    await remake();
    expect([await behavior('make'), await behavior('go')]).toEqual(['ask', 'deny']);
    expect(engine.view('s').modes.find((one) => one.mode === 'bypassPermissions')?.available).toBe(false);
    await put(file.managed(), permissions({}));
    expect(await behavior('make')).toBe('allow');
    await put(file.managed(), '{');
    expect(await behavior('make')).toBe('allow');
  });
});

describe('bad entries', () => {
  it('are skipped one by one, each named with its line', async () => {
    await put(
      file.user(),
      '{\n  "permissions": {\n    "allow": [\n      7,\n      "Bash(make:*)",\n      "Bash(x",\n      []\n    ]\n  }\n}',
    );
    expect(await behavior('make')).toBe('allow');
    expect(state(file.user())).toEqual({
      source: 'userSettings',
      path: file.user(),
      state: 'read',
      line: 4,
      column: 7,
      problem:
        'A rule must be a text; this entry was skipped. Line 6: “Bash(x” is not a rule and was skipped. It must read Tool or Tool(content), without blanks around it. Line 7: A rule must be a text; this entry was skipped.',
    });
  });

  it('are counted when there are many', async () => {
    await put(file.user(), permissions({ allow: Array.from({ length: 9 }, () => 1) }));
    await decided('ls');
    expect(state(file.user())?.problem).toMatch(/ 4 more entries are skipped too\.$/);
  });
});

it('a bad entry stays in the file when a rule is saved', async () => {
  await put(file.local(), '{\n  "permissions": {\n    "allow": [7, "Bash(x"],\n    "deny": ["Bash(go:*)"]\n  }\n}\n');
  await engine.saveRules({ sessionId: 's', rules: ['Bash(make:*)'], source: 'localSettings' });
  const saved: unknown = JSON.parse(await readFile(file.local(), 'utf8'));
  expect(saved).toEqual({ permissions: { allow: [7, 'Bash(x', 'Bash(make:*)'], deny: ['Bash(go:*)'] } });
  expect([await behavior('make'), await behavior('go')]).toEqual(['allow', 'deny']);
});

describe('trust', () => {
  const lists = {
    allow: ['Bash(make:*)'],
    ask: ['Bash(ls:*)'],
    deny: ['Bash(go:*)'],
    additionalDirectories: ['/srv'],
    defaultMode: 'acceptEdits',
  };
  const seen = async () => [
    await behavior('make'),
    await behavior('ls'),
    await behavior('go'),
    await behavior('cat /srv/x'),
    engine.startingMode('s'),
  ];
  const restricted = ['ask', 'ask', 'deny', 'ask', 'default'];
  const whole = ['allow', 'ask', 'deny', 'allow', 'acceptEdits'];

  it('the project file can only restrict until the folder is trusted', async () => {
    await put(file.project(), permissions(lists));
    expect(await seen()).toEqual(restricted);
    expect(engine.view('s').trust).toEqual({
      folder: project(),
      trusted: false,
      waitingRules: [
        { text: 'Bash(make:*)', behavior: 'allow', source: 'projectSettings', file: file.project(), line: 1 },
      ],
      waitingDirectories: ['/srv'],
      waitingMore: [
        {
          kind: 'mode',
          text: 'permissions.defaultMode: acceptEdits',
          source: 'projectSettings',
          line: 1,
          fresh: false,
        },
      ],
      changed: false,
      freshTexts: [],
    });
    const told: string[] = [];
    engine.onChange((sessionId) => told.push(sessionId));
    engine.setTrust('s', true);
    expect(told).toEqual(['s']);
    expect(await seen()).toEqual(whole);
    expect(engine.view('s').trust).toEqual({
      folder: project(),
      trusted: true,
      waitingRules: [],
      waitingDirectories: [],
      waitingMore: [],
      changed: false,
      freshTexts: [],
    });
    engine.setTrust('s', false);
    expect(await seen()).toEqual(restricted);
  });

  it('counts for every session on the folder and for the next start', async () => {
    await put(file.project(), permissions(lists));
    await engine.openSession('t', project());
    engine.setTrust('t', true);
    expect(await seen()).toEqual(whole);
    await remake();
    expect(await seen()).toEqual(whole);
  });

  it("the local file is the person's own", async () => {
    await put(file.local(), permissions(lists));
    expect(await seen()).toEqual(whole);
    expect(engine.view('s').trust.waitingRules).toEqual([]);
  });

  it('the local file waits when git tracks it, from the next call on', async () => {
    await mkdir(join(project(), '.git'));
    await put(file.local(), permissions(lists));
    expect(await seen()).toEqual(whole);
    const index =
      'RElSQwAAAAIAAAADawy/+BwSz4FrDL/4HBLPgQAA/gAAIsTjAACBpAAAAAAAAAAAAAAAAtAEkf1+W7b6KMUXoLsyuLUGU51NABsuY2xhdWRlL3NldHRpbmdzLmxvY2FsLmpzb24AAAAAAAAAawy/+BwSz4FrDL/4HBLPgQAA/gAAIsTkAACBpAAAAAAAAAAAAAAAAgz78IiG/KmpHLdT7Ic0yE/L5SyfAAVhLnR4dAAAAAAAawy/+BwSz4FrDL/4HBLPgQAA/gAAIsTlAACBpAAAAAAAAAAAAAAAAgB1DtwH1kFdzAeuA1HpOXsCIre6AAlzdWIvYi50eHQAcuZeWAY7IFJLmsgE6KllTnfRDXg=';
    await writeFile(join(project(), '.git', 'index'), Buffer.from(index, 'base64'));
    expect(await seen()).toEqual(restricted);
    expect(engine.view('s').trust.waitingRules.map((rule) => rule.source)).toEqual(['localSettings']);
  });

  it('the local file waits when .claude is a link', async () => {
    await rm(join(project(), '.claude'), { recursive: true });
    await mkdir(join(base, 'elsewhere'));
    await symlink(join(base, 'elsewhere'), join(project(), '.claude'));
    await put(file.local(), permissions(lists));
    expect(await seen()).toEqual(restricted);
  });

  it('a rule that the person saves to the project counts at once, what else is there still waits', async () => {
    await put(file.project(), permissions({ allow: ['Bash(make:*)'] }));
    await decided('ls');
    await engine.saveRules({ sessionId: 's', rules: ['Bash(npm test:*)'], source: 'projectSettings' });
    expect([await behavior('npm test'), await behavior('make')]).toEqual(['allow', 'ask']);
    expect(engine.view('s').trust.waitingRules.map((rule) => rule.text)).toEqual(['Bash(make:*)']);
  });
});

it('explains each decision', async () => {
  await put(file.user(), permissions({ allow: ['Bash(make:*)'] }));
  const { why } = await decided('make all');
  expect(why?.rules).toMatchObject([{ rule: { text: 'Bash(make:*)' }, standing: 'wins' }]);
});
