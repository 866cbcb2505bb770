import { expect, test } from 'vitest';
import type { JsonNode } from '#shared/api/results';
import { type Branch, type Branches, layTree, pathWords } from './jsonTree';
import { createPages } from './pages';

function branches(totals: Readonly<Record<string, number>>): Branches {
  const pages = createPages<JsonNode>({
    size: 10,
    fetch: () => Promise.resolve([]),
    maxWeight: 10,
    onProblem: () => undefined,
  });
  return new Map(
    Object.entries(totals).map(([place, total]): [string, Branch] => [place, { place, path: [], total, pages }]),
  );
}

const placesOf = (totals: Readonly<Record<string, number>>) => {
  const tree = layTree(branches(totals));
  return Array.from({ length: tree.rows }, (_, row) => {
    const { place, level } = tree.rowAt(row);
    return `${level} ${place}`;
  });
};

test('a closed root is one row', () => {
  expect(placesOf({})).toEqual(['1 ']);
});

test('opened values stand below their heads, at any depth', () => {
  expect(placesOf({ '': 3, '1': 2, '1/0': 2 })).toEqual([
    '1 ',
    '2 0',
    '2 1',
    '3 1/0',
    '4 1/0/0',
    '4 1/0/1',
    '3 1/1',
    '2 2',
  ]);
});

test('several opened neighbours, in the order of the file and not of opening', () => {
  expect(placesOf({ '': 3, '2': 1, '0': 1 })).toEqual(['1 ', '2 0', '3 0/0', '2 1', '2 2', '3 2/0']);
});

test('every row is found again by its place', () => {
  const tree = layTree(branches({ '': 4, '1': 2, '1/0': 2, '3': 1 }));
  for (let row = 0; row < tree.rows; row += 1) expect(tree.rowOf(tree.rowAt(row).place)).toBe(row);
});

test('a million items take no longer than a few', () => {
  const tree = layTree(branches({ '': 1_000_000, '500000': 1_000_000 }));
  expect(tree.rows).toBe(2_000_001);
  expect(tree.rowAt(500_002)).toEqual({ parent: '500000', index: 0, level: 3, place: '500000/0' });
});

test('paths are written as people do', () => {
  expect(pathWords(['files', 3, 'odd name', '$ok'])).toBe('$.files[3]["odd name"].$ok');
});
