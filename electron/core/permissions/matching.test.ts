import { describe, expect, it } from 'vitest';
import { type CaseFile, memoryView } from './caseWorld';
import { holdsCredential } from './credentials';
import { toSystemPath } from './fileView';
import { guardedName } from './guardedNames';
import { compileCommand } from './matchCommand';
import { matchesHost } from './matchHost';
import { compilePath, matchesPath } from './matchPath';
import { expandPattern, fold, isInside, resolvePath, toEnginePath } from './paths';
import { commandPrefix } from './suggest';

describe('commands', () => {
  it.each([
    ['make', 'make', true],
    ['make', 'make all', false],
    ['make *', 'make', true],
    ['make:*', 'make all', true],
    ['make:*', 'makepkg', false],
    ['make*', 'makepkg -s', true],
    ['make  *', 'make x', true],
    ['a * c', 'a b c', true],
    ['a * c', 'a c', false],
    ['* *', 'a', false],
    ['a.b', 'axb', false],
    ['git commit:*', 'git commit -m "a\nb"', true],
    ['npm**', 'npm x', true],
    ['*a*a*a*a*a*a*a*b', 'a'.repeat(9_000), false],
    ['a*a', 'a', false],
    ['a*bc*c', 'abc', false],
    ['a*bc*c', 'abcc', true],
  ])('%s on %s: %s', (rule, command, expected) => {
    expect(compileCommand(rule).matches(command)).toBe(expected);
  });
});

describe('path patterns', () => {
  const anchors = { home: ['/home/u'], source: ['/ws'], current: ['/ws/cur'] };
  it.each([
    // pattern, path, allow, deny
    ['//srv/x', '/srv/x', true, true],
    ['//srv/**', '/srv/a/b', true, true],
    ['//srv/**', '/srv', false, true],
    ['~/n/*', '/home/u/n/a', true, true],
    ['~/n/*', '/home/u/n/a/b', true, true],
    ['/a.ts', '/ws/a.ts', true, true],
    ['/a.ts', '/ws/cur/a.ts', false, false],
    ['a.ts', '/ws/cur/x/a.ts', true, true],
    ['./a.ts', '/ws/cur/x/a.ts', true, true],
    ['a.ts', '/ws/a.ts', false, false],
    ['x/a.ts', '/ws/cur/x/a.ts', true, true],
    ['x/a.ts', '/ws/cur/y/x/a.ts', false, false],
    ['dir/**', '/ws/cur/dir/a', true, true],
    ['dir/**', '/ws/cur/y/dir/a', false, true],
    ['dir/**', '/ws/cur/dir', false, true],
    ['x/dir/**', '/ws/cur/y/x/dir/a', false, false],
    ['**/dir/**', '/ws/cur/y/dir/a', true, true],
    ['src', '/ws/cur/src/a/b', true, true],
    ['src/', '/ws/cur/src/a/b', true, true],
    ['src/*', '/ws/cur/src/a/b', true, true],
    ['src/', '/ws/cur/src', false, true],
    ['A.ts', '/ws/cur/a.ts', false, true],
    ['a ', '/ws/cur/a', true, true],
    ['/**', '/ws/a/b', true, true],
    ['/a\\[1\\].ts', '/ws/a[1].ts', true, true],
    ['a[12].ts', '/ws/cur/a1.ts', true, true],
    ['*.ts', '/ws/cur/q/a.ts', true, true],
    ['/*', '/elsewhere', false, false],
    ['#a.ts', '/ws/cur/#a.ts', true, true],
    ['/caf\u00e9/**', '/ws/cafe\u0301/a', true, true],
  ])('%s on %s', (text, path, allow, deny) => {
    const on = (strict: boolean) =>
      matchesPath({ pattern: compilePath({ text, strict, ignoreCase: false }), anchors, path, ignoreCase: !strict });
    expect([on(true), on(false)]).toEqual([allow, deny]);
  });
});

describe('hosts', () => {
  it.each([
    ['example.org', 'EXAMPLE.org.', true],
    ['example.org', 'a.example.org', false],
    ['*.example.org', 'a.b.example.org', true],
    ['*.example.org', 'example.org', false],
    ['*', 'anything.example', true],
    ['example.*', 'example.com', true],
    ['example.*', 'example.evil.com', false],
    ['*example.org', 'evilexample.org', true],
    ['*example.org', 'a.example.org', false],
    ['127.0.0.1', '127.1', true],
    ['127.0.0.1', '2130706433', true],
  ])('%s on %s: %s', (pattern, host, expected) => {
    expect(matchesHost(pattern, host)).toBe(expected);
  });
});

describe('paths', () => {
  it.each([
    ['C:\\proj\\a.ts', '/c/proj/a.ts'],
    ['c:/Proj/../x', '/c/x'],
    ['\\\\?\\C:\\a', '/c/a'],
    ['C:', '/c/'],
    ['\\\\server\\share\\a', '/server/share/a'],
  ])('Windows %s', (path, expected) => {
    expect(toEnginePath(path, 'win32')).toBe(expected);
  });

  it('goes back to the system', () => {
    expect([toSystemPath('/c/proj/a', 'win32'), toSystemPath('/c/proj', 'linux')]).toEqual(['C:\\proj\\a', '/c/proj']);
  });

  it('contains by whole names', () => {
    expect([
      isInside('/ws/a', '/ws'),
      isInside('/ws', '/ws'),
      isInside('/ws-evil', '/ws'),
      isInside('/a', '/'),
    ]).toEqual([true, true, false, true]);
  });

  it('folds composed letters always, case where asked', () => {
    expect([fold('E\u0301', false), fold('E\u0301', true)]).toEqual(['\u00c9', '\u00e9']);
  });

  const view = memoryView(
    new Map<string, CaseFile>([
      ['/ws/a.txt', ''],
      ['/ws/.env', ''],
      ['/ws/sub/b.txt', ''],
      ['/ws/link', { symlink: '/srv' }],
      ['/ws/hop', { symlink: 'link/x' }],
      ['/ws/loop', { symlink: 'loop' }],
      ['/ws/up', { symlink: '../other/deep' }],
    ]),
  );

  it.each([
    ['/ws/a.txt', '/ws/a.txt'],
    ['/ws/link/new/file', '/srv/new/file'],
    ['/ws/hop', '/srv/x'],
    ['/ws/up/../y', '/other/y'],
    ['/nowhere/x', '/nowhere/x'],
    ['/ws/loop', '/ws/loop'],
    ['/', '/'],
  ])('%s leads to %s', (path, real) => {
    expect(resolvePath(path, view).real).toBe(real);
  });

  it('knows every spelling on the way', () => {
    expect(resolvePath('/ws/hop', view).spellings).toEqual(['/ws/hop', '/ws/link/x', '/srv/x']);
  });

  it.each([
    ['/ws/*.txt', ['/ws/a.txt']],
    ['/ws/.e*', ['/ws/.env']],
    ['/ws/.[e]nv', ['/ws/.env']],
    [
      '/ws/*/b.txt',
      [
        '/ws/sub/b.txt',
        '/ws/link/b.txt',
        '/ws/hop/b.txt',
        '/ws/loop/b.txt',
        '/ws/up/b.txt',
        '/ws/a.txt/b.txt',
        '/ws/.env/b.txt',
      ],
    ],
    ['/ws/?.txt', ['/ws/a.txt']],
  ])('%s stands for', (pattern, files) => {
    expect([...(expandPattern(pattern, view, 50) ?? [])].sort()).toEqual([...files].sort());
  });

  it('is not kept busy by a pattern', () => {
    const many = memoryView(new Map([[`/ws/${'a'.repeat(250)}`, '']]));
    expect(expandPattern(`/ws/${'*a'.repeat(60)}*b`, many, 50)).toEqual([]);
  });

  it('does not spread without end', () => {
    expect(expandPattern('/ws/*', view, 2)).toBeNull();
  });

  it.each([
    ['/ws/.git/config', '/ws', '.git'],
    ['/ws/sub/.VSCode/x', '/ws', '.VSCode'],
    ['/ws/.config/git/x', '/ws', '.config/git'],
    ['/ws/.claude/worktrees/w/a', '/ws', null],
    ['/ws/.claude/worktrees/w/.git', '/ws', '.git'],
    ['/ws/.npmrc', '/ws', '.npmrc'],
    ['/home/u/.vscode/ext/a.ts', '/home/u/.vscode/ext', null],
    ['/home/u/.bashrc', null, '.bashrc'],
    ['/ws/.gitignore', '/ws', null],
  ])('%s in %s is protected by %s', (path, within, name) => {
    expect(guardedName(path, within)?.name ?? null).toBe(name);
  });
});

it.each([
  ['git commit -m x', 'git commit'],
  ['git', null],
  ['git -C x push', null],
  ['npm run dev --watch', 'npm run dev'],
  ['npm run', 'npm run'],
  ['make', null],
  ['make test', 'make test'],
  ['tsc -p .', 'tsc'],
  ['eslint src', 'eslint src'],
  ['gh pr view 3', 'gh pr view'],
  ['gh api x', null],
  ['python3.12 x', null],
  ['./run.sh', null],
  ['kubectl exec pod', null],
  ['xargs rm', null],
])('names %s by %s', (command, prefix) => {
  expect(commandPrefix(command)).toBe(prefix);
});

it.each([
  ['Bash(curl -H "Authorization: Bearer abcdef")', true],
  ['Bash(git clone https://me:secret@host/x)', true],
  ['Bash(export API_KEY=abcdef)', true],
  ['Bash(deploy --token abcdef)', true],
  ['Bash(x sk-ant-REDACTED)', true],
  ['Bash(x ghp_abcdefghijklmnop)', true],
  ['Bash(x AKIAIOSFODNN7EXAMPLE)', true],
  ['Bash(git commit -m "a b")', false],
  ['Bash(npm run test:unit)', false],
  ['Edit(/src/components/permissions/permissionEngineImplementation.ts)', false],
])('%s holds a credential: %s', (text, expected) => {
  expect(holdsCredential(text)).toBe(expected);
});
