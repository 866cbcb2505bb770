import { describe, expect, it } from 'vitest';
import { age, baseName, counted, homePath, placeOf, remainingTime, sentence, shortCount } from './words';

const minute = 60_000;
const noon = new Date(2026, 10, 18, 12, 0).getTime();

it.each([
  ['a moment', 20_000, 'now'],
  ['minutes', 4 * minute, '4 m'],
  ['hours of today', 5 * 60 * minute, '5 h'],
  ['yesterday evening', 15 * 60 * minute, 'Tue'],
  ['days', 3 * 24 * 60 * minute, 'Sun'],
  ['weeks', 15 * 24 * 60 * minute, 'Nov 3'],
])('age: %s', (_name, ago, expected) => {
  expect(age(noon - ago, noon)).toBe(expected);
});

it.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1.0k'],
  [18_400, '18.4k'],
  [999_949, '999.9k'],
  [999_950, '1.0M'],
  [1_250_000, '1.3M'],
])('%i in short', (count, expected) => {
  expect(shortCount(count)).toBe(expected);
});

it.each([
  [1, '1 warning'],
  [0, '0 warnings'],
  [1_200, '1,200 warnings'],
])('%i counted', (count, expected) => {
  expect(counted(count, 'warning')).toBe(expected);
});

describe('paths', () => {
  it.each([
    ['/home/ada/code', '/home/ada', '~/code'],
    ['/home/ada', '/home/ada', '~'],
    ['/home/adam', '/home/ada', '/home/adam'],
    ['/etc', '', '/etc'],
    ['/etc', '/', '/etc'],
    ['C:\\Users\\ada\\x', 'C:\\Users\\ada', '~\\x'],
  ])('%s with home %s', (path, home, expected) => {
    expect(homePath(path, home)).toBe(expected);
  });

  it.each([
    ['/a/b', 'b'],
    ['/a/b/', 'b'],
    ['/', '/'],
    ['C:\\a', 'a'],
  ])('last part of %s', (path, expected) => {
    expect(baseName(path)).toBe(expected);
  });
});

it.each([
  [0, '0 s'],
  [1, '1 s'],
  [59_000, '59 s'],
  [60_000, '1:00 min'],
  [245_000, '4:05 min'],
  [600_000, '10 min'],
  [3_599_000, '59 min'],
])('%i ms are %s', (ms, words) => {
  expect(remainingTime(ms)).toBe(words);
});

it.each([
  ['', ''],
  ['a fact', 'A fact.'],
  ['Is it?', 'Is it?'],
])('%j as a sentence', (text, words) => {
  expect(sentence(text)).toBe(words);
});

it.each([
  [{ path: '/h/a' }, '~/a'],
  [{ path: '/h/a', line: 3 }, '~/a:3'],
  [{ path: '/x', line: 3, column: 7 }, '/x:3:7'],
])('%j is at %s', (file, words) => {
  expect(placeOf(file, '/h')).toBe(words);
});
