import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OperationOf } from '#shared/api/executor';
import { CancelSource } from '#shared/rpc/cancel';
import { globFiles } from './glob';
import { grepFiles } from './grep';

let root: string;

const files: Readonly<Record<string, string>> = {
  'a.ts': 'const foo = 1;\nconst bar = foo;\n',
  'src/b.ts': 'import foo\nFoo\n-- foo\n',
  'src/deep/c.js': 'one\nfoo(\ntwo\r\nend$\r\n',
  '.hidden': 'foo hidden\n',
  'ignored.log': 'foo ignored\n',
  '.gitignore': '*.log\n',
  '.git/config': 'foo in git\n',
  'src/[x].ts': 'bracket\n',
  'long.txt': `foo ${'x'.repeat(5_000)}\n`,
};

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'gatehouse-search-'));
  for (const [index, [name, content]] of Object.entries(files).entries()) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
    utimesSync(join(root, name), 1_000 + index, 1_000 + index);
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('glob', () => {
  const glob = async (pattern: string, limit = 100) => {
    const answer = await globFiles({ op: 'search.glob', root, pattern, limit }, new CancelSource());
    if (answer.kind === 'failure') return answer.reason;
    return { files: answer.files.map((file) => file.slice(root.length + 1)), truncated: answer.truncated };
  };

  test.each([
    { pattern: '**/*.ts', found: ['src/[x].ts', 'src/b.ts', 'a.ts'] },
    { pattern: '*.ts', found: ['src/[x].ts', 'src/b.ts', 'a.ts'] },
    { pattern: './*.ts', found: ['a.ts'] },
    { pattern: 'src/*.{ts,js}', found: ['src/[x].ts', 'src/b.ts'] },
    { pattern: 'src/**/*.js', found: ['src/deep/c.js'] },
    { pattern: '*.log', found: ['ignored.log'] },
    { pattern: '.hid*', found: ['.hidden'] },
    { pattern: '**/config', found: [] },
    { pattern: 'none', found: [] },
  ])('$pattern', async ({ pattern, found }) => {
    expect(await glob(pattern)).toEqual({ files: found, truncated: false });
  });

  test.each(['/etc/*', '../*', '!*.ts', 'src/../../*', '{a'])('%s is refused', async (pattern) => {
    expect(await glob(pattern)).toBe('badPattern');
  });

  test('limit, absolute pattern, roots that do not serve', async () => {
    expect(await glob('**/*.ts', 2)).toEqual({ files: ['src/[x].ts', 'src/b.ts'], truncated: true });
    expect(await glob(`${root}/src/*.ts`)).toEqual({ files: ['src/[x].ts', 'src/b.ts'], truncated: false });
    const at = async (path: string) =>
      globFiles({ op: 'search.glob', root: path, pattern: '*', limit: 1 }, new CancelSource());
    expect(await at(join(root, 'none'))).toMatchObject({ reason: 'missing' });
    expect(await at(join(root, 'a.ts'))).toMatchObject({ reason: 'notFolder' });
  });
});

describe('grep', () => {
  type Grep = OperationOf<'search.grep'>;
  const grep = (pattern: string, change: Partial<Grep> = {}, cancel = new CancelSource()) =>
    grepFiles(
      {
        op: 'search.grep',
        root,
        pattern,
        ignoreCase: false,
        multiline: false,
        mode: 'content',
        before: 0,
        after: 0,
        lineNumbers: true,
        offset: 0,
        limit: 250,
        ...change,
      },
      cancel,
    );

  const content = ['.hidden:1:foo hidden', 'a.ts:1:const foo = 1;', 'a.ts:2:const bar = foo;'];
  const inSource = ['src/b.ts:1:import foo', 'src/b.ts:3:-- foo', 'src/deep/c.js:2:foo('];

  test.each<{
    name: string;
    pattern: string;
    change: Partial<Grep>;
    lines: string[];
    total?: number;
    truncated?: boolean;
  }>([
    { name: 'content', pattern: 'foo', change: { glob: '!long.txt' }, lines: [...content, ...inSource] },
    {
      name: 'files',
      pattern: 'foo',
      change: { mode: 'files_with_matches' },
      lines: ['.hidden', 'a.ts', 'long.txt', 'src/b.ts', 'src/deep/c.js'],
    },
    { name: 'count', pattern: 'foo', change: { mode: 'count', glob: '*.ts' }, lines: ['a.ts:2', 'src/b.ts:2'] },
    {
      name: 'ignore case',
      pattern: 'FOO',
      change: { ignoreCase: true, glob: 'src/b.ts' },
      lines: ['src/b.ts:1:import foo', 'src/b.ts:2:Foo', 'src/b.ts:3:-- foo'],
    },
    {
      name: 'context',
      pattern: 'Foo',
      change: { before: 1, after: 1 },
      lines: ['src/b.ts-1-import foo', 'src/b.ts:2:Foo', 'src/b.ts-3--- foo'],
    },
    { name: 'no numbers', pattern: 'bar', change: { lineNumbers: false }, lines: ['a.ts:const bar = foo;'] },
    { name: 'type', pattern: 'foo', change: { fileType: 'js' }, lines: ['src/deep/c.js:2:foo('] },
    {
      name: 'multiline',
      pattern: 'one.*two',
      change: { multiline: true },
      lines: ['src/deep/c.js:1:one', 'src/deep/c.js:2:foo(', 'src/deep/c.js:3:two'],
    },
    { name: 'pattern like an option', pattern: '--', change: { glob: '*.ts' }, lines: ['src/b.ts:3:-- foo'] },
    { name: 'line end in CRLF', pattern: 'two$', change: {}, lines: ['src/deep/c.js:3:two'] },
    {
      name: 'offset and limit',
      pattern: 'foo',
      change: { glob: '!long.txt', offset: 1, limit: 2 },
      lines: content.slice(1),
      total: 6,
      truncated: true,
    },
    { name: 'nothing', pattern: 'nowhere', change: {}, lines: [] },
    { name: 'ignored and .git', pattern: 'ignored|in git', change: {}, lines: [] },
  ])('$name', async ({ pattern, change, lines, total, truncated }) => {
    expect(await grep(pattern, change)).toEqual({
      kind: 'lines',
      lines,
      total: total ?? lines.length,
      truncated: truncated ?? false,
    });
  });

  test('a single file', async () => {
    expect(await grep('bar', { root: join(root, 'a.ts') })).toMatchObject({ lines: ['a.ts:2:const bar = foo;'] });
  });

  test('a long line is shown by its start', async () => {
    const answer = await grep('foo', { glob: 'long.txt' });
    expect(answer.kind === 'lines' ? answer.lines[0]?.length : 0).toBeLessThan(2_200);
  });

  test.each([
    { name: 'pattern', pattern: 'foo(', change: {}, says: /unclosed group/ },
    { name: 'glob', pattern: 'foo', change: { glob: '{a' }, says: /glob/ },
    { name: 'type', pattern: 'foo', change: { fileType: 'nonsense' }, says: /nonsense/ },
  ])('bad $name', async ({ pattern, change, says }) => {
    const answer = await grep(pattern, change);
    expect(answer).toMatchObject({ kind: 'failure', reason: 'badPattern' });
    expect(answer.kind === 'failure' ? answer.message : '').toMatch(says);
  });

  test('missing root, and abort', async () => {
    expect(await grep('foo', { root: join(root, 'none') })).toMatchObject({ reason: 'missing' });
    const cancel = new CancelSource();
    cancel.cancel();
    expect(await grep('foo', {}, cancel)).toMatchObject({ kind: 'lines', lines: [] });
  });
});
