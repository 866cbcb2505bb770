import { describe, expect, it } from 'vitest';
import { absolutePath, isInside, pathField, shortPath } from './paths';
import { climbsOut, searchRoot } from './searchRoot';
import { samplePlace } from './testing/samplePlace';

describe('absolutePath', () => {
  it.each([
    ['src/a.ts', '/srv/app/src/a.ts'],
    ['./src/../b.ts', '/srv/app/b.ts'],
    ['../other/b.ts', '/srv/other/b.ts'],
    ['/etc/hosts', '/etc/hosts'],
    ['/etc//x/./y/', '/etc/x/y'],
    ['~', '/home/ada'],
    ['~/notes.md', '/home/ada/notes.md'],
    ['~bob/notes.md', '/srv/app/~bob/notes.md'],
    ['a/~/b', '/srv/app/a/~/b'],
    [' spaced ', '/srv/app/ spaced '],
  ])('%s', (path, expected) => {
    expect(absolutePath(path, samplePlace)).toBe(expected);
  });
});

describe('shortPath', () => {
  it.each([
    ['/srv/app', '.'],
    ['/srv/app/src/a.ts', 'src/a.ts'],
    ['/srv/app/..hidden', '..hidden'],
    ['/srv/application/a.ts', '/srv/application/a.ts'],
    ['/srv', '/srv'],
    ['/', '/'],
  ])('%s', (path, expected) => {
    expect(shortPath(path, '/srv/app')).toBe(expected);
    expect(isInside(path, '/srv/app')).toBe(!expected.startsWith('/'));
  });
});

describe('pathField', () => {
  it.each([
    ['a', true],
    ['', false],
    ['  ', false],
    ['a\0b', false],
    ['x'.repeat(4_096), true],
    ['x'.repeat(4_097), false],
  ])('%.10s is fine: %s', (path, fine) => {
    expect(pathField().safeParse(path).success).toBe(fine);
  });
});

describe('searchRoot', () => {
  it.each<[string, string | undefined, string, string]>([
    ['**/*.ts', undefined, '/srv/app', '**/*.ts'],
    ['src/*.ts', 'lib', '/srv/app/lib', 'src/*.ts'],
    ['*', '~', '/home/ada', '*'],
    ['/etc/**/*.conf', undefined, '/etc', './**/*.conf'],
    ['/etc/hosts', undefined, '/etc', './hosts'],
    ['/*', undefined, '/', './*'],
    ['../other/*.ts', undefined, '/srv/other', './*.ts'],
    ['../../*', 'src', '/srv', './*'],
    ['./src/{a,b}/*.ts', undefined, '/srv/app/src', './{a,b}/*.ts'],
    ['~/x/*', undefined, '/home/ada/x', './*'],
    ['/srv/app/src/a', 'ignored', '/srv/app/src', './a'],
    ['src/../../*', undefined, '/srv/app', 'src/../../*'],
  ])('%s in %s', (pattern, path, root, rest) => {
    expect(searchRoot({ pattern, path }, samplePlace)).toEqual({ root, pattern: rest });
  });

  it.each([
    ['*/../x', true],
    ['src/../../*', true],
    ['..', true],
    ['a..b/*', false],
    ['...', false],
  ])('%s climbs out: %s', (pattern, climbs) => {
    expect(climbsOut(pattern)).toBe(climbs);
  });
});
