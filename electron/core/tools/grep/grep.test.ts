import { describe, expect, it } from 'vitest';
import type { OperationAnswers, OperationOf } from '#shared/api/executor';
import { recordCall, type Script } from '../testing/recordingExecutor';
import { samplePlace } from '../testing/samplePlace';
import { grepTool } from './grep';

type Lines = Extract<OperationAnswers['search.grep'], { kind: 'lines' }>;

const parse = (input: Record<string, unknown>) => {
  const parsed = grepTool.inputSchema().safeParse(input);
  if (!parsed.success) throw parsed.error;
  return parsed.data;
};

function lines(list: readonly string[], more: Partial<Lines> = {}): Lines {
  return { kind: 'lines', lines: [...list], total: list.length, truncated: false, ...more };
}

async function grep(given: Record<string, unknown>, answer: OperationAnswers['search.grep'], script: Script = {}) {
  const input = parse(given);
  const { context, operations } = recordCall({ 'search.grep': () => answer, ...script });
  const output = await grepTool.call(input, context);
  const { view, note } = grepTool.renderResult(output, input, samplePlace);
  return { operations, blocks: grepTool.mapResult(output, input), view, note };
}

const plain: OperationOf<'search.grep'> = {
  op: 'search.grep',
  root: '/srv/app',
  pattern: 'x',
  ignoreCase: false,
  multiline: false,
  mode: 'files_with_matches',
  before: 0,
  after: 0,
  lineNumbers: false,
  offset: 0,
  limit: 250,
};
const content = { ...plain, mode: 'content' as const, lineNumbers: true };

describe('what is asked of the executor', () => {
  it.each<[Record<string, unknown>, OperationOf<'search.grep'>]>([
    [{}, plain],
    [
      { path: 'src', glob: '*.ts', type: 'ts' },
      { ...plain, root: '/srv/app/src', glob: '*.ts', fileType: 'ts' },
    ],
    [{ output_mode: 'content' }, content],
    [
      { output_mode: 'content', '-n': 'false', '-i': 'true' },
      { ...content, lineNumbers: false, ignoreCase: true },
    ],
    [
      { output_mode: 'content', '-C': '2' },
      { ...content, before: 2, after: 2 },
    ],
    [
      { output_mode: 'content', '-C': 2, '-A': 5 },
      { ...content, before: 2, after: 5 },
    ],
    [
      { output_mode: 'content', '-B': 99_999 },
      { ...content, before: 1_000 },
    ],
    [{ '-C': 2, '-n': true }, plain],
    [
      { multiline: true, output_mode: 'count' },
      { ...plain, mode: 'count', multiline: true },
    ],
    [
      { head_limit: 10, offset: '20' },
      { ...plain, limit: 10, offset: 20 },
    ],
    [{ head_limit: 0 }, { ...plain, limit: 100_000 }],
    [{ head_limit: 1_000_000 }, { ...plain, limit: 100_000 }],
  ])('%j', async (given, expected) => {
    const { operations } = await grep({ pattern: 'x', ...given }, lines([]));
    expect(operations).toEqual([expected]);
  });
});

describe('results', () => {
  it('lists files from the current folder, wherever the search started', async () => {
    const result = await grep({ pattern: 'x', path: 'src' }, lines(['a.ts', 'lib/b.ts']));
    expect(result).toMatchObject({
      blocks: [{ type: 'text', text: 'src/a.ts\nsrc/lib/b.ts' }],
      view: { kind: 'files', files: [{ path: 'src/a.ts' }, { path: 'src/lib/b.ts' }], truncated: false },
      note: '2 files',
    });
  });

  it('shows lines as they come and says where their paths start', async () => {
    const shown = ['a.ts:3:const x = 1;', '--', 'a.ts-9-y'];
    expect(await grep({ pattern: 'x', output_mode: 'content' }, lines(shown))).toMatchObject({
      blocks: [{ type: 'text', text: shown.join('\n') }],
      view: { kind: 'text', text: shown.join('\n') },
      note: '3 lines',
    });
    const below = await grep({ pattern: 'x', output_mode: 'content', path: 'src' }, lines(shown));
    expect(below.blocks).toEqual([{ type: 'text', text: `[Paths start from src.]\n${shown.join('\n')}` }]);
  });

  it.each(['file', 'folder'] as const)('tells a searched %s from what has the same name in a folder', async (type) => {
    const stat: Script['file.stat'] = ({ path }) => ({
      kind: 'stat',
      exists: true,
      type,
      size: 1,
      mtimeMs: 1,
      isLink: false,
      realPath: path,
      hash: '',
    });
    const files = await grep({ pattern: 'x', path: 'src/a' }, lines(['a']), { 'file.stat': stat });
    const shown = await grep({ pattern: 'x', path: 'src/a', output_mode: 'content' }, lines(['a:1:x']), {
      'file.stat': stat,
    });
    expect([files.blocks, shown.blocks]).toEqual(
      type === 'file'
        ? [[{ type: 'text', text: 'src/a' }], [{ type: 'text', text: '[Paths start from src.]\na:1:x' }]]
        : [[{ type: 'text', text: 'src/a/a' }], [{ type: 'text', text: '[Paths start from src/a.]\na:1:x' }]],
    );
  });

  it('says how to go on when there is more', async () => {
    const given = { pattern: 'x', output_mode: 'count', offset: 10, head_limit: 2 };
    const result = await grep(given, lines(['a:1', 'b:2'], { total: 1_300, truncated: true }));
    expect(result).toMatchObject({
      blocks: [
        {
          type: 'text',
          text: 'a:1\nb:2\n\n[Lines 11 to 12 of 1,300. Go on with offset 12, or narrow the search.]',
        },
      ],
      note: '2 of 1,300 files',
    });
  });

  it.each([
    [0, 0, 'No matches.'],
    [5, 0, 'No matches.'],
    [5, 3, 'Only 3 lines of output; offset 5 is after them.'],
  ])('with offset %i and %i lines says: %s', async (offset, total, text) => {
    const { blocks } = await grep({ pattern: 'x', offset }, lines([], { total }));
    expect(blocks).toEqual([{ type: 'text', text }]);
  });

  it('bounds what the card shows, not what the model gets', async () => {
    const many = Array.from({ length: 1_001 }, (_, index) => `f${index}`);
    const files = await grep({ pattern: 'x', head_limit: 0 }, lines(many));
    expect(files.view).toEqual({
      kind: 'files',
      files: many.slice(0, 1_000).map((path) => ({ path })),
      truncated: true,
    });
    expect(files.blocks).toEqual([{ type: 'text', text: many.join('\n') }]);
    const long = await grep(
      { pattern: 'x', output_mode: 'content', head_limit: 0 },
      lines(Array.from({ length: 200 }, () => 'y'.repeat(499))),
    );
    expect(long.view).toEqual({ kind: 'text', text: `${'y'.repeat(499)}\n`.repeat(100) });
  });

  it('cuts long lines', async () => {
    const { blocks } = await grep({ pattern: 'x', output_mode: 'content' }, lines([`a:1:${'x'.repeat(1_000)}`]));
    expect(blocks).toEqual([{ type: 'text', text: `a:1:${'x'.repeat(496)} [line cut: 1,004 characters]` }]);
  });

  it('reports a pattern that was not understood as an error, never as no match', async () => {
    const failure = { kind: 'failure', reason: 'badPattern', message: 'Unclosed group.' } as const;
    await expect(grep({ pattern: '(' }, failure)).rejects.toMatchObject({
      message: 'Unclosed group. Correct it; to search for characters such as ( [ { . literally, escape them.',
    });
  });
});

it('names what it touches and shows', () => {
  const input = parse({ pattern: 'a\nb', path: '~/x', glob: '*.ts', type: 'ts' });
  expect({
    facts: grepTool.facts(input, samplePlace),
    path: grepTool.getPath(input, samplePlace),
    observed: grepTool.observableInput(input, samplePlace).path,
    summary: grepTool.getToolUseSummary(input, samplePlace),
    plainSummary: grepTool.getToolUseSummary(parse({ pattern: 'x' }), samplePlace),
    activity: grepTool.getActivityDescription(input, samplePlace),
    use: grepTool.renderUse(parse({ pattern: 'x', '-i': true }), samplePlace),
    safe: [grepTool.isConcurrencySafe(input), grepTool.isReadOnly(input)],
  }).toEqual({
    facts: [{ kind: 'path', access: 'read', path: '/home/ada/x' }],
    path: '/home/ada/x',
    observed: '/home/ada/x',
    summary: 'a ⏎ b in /home/ada/x, *.ts, ts',
    plainSummary: 'x',
    activity: 'Searching for a ⏎ b',
    use: {
      kind: 'table',
      columns: ['Field', 'Value'],
      rows: [
        ['pattern', 'x'],
        ['output_mode', 'files_with_matches'],
        ['-i', 'true'],
        ['-n', 'true'],
        ['multiline', 'false'],
        ['head_limit', '250'],
        ['offset', '0'],
        ['path', '/srv/app'],
      ],
    },
    safe: [true, true],
  });
});

it.each([
  [{ pattern: '' }],
  [{ pattern: 'x', output_mode: 'lines' }],
  [{ pattern: 'x', '-A': -1 }],
  [{ pattern: 'x', '-C': 'two' }],
  [{ pattern: 'x', head_limit: 1.5 }],
  [{ pattern: 'x', '-i': 'maybe' }],
  [{ pattern: 'x', '-l': true }],
])('input %j is an error', (input) => {
  expect(grepTool.inputSchema().safeParse(input).success).toBe(false);
});
