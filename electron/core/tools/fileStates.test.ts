import { describe, expect, it } from 'vitest';
import { type FileState, FileStates } from './fileStates';

const state = (path: string, size = 10): FileState => ({
  path,
  hash: `hash of ${path}`,
  mtimeMs: 1,
  size,
  whole: true,
});

describe('bounds', () => {
  it('keeps 100 files, the least recently used goes first', () => {
    const states = new FileStates();
    for (let n = 0; n < 100; n++) states.set(state(`/f${n}`));
    states.get('/f0');
    states.set(state('/new'));
    expect([states.get('/f0'), states.get('/f1'), states.get('/new')]).toEqual([
      state('/f0'),
      undefined,
      state('/new'),
    ]);
  });

  it('keeps 25 MB, yet always the last file', () => {
    const states = new FileStates();
    states.set(state('/a', 20_000_000));
    states.set(state('/b', 4_000_000));
    states.set(state('/c', 4_000_000));
    expect([states.get('/a'), states.get('/b'), states.get('/c')].map((each) => each?.path)).toEqual([
      undefined,
      '/b',
      '/c',
    ]);
    states.set(state('/huge', 900_000_000));
    expect([states.get('/b'), states.get('/c'), states.get('/huge')].map((each) => each?.path)).toEqual([
      undefined,
      undefined,
      '/huge',
    ]);
  });
});

describe('pages', () => {
  const page = (first: number, last: number, hash = 'h') => ({
    path: '/f',
    hash,
    mtimeMs: 1,
    size: 10,
    range: { first, last },
    totalLines: 10,
  });
  const facts = { path: '/f', hash: 'h', mtimeMs: 1, size: 10 };

  it.each<[string, ReturnType<typeof page>[], FileState]>([
    ['all at once', [page(1, 10)], { ...facts, whole: true }],
    ['a part', [page(1, 4)], { ...facts, whole: false, seen: [{ first: 1, last: 4 }] }],
    ['the end only', [page(5, 10)], { ...facts, whole: false, seen: [{ first: 5, last: 10 }] }],
    ['in order', [page(1, 4), page(5, 10)], { ...facts, whole: true }],
    ['out of order, overlapping', [page(6, 10), page(1, 3), page(2, 7)], { ...facts, whole: true }],
    [
      'with a gap',
      [page(1, 3), page(5, 10)],
      {
        ...facts,
        whole: false,
        seen: [
          { first: 1, last: 3 },
          { first: 5, last: 10 },
        ],
      },
    ],
    [
      'other content in between',
      [page(1, 4, 'old'), page(5, 10)],
      { ...facts, whole: false, seen: [{ first: 5, last: 10 }] },
    ],
    ['a part after the whole', [page(1, 10), page(2, 3)], { ...facts, whole: true }],
    [
      'a part after another whole',
      [page(1, 10, 'old'), page(2, 3)],
      { ...facts, whole: false, seen: [{ first: 2, last: 3 }] },
    ],
  ])('%s', (_, pages, expected) => {
    const states = new FileStates();
    for (const each of pages) states.addPage(each);
    expect(states.get('/f')).toEqual(expected);
  });

  it('of an empty file are the whole file', () => {
    const states = new FileStates();
    states.addPage({ ...facts, range: { first: 1, last: 0 }, totalLines: 0 });
    expect(states.get('/f')).toEqual({ ...facts, whole: true });
  });
});
