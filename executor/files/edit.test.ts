import { mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { editFile } from './edit';
import { hashBytes } from './stat';

let folder: string;
let path: string;
let counter = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-edit-'));
});
beforeEach(() => {
  counter += 1;
  path = join(folder, `file-${counter}`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const put = (content: string | Buffer) => writeFileSync(path, content);
const bytes = () => readFileSync(path);
const hash = () => hashBytes(bytes());
const edit = (
  oldString: string,
  newString: string,
  how: { replaceAll?: boolean; dryRun?: boolean; hash?: string } = {},
) =>
  editFile({
    op: 'file.edit',
    path,
    edits: [{ oldString, newString, replaceAll: how.replaceAll ?? false }],
    hash: how.hash ?? hash(),
    dryRun: how.dryRun ?? false,
  });

describe('edit', () => {
  const bom = '\uFEFF';
  test.each([
    { name: 'plain', before: 'a\nb\nc\n', from: 'b', to: 'B', after: 'a\nB\nc\n' },
    { name: 'CRLF, one line', before: 'a\r\nb\r\nc\r\n', from: 'b', to: 'B', after: 'a\r\nB\r\nc\r\n' },
    {
      name: 'CRLF, across lines',
      before: 'a\r\nb\r\nc\r\n',
      from: 'a\nb\n',
      to: 'A\nB\nx\n',
      after: 'A\r\nB\r\nx\r\nc\r\n',
    },
    { name: 'CRLF, added line', before: 'a\r\nb\r\n', from: 'b', to: 'b\nc', after: 'a\r\nb\r\nc\r\n' },
    { name: 'CRLF given as CRLF', before: 'a\r\nb\r\n', from: 'a\r\nb', to: 'a\r\nx', after: 'a\r\nx\r\n' },
    { name: 'mixed, untouched', before: 'a\nb\r\nc\nd\r\n', from: 'c', to: 'C', after: 'a\nb\r\nC\nd\r\n' },
    {
      name: 'mixed, across',
      before: 'a\nb\r\nc\nd\r\n',
      from: 'a\nb\nc\nd',
      to: 'a\nB\nc\nd',
      after: 'a\nB\r\nc\nd\r\n',
    },
    {
      name: 'mixed, line taken out',
      before: 'a\nb\r\nc\nd\r\n',
      from: 'a\nb\nc\nd',
      to: 'a\nc\nd',
      after: 'a\nc\nd\r\n',
    },
    { name: 'BOM', before: `${bom}first\nsecond\n`, from: 'first', to: 'FIRST', after: `${bom}FIRST\nsecond\n` },
    { name: 'starts with a line end', before: 'a\r\nb\r\n', from: '\nb', to: '\nB', after: 'a\r\nB\r\n' },
    { name: 'deletes', before: 'a\nb\nc\n', from: 'b\n', to: '', after: 'a\nc\n' },
    { name: 'wide characters', before: '€ 😀 x', from: '😀', to: '€€', after: '€ €€ x' },
    { name: 'a dollar is a dollar', before: 'x', from: 'x', to: "$& $1 $'", after: "$& $1 $'" },
    { name: 'empty file', before: '', from: '', to: 'new\n', after: 'new\n' },
    { name: 'single line, explicit CRLF', before: 'x', from: 'x', to: 'a\r\nb', after: 'a\r\nb' },
  ])('$name', async ({ before, from, to, after }) => {
    put(before);
    const dry = await edit(from, to, { dryRun: true });
    expect(bytes().toString()).toBe(before);
    const done = await edit(from, to);
    expect(JSON.stringify(bytes().toString())).toBe(JSON.stringify(after));
    expect(done).toMatchObject({
      kind: 'changed',
      replacements: 1,
      created: false,
      hash: hash(),
      size: bytes().length,
    });
    expect({ ...done, mtimeMs: 0 }).toEqual({ ...dry, mtimeMs: 0 });
  });

  test('replaces all, without overlaps', async () => {
    put('aaa aa\n');
    expect(await edit('aa', 'b', { replaceAll: true })).toMatchObject({ replacements: 2, added: 1, removed: 1 });
    expect(bytes().toString()).toBe('ba b\n');
  });

  test.each([
    {
      name: 'not unique',
      before: 'x\ny\nx\n',
      from: 'x',
      reason: 'notUnique',
      says: /2 times.*lines 1, 3.*replace_all/,
    },
    {
      name: 'not unique in a mixed file',
      before: 'a\nb\na\r\nb\n',
      from: 'a\nb',
      reason: 'notUnique',
      says: /2 times/,
    },
    {
      name: 'other indentation',
      before: 'if x:\n\treturn 1\n',
      from: 'if x:\n    return 1',
      reason: 'noMatch',
      says: /Line 1 .*white space.*"\\treturn 1"/,
    },
    {
      name: 'line numbers',
      before: 'alpha\nbeta\n',
      from: '  1→alpha\n  2→beta',
      reason: 'noMatch',
      says: /line numbers/,
    },
    { name: 'escaped', before: 'a\nb\n', from: 'a\\nb', reason: 'noMatch', says: /backslashes/ },
    { name: 'quotes', before: 'say “hi”\n', from: 'say "hi"', reason: 'noMatch', says: /quotation marks/ },
    {
      name: 'case',
      before: 'const Foo = 1;\n',
      from: 'const foo = 1;',
      reason: 'noMatch',
      says: /upper and lower case/,
    },
    {
      name: 'differs later',
      before: 'one\ntwo\nthree\n',
      from: 'one\ntwo\nfour',
      reason: 'noMatch',
      says: /line 1 on 2 lines agree.*"three".*"four"/,
    },
    { name: 'nowhere', before: 'abc\n', from: 'xyz', reason: 'noMatch', says: /Read the file again/ },
    { name: 'same', before: 'abc\n', from: 'new', reason: 'noMatch', says: /the same/ },
    { name: 'empty text', before: 'abc\n', from: '', reason: 'noMatch', says: /is empty/ },
    { name: 'not UTF-8', before: Buffer.from([0x61, 0xff, 0x62]), from: 'a', reason: 'notText', says: /not UTF-8/ },
    { name: 'NUL', before: Buffer.from('a\0b'), from: 'a', reason: 'notText', says: /not UTF-8/ },
  ])('$name', async ({ before, from, reason, says }) => {
    put(before);
    const answer = await edit(from, 'new');
    expect(answer).toMatchObject({ kind: 'failure', reason });
    expect(answer.kind === 'failure' ? answer.message : '').toMatch(says);
    expect(bytes()).toEqual(Buffer.from(before));
  });

  test('several edits, each on what the one before left; all or none', async () => {
    put('a b c\n');
    const edits = [
      { oldString: 'a', newString: 'b', replaceAll: false },
      { oldString: 'b', newString: 'x', replaceAll: true },
    ];
    const both = { op: 'file.edit' as const, path, edits, hash: hash(), dryRun: false };
    expect(await editFile(both)).toMatchObject({ replacements: 3 });
    expect(bytes().toString()).toBe('x x c\n');
    const answer = await editFile({
      ...both,
      hash: hash(),
      edits: [{ oldString: 'c', newString: 'd', replaceAll: false }, ...edits],
    });
    expect(answer.kind === 'failure' ? answer.message : '').toMatch(/^Edit 2 of 3 \(none was made\)/);
    expect(bytes().toString()).toBe('x x c\n');
  });

  test('a newer clock is no change, other bytes are', async () => {
    put('a\nb\n');
    const seen = hash();
    utimesSync(path, 5, 5);
    expect(await edit('b', 'B', { hash: seen })).toMatchObject({ kind: 'changed' });
    const answer = await edit('a', 'A', { hash: seen });
    expect(answer).toMatchObject({ kind: 'failure', reason: 'changed' });
    expect(bytes().toString()).toBe('a\nB\n');
  });

  test('links, folders, nothing, too large', async () => {
    put('x');
    const content = hash();
    symlinkSync(path, `${path}-link`);
    path = `${path}-link`;
    expect(await edit('x', 'y', { hash: content })).toMatchObject({ kind: 'failure', reason: 'isLink' });
    path = folder;
    expect(await edit('x', 'y', { hash: content })).toMatchObject({ kind: 'failure', reason: 'isFolder' });
    path = join(folder, 'none');
    expect(await edit('x', 'y', { hash: content })).toMatchObject({ kind: 'failure', reason: 'missing' });
    path = join(folder, 'sparse');
    put('x');
    truncateSync(path, 1024 ** 3 + 1);
    expect(await edit('x', 'y', { hash: content })).toMatchObject({ kind: 'failure', reason: 'tooLarge' });
  });

  test('the diff has three lines of context and right numbers', async () => {
    put(Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`).join(''));
    const answer = await edit('line 10\n', 'ten\nand more\n', { dryRun: true });
    expect(answer).toMatchObject({ added: 2, removed: 1, hunksTruncated: false });
    expect(answer.kind === 'changed' ? answer.hunks : []).toEqual([
      {
        oldStart: 7,
        newStart: 7,
        lines: [
          ...[' line 7', ' line 8', ' line 9', '-line 10', '+ten', '+and more', ' line 11', ' line 12', ' line 13'],
        ].map((line) => ({ sign: line[0], text: line.slice(1) })),
      },
    ]);
  });

  test('a diff is bounded', async () => {
    put('x\n'.repeat(5_000));
    const answer = await edit('x', 'y', { replaceAll: true, dryRun: true });
    expect(answer).toMatchObject({ hunksTruncated: true, added: 5_000, removed: 5_000 });
    const lines = answer.kind === 'changed' ? answer.hunks.flatMap((hunk) => hunk.lines) : [];
    expect(lines.length).toBeLessThanOrEqual(2_000);
  });
});
