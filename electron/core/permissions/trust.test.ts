import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cameWithFolder, createFolderTrust } from './trust';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'trust-')));
});
afterEach(() => rm(root, { recursive: true, force: true }));

function memory(initial: Readonly<Record<string, unknown>> = {}) {
  const kept = new Map<string, unknown>(Object.entries(initial));
  return {
    kept,
    preference: (key: string) => kept.get(key),
    setPreference: (key: string, value: unknown) => void kept.set(key, value),
  };
}

describe('trust', () => {
  it('is kept by folder and survives a restart', () => {
    const store = memory();
    const trust = createFolderTrust(store);
    trust.set(join(root, 'a'), true);
    const again = createFolderTrust(store);
    expect([again.isTrusted(join(root, 'a')), again.isTrusted(join(root, 'a', 'b')), again.isTrusted(root)]).toEqual([
      true,
      false,
      false,
    ]);
    again.set(join(root, 'a'), false);
    expect(createFolderTrust(store).isTrusted(join(root, 'a'))).toBe(false);
  });

  it('belongs to the real folder: a link that is turned elsewhere does not take it along', async () => {
    for (const name of ['one', 'two']) await mkdir(join(root, name));
    await symlink(join(root, 'one'), join(root, 'link'));
    const trust = createFolderTrust(memory());
    trust.set(join(root, 'link'), true);
    expect(trust.isTrusted(join(root, 'one'))).toBe(true);
    await rm(join(root, 'link'));
    await symlink(join(root, 'two'), join(root, 'link'));
    expect(trust.isTrusted(join(root, 'link'))).toBe(false);
  });

  it('starts with nothing where what was stored makes no sense', () => {
    const trust = createFolderTrust(memory({ trustedFolders: 'all', rulesWrittenHere: [1] }));
    expect([trust.isTrusted('/'), trust.hasWritten('/', 'Bash')]).toEqual([false, false]);
  });

  it('ends when the folder brings more, tells which files are the reason, and survives a restart like that', () => {
    const store = memory();
    const trust = createFolderTrust(store);
    const told: string[] = [];
    const stop = trust.onGrown((folder) => told.push(folder));
    trust.set(root, true, ['a', 'b']);
    trust.check(root, ['b']);
    expect(trust.checkDefinitions(root, { '/x/agent.md': 'one' })).toBe(true);
    expect(trust.checkDefinitions(root, {})).toBe(true);
    expect([trust.isTrusted(root), trust.before(root), told]).toEqual([true, null, []]);

    expect(trust.checkDefinitions(root, { '/x/agent.md': 'two', '/x/old.md': 'one' })).toBe(false);
    const again = createFolderTrust(store);
    expect([again.isTrusted(root), again.before(root), again.freshFiles(root), told]).toEqual([
      false,
      new Set(['a', 'b']),
      ['/x/agent.md'],
      [root],
    ]);

    trust.set(root, true, ['a', 'b']);
    expect(trust.checkDefinitions(root, { '/x/agent.md': 'two' })).toBe(true);
    trust.accept(root, ['c']);
    trust.check(root, ['a', 'b', 'c']);
    expect([trust.isTrusted(root), trust.freshFiles(root)]).toEqual([true, []]);
    trust.check(root, ['a', 'd']);
    stop();
    trust.set(root, true, []);
    trust.check(root, ['d']);
    expect([trust.isTrusted(root), told]).toEqual([false, [root, root]]);
  });

  it('is nothing that a look at an untrusted folder could give', () => {
    const trust = createFolderTrust(memory());
    trust.check(root, ['a']);
    trust.accept(root, ['a']);
    expect([trust.checkDefinitions(root, { '/x': 'a' }), trust.isTrusted(root), trust.before(root)]).toEqual([
      false,
      false,
      null,
    ]);
  });

  it('remembers rules that the person wrote, each for its folder', () => {
    const store = memory();
    createFolderTrust(store).noteWritten(root, ['Bash(ls:*)']);
    const trust = createFolderTrust(store);
    trust.noteWritten(root, ['Edit']);
    const asked: [string, string][] = [
      [root, 'Bash(ls:*)'],
      [root, 'Edit'],
      [root, 'Bash'],
      [join(root, 'a'), 'Edit'],
    ];
    expect(asked.map(([folder, rule]) => trust.hasWritten(folder, rule))).toEqual([true, true, false, false]);
  });
});

describe('which files came with the folder', () => {
  const local = () => join(root, 'p', '.claude', 'settings.local.json');
  const userFile = '/home/u/.claude/settings.json';
  const came = (source: Parameters<typeof cameWithFolder>[0]['source'], path: string) =>
    cameWithFolder({ source, path, userFile, ignoreCase: false });

  it.each([
    ['userSettings', userFile, false],
    ['projectSettings', '/p/.claude/settings.json', true],
    ['projectSettings', userFile, false],
    ['localSettings', '/p/.claude/settings.local.json', false],
    ['policySettings', '/etc/managed-settings.json', false],
    ['flagSettings', '/p/.claude/settings.json', false],
  ] as const)('%s at %s: %s', (source, path, expected) => {
    expect(came(source, path)).toBe(expected);
  });

  it('the local file of a linked .claude did', async () => {
    await mkdir(join(root, 'elsewhere'));
    await mkdir(join(root, 'p'));
    await symlink(join(root, 'elsewhere'), join(root, 'p', '.claude'));
    expect(came('localSettings', local())).toBe(true);
  });
});
