import { expect, test } from 'vitest';
import { hexLine, rowsOfBase64 } from './hex';

test('bytes stand in rows of sixteen, with what of them can be read', () => {
  const rows = rowsOfBase64(btoa('Harbor\u0000\u00ff lights, 18\n'));
  expect(rows.map((row) => row.length)).toEqual([16, 4]);
  expect(rows.map((row, at) => Object.values(hexLine(row, at, 8)).join('|'))).toEqual([
    '00000000|48 61 72 62 6f 72 00 ff  20 6c 69 67 68 74 73 2c|Harbor.. lights,',
    '00000010|20 31 38 0a                                     | 18.',
  ]);
});

test('bytes that have not come leave the row as wide as it will be', () => {
  const blank = hexLine(undefined, 3, 8);
  expect(blank.hex).toHaveLength(hexLine(new Uint8Array(16), 0, 8).hex.length);
  expect(blank.place).toBe('00000030');
});
