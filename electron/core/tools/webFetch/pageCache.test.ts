import { expect, it } from 'vitest';
import { cacheMsFrom, PageCache } from './pageCache';

const cacheOf = (keptMs = 1_000) => {
  let now = 0;
  const cache = new PageCache<string>({ keptMs, sizeOf: (page) => page.length, now: () => now });
  return { cache, advance: (ms: number) => (now += ms) };
};

it('keeps a page for its time', () => {
  const { cache, advance } = cacheOf();
  cache.set('a', 'x');
  advance(999);
  expect(cache.get('a')).toBe('x');
  advance(1);
  expect(cache.get('a')).toBeNull();
});

it('lets the oldest go beyond fifty', () => {
  const { cache } = cacheOf();
  for (let index = 0; index < 51; index += 1) cache.set(String(index), 'x');
  expect([cache.get('0'), cache.get('1'), cache.get('50')]).toEqual([null, 'x', 'x']);
});

it('holds a bounded amount of text', () => {
  const { cache } = cacheOf();
  const large = 'x'.repeat(9_000_000);
  for (const key of ['a', 'b', 'c']) cache.set(key, large);
  expect([cache.get('a'), cache.get('b') === large, cache.get('c') === large]).toEqual([null, true, true]);
  cache.set('d', 'x'.repeat(20_000_001));
  expect([cache.get('d'), cache.get('c') === large]).toEqual([null, true]);
});

it('counts a page that is set again once', () => {
  const { cache } = cacheOf();
  for (let times = 0; times < 5; times += 1) cache.set('a', 'x'.repeat(9_000_000));
  cache.set('b', 'y');
  expect(cache.get('a')).toHaveLength(9_000_000);
});

it('keeps nothing where the time is nothing', () => {
  const { cache } = cacheOf(0);
  cache.set('a', 'x');
  expect(cache.get('a')).toBeNull();
});

it.each([
  [undefined, 900_000],
  ['', 900_000],
  ['soon', 900_000],
  ['-1', 900_000],
  ['1e3', 900_000],
  ['9'.repeat(20), 900_000],
  ['0', 0],
  [' 60000 ', 60_000],
])('%j is %d ms', (stated, ms) => {
  expect(cacheMsFrom(stated)).toBe(ms);
});
