import { expect, it } from 'vitest';
import { languageOf } from './languages';

it.each([
  ['/a/b.ts', 'typescript'],
  ['B.TSX', 'tsx'],
  ['/x/Dockerfile', 'docker'],
  ['Makefile', 'make'],
  ['a.b.json', 'json'],
  ['noextension', undefined],
  ['.ts', undefined],
  ['constructor', undefined],
  ['a.constructor', undefined],
])('%s → %s', (path, language) => {
  expect(languageOf(path)).toBe(language);
});
