// The built thread as the core starts it: what is asked while it reads, and what cannot hang it.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SearchState } from '#shared/api/results';
import type { ViewEvent } from './messages';
import { ResultsThread } from './resultsThread';

const buildThread = fileURLToPath(new URL('../testing/buildThread.mjs', import.meta.url));

let root: string;
let thread: ResultsThread;
let events: ViewEvent[];
const broken: string[] = [];

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-thread-')));
  mkdirSync(join(root, 'dist'));
  const file = join(root, 'dist/resultsWorker.mjs');
  execFileSync(process.execPath, [buildThread, file]);
  thread = new ResultsThread({
    file,
    onEvent: (event) => events.push(event),
    onBreakdown: (why) => broken.push(why),
  });
});
afterAll(async () => {
  await thread.dispose();
  rmSync(root, { recursive: true, force: true });
});
beforeEach(() => {
  events = [];
});
afterEach(async () => {
  await thread.ask('close', { view });
  expect(broken).toEqual([]);
});

const view = 'v';

async function open(content: string | Uint8Array) {
  const file = join(root, 'opened.txt');
  writeFileSync(file, content);
  return { file, opened: await thread.ask('open', { view, place: { file } }) };
}

const search = (text: string, how: { regex?: boolean; caseSensitive?: boolean } = {}) =>
  thread.ask('results.search', { view, query: { text, regex: false, caseSensitive: true, ...how } });

async function searched(): Promise<SearchState> {
  const last = (): SearchState | undefined =>
    events.flatMap((event) => (event.kind === 'searching' ? [event.state] : [])).at(-1);
  await expect.poll(() => last()?.done ?? false, { interval: 20 }).toBe(true);
  const state = last();
  if (state === undefined) throw new Error('a search has ended');
  return state;
}

async function changed(how: string): Promise<void> {
  await expect
    .poll(() => events.some((event) => event.kind === 'fileChanged' && event.how === how), { interval: 20 })
    .toBe(true);
}

describe('text', () => {
  it('shows the first page, then all of it', async () => {
    const lines = Array.from({ length: 50_000 }, (_, at) => `line ${at + 1}`);
    const { opened } = await open(lines.join('\n'));
    expect(opened).toMatchObject({ modes: ['text', 'hex'], encoding: 'utf-8' });
    expect(opened.rows.map(({ text }) => text)).toEqual(lines.slice(0, 200));
    expect(await thread.ask('results.rowOfLine', { view, line: 49_999 })).toEqual({ row: 49_998 });
    const page = () => thread.ask('results.rows', { view, from: 49_998, count: 10 });
    await expect
      .poll(async () => (await page()).index, { interval: 20 })
      .toMatchObject({ rows: 50_000, lines: 50_000, done: true });
    expect((await page()).rows.map(({ text }) => text)).toEqual(['line 49999', 'line 50000']);
    expect(await thread.ask('results.line', { view, line: 3 })).toEqual({ text: 'line 3', truncated: false });
    const { base64 } = await thread.ask('results.bytes', { view, from: 5, count: 3 });
    expect(Buffer.from(base64, 'base64').toString()).toBe('1\nl');
  });

  it('finds, by number, in rows and in lines', async () => {
    const { opened } = await open('é one one\nnone\n\none\n');
    expect(opened.rows).toHaveLength(4);
    const { searchId } = await search('one');
    expect(await searched()).toMatchObject({ searchId, matches: 4, lines: 3, done: true, problem: '' });
    const all = [
      { row: 0, line: 1, start: 2, end: 5 },
      { row: 0, line: 1, start: 6, end: 9 },
      { row: 1, line: 2, start: 1, end: 4 },
      { row: 3, line: 4, start: 0, end: 3 },
    ];
    expect(await thread.ask('results.matches', { view, searchId, from: 0, count: 9 })).toEqual({ matches: all });
    expect(await thread.ask('results.matches', { view, searchId, from: 2, count: 1 })).toEqual({ matches: [all[2]] });
    expect(await thread.ask('results.matchesIn', { view, searchId, fromRow: 1, toRow: 3 })).toEqual({
      matches: all.slice(2),
      first: 2,
    });
    const { rows } = await thread.ask('results.matchingLines', { view, searchId, from: 0, count: 2 });
    expect(rows).toEqual([
      { row: 0, line: 1, part: 0, text: 'é one one', matches: all.slice(0, 2) },
      { row: 1, line: 2, part: 0, text: 'none', matches: [all[2]] },
    ]);
    await search('none');
    await expect(thread.ask('results.matches', { view, searchId, from: 0, count: 1 })).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  it('ends an expression that would never end, and says so', async () => {
    await open(`found\n${'a'.repeat(40)}!\n`.repeat(2_000));
    const begun = search('(a+)+$', { regex: true });
    // Others are answered meanwhile.
    expect((await thread.ask('results.rows', { view, from: 0, count: 1 })).rows[0]?.text).toBe('found');
    expect(await begun).toMatchObject({ done: true, problem: expect.stringContaining('took longer than') });
    await search('found');
    expect(await searched()).toMatchObject({ matches: 2_000, problem: '' });
    await expect(search('(', { regex: true })).rejects.toMatchObject({ code: 'invalid' });
  });

  it('stops a search and gives up a file', async () => {
    await open('a\n'.repeat(100));
    await search('b');
    await thread.ask('results.stopSearch', { view });
    await thread.ask('close', { view });
    await expect(thread.ask('results.rows', { view, from: 0, count: 1 })).rejects.toMatchObject({ code: 'conflict' });
  });

  it('notices what becomes of the file', async () => {
    const { file } = await open('one\ntw');
    appendFileSync(file, 'o\nthree');
    await changed('grew');
    await expect
      .poll(async () => (await thread.ask('results.rows', { view, from: 1, count: 5 })).rows.map(({ text }) => text))
      .toEqual(['two', 'three']);
    truncateSync(file, 2);
    await changed('rewritten');
    const again = await open('new');
    expect(again.opened.rows.map(({ text }) => text)).toEqual(['new']);
    rmSync(file);
    await changed('gone');
  });

  it('opens no link, pipe, folder or device', async () => {
    const refused = async (file: string): Promise<unknown> => {
      const { code } = await thread.ask('open', { view, place: { file } }).then(
        () => ({ code: 'opened' }),
        (error: { code: string }) => error,
      );
      return code;
    };
    mkdirSync(join(root, 'folder'));
    writeFileSync(join(root, 'folder/a.txt'), 'x');
    symlinkSync(join(root, 'folder'), join(root, 'linked'));
    symlinkSync(join(root, 'folder/a.txt'), join(root, 'link.txt'));
    execFileSync('mkfifo', [join(root, 'pipe.txt')]);
    expect(await refused(join(root, 'linked/a.txt'))).toBe('refused');
    expect(await refused(join(root, 'link.txt'))).toBe('refused');
    expect(await refused(join(root, 'pipe.txt'))).toBe('refused');
    expect(await refused(join(root, 'folder'))).toBe('refused');
    expect(await refused('/dev/zero')).toBe('refused');
    expect(await refused(join(root, 'nothing.txt'))).toBe('notFound');
    expect(await refused(join(root, 'folder/a.txt'))).toBe('opened');
  });
});

describe('parts', () => {
  it('tells JSON by its paths', async () => {
    const { opened } = await open(JSON.stringify({ name: 'a', list: [1, { deep: 'x'.repeat(400) }], nothing: null }));
    expect(opened.modes).toEqual(['json', 'text', 'hex']);
    const root = await thread.ask('results.json', { view, path: [], from: 0, count: 2 });
    expect(root).toMatchObject({
      root: { type: 'object', children: 3 },
      nodes: [
        { key: 'name', type: 'string', preview: '"a"', children: 0 },
        { key: 'list', type: 'array', children: 2 },
      ],
      total: 3,
    });
    const list = await thread.ask('results.json', { view, path: ['list'], from: 1, count: 5 });
    expect(list.nodes).toEqual([
      { key: 1, type: 'object', preview: expect.stringMatching(/^\{"deep": "x{180,}.*…$/), children: 1 },
    ]);
    expect(await thread.ask('results.jsonText', { view, path: ['list', 0] })).toEqual({ text: '1', truncated: false });
    await expect(thread.ask('results.json', { view, path: ['__proto__'], from: 0, count: 1 })).rejects.toMatchObject({
      code: 'notFound',
    });
    await open('{\n"a": 1,\n}');
    await expect(thread.ask('results.json', { view, path: [], from: 0, count: 1 })).rejects.toThrow(
      'line 3 does not fit',
    );
  });

  it('tells lines of JSON as a list and as a table', async () => {
    const { opened } = await open('{"a": 2, "b": "x"}\n{"a": 10}\n\n{"a": null, "c": [1]}\n');
    expect(opened.modes).toEqual(['json', 'table', 'text', 'hex']);
    const { nodes, total } = await thread.ask('results.json', { view, path: [], from: 1, count: 1 });
    expect([nodes, total]).toEqual([[{ key: 1, type: 'object', preview: '{"a": 10}', children: 1 }], 3]);
    expect(
      await thread.ask('results.table', { view, from: 0, count: 9, sort: { column: 0, descending: true } }),
    ).toEqual({
      columns: ['a', 'b', 'c'],
      rows: [
        ['10', '', ''],
        ['2', 'x', ''],
        ['null', '', '[1]'],
      ],
      total: 3,
    });
  });

  it.each([
    [
      'commas',
      'name,size\r\n"a, b",10\r\n"say ""x""",9\r\n"two\nlines",200\r\n',
      [
        ['a, b', '10'],
        ['say "x"', '9'],
        ['two\nlines', '200'],
      ],
    ],
    [
      'tabs',
      'name\tsize\na\t10\nb\t9\n',
      [
        ['a', '10'],
        ['b', '9'],
      ],
    ],
    [
      'a quote that never ends',
      'name,size\n"a,1\nb,2\n',
      [
        ['"a', '1'],
        ['b', '2'],
      ],
    ],
  ])('tells a table with %s', async (_, content, rows) => {
    const { opened } = await open(content);
    expect(opened.modes).toContain('table');
    const table = { columns: ['name', 'size'], rows, total: rows.length };
    expect(await thread.ask('results.table', { view, from: 0, count: 9, sort: null })).toEqual(table);
    const sorted = await thread.ask('results.table', {
      view,
      from: 0,
      count: 9,
      sort: { column: 1, descending: false },
    });
    expect(sorted.rows.map(([, size]) => Number(size))).toEqual(
      rows.map(([, size]) => Number(size)).sort((a, b) => a - b),
    );
  });

  it('shows a picture by what it is, not by what it is called', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d', 'hex');
    const { opened } = await open(png);
    expect(opened).toMatchObject({ modes: ['image', 'hex'], encoding: 'binary' });
    expect(await thread.ask('results.image', { view })).toEqual({
      mediaType: 'image/png',
      base64: png.toString('base64'),
    });
    await open('<svg onload="alert(1)">');
    await expect(thread.ask('results.image', { view })).rejects.toMatchObject({ code: 'refused' });
  });

  it('compares two files', async () => {
    const place = (name: string, content: string | Uint8Array) => {
      const file = join(root, name);
      writeFileSync(file, content);
      return { file };
    };
    const left = place('left.txt', 'same\nold\nsame\n');
    const right = place('right.txt', 'same\nnew\nsame\n');
    expect(await thread.ask('diff', { left, right })).toEqual({
      hunks: [
        {
          oldStart: 1,
          newStart: 1,
          lines: [
            { sign: ' ', text: 'same' },
            { sign: '-', text: 'old' },
            { sign: '+', text: 'new' },
            { sign: ' ', text: 'same' },
          ],
        },
      ],
      added: 1,
      removed: 1,
      truncated: false,
    });
    const binary = place('binary.txt', new Uint8Array(9));
    await expect(thread.ask('diff', { left, right: binary })).rejects.toMatchObject({ code: 'refused' });
  });
});

it('reads transcripts of Claude Code for what they say of results', async () => {
  const file = join(root, 'session.jsonl');
  const use = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });
  const result = (id: string, content: string, more: object = {}) => ({
    type: 'tool_result',
    tool_use_id: id,
    content,
    ...more,
  });
  const line = (type: string, content: unknown, more: object = {}) =>
    JSON.stringify({ type, cwd: '/srv/app', message: { content }, ...more });
  const preview =
    '<persisted-output>\nOutput too large. Saved to: /x/tool-results/toolu_1.txt\n\nPreview (first 2KB):\nhello\n...\n</persisted-output>';
  writeFileSync(
    file,
    [
      line('user', '<command-name>x</command-name>'),
      line('user', 'Fix the\nparser'),
      line('assistant', [use('toolu_1', 'Bash', { command: 'make all' })]),
      line('user', [result('toolu_1', preview)]),
      '{"broken": ',
      line('assistant', [use('toolu_2', 'Read', { file_path: '/x/tool-results/toolu_1.txt' })]),
      line('user', [result('toolu_2', 'hello')]),
      line('assistant', [use('toolu_3', 'Read', { file_path: '/x/tool-results/b12.txt' })]),
      line('user', [result('toolu_3', 'no such file', { is_error: true })]),
      line('assistant', [use('toolu_4', 'Grep', { pattern: 'x' })]),
      line('user', [result('toolu_4', 'Saved to: /x/tool-results/b12.txt')]),
    ].join('\n'),
  );
  const names = ['toolu_1.txt', 'b12.txt', 'other.txt'];
  const answer = await thread.ask('transcriptCalls', {
    transcripts: [
      { file, names },
      { file: join(root, 'none.jsonl'), names },
    ],
  });
  expect(answer).toEqual([
    {
      file,
      title: 'Fix the parser',
      folder: '/srv/app',
      calls: [
        {
          name: 'toolu_1.txt',
          callId: 'toolu_1',
          tool: 'Bash',
          what: 'make all',
          previewChars: 5,
          readBy: { callId: 'toolu_2', number: 2 },
        },
        { name: 'b12.txt', callId: 'toolu_4', tool: 'Grep', what: 'x', previewChars: null, readBy: null },
      ],
    },
  ]);
});
