import { expect, it } from 'vitest';
import { resolveTheme } from './theme';

it.each([
  ['system', true, 'light'],
  ['system', false, 'dark'],
  ['light', false, 'light'],
  ['dark', true, 'dark'],
] as const)('%s with a light system %s', (theme, systemIsLight, expected) => {
  expect(resolveTheme(theme, systemIsLight)).toBe(expected);
});
