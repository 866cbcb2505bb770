import { expect, it } from 'vitest';
import { type PageSurroundings, pageKey, takePageKey } from './pageKey';

const key = 'k'.repeat(43);

function pageAt(hash: string) {
  const kept = new Map<string, string>();
  const addresses: string[] = [];
  const page: PageSurroundings = {
    location: { hash, pathname: '/', host: '127.0.0.1:1', protocol: 'http:' },
    history: { replaceState: (_data, _title, url) => addresses.push(String(url)) },
    localStorage: { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value) },
  };
  return { page, addresses };
}

it('keeps the key that came with the address, and cleans the address', () => {
  const { page, addresses } = pageAt(`#key=${key}`);
  expect(pageKey(page)).toBeNull();
  takePageKey(page);
  expect({ key: pageKey(page), addresses }).toEqual({ key, addresses: ['/'] });
});

it.each(['', '#', '#key=', '#key=short', `#key=${key}k`, `#other=${key}`, `#key=<img src=x>${'k'.repeat(32)}`])(
  'takes nothing from %j',
  (hash) => {
    const { page, addresses } = pageAt(hash);
    takePageKey(page);
    expect({ key: pageKey(page), addresses }).toEqual({ key: null, addresses: [] });
  },
);
