import { describe, expect, test } from 'vitest';
import {
  drawnRows,
  type Geometry,
  isExact,
  maxPixels,
  moved,
  placeAt,
  placeFor,
  scrollTopOf,
  settle,
  spacerHeight,
} from './rowGeometry';

const few: Geometry = { count: 1_000, rowHeight: 18, height: 180 };
const many: Geometry = { count: 20_000_000, rowHeight: 18, height: 180 };
/** Every third row is three times as high. */
const wrapped: Geometry = { ...few, heightOf: (row) => (row % 3 === 0 ? 54 : 18) };

test('a short list moves with the scroll bar, pixel by pixel', () => {
  expect(isExact(few)).toBe(true);
  expect(spacerHeight(few)).toBe(18_000);
  expect(placeAt(few, 100)).toEqual({ row: 5, offset: 10 });
  expect(scrollTopOf(few, { row: 5, offset: 10 })).toBe(100);
});

test('twenty million rows are reached from first to last, and moved through row by row', () => {
  expect(isExact(many)).toBe(false);
  expect(spacerHeight(many)).toBe(maxPixels);
  expect(placeAt(many, 0)).toEqual({ row: 0, offset: 0 });
  expect(placeAt(many, maxPixels - 180)).toEqual({ row: 19_999_990, offset: 0 });
  const middle = placeAt(many, maxPixels / 2);
  expect(moved(many, middle, 18)).toEqual({ row: middle.row + 1, offset: middle.offset });
  expect(moved(many, { row: 19_999_990, offset: 0 }, 500)).toEqual({ row: 19_999_990, offset: 0 });
});

test('the scroll bar stands for the place it was put to', () => {
  for (const geometry of [few, many, wrapped])
    for (const row of [0, 7, Math.floor(geometry.count / 2), geometry.count - 20])
      expect(placeAt(geometry, scrollTopOf(geometry, { row, offset: 3 })).row).toBe(row);
});

describe('rows of different height', () => {
  test('an offset is brought into its row, down and up', () => {
    expect(settle(wrapped, { row: 0, offset: 80 })).toEqual({ row: 2, offset: 8 });
    expect(settle(wrapped, { row: 4, offset: -20 })).toEqual({ row: 3, offset: 34 });
    expect(settle(wrapped, { row: 0, offset: -20 })).toEqual({ row: 0, offset: 0 });
  });
  test('no room is left below the last row', () => {
    const end = settle(wrapped, { row: 999, offset: 0 });
    let below = -end.offset;
    for (let row = end.row; row < 1_000; row += 1) below += wrapped.heightOf?.(row) ?? 0;
    expect(below).toBe(180);
    expect(placeAt(wrapped, spacerHeight(wrapped) - 180)).toEqual(end);
  });
  test('fewer rows than fit stay at the top', () => {
    expect(settle({ ...wrapped, count: 2 }, { row: 1, offset: 5 })).toEqual({ row: 0, offset: 0 });
  });
});

test('what is drawn reaches beyond what is in view, and never beyond the list', () => {
  expect(drawnRows(few, { row: 0, offset: 0 })).toEqual({ first: 0, last: 18 });
  expect(drawnRows(few, { row: 500, offset: 0 })).toEqual({ first: 492, last: 518 });
  expect(drawnRows(few, { row: 990, offset: 0 })).toEqual({ first: 982, last: 999 });
  expect(drawnRows({ ...few, count: 0 }, { row: 0, offset: 0 }).last).toBe(-1);
});

describe('bringing a row into view', () => {
  const at = { row: 100, offset: 0 };
  const cases: readonly [name: string, row: number, align: 'nearest' | 'middle', to: object][] = [
    ['in view already', 105, 'nearest', at],
    ['in view already, wanted in the middle', 109, 'middle', at],
    ['above', 90, 'nearest', { row: 90, offset: 0 }],
    ['below', 115, 'nearest', { row: 106, offset: 0 }],
    ['far away, in the middle', 500, 'middle', { row: 495, offset: 9 }],
    ['the first', 0, 'middle', { row: 0, offset: 0 }],
    ['the last', 999, 'middle', { row: 990, offset: 0 }],
  ];
  test.each(cases)('%s', (_name, row, align, to) => {
    expect(placeFor(few, at, { row, align })).toEqual(to);
  });
  test('a row higher than the view begins at its top', () => {
    const high: Geometry = { ...few, heightOf: (row) => (row === 50 ? 900 : 18) };
    expect(placeFor(high, at, { row: 50, align: 'nearest' })).toEqual({ row: 50, offset: 0 });
  });
});
