import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CancelSource } from '#shared/rpc/cancel';
import { readFileWindow } from './read';
import { hashBytes, statFile } from './stat';
import { writeFile } from './write';

let folder: string;
let path: string;
let counter = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-files-'));
});
beforeEach(() => {
  counter += 1;
  path = join(folder, `file-${counter}`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const put = (content: string | Buffer) => writeFileSync(path, content);
const bytes = () => readFileSync(path);
const hash = () => hashBytes(bytes());
const read = (window: { firstLine?: number; maxLines?: number; maxBytes?: number } = {}) =>
  readFileWindow(
    { op: 'file.read', path, firstLine: 1, maxLines: 2_000, maxBytes: 1_000_000, ...window },
    new CancelSource(),
  );
const write = (content: string, expected: 'absent' | { hash: string }, dryRun = false) =>
  writeFile({ op: 'file.write', path, content, expect: expected, dryRun });

describe('stat', () => {
  test('file, folder, nothing, links', async () => {
    put('abc');
    const file = statSync(path);
    expect(await statFile({ op: 'file.stat', path })).toEqual({
      kind: 'stat',
      exists: true,
      type: 'file',
      size: 3,
      mtimeMs: file.mtimeMs,
      isLink: false,
      realPath: path,
      hash: hashBytes(Buffer.from('abc')),
    });
    expect(await statFile({ op: 'file.stat', path: folder })).toMatchObject({ type: 'folder', hash: '' });
    symlinkSync(path, `${path}-link`);
    expect(await statFile({ op: 'file.stat', path: `${path}-link` })).toMatchObject({
      exists: true,
      isLink: true,
      realPath: path,
    });
    symlinkSync(`${path}-nowhere`, `${path}-dangling`);
    expect(await statFile({ op: 'file.stat', path: `${path}-dangling` })).toEqual({
      kind: 'stat',
      exists: false,
      type: 'none',
      size: 0,
      mtimeMs: 0,
      isLink: true,
      realPath: `${path}-nowhere`,
      hash: '',
    });
    expect(await statFile({ op: 'file.stat', path: `${path}-none/deep/er` })).toMatchObject({
      exists: false,
      realPath: `${path}-none/deep/er`,
    });
    expect(await statFile({ op: 'file.stat', path: `${path}/below-a-file` })).toMatchObject({ exists: false });
  });
});

describe('read', () => {
  test.each([
    { name: 'whole', content: 'a\nb\n', window: {}, text: 'a\nb', lines: 2, totalLines: 2, truncated: false },
    { name: 'no last line end', content: 'a\nb', window: {}, text: 'a\nb', lines: 2, totalLines: 2, truncated: false },
    { name: 'empty', content: '', window: {}, text: '', lines: 0, totalLines: 0, truncated: false },
    { name: 'one empty line', content: '\n', window: {}, text: '', lines: 1, totalLines: 1, truncated: false },
    {
      name: 'window',
      content: 'a\nb\nc\nd\n',
      window: { firstLine: 2, maxLines: 2 },
      text: 'b\nc',
      lines: 2,
      totalLines: 4,
      truncated: false,
    },
    {
      name: 'empty lines in a window',
      content: 'a\n\n\nd\n',
      window: { firstLine: 2, maxLines: 2 },
      text: '\n',
      lines: 2,
      totalLines: 4,
      truncated: false,
    },
    {
      name: 'after the end',
      content: 'a\n',
      window: { firstLine: 5 },
      text: '',
      lines: 0,
      totalLines: 1,
      truncated: false,
    },
    { name: 'CRLF', content: 'a\r\nb\r\n', window: {}, text: 'a\nb', lines: 2, totalLines: 2, truncated: false },
    { name: 'BOM', content: '\uFEFFa\n', window: {}, text: 'a', lines: 1, totalLines: 1, truncated: false },
    {
      name: 'cut by bytes',
      content: 'abc\ndef\n',
      window: { maxBytes: 6 },
      text: 'abc\nde',
      lines: 2,
      totalLines: 2,
      truncated: true,
    },
    {
      name: 'cut within a character',
      content: 'a€b\n',
      window: { maxBytes: 3 },
      text: 'a',
      lines: 1,
      totalLines: 1,
      truncated: true,
    },
    {
      name: 'some latin-1',
      content: Buffer.from('Stra\xdfe und viele Wege\n', 'latin1'),
      window: {},
      text: 'Stra\uFFFDe und viele Wege',
      lines: 1,
      totalLines: 1,
      truncated: false,
    },
    {
      name: 'begins like a bitmap',
      content: 'BM is a city\n',
      window: {},
      text: 'BM is a city',
      lines: 1,
      totalLines: 1,
      truncated: false,
    },
    {
      name: 'XML',
      content: '<?xml version="1.0"?><a/>\n',
      window: {},
      text: '<?xml version="1.0"?><a/>',
      lines: 1,
      totalLines: 1,
      truncated: false,
    },
  ])('$name', async ({ content, window, text, lines, totalLines, truncated }) => {
    put(content);
    const { size, mtimeMs } = statSync(path);
    expect(await read(window)).toEqual({
      kind: 'text',
      text,
      firstLine: 'firstLine' in window ? window.firstLine : 1,
      lines,
      totalLines,
      truncated,
      size,
      mtimeMs,
      hash: hash(),
    });
  });

  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );

  test('an image by its content', async () => {
    put(png);
    expect(await read()).toMatchObject({ kind: 'image', mediaType: 'image/png', base64: png.toString('base64') });
    expect(await read({ maxBytes: 10 })).toMatchObject({ kind: 'failure', reason: 'tooLarge' });
  });

  test.each([
    { name: 'ELF', content: readFileSync(process.execPath).subarray(0, 100_000), guess: /ELF/ },
    { name: 'PDF', content: '%PDF-1.7\nplain enough\n', guess: /PDF/ },
    { name: 'UTF-16', content: Buffer.from('\uFEFFtext', 'utf16le'), guess: /UTF-16/ },
    { name: 'zeros', content: Buffer.alloc(100), guess: /binary data/ },
  ])('binary: $name', async ({ content, guess }) => {
    put(content);
    const answer = await read();
    expect(answer).toMatchObject({ kind: 'binary', hash: hash() });
    expect(answer.kind === 'binary' ? answer.guess : '').toMatch(guess);
  });

  test('huge files and lines are read in bounded memory', async () => {
    put(`${'x'.repeat(3_000_000)}\nsecond\n`);
    expect(await read({ maxBytes: 100 })).toMatchObject({
      text: 'x'.repeat(100),
      lines: 1,
      totalLines: 2,
      truncated: true,
    });
    expect(await read({ firstLine: 2, maxBytes: 100 })).toMatchObject({ text: 'second', lines: 1, truncated: false });
    const line = Buffer.from(`${'line '.repeat(200)}\n`);
    execFileSync('bash', ['-c', `yes '${line.toString().trim()}' | head -c 400000000 >"$0"`, path]);
    const before = process.memoryUsage().rss;
    const answer = await read({ firstLine: 1_000, maxLines: 2 });
    expect(answer).toMatchObject({ kind: 'text', lines: 2, size: 400_000_000 });
    expect((process.memoryUsage().rss - before) / 1_000_000).toBeLessThan(150);
    rmSync(path);
  });

  test.each([
    { name: 'missing', at: () => join(folder, 'none'), reason: 'missing' },
    { name: 'folder', at: () => folder, reason: 'isFolder' },
    { name: 'device', at: () => '/dev/null', reason: 'io' },
    { name: 'below a file', at: () => '/etc/passwd/x', reason: 'missing' },
  ])('$name', async ({ at, reason }) => {
    path = at();
    expect(await read()).toMatchObject({ kind: 'failure', reason });
  });

  test('a pipe does not hold us up', async () => {
    execFileSync('mkfifo', [path]);
    expect(await read()).toMatchObject({ kind: 'failure', reason: 'io' });
  });
});

describe('write', () => {
  test('creates with its folders', async () => {
    path = join(folder, 'new/deep', 'file');
    const answer = await write('a\nb\n', 'absent');
    expect(answer).toEqual({
      kind: 'changed',
      created: true,
      replacements: 0,
      added: 2,
      removed: 0,
      hunksTruncated: false,
      hunks: [
        {
          oldStart: 1,
          newStart: 1,
          lines: [
            { sign: '+', text: 'a' },
            { sign: '+', text: 'b' },
          ],
        },
      ],
      size: 4,
      mtimeMs: statSync(path).mtimeMs,
      hash: hash(),
    });
    expect(bytes().toString()).toBe('a\nb\n');
  });

  test('a dry run writes nothing, not even folders', async () => {
    path = join(folder, 'dry/file');
    expect(await write('a', 'absent', true)).toMatchObject({
      kind: 'changed',
      created: true,
      hash: hashBytes(Buffer.from('a')),
    });
    expect(existsSync(join(folder, 'dry'))).toBe(false);
  });

  test('replaces and keeps the mode; nothing is left beside it', async () => {
    path = join(folder, 'script-folder', 'script');
    mkdirSync(join(folder, 'script-folder'));
    put('old\n');
    chmodSync(path, 0o750);
    expect(await write('new\n', { hash: hash() })).toMatchObject({
      kind: 'changed',
      created: false,
      added: 1,
      removed: 1,
    });
    expect(statSync(path).mode & 0o7777).toBe(0o750);
    expect(execFileSync('ls', ['-A', join(folder, 'script-folder')], { encoding: 'utf8' })).toBe('script\n');
  });

  test('the clock may move, the content may not', async () => {
    put('old\n');
    const seen = { hash: hash() };
    utimesSync(path, 1, 1);
    expect(await write('new\n', seen)).toMatchObject({ kind: 'changed' });
    expect(await write('newer\n', seen)).toMatchObject({ kind: 'failure', reason: 'changed' });
    expect(bytes().toString()).toBe('new\n');
  });

  test('refusals', async () => {
    expect(await write('x', { hash: 'any' })).toMatchObject({ kind: 'failure', reason: 'missing' });
    put('old');
    expect(await write('x', 'absent')).toMatchObject({ kind: 'failure', reason: 'exists' });
    symlinkSync(path, `${path}-link`);
    const target = path;
    path = `${path}-link`;
    const answer = await write('x', { hash: hashBytes(Buffer.from('old')) });
    expect(answer).toMatchObject({ kind: 'failure', reason: 'isLink' });
    expect(answer.kind === 'failure' ? answer.message : '').toContain(target);
    path = folder;
    expect(await write('x', 'absent')).toMatchObject({ kind: 'failure', reason: 'isFolder' });
    path = '/proc/version';
    expect(await write('x', 'absent')).toMatchObject({ kind: 'failure' });
  });
});
