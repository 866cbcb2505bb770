import { expect, it } from 'vitest';
import { filePlace, placesIn } from './filePlace';

it.each([
  ['src/app.ts:12', { path: 'src/app.ts', line: 12 }],
  ['/srv/app/a.test.tsx:3:14', { path: '/srv/app/a.test.tsx', line: 3 }],
  ['src/app.ts:12-20', { path: 'src/app.ts', line: 12 }],
  ['src/app.ts#L7', { path: 'src/app.ts', line: 7 }],
  ['README.md:1', { path: 'README.md', line: 1 }],
  ['.github/x.yml:2', { path: '.github/x.yml', line: 2 }],
  ['src/app.ts', null],
  ['localhost:3000', null],
  ['10.0.0.1:80', null],
  ['https://example.com:443', null],
  ['a.b:0', { path: 'a.b', line: null }],
])('%s', (text, expected) => {
  expect(filePlace(text)).toEqual(expected);
});

it('takes a path without a line where it is a link already', () => {
  expect([filePlace('src/app.ts', { bare: true }), filePlace('app.ts', { bare: true })]).toEqual([
    { path: 'src/app.ts', line: null },
    null,
  ]);
});

it.each([
  ['See src/a.ts:3, and b.ts:4.', ['See ', 'src/a.ts', ', and ', 'b.ts', '.']],
  ['at http://example.com:80/x and 1.2.3:4', ['at http://example.com:80/x and 1.2.3:4']],
  ['(src/a.ts:3)', ['(', 'src/a.ts', ')']],
  ['', []],
])('finds them in %j', (text, expected) => {
  expect(placesIn(text).map((piece) => (typeof piece === 'string' ? piece : piece.place.path))).toEqual(expected);
});

it('stays quick on long text without one', () => {
  const long = 'a/'.repeat(20_000);
  const began = performance.now();
  expect(placesIn(long)).toHaveLength(1);
  expect(performance.now() - began).toBeLessThan(5_000);
});
