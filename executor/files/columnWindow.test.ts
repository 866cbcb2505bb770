import { describe, expect, test } from 'vitest';
import { ColumnWindow } from './columnWindow';

function pick(content: string, window: { line: number; firstColumn: number; maxColumns: number }, chunk = 1_000_000) {
  const bytes = Buffer.from(content);
  const columns = new ColumnWindow(window);
  for (let at = 0; at < bytes.length; at += chunk) columns.add(bytes.subarray(at, at + chunk));
  return columns.result();
}

describe('characters of one line', () => {
  test.each([
    { name: 'the start', content: 'abcdef\nx', window: [1, 1, 3], text: 'abc', of: 6, goesOn: true, total: 2 },
    { name: 'the middle', content: 'x\nabcdef\n', window: [2, 3, 2], text: 'cd', of: 6, goesOn: true, total: 2 },
    { name: 'the end', content: 'x\nabcdef', window: [2, 5, 9], text: 'ef', of: 6, goesOn: false, total: 2 },
    { name: 'exactly to the end', content: 'abc\n', window: [1, 2, 2], text: 'bc', of: 3, goesOn: false, total: 1 },
    { name: 'behind the end', content: 'abc\n', window: [1, 9, 2], text: '', of: 3, goesOn: false, total: 1 },
    { name: 'a carriage return', content: 'abc\r\nx', window: [1, 2, 9], text: 'bc', of: 3, goesOn: false, total: 2 },
    {
      name: 'one that is no line end',
      content: 'abc\r',
      window: [1, 2, 9],
      text: 'bc\r',
      of: 4,
      goesOn: false,
      total: 1,
    },
    { name: 'an empty line', content: 'a\n\nb', window: [2, 1, 9], text: '', of: 0, goesOn: false, total: 3 },
    { name: 'half a pair at the end', content: 'ab😀c', window: [1, 1, 3], text: 'ab', of: 5, goesOn: true, total: 1 },
    {
      name: 'half a pair at the start',
      content: 'ab😀cd',
      window: [1, 4, 2],
      text: 'c',
      of: 6,
      goesOn: true,
      total: 1,
    },
  ])('$name', ({ content, window: [line = 1, firstColumn = 1, maxColumns = 1], text, of, goesOn, total }) => {
    for (const chunk of [1, 2, 3, 1_000]) {
      expect(pick(content, { line, firstColumn, maxColumns }, chunk)).toEqual({
        text,
        lines: 1,
        totalLines: total,
        truncated: goesOn,
        lineChars: of,
      });
    }
  });

  test('a line that is not there', () => {
    expect(pick('a\nb\n', { line: 3, firstColumn: 1, maxColumns: 5 })).toMatchObject({ lines: 0, totalLines: 2 });
  });

  test('pages of a huge line make the whole of it', () => {
    const line = Array.from({ length: 60_000 }, (_, index) => `${index}€😀`).join('');
    let read = '';
    for (let guard = 0; guard < 1_000; guard += 1) {
      const page = pick(`${line}\nnext`, { line: 1, firstColumn: read.length + 1, maxColumns: 20_000 }, 65_536);
      read += page.text;
      if (!page.truncated) break;
    }
    expect(read === line).toBe(true);
  });
});
