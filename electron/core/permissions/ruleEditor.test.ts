import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
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
let faults: unknown[] = [];
let engine: PermissionEngine;
const user = () => join(root, 'claude', 'settings.json');
const project = () => join(root, 'app', '.claude', 'settings.json');
const local = () => join(root, 'app', '.claude', 'settings.local.json');

function start(more: { readonly managedOwner?: number } = {}): PermissionEngine {
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
    ...more,
    log: { info: () => undefined, warn: () => undefined, error: (what, error) => faults.push([what, error]) },
  });
}

beforeEach(async () => {
  faults = [];
  root = await mkdtemp(join(tmpdir(), 'rule-editor-'));
  for (const folder of ['claude', 'home', 'app/.git', 'app/.claude'])
    await mkdir(join(root, folder), { recursive: true });
  engine = start();
});
afterEach(async () => {
  await engine.dispose();
  expect(faults).toEqual([]);
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

it('knows two sources that are one file', async () => {
  await writeFile(project(), '{ "permissions": { "allow": ["A"] } }');
  await symlink(project(), user());
  const rule: RuleRef = { text: 'A', behavior: 'allow', source: 'projectSettings', file: project() };
  await opened();
  expect(await engine.editor.save(sessionId, [{ type: 'move', rule, to: 'userSettings' }])).toMatchObject({
    ok: false,
    error: { code: 'refused', message: 'project and user are one file here.' },
  });
  await save([
    { type: 'add', source: 'userSettings', behavior: 'allow', text: 'B' },
    { type: 'add', source: 'projectSettings', behavior: 'allow', text: 'C' },
  ]);
  expect(await json(project())).toEqual({ permissions: { allow: ['A', 'B', 'C'] } });
});

it('takes no step for what stands there already, and lets it be taken back all the same', async () => {
  const add: RuleEdit = { type: 'add', source: 'userSettings', behavior: 'allow', text: 'A' };
  const first = await save([add]);
  const second = await save([add]);
  expect(await engine.editor.undo(second)).toMatchObject({ ok: true, value: { undo: { id: first } } });
  expect(await json(user())).toEqual({ permissions: { allow: ['A'] } });
});

it('undoes no half of a change that others have written over', async () => {
  const before = '{ "model": "x", "permissions": { "allow": ["A"] } }';
  await writeFile(user(), before);
  await opened();
  const mine = '{ "model": "y", "permissions": { "allow": ["A", "B"] } }';
  const written = await engine.editor.writeText(sessionId, { path: user(), base: before, text: mine });
  if (!written.ok) throw new Error(written.error.message);
  const theirs = mine.replace('"y"', '"z"');
  await writeFile(user(), theirs);
  expect(await engine.editor.undo(written.value.step.id)).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(await text(user())).toBe(theirs);
});

it('refuses a value that a setting cannot have', async () => {
  await opened();
  expect(
    await engine.editor.save(sessionId, [
      { type: 'setScalar', source: 'userSettings', key: 'defaultMode', value: 'yolo' },
    ]),
  ).toMatchObject({ ok: false, error: { code: 'refused' } });
  expect(await text(user())).toBe(null);
});

it('gives other folders what the user’s file would give them, and nothing of this folder', async () => {
  await opened();
  const other = join(root, 'other');
  await mkdir(join(other, '.claude'), { recursive: true });
  await writeFile(join(other, '.claude', 'settings.json'), '{ "permissions": { "deny": ["Read(.env)"] } }');
  const draft: RuleDraft = [
    { type: 'add', source: 'userSettings', behavior: 'allow', text: 'Bash(ls *)' },
    { type: 'add', source: 'projectSettings', behavior: 'allow', text: 'Bash(make *)' },
  ];
  const ask = { sessionId, ownFolder: join(root, 'app'), draft };
  const there = await engine.drafts.sourcesFor(other, ask);
  expect(there.rules.map(({ ref }) => ref.text)).toEqual(['Read(.env)', 'Bash(ls *)']);
  expect(await engine.drafts.sourcesFor(other, ask)).toBe(there);
  const here = await engine.drafts.sourcesFor(join(root, 'app'), ask);
  expect(here.rules.map(({ ref }) => ref.text)).toEqual(['Bash(make *)', 'Bash(ls *)']);
  await writeFile(user(), '{ "permissions": { "ask": ["Bash(ls -l)"] } }');
  const later = await engine.drafts.sourcesFor(other, ask);
  expect(later.rules.map(({ ref }) => ref.text).toSorted()).toEqual(['Bash(ls *)', 'Bash(ls -l)', 'Read(.env)']);
});

it('takes the half back that a program left which ended in the middle', async () => {
  await engine.dispose();
  const [before, after] = ['{ "permissions": { "allow": ["A"] } }', '{ "permissions": { "allow": [] } }'];
  // The rule is out of one file and not in the other yet.
  await writeFile(user(), after);
  await mkdir(join(root, 'data', 'backups'), { recursive: true });
  await writeFile(
    join(root, 'data', 'backups', 'unfinished-1.json'),
    JSON.stringify([
      { real: user(), before, after },
      { real: project(), before: null, after: before },
    ]),
  );
  engine = start();
  await save([{ type: 'add', source: 'localSettings', behavior: 'ask', text: 'B' }]);
  expect(await text(user())).toBe(before);
  expect(await text(project())).toBe(null);
  expect((await readdir(join(root, 'data', 'backups'))).filter((name) => name.startsWith('unfinished'))).toEqual([]);
});

it('refuses what the administrator has taken away', async () => {
  await engine.dispose();
  await writeFile(join(root, 'managed-settings.json'), '{ "allowManagedPermissionRulesOnly": true }');
  await chmod(join(root, 'managed-settings.json'), 0o644);
  engine = start({ managedOwner: process.getuid?.() ?? 0 });
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
