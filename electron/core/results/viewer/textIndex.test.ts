import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LineCounter } from './lineCounter';
import { OpenedFile } from './openedFile';
import { maxRowBytes, rowBytes } from './rowCut';
import { TextIndex } from './textIndex';
import { TextView } from './textView';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-index-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A text with its index, built from pieces of `chunkBytes`. */
function opened(text: string | Buffer, chunkBytes = 65_536): { file: OpenedFile; index: TextIndex; view: TextView } {
  const path = join(folder, 'text.txt');
  writeFileSync(path, text);
  const file = OpenedFile.open({ file: path });
  const index = new TextIndex();
  build(file, index, chunkBytes);
  return { file, index, view: new TextView(file, index) };
}

function build(file: OpenedFile, index: TextIndex, chunkBytes: number): void {
  const counter = new LineCounter(chunkBytes);
  for (let done = false; !done; ) {
    const read = file.read(counter.piece, index.position, Math.min(chunkBytes, file.size - index.position));
    done = index.position + read >= file.size;
    index.add(counter, read, done);
  }
}

const color = '\u001b[38;5;208m';
const link = `\u001b]8;;https://example.com/${'a'.repeat(300)}\u001b\\`;

describe('short lines', () => {
  it.each([
    ['nothing', '', []],
    ['a line', 'one\n', [['one', 1]]],
    ['a line without an end', 'one', [['one', 1]]],
    ['an empty line', '\n', [['', 1]]],
    [
      'line ends of Windows',
      'one\r\ntwo\r\n\r\nfour',
      [
        ['one', 1],
        ['two', 2],
        ['', 3],
        ['four', 4],
      ],
    ],
    ['a return within', 'a\rb\n', [['a\rb', 1]]],
  ] as const)('%s', (_, text, expected) => {
    const { file, index, view } = opened(text);
    const rows = view.rows(0, 10);
    expect(rows.map(({ text: shown, line }) => [shown, line])).toEqual(expected);
    expect(index.state).toEqual({
      rows: expected.length,
      lines: expected.length,
      bytesDone: Buffer.byteLength(text),
      done: true,
    });
    file.close();
  });
});

describe('long lines', () => {
  it.each([
    ['letters', 'x'.repeat(20_000)],
    ['characters of four bytes', '😀'.repeat(5_000)],
    ['characters of three bytes', `a${'한'.repeat(5_000)}`],
    ['a sequence at the cut', `${'x'.repeat(rowBytes - 3)}${color}${'y'.repeat(9_000)}`],
    ['a link at the cut', `${'x'.repeat(rowBytes - 100)}${link}${'y'.repeat(9_000)}`],
    ['a sequence that never ends', `${'x'.repeat(rowBytes - 3)}\u001b]0;${'y'.repeat(20_000)}`],
    ['damage', Buffer.alloc(20_000, 0x80)],
    ['sequences one after another', color.repeat(2_000)],
  ])('%s', (_, text) => {
    const bytes = Buffer.concat([Buffer.from('first\n'), Buffer.from(text), Buffer.from('\nlast\n')]);
    for (const chunkBytes of [16_384, 65_536]) {
      const { file, index, view } = opened(bytes, chunkBytes);
      const rows = view.rows(0, 1_000);
      const { rows: count, lines } = index.state;
      expect([rows.length, lines]).toEqual([count, 3]);
      expect(rows.map(({ row }) => row)).toEqual(rows.map((_row, at) => at));
      const long = rows.filter(({ line }) => line === 2);
      expect(long.map(({ part }) => part)).toEqual(long.map((_row, at) => at));
      expect(long.every((row) => Buffer.byteLength(row.text) <= maxRowBytes * 3)).toBe(true);
      if (typeof text === 'string') {
        expect(long.map((row) => row.text).join('')).toBe(text);
        // Nothing is cut within a sequence that ends.
        // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are made of them.
        const halves = /^(?:\[|;|\d+m)|\u001b(?:\[[\d;]*)?$/;
        if (!text.includes('\u001b]0;')) expect(long.filter((row) => halves.test(row.text))).toEqual([]);
      }
      expect(rows.at(-1)).toMatchObject({ text: 'last', line: 3, part: 0 });
      file.close();
    }
  });
});

const lines = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
    { weight: 1, arbitrary: fc.integer({ min: 4_000, max: 30_000 }).map((length) => 'é'.repeat(length / 2)) },
    { weight: 1, arbitrary: fc.constant(`${color}red${link}`.repeat(40)) },
  ),
  { maxLength: 60 },
);

it('counts and finds the rows of any text, however it is read', () => {
  fc.assert(
    fc.property(lines, fc.integer({ min: 4_100, max: 20_000 }), fc.boolean(), (parts, bytes, ends) => {
      const text = parts.map((part) => part.replaceAll('\n', '')).join('\n') + (ends ? '\n' : '');
      const { file, index, view } = opened(text, Math.ceil(Math.max(bytes, maxRowBytes + 8) / 4) * 4);
      const all = view.rows(0, 100_000);
      expect(all.length).toBe(index.state.rows);
      const joined = new Map<number, string>();
      for (const row of all) joined.set(row.line, (joined.get(row.line) ?? '') + row.text);
      const expected = text.split('\n');
      if (expected.at(-1) === '') expected.pop();
      const whole = expected.map((line, at) => (at < expected.length - 1 || ends ? line.replace(/\r$/, '') : line));
      expect([...joined.values()]).toEqual(whole.map((line) => Buffer.from(line).toString('utf8')));
      expect(index.state.lines).toBe(expected.length);
      for (const row of [0, 1, Math.floor(all.length / 2), all.length - 1]) {
        if (row < 0 || row >= all.length) continue;
        expect(view.rows(row, 1)).toEqual(all.slice(row, row + 1));
        const walk = view.walkFromRow(row);
        const found = walk.next();
        expect(found?.row).toBe(row);
        if (found !== null && found.end > found.byte) expect(view.walkFromByte(found.end - 1).position.row).toBe(row);
        const line = all[row]?.line ?? 1;
        expect(view.rowOfLine(line).row).toBe(all.find((one) => one.line === line)?.row);
      }
      file.close();
    }),
    { numRuns: 60 },
  );
});

it('notes only so much, and finds everything nevertheless', () => {
  const text = Array.from({ length: 30_000 }, (_, at) => `line ${at + 1}`).join('\n');
  const { file, index, view } = opened(text);
  expect(index.state).toEqual({ rows: 30_000, lines: 30_000, bytesDone: text.length, done: true });
  expect(view.rows(29_998, 5).map((row) => row.text)).toEqual(['line 29999', 'line 30000']);
  expect(view.rowOfLine(21_234).row).toBe(21_233);
  expect(view.rowOfLine(1e9).row).toBe(29_999);
  expect(view.line(21_234, 100)).toEqual({ text: 'line 21234', truncated: false });
  file.close();
});

it('goes on where a file has grown', () => {
  const { file, index, view } = opened('one\ntw');
  writeFileSync(file.path, 'one\ntwo\nthree');
  expect(file.look()).toBe('grew');
  index.reopen();
  build(file, index, 65_536);
  expect(index.state).toEqual({ rows: 3, lines: 3, bytesDone: 13, done: true });
  expect(view.rows(0, 5).map((row) => row.text)).toEqual(['one', 'two', 'three']);
  file.close();
});

it('gives a whole line, cut between characters', () => {
  const { file, view } = opened(`a\n${'😀'.repeat(5_000)}\nb`);
  expect(view.line(2, 1_000_000)).toEqual({ text: '😀'.repeat(5_000), truncated: false });
  expect(view.line(2, 8)).toEqual({ text: '😀'.repeat(4), truncated: true });
  file.close();
});
