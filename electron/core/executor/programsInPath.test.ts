import { expect, test } from 'vitest';
import { programsInPath } from './programsInPath';

test.each([
  { path: '/usr/bin:/opt/x', platform: 'linux', there: ['/opt/x/gopls'], found: true },
  { path: '/usr/bin', platform: 'linux', there: ['/opt/x/gopls'], found: false },
  {
    path: 'node_modules/.bin::.',
    platform: 'linux',
    there: ['node_modules/.bin/gopls', 'gopls', './gopls'],
    found: false,
  },
  { path: undefined, platform: 'linux', there: ['/gopls', 'gopls'], found: false },
  { path: 'C:\\Go;D:\\x', platform: 'win32', there: ['D:\\x\\gopls.exe'], found: true },
  { path: 'C:\\Go', platform: 'win32', there: ['C:\\Go\\gopls.cmd'], found: true },
  { path: 'C:\\Go', platform: 'win32', there: ['C:\\Go\\gopls'], found: false },
] as const)('$path with $there: $found', ({ path, platform, there, found }) => {
  const files: readonly string[] = there;
  expect(programsInPath({ path, platform, isProgram: (file) => files.includes(file) })('gopls')).toBe(found);
});

test('what was found is kept for a while', () => {
  let installed = false;
  let now = 0;
  const isInPath = programsInPath({ path: '/b', platform: 'linux', isProgram: () => installed, now: () => now });
  const seen = [isInPath('x')];
  installed = true;
  now = 29_999;
  seen.push(isInPath('x'));
  now = 30_000;
  seen.push(isInPath('x'));
  expect(seen).toEqual([false, false, true]);
});

test('looks at the real disk', () => {
  expect(['sh', 'gatehouse-no-such-program'].map(programsInPath({ path: '/bin', platform: 'linux' }))).toEqual([
    true,
    false,
  ]);
});
