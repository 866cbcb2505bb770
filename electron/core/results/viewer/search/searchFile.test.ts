import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchQuery } from '#shared/api/results';
import { MatchStore } from './matchStore';
import { expressionOf } from './regexFinder';
import { searchFile } from './searchFile';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-search-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What is found: the texts, and for each whether it is the first of its line. */
function find(content: string | Buffer, query: Partial<SearchQuery> & { text: string }) {
  const bytes = Buffer.from(content);
  const path = join(folder, 'searched.txt');
  writeFileSync(path, bytes);
  const descriptor = openSync(path, 'r');
  const found: { start: number; text: string; first: boolean }[] = [];
  const store = new MatchStore();
  try {
    const job = { descriptor, size: bytes.length, query: { regex: false, caseSensitive: true, ...query } };
    for (const batch of searchFile(job)) {
      store.add(batch);
      batch.starts.forEach((start, at) => {
        const text = bytes.toString('utf8', start, start + (batch.lengths[at] ?? 0));
        found.push({ start, text, first: batch.firsts[at] === 1 });
      });
    }
  } finally {
    closeSync(descriptor);
  }
  expect(store.matches).toBe(found.length);
  return found;
}

const texts = (content: string | Buffer, query: Partial<SearchQuery> & { text: string }) =>
  find(content, query).map(({ text, first }) => (first ? text : `+${text}`));

describe('a text', () => {
  it.each([
    ['one', 'one two one\none', {}, ['one', '+one', 'one']],
    ['aa', 'aaaaa', {}, ['aa', '+aa']],
    ['ONE', 'one One', {}, []],
    ['ONE', 'one One', { caseSensitive: false }, ['one', '+One']],
    ['@[', '@[ `{ @{', { caseSensitive: false }, ['@[']],
    ['größe', 'Größe größe', {}, ['größe']],
    ['GRÖSSE', 'größe Grösse', { caseSensitive: false }, ['Grösse']],
    ['😀', 'a😀b', {}, ['😀']],
    ['a.c', 'abc a.c', {}, ['a.c']],
    ['x', 'x', {}, ['x']],
    ['two\nthree', 'one two\nthree', {}, ['two\nthree']],
    ['longer than the file', 'short', {}, []],
  ] as const)('%s', (text, content, how, expected) => {
    expect(texts(content, { text, ...how })).toEqual(expected);
  });

  it('is found over the pieces that a file is read in', () => {
    const bytes = Buffer.alloc(1_200_000, 0x61);
    const places = [262_140, 262_144 * 2 - 1, 700_000, 1_199_995];
    for (const place of places) bytes.write('needl', place);
    expect(find(bytes, { text: 'needl' }).map(({ start, first }) => [start, first])).toEqual(
      places.map((place, at) => [place, at === 0]),
    );
  });

  it('is found more often than fits at once', () => {
    const found = find('ab'.repeat(100_000), { text: 'a' });
    expect([found.length, found.at(-1)?.start]).toEqual([100_000, 199_998]);
  });

  it('is found where a plain search finds it', () => {
    const alphabet = fc.constantFrom('a', 'b', 'A', '\n', 'é', ' ');
    const some = fc.string({ unit: alphabet, maxLength: 400 });
    fc.assert(
      fc.property(
        some,
        fc.string({ unit: alphabet, minLength: 1, maxLength: 4 }),
        fc.boolean(),
        (content, text, exact) => {
          fc.pre(exact || /^[aAb \n]+$/.test(text));
          const plain = exact ? content : content.replaceAll('A', 'a');
          const wanted = exact ? text : text.replaceAll('A', 'a');
          const expected: number[] = [];
          for (let at = plain.indexOf(wanted); at >= 0; at = plain.indexOf(wanted, at + wanted.length))
            expected.push(Buffer.byteLength(plain.slice(0, at)));
          expect(find(content, { text, caseSensitive: exact }).map(({ start }) => start)).toEqual(expected);
        },
      ),
      { numRuns: 120 },
    );
  });
});

describe('an expression', () => {
  const regex = (text: string, more: Partial<SearchQuery> = {}) => ({ text, regex: true, ...more });

  it.each([
    ['o\\w', 'one two\nfoo', {}, ['on', 'oo']],
    ['^two$', 'one\ntwo\ntwo three', {}, ['two']],
    ['^two$', 'one\r\ntwo\r\n', {}, ['two']],
    ['e\\s+t', 'one\ntwo one  t', {}, ['e  t']],
    ['[^x]+', 'ab\ncd', {}, ['ab', 'cd']],
    ['one\\s*$', 'one  \none\n', {}, ['one  ', 'one']],
    ['o(?=ne)', 'one no\nne', {}, ['o']],
    ['(?<!n)o', 'no\no', {}, ['o']],
    ['a(?!\\s*b)', 'a\nb a b', {}, ['a']],
    ['^$', 'one\n\ntwo\n', {}, ['']],
    ['x*', 'ax\nb', {}, ['', '+x', '']],
    ['É', 'é', { caseSensitive: false }, ['é']],
    ['.', '😀', {}, ['😀']],
    ['\\bé', 'a é', {}, []],
    ['(a)\\1', 'aa\na\na', {}, ['aa']],
  ] as const)('%s in %j', (text, content, how, expected) => {
    expect(texts(content, regex(text, how))).toEqual(expected);
  });

  it('finds at the right bytes, also behind damage', () => {
    const content = Buffer.concat([Buffer.from('é😀'), Buffer.from([0xff, 0xe2, 0x82]), Buffer.from('x1 y2\n한 z3')]);
    expect(find(content, regex('[xyz]\\d')).map(({ text }) => text)).toEqual(['x1', 'y2', 'z3']);
  });

  it('finds within a line that is longer than what is read at once', () => {
    const bytes = Buffer.alloc(3_500_000, 0x2d);
    const places = [0, 1_000_000, 1_048_574, 2_000_000, 3_499_997];
    for (const place of places) bytes.write('a12', place);
    const found = find(Buffer.concat([Buffer.from('head\n'), bytes]), regex('a\\d+'));
    expect(found.map(({ start, text, first }) => [start - 5, text, first])).toEqual(
      places.map((place, at) => [place, 'a12', at === 0]),
    );
    expect(find(bytes, regex('^-'))).toEqual([]);
    expect(find(bytes, regex('^a'))).toHaveLength(1);
  });

  it('finds in each line what it finds in that line alone', () => {
    const sources = ['a+b?', '\\s+', '[^a]+', 'a$', '^b', 'a.*b', '(?:ab)+|\\s', '\\W', 'a(?=b)', 'b\\b', 'a*'];
    const some = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', 'é'), maxLength: 120 });
    fc.assert(
      fc.property(some, fc.constantFrom(...sources), (content, source) => {
        const expected: string[] = [];
        let offset = 0;
        for (const line of content.split('\n')) {
          for (const match of line.matchAll(new RegExp(source, 'gu')))
            if (match[0] !== '' || (match.index === 0 && offset < content.length))
              expected.push(`${Buffer.byteLength(content.slice(0, offset + match.index))}:${match[0]}`);
          offset += line.length + 1;
        }
        const found = find(content, regex(source)).map(({ start, text }) => `${start}:${text}`);
        expect(found).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['warn(ing)?\\b', true],
    ['^WARN.*\\d$', false],
    ['(?<!\\w)warn$', true],
  ])('%s finds the same where few lines hold what it needs', (source, caseSensitive) => {
    const lines = Array.from({ length: 9_000 }, (_, at) =>
      at % 301 === 0
        ? ['warn', 'é warning 7', 'warn 12', 'prewarn\r', ''][at % 5]
        : `line ${at} of some text that is long enough`,
    );
    const content = lines.join('\n');
    const expression = new RegExp(source, caseSensitive ? 'gu' : 'giu');
    const expected = lines.flatMap((line = '') =>
      [...line.replace(/\r$/, '').matchAll(expression)].map(([text]) => text),
    );
    expect(expected.length).toBeGreaterThan(5);
    expect(find(content, regex(source, { caseSensitive })).map(({ text }) => text)).toEqual(expected);
  });

  it('is refused with what is wrong with it', () => {
    expect(() => expressionOf({ text: '(a', regex: true, caseSensitive: true })).toThrow(
      'This is no regular expression: unterminated group.',
    );
  });
});
