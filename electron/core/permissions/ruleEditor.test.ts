import { chmod, lstat, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RuleDraft, RuleEdit } from '#shared/permissions/ruleEdits';
import type { RuleRef } from '#shared/permissions/ruleRef';
import type { PermissionEngine } from './engine';
import { createPermissionEngine } from './permissionEngine';

const sessionId = 's';
let root: string;
let engine: PermissionEngine;
const user = () => join(root, 'claude', 'settings.json');
const project = () => join(root, 'app', '.claude', 'settings.json');
const local = () => join(root, 'app', '.claude', 'settings.local.json');

function start(): PermissionEngine {
  return createPermissionEngine({
    paths: {
      data: join(root, 'data'),
      home: join(root, 'home'),
      claudeConfig: join(root, 'claude'),
      managedSettings: join(root, 'managed-settings.json'),
      privateFiles: [],
    },
    platform: 'linux',
    allowBypass: false,
    runsAsRoot: false,
    log: { info: () => undefined, warn: () => undefined, error: (what, error) => console.error(what, error) },
  });
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'rule-editor-'));
  for (const folder of ['claude', 'home', 'app/.git', 'app/.claude'])
    await mkdir(join(root, folder), { recursive: true });
  engine = start();
});
afterEach(async () => {
  await engine.dispose();
  await rm(root, { recursive: true, force: true });
});

async function opened(): Promise<void> {
  await engine.openSession(sessionId, join(root, 'app'));
}

async function save(draft: RuleDraft): Promise<string> {
  await opened();
  const saved = await engine.editor.save(sessionId, draft);
  if (!saved.ok) throw new Error(`${saved.error.code}: ${saved.error.message}`);
  return saved.value.id;
}

const text = (path: string) => readFile(path, 'utf8').catch(() => null);
const json = async (path: string): Promise<unknown> => JSON.parse((await text(path)) ?? 'null');

it('moves a rule between files as one step that can be undone and made again', async () => {
  const before = '{\r\n\t"permissions": {\r\n\t\t"allow": ["Bash(ls *)", "Bash(git *)"]\r\n\t}, "own": 1\r\n}';
  await writeFile(user(), before);
  const rule: RuleRef = { text: 'Bash(ls *)', behavior: 'allow', source: 'userSettings', file: user(), line: 3 };
  const step = await save([{ type: 'move', rule, to: 'projectSettings' }]);
  expect(await text(user())).toBe(before.replace('"Bash(ls *)", ', ''));
  expect(await json(project())).toEqual({ permissions: { allow: ['Bash(ls *)'] } });
  expect(engine.editor.steps()).toMatchObject({
    undo: { id: step, label: 'move Bash(ls *) from user to project', files: [project(), user()] },
    redo: null,
  });
  expect(await engine.editor.undo(step)).toMatchObject({ ok: true, value: { undo: null, redo: { id: step } } });
  expect(await text(user())).toBe(before);
  expect(await text(project())).toBe(null);
  expect(await engine.editor.redo(step)).toMatchObject({ ok: true });
  expect(await json(project())).toEqual({ permissions: { allow: ['Bash(ls *)'] } });
});

it('keeps steps over a restart', async () => {
  const step = await save([{ type: 'add', source: 'userSettings', behavior: 'deny', text: 'Bash(rm *)' }]);
  await engine.dispose();
  engine = start();
  expect(await engine.editor.undo(step)).toMatchObject({ ok: true });
  expect(await text(user())).toBe(null);
});

it('writes all files or none', async () => {
  await writeFile(user(), '{ "permissions": { "allow": ["A"] } }');
  await writeFile(project(), '{ broken');
  await opened();
  const rule: RuleRef = { text: 'A', behavior: 'allow', source: 'userSettings', file: user() };
  const saved = await engine.editor.save(sessionId, [{ type: 'move', rule, to: 'projectSettings' }]);
  expect(saved).toMatchObject({ ok: false, error: { code: 'refused' } });
  expect(await text(user())).toBe('{ "permissions": { "allow": ["A"] } }');
  expect(await text(project())).toBe('{ broken');
  expect(engine.editor.steps().undo).toBe(null);
});

it('calls it a conflict when the rule has gone from its file', async () => {
  await writeFile(user(), '{ "permissions": { "allow": ["A"] } }');
  await opened();
  const rule: RuleRef = { text: 'A', behavior: 'allow', source: 'userSettings', file: user() };
  await writeFile(user(), '{ "permissions": { "allow": ["B"] } }');
  expect(await engine.editor.save(sessionId, [{ type: 'remove', rule }])).toMatchObject({
    ok: false,
    error: { code: 'conflict', message: expect.stringContaining('A is not in the file’s allow list any more') },
  });
});

it('undoes its own change beside what others wrote meanwhile, in the same list too', async () => {
  const step = await save([{ type: 'add', source: 'userSettings', behavior: 'allow', text: 'Bash(ls *)' }]);
  const now = { model: 'x', permissions: { allow: ['Bash(ls *)', 'Bash(other *)'], deny: ['Bash(rm *)'] } };
  await writeFile(user(), JSON.stringify(now));
  expect(await engine.editor.undo(step)).toMatchObject({ ok: true });
  expect(await json(user())).toEqual({ model: 'x', permissions: { allow: ['Bash(other *)'], deny: ['Bash(rm *)'] } });
});

it('keeps links and modes', async () => {
  const target = join(root, 'dotfiles.json');
  await writeFile(target, '{}\n');
  await chmod(target, 0o640);
  await symlink(target, user());
  await save([{ type: 'add', source: 'userSettings', behavior: 'ask', text: 'Bash(git push *)' }]);
  expect((await lstat(user())).isSymbolicLink()).toBe(true);
  expect((await stat(target)).mode & 0o777).toBe(0o640);
});

it('revokes and promotes rules of the session', async () => {
  await save([{ type: 'add', source: 'session', behavior: 'allow', text: 'Bash(make *)', lifetime: 'hour' }]);
  expect(engine.view(sessionId).expiring).toMatchObject([{ text: 'Bash(make *)' }]);
  const rule: RuleRef = { text: 'Bash(make *)', behavior: 'allow', source: 'session' };
  const step = await save([{ type: 'move', rule, to: 'localSettings' }]);
  expect(engine.view(sessionId).rules.map(({ source, text: said }) => [source, said])).toEqual([
    ['localSettings', 'Bash(make *)'],
  ]);
  expect(await engine.editor.undo(step)).toMatchObject({ ok: true });
  expect(engine.view(sessionId).rules.map(({ source }) => source)).toEqual(['session']);
  expect(await text(local())).toBe(null);
});

it('shows a draft as it would stand, and what it did to each rule', async () => {
  await writeFile(user(), '{ "permissions": { "allow": ["A", "Bash(ls *)"], "deny": ["Read(.env)"] } }');
  await opened();
  const at = (said: string, behavior: RuleRef['behavior'] = 'allow'): RuleRef => {
    return { text: said, behavior, source: 'userSettings', file: user(), line: 1 };
  };
  const { view } = await engine.drafts.drafted({ sessionId, folder: join(root, 'app') }, [
    { type: 'change', rule: at('A'), behavior: 'allow', text: 'B' },
    { type: 'move', rule: at('Bash(ls *)'), to: 'localSettings' },
    { type: 'add', source: 'projectSettings', behavior: 'ask', text: 'Bash(curl *)' },
    { type: 'remove', rule: at('Nothing') },
  ]);
  expect(view.rules.map(({ rule, state }) => [rule.source, rule.text, state])).toEqual([
    ['localSettings', 'Bash(ls *)', 'moved'],
    ['projectSettings', 'Bash(curl *)', 'added'],
    ['userSettings', 'B', 'changed'],
    ['userSettings', 'Read(.env)', 'same'],
  ]);
  expect(view.problems).toEqual([
    { edit: 3, problem: expect.stringContaining('Nothing is not in the file’s allow list any more') },
  ]);
  expect(view.files.map(({ source, shared }) => [source, shared])).toEqual([
    ['localSettings', false],
    ['projectSettings', true],
    ['userSettings', false],
  ]);
  expect(await text(local())).toBe(null);
});

it('decides with a draft as it would decide with the files', async () => {
  await opened();
  const { sources } = await engine.drafts.drafted({ sessionId, folder: join(root, 'app') }, [
    { type: 'add', source: 'userSettings', behavior: 'deny', text: 'Bash(git push *)' },
  ]);
  const folder = join(root, 'app');
  const decided = await engine.evaluateWith(
    {
      toolName: 'Bash',
      isMcp: false,
      isReadOnly: false,
      input: { command: 'git push origin' },
      facts: [{ kind: 'command', command: 'git push origin', cwd: folder }],
      own: { behavior: 'passthrough' },
    },
    { sessionId, folder, cwd: folder, mode: 'default' },
    sources,
  );
  expect(decided.decision).toMatchObject({
    behavior: 'deny',
    reason: { type: 'rule', rule: { text: 'Bash(git push *)', source: 'userSettings', line: 4 } },
  });
});

it('merges a whole text with what came to the disk meanwhile', async () => {
  const base = '{\n  "permissions": {\n    "allow": ["A"]\n  },\n  "x": 1,\n  "y": 2,\n  "z": 3\n}\n';
  await writeFile(user(), base.replace('"z": 3', '"z": 4'));
  await opened();
  const mine = base.replace('["A"]', '["A", "B"]');
  const written = await engine.editor.writeText(sessionId, { path: user(), base, text: mine });
  expect(written).toMatchObject({ ok: true, value: { merged: true } });
  expect(await text(user())).toBe(mine.replace('"z": 3', '"z": 4'));
  const clash = await engine.editor.writeText(sessionId, {
    path: user(),
    base,
    text: base.replace('"z": 3', '"z": 5'),
  });
  expect(clash).toMatchObject({ ok: false, error: { code: 'conflict' } });
});

it('refuses what the administrator has taken away', async () => {
  await engine.dispose();
  await writeFile(join(root, 'managed-settings.json'), '{ "allowManagedPermissionRulesOnly": true }');
  await chmod(join(root, 'managed-settings.json'), 0o644);
  engine = createPermissionEngine({
    paths: {
      data: join(root, 'data'),
      home: join(root, 'home'),
      claudeConfig: join(root, 'claude'),
      managedSettings: join(root, 'managed-settings.json'),
      privateFiles: [],
    },
    platform: 'linux',
    allowBypass: false,
    runsAsRoot: false,
    managedOwner: process.getuid?.() ?? 0,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  await opened();
  expect(
    await engine.editor.save(sessionId, [{ type: 'add', source: 'userSettings', behavior: 'allow', text: 'A' }]),
  ).toMatchObject({ ok: false, error: { code: 'refused' } });
});

it('tells which source gives each setting', async () => {
  await writeFile(
    user(),
    '{\n  "permissions": {\n    "defaultMode": "plan", "additionalDirectories": ["~/lib"]\n  }\n}',
  );
  await writeFile(local(), '{ "permissions": { "defaultMode": "bypassPermissions" } }');
  await opened();
  const policy = engine.policy(sessionId);
  expect(policy.scalars[0]).toEqual({
    key: 'defaultMode',
    effective: { source: 'userSettings', file: user(), line: 3, value: 'plan', heldBack: '' },
    places: [
      {
        source: 'localSettings',
        file: local(),
        line: 1,
        value: 'bypassPermissions',
        heldBack: 'A repository’s own files may not choose this mode.',
      },
      { source: 'userSettings', file: user(), line: 3, value: 'plan', heldBack: '' },
    ],
  });
  expect(policy.directories).toEqual([
    { source: 'userSettings', file: user(), line: 3, value: '~/lib', heldBack: '', path: join(root, 'home', 'lib') },
  ]);
});

const layouts: readonly string[] = [
  '{}',
  '{\n  "permissions": {\n    "allow": [\n      "Bash(a)",\n      "Bash(b)"\n    ],\n    "deny": ["Bash(c)"]\n  },\n  "other": [1, 2]\n}\n',
  '{\r\n\t"permissions": { "ask": [], "allow": ["Bash(a)","Bash(a)"] },\r\n\t"alwaysAllow": ["Bash(d)"]\r\n}',
  '\uFEFF{"permissions":{"allow":[ ]},"env":{"A":"ü"}}',
];
const names = ['Bash(a)', 'Bash(b)', 'Bash(c)', 'Bash(d)', 'Read(./x y/**)'];
const source = fc.constantFrom<'userSettings' | 'projectSettings' | 'localSettings'>(
  'userSettings',
  'projectSettings',
  'localSettings',
);
const behavior = fc.constantFrom<RuleRef['behavior']>('allow', 'ask', 'deny');
const rule = fc.record({ text: fc.constantFrom(...names), behavior, source });
const edit: fc.Arbitrary<RuleEdit> = fc.oneof(
  fc.record({ type: fc.constant('add' as const), source, behavior, text: fc.constantFrom(...names) }),
  fc.record({ type: fc.constant('remove' as const), rule }),
  fc.record({ type: fc.constant('change' as const), rule, behavior, text: fc.constantFrom(...names) }),
  fc.record({ type: fc.constant('move' as const), rule, to: source }),
  fc.record({ type: fc.constant('copy' as const), rule, to: source }),
  fc.record({
    type: fc.constant('setScalar' as const),
    source,
    key: fc.constant('defaultMode' as const),
    value: fc.constantFrom('plan', 'acceptEdits', null),
  }),
  fc.record({ type: fc.constant('addDirectory' as const), source, path: fc.constantFrom('../lib', '/srv/data') }),
);

it('ends byte for byte where it began after any edits and all their undos', async () => {
  await opened();
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(...[0, 1, 2].map(() => fc.constantFrom(...layouts))),
      fc.array(fc.array(edit, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
      async (texts, drafts) => {
        const paths = [user(), project(), local()];
        for (const [at, path] of paths.entries()) await writeFile(path, texts[at] ?? '{}');
        const done: string[] = [];
        for (const draft of drafts) {
          const saved = await engine.editor.save(sessionId, draft);
          if (saved.ok) done.push(saved.value.id);
        }
        for (const step of done.toReversed()) expect(await engine.editor.undo(step)).toMatchObject({ ok: true });
        for (const [at, path] of paths.entries()) expect(await text(path)).toBe(texts[at]);
      },
    ),
    { numRuns: 40, seed: 6 },
  );
}, 60_000);
