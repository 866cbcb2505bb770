import { describe, expect, it } from 'vitest';
import type { SandboxEntry } from '#shared/api/sandbox';
import type { RuleRef } from '#shared/permissions/decision';
import { maxFound, maxLookedAt } from './places';
import { type DiskView, type PlanOptions, planSandbox } from './plan';
import { readSandboxSettings } from './sandboxSettings';

const home = '/home/ada';
const folder = '/srv/app';
const data = '/home/ada/.local/share/gatehouse';

/** A disk of files, with their texts; folders follow from them. */
function diskOf(files: Readonly<Record<string, string>>): DiskView {
  const paths = Object.keys(files);
  const exists = (path: string) => paths.some((one) => one === path || one.startsWith(`${path}/`));
  return {
    exists,
    text: (path) => files[path] ?? null,
    entries(at) {
      const start = at === '/' ? '/' : `${at}/`;
      const below = paths.filter((path) => path.startsWith(start)).map((path) => path.slice(start.length).split('/'));
      const names = [...new Set(below.map(([name = '']) => name))];
      return names.map((name) => ({
        name,
        isFolder: below.some(([first, ...rest]) => first === name && rest.length > 0),
      }));
    },
  };
}

interface Case {
  readonly filesystem?: Readonly<Record<string, unknown>>;
  readonly deny?: readonly string[];
  readonly allow?: readonly string[];
  readonly files?: readonly string[];
  readonly texts?: Readonly<Record<string, string>>;
  readonly more?: Partial<PlanOptions>;
}

function plan({ filesystem = {}, deny = [], allow = [], files = [], texts = {}, more = {} }: Case) {
  const settings = readSandboxSettings({
    folder,
    files: [
      {
        source: 'userSettings',
        path: '/home/ada/.claude/settings.json',
        content: { value: { sandbox: { filesystem } }, lineOf: () => 1 },
        unknown: false,
        waits: false,
      },
    ],
  });
  const ref =
    (behavior: RuleRef['behavior']) =>
    (text: string): RuleRef => ({ text, behavior, source: 'projectSettings' });
  return planSandbox({
    settings,
    rules: [...deny.map(ref('deny')), ...allow.map(ref('allow'))],
    anchors: { home, claudeConfig: `${home}/.claude`, folder, folders: [folder] },
    workingFolders: [folder],
    worktree: null,
    ownPlaces: [data],
    settingsFiles: ['/home/ada/.claude/settings.json'],
    variables: {},
    disk: diskOf({ [`${folder}/a.ts`]: '', ...Object.fromEntries(files.map((path) => [path, ''])), ...texts }),
    ...more,
  });
}

/** Without what Gatehouse guards and hides by itself. */
const told = (entries: readonly SandboxEntry[]) =>
  entries.filter(({ from }) => from.kind !== 'builtIn' && from.kind !== 'default').map(({ text }) => text);
const why = ({ ignored }: ReturnType<typeof plan>) => ignored.map((one) => `${one.setting} | ${one.why}`);

describe('what may be written', () => {
  it.each<readonly [string, Case, readonly string[], readonly string[]]>([
    ['the working folders alone', {}, [folder], []],
    [
      'a folder that a setting opens',
      { filesystem: { allowWrite: ['/srv/out/**'] }, files: ['/srv/out/x'] },
      [folder, '/srv/out'],
      [],
    ],
    [
      'one below home',
      { filesystem: { allowWrite: ['~/out'] }, files: ['/home/ada/out/x'] },
      [folder, '/home/ada/out'],
      [],
    ],
    [
      'a relative one from the settings file on',
      { filesystem: { allowWrite: ['./out'] }, files: ['/home/ada/.claude/out/x'] },
      [folder, '/home/ada/.claude/out'],
      [],
    ],
    ['nothing that is writable already', { filesystem: { allowWrite: ['/srv/app/build'] } }, [folder], []],
    [
      'not the whole disk, nor what is no file, nor patterns, nor what is not there',
      { filesystem: { allowWrite: ['/', '/proc/self', '/srv/*/x', '/srv/none', '/tmp', '$HOME/x', '~eve/x'] } },
      [folder],
      [
        'sandbox.filesystem.allowWrite: / | The whole disk is never opened for writing. Name the folders.',
        'sandbox.filesystem.allowWrite: /proc/self | It is no place for files.',
        'sandbox.filesystem.allowWrite: /srv/*/x | Wildcards do not work for what may be written. Name the folder.',
        'sandbox.filesystem.allowWrite: /srv/none | There is no such place.',
        'sandbox.filesystem.allowWrite: /tmp | Commands have a /tmp of their own, which they can write.',
        'sandbox.filesystem.allowWrite: $HOME/x | Variables are not filled in. Write the path, or begin with ~/.',
        'sandbox.filesystem.allowWrite: ~eve/x | Of the homes only your own, ~/, can be named so.',
      ],
    ],
    [
      'never Gatehouse’s own places',
      { filesystem: { allowWrite: [`${data}/projects`] }, files: [`${data}/projects/x`] },
      [folder],
      [`sandbox.filesystem.allowWrite: ${data}/projects | Gatehouse’s own places are never opened.`],
    ],
    [
      'what a rule for edits allows',
      { allow: ['Edit(//srv/out/**)'], files: ['/srv/out/x'] },
      [folder, '/srv/out'],
      [],
    ],
    ['nothing that a rule for reads allows', { allow: ['Read(//srv/out/**)'], files: ['/srv/out/x'] }, [folder], []],
    [
      'not what a rule allows with wildcards, and says so',
      { allow: ['Edit(//srv/out/*.md)', 'Edit(src/*.ts)'], files: ['/srv/out/x.md'] },
      [folder],
      ['Edit(//srv/out/*.md) | Wildcards do not open places to commands; other tools follow the rule.'],
    ],
  ])('is %s', (_what, given, writable, ignored) => {
    const made = plan(given);
    expect(made.writable.map(({ text }) => text)).toEqual(writable);
    expect(why(made)).toEqual(ignored);
  });
});

describe('what stays read-only in a writable folder', () => {
  it('is what decides about later runs, there or not, in each writable folder', () => {
    const { readOnly } = plan({ filesystem: { allowWrite: ['/srv/out'] }, files: ['/srv/out/x'] });
    const names = ['.claude', '.mcp.json', '.vscode', '.idea', '.devcontainer', '.npmrc'];
    expect(readOnly).toEqual(
      [folder, '/srv/out'].flatMap((at) => names.map((name) => ({ text: `${at}/${name}`, from: { kind: 'builtIn' } }))),
    );
  });

  it('is a start-up file outside of home where it is there', () => {
    const paths = plan({ files: ['/srv/app/.bashrc', '/srv/app/.husky/pre-commit'] }).readOnly.map(({ text }) => text);
    expect(paths.slice(6)).toEqual(['/srv/app/.bashrc', '/srv/app/.husky']);
  });

  it('is the hooks and config of a repository, where there is one', () => {
    const names = (given: Case) => plan(given).readOnly.map(({ text }) => text);
    expect(names({})).not.toContain('/srv/app/.git/hooks');
    expect(names({ files: ['/srv/app/.git/HEAD'] })).toEqual(
      expect.arrayContaining(['/srv/app/.git/hooks', '/srv/app/.git/config']),
    );
  });

  it('is the person’s own settings and start-up files where the home folder can be written', () => {
    const paths = plan({ more: { workingFolders: [home] } }).readOnly.map(({ text }) => text);
    for (const name of ['.claude', '.bashrc', '.config/autostart', '.local/bin'])
      expect(paths).toContain(`${home}/${name}`);
  });

  it('is a settings file that lies elsewhere, and none twice', () => {
    const settingsFiles = ['/srv/app/.claude/settings.json', '/srv/app/conf/more.json', '/etc/policy.json'];
    const paths = plan({ more: { settingsFiles } }).readOnly.map(({ text }) => text);
    expect(paths.filter((path) => path.endsWith('.json'))).toEqual(['/srv/app/.mcp.json', '/srv/app/conf/more.json']);
  });

  it('is the same in the worktree that the session works in', () => {
    const worktree = `${folder}/.claude/worktrees/fix`;
    const made = plan({ more: { worktree } });
    expect(made.readOnly.map(({ text }) => text)).toContain(`${worktree}/.vscode`);
    expect(made.worktrees).toEqual([`${folder}/.claude/worktrees`, `${worktree}/.claude/worktrees`]);
  });

  it.each<readonly [string, Case, readonly string[]]>([
    ['a place of denyWrite', { filesystem: { denyWrite: ['/srv/app/lock', '/etc'] } }, ['/srv/app/lock']],
    [
      'what its pattern stands for',
      { filesystem: { denyWrite: ['/srv/app/**/*.lock'] }, files: ['/srv/app/a/b.lock'] },
      ['/srv/app/a/b.lock'],
    ],
    ['a file that a rule refuses to edit', { deny: ['Edit(/docs/law.md)'] }, ['/srv/app/docs/law.md']],
    [
      'a name at any depth',
      { deny: ['Edit(*.lock)'], files: ['/srv/app/x.lock', '/srv/app/a/y.lock'] },
      ['/srv/app/x.lock', '/srv/app/a/y.lock'],
    ],
    [
      'a folder at any depth',
      { deny: ['Edit(gen/**)'], files: ['/srv/app/gen/x', '/srv/app/a/gen/y'] },
      ['/srv/app/gen', '/srv/app/a/gen'],
    ],
    ['what may not be read', { deny: ['Read(/secret.txt)'] }, ['/srv/app/secret.txt']],
  ])('is %s', (_what, given, expected) => {
    expect(told(plan(given).readOnly).sort()).toEqual([...expected].sort());
  });
});

describe('what is hidden', () => {
  it('is Gatehouse’s own and the secret places that are there', () => {
    const { hidden } = plan({
      files: [
        '/home/ada/.ssh/id_ed25519',
        '/home/ada/.aws/credentials',
        '/home/ada/.config/gh/hosts.yml',
        '/home/ada/keys/x',
      ],
      texts: {
        '/home/ada/.npmrc': '//registry.example/:_authToken=abc\n',
        '/home/ada/.gradle/gradle.properties': 'org.gradle.daemon=true',
      },
      more: { variables: { GNUPGHOME: '/home/ada/keys' } },
    });
    expect(hidden).toEqual([
      { text: data, from: { kind: 'builtIn' } },
      ...['.ssh', '.aws', '.config/gh', '.npmrc', 'keys'].map((name) => ({
        text: `${home}/${name}`,
        from: { kind: 'default' },
      })),
    ]);
  });

  it('is not a registry file without a token', () => {
    const { hidden } = plan({ texts: { '/home/ada/.npmrc': 'registry=https://r.example\n# _authToken=x\n' } });
    expect(hidden.map(({ text }) => text)).toEqual([data]);
  });

  it.each<readonly [string, Case, readonly string[]]>([
    ['a place of denyRead', { filesystem: { denyRead: ['~/notes', '/srv/keys'] } }, ['/home/ada/notes', '/srv/keys']],
    [
      'what a rule refuses to read',
      { deny: ['Read(//srv/keys/**)', 'Read(~/notes.txt)'] },
      ['/srv/keys', '/home/ada/notes.txt'],
    ],
    [
      'a name at any depth',
      { deny: ['Read(**/.env)', 'Read(*.pem)'], files: ['/srv/app/.env', '/srv/app/a/.env', '/srv/app/k.pem'] },
      ['/srv/app/.env', '/srv/app/a/.env', '/srv/app/k.pem'],
    ],
    ['without regard to case', { deny: ['Read(*.PEM)'], files: ['/srv/app/k.pem'] }, ['/srv/app/k.pem']],
    ['the working folder where all around it is', { deny: ['Read(//srv/**)'] }, ['/srv', '/srv/app']],
    ['never the whole disk', { deny: ['Read(//**)'] }, []],
    [
      'nothing for a whole tool or for an exception',
      { deny: ['Read', 'Read(!/a.ts)', 'WebFetch(domain:x.example)'] },
      [],
    ],
  ])('is %s', (_what, given, expected) => {
    expect(told(plan(given).hidden).sort()).toEqual([...expected].sort());
  });

  it('is not the folder that somebody opened to work in', () => {
    const opened = plan({ files: ['/home/ada/.kube/config'], more: { workingFolders: ['/home/ada/.kube'] } });
    expect(opened.hidden.map(({ text }) => text)).toEqual([data]);
  });

  it('is looked for in the working folders before the rest of the disk', () => {
    const disk = diskOf({ [`${folder}/k.pem`]: '' });
    const rest = Array.from({ length: 100 }, (_, index) => ({ name: `d${index}`, isFolder: true }));
    const entries: DiskView['entries'] = (at) => (at === folder ? disk.entries(at) : rest);
    const made = plan({ deny: ['Read(//**/*.pem)'], more: { disk: { ...disk, entries } } });
    expect(told(made.hidden)).toEqual([`${folder}/k.pem`]);
    expect(why(made)).toHaveLength(1);
  });

  it('is no more than a command can wait for', () => {
    const files = Array.from({ length: maxFound + 50 }, (_, index) => `${folder}/${index}.pem`);
    const made = plan({ deny: ['Read(*.pem)'], files });
    expect(told(made.hidden)).toHaveLength(maxFound);
    expect(why(made)).toHaveLength(1);
  });

  it('says when there was too much to look through', () => {
    const endless: DiskView = {
      ...diskOf({}),
      entries: () => Array.from({ length: 100 }, (_, index) => ({ name: `d${index}`, isFolder: true })),
    };
    const made = plan({ deny: ['Read(*.pem)'], more: { disk: endless } });
    expect(why(made)).toEqual([expect.stringContaining(`${maxLookedAt.toLocaleString('en')} names looked at`)]);
  });
});

describe('what can be read all the same', () => {
  const ssh = ['/home/ada/.ssh/id', '/home/ada/.ssh/known_hosts'];

  it('is a file in a secret place', () => {
    const made = plan({ filesystem: { allowRead: ['~/.ssh/known_hosts'] }, files: ssh });
    expect(told(made.readable)).toEqual(['/home/ada/.ssh/known_hosts']);
    expect(made.hidden.map(({ text }) => text)).toContain('/home/ada/.ssh');
  });

  it('is a secret place as a whole, which then is not hidden', () => {
    const made = plan({ filesystem: { allowRead: ['~/.ssh'] }, files: ssh });
    expect(made.hidden.map(({ text }) => text)).toEqual([data]);
    expect(made.readable).toEqual([]);
  });

  it.each<readonly [string, Case, string]>([
    [
      'Gatehouse’s own',
      { filesystem: { allowRead: [`${data}/x`] }, files: [`${data}/x`] },
      `sandbox.filesystem.allowRead: ${data}/x | Gatehouse’s own places are never seen by commands.`,
    ],
    [
      'what is hidden by name',
      { filesystem: { allowRead: ['/srv/k'], denyRead: ['/srv/k'] }, files: ['/srv/k'] },
      'sandbox.filesystem.allowRead: /srv/k | The same place is hidden by a setting or rule, which wins.',
    ],
    [
      'a pattern',
      { filesystem: { allowRead: ['~/.ssh/*.pub'] }, files: ssh },
      'sandbox.filesystem.allowRead: ~/.ssh/*.pub | Wildcards do not work here. Name the file or folder.',
    ],
  ])('is never %s', (_what, given, ignored) => {
    const made = plan(given);
    expect(made.readable).toEqual([]);
    expect(why(made)).toEqual([ignored]);
  });
});
