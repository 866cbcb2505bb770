import { expect, test } from 'vitest';
import { commandLine, languageOf, serverOf } from './servers';

test.each([
  ['/w/a.ts', 'typescript'],
  ['/w/a.d.mts', 'typescript'],
  ['/w/A.TSX', 'typescriptreact'],
  ['C:\\w\\a.py', 'python'],
  ['/w/Dockerfile', 'dockerfile'],
  ['/w/a.rs/README', null],
  ['/w/.ts', 'typescript'],
  ['/w/ts', null],
  ['/w/a.unknown', null],
])('%s is %s', (path, language) => {
  expect(languageOf(path)).toBe(language);
});

test.each([
  { installed: ['pylsp', 'pyright-langserver'], preferences: {}, found: 'pyright-langserver --stdio' },
  { installed: ['pylsp'], preferences: {}, found: 'pylsp' },
  { installed: [], preferences: {}, found: null },
  {
    installed: ['pylsp'],
    preferences: { python: { command: '/opt/my ls', args: ["it's"] } },
    found: `'/opt/my ls' 'it'\\''s'`,
  },
  { installed: ['pylsp'], preferences: { go: { command: 'x', args: [] } }, found: 'pylsp' },
])('python with $installed and $preferences: $found', ({ installed, preferences, found }) => {
  const programs: readonly string[] = installed;
  const server = serverOf('python', { preferences, isInPath: (program) => programs.includes(program) });
  expect(server === null ? null : commandLine(server)).toBe(found);
});

test('a language with the name of a member of objects has no server', () => {
  expect(serverOf('constructor', { preferences: {}, isInPath: () => true })).toBeNull();
});
