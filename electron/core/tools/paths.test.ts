import { describe, expect, it } from 'vitest';
import { absolutePath, isInside, pathField, shortPath } from './paths';
import { climbsOut, searchRoot } from './searchRoot';
import { samplePlace } from './testing/samplePlace';

describe('absolutePath', () => {
  it.each([
    ['src/a.ts', '/work/app/src/a.ts'],
    ['./src/../b.ts', '/work/app/b.ts'],
    ['../other/b.ts', '/work/other/b.ts'],
    ['/etc/hosts', '/etc/hosts'],
    ['/etc//x/./y/', '/etc/x/y'],
    ['~', '/home/ada'],
    ['~/notes.md', '/home/ada/notes.md'],
    ['~bob/notes.md', '/work/app/~bob/notes.md'],
    ['a/~/b', '/work/app/a/~/b'],
    [' spaced ', '/work/app/ spaced '],
  ])('%s', (path, expected) => {
    expect(absolutePath(path, samplePlace)).toBe(expected);
  });
});

describe('shortPath', () => {
  it.each([
    ['/work/app', '.'],
    ['/work/app/src/a.ts', 'src/a.ts'],
    ['/work/app/..hidden', '..hidden'],
    ['/work/application/a.ts', '/work/application/a.ts'],
    ['/work', '/work'],
    ['/', '/'],
  ])('%s', (path, expected) => {
    expect(shortPath(path, '/work/app')).toBe(expected);
    expect(isInside(path, '/work/app')).toBe(!expected.startsWith('/'));
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
    ['**/*.ts', undefined, '/work/app', '**/*.ts'],
    ['src/*.ts', 'lib', '/work/app/lib', 'src/*.ts'],
    ['*', '~', '/home/ada', '*'],
    ['/etc/**/*.conf', undefined, '/etc', './**/*.conf'],
    ['/etc/hosts', undefined, '/etc', './hosts'],
    ['/*', undefined, '/', './*'],
    ['../other/*.ts', undefined, '/work/other', './*.ts'],
    ['../../*', 'src', '/work', './*'],
    ['./src/{a,b}/*.ts', undefined, '/work/app/src', './{a,b}/*.ts'],
    ['~/x/*', undefined, '/home/ada/x', './*'],
    ['/work/app/src/a', 'ignored', '/work/app/src', './a'],
    ['src/../../*', undefined, '/work/app', 'src/../../*'],
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
