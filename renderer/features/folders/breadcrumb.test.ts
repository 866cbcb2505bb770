import { describe, expect, it } from 'vitest';
import { crumbsOf, expandHome, pathProblem } from './breadcrumb';

it.each([
  ['/', [['/', '/']]],
  [
    '/home/ada',
    [
      ['/', '/'],
      ['home', '/home'],
      ['ada', '/home/ada'],
    ],
  ],
  [
    '/home/ada/',
    [
      ['/', '/'],
      ['home', '/home'],
      ['ada', '/home/ada'],
    ],
  ],
  [
    'C:\\Users\\ada',
    [
      ['C:\\', 'C:\\'],
      ['Users', 'C:\\Users'],
      ['ada', 'C:\\Users\\ada'],
    ],
  ],
])('the way to %s', (path, expected) => {
  expect(crumbsOf(path).map(({ label, path: to }) => [label, to])).toEqual(expected);
});

describe('a typed path', () => {
  it.each([
    ['/home', true],
    [' /home ', true],
    ['~', true],
    ['~/code', true],
    ['C:\\code', true],
    ['', false],
    ['  ', false],
    ['code', false],
    ['./code', false],
    ['~ada', false],
  ])('%j can be asked for: %s', (path, expected) => {
    expect(pathProblem(path) === '').toBe(expected);
  });

  it.each([
    ['~', '/home/ada'],
    ['~/x', '/home/ada/x'],
    ['/etc', '/etc'],
    [' /etc ', '/etc'],
  ])('%j in full', (path, expected) => {
    expect(expandHome(path, '/home/ada')).toBe(expected);
  });
});
