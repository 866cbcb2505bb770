import { describe, expect, it } from 'vitest';
import type { OperationAnswers } from '#shared/api/executor';
import { recordCall, type Script } from '../testing/recordingExecutor';
import { samplePlace } from '../testing/samplePlace';
import { ToolFailure } from '../tool';
import { type ReadInput, readTool } from './read';

type Answer = OperationAnswers['file.read'];

const facts = { size: 100, mtimeMs: 7, hash: 'h1' };
const shown = { image: { maxEdge: 1_568, maxBytes: 3_750_000 }, unasked: 10, notebookImages: 10 };
const missing: Answer = { kind: 'failure', reason: 'missing', message: '/srv/app/a.ts does not exist (ENOENT).' };

function text(lines: readonly string[], more: Partial<Extract<Answer, { kind: 'text' }>> = {}): Answer {
  return {
    kind: 'text',
    text: lines.join('\n'),
    firstLine: 1,
    lines: lines.length,
    totalLines: lines.length,
    truncated: false,
    ...facts,
    ...more,
  };
}

async function read(input: ReadInput, answer: Answer, script: Script = {}) {
  const recording = recordCall({ 'file.read': () => answer, ...script });
  try {
    const output = await readTool.call(input, recording.context);
    const { view, note } = readTool.renderResult(output, input, samplePlace);
    return { blocks: readTool.mapResult(output, input), view, note, recording };
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    return { failed: [error.kind, error.message, error.note], recording };
  }
}

describe('Read', () => {
  it('reads 2,000 lines of at most 256 KB, numbers them and remembers the file', async () => {
    const { blocks, view, note, recording } = await read(
      { file_path: 'src/a.ts' },
      text(['const a = 1;', '', '\tb();']),
    );
    expect(recording.operations).toEqual([
      { op: 'file.read', path: '/srv/app/src/a.ts', firstLine: 1, maxLines: 2_000, maxBytes: 262_144, shown },
    ]);
    expect(blocks).toEqual([{ type: 'text', text: '     1\tconst a = 1;\n     2\t\n     3\t\tb();' }]);
    expect(view).toEqual({ kind: 'text', text: 'const a = 1;\n\n\tb();', firstLine: 1, language: 'typescript' });
    expect(note).toBe('3 lines');
    expect(recording.fileStates.get('/srv/app/src/a.ts')).toEqual({
      path: '/srv/app/src/a.ts',
      ...facts,
      whole: true,
    });
  });

  it('reads a window and says how to go on', async () => {
    const { blocks, view, note, recording } = await read(
      { file_path: '/data/log', offset: 3, limit: 2 },
      text(['c', 'd'], { firstLine: 3, totalLines: 1_200 }),
    );
    expect(recording.operations).toEqual([
      { op: 'file.read', path: '/data/log', firstLine: 3, maxLines: 2, maxBytes: 262_144, shown },
    ]);
    expect(blocks).toEqual([
      {
        type: 'text',
        text: '     3\tc\n     4\td\n\n[PARTIAL: lines 3 to 4 of 1,200. Read on with offset 5, or look for what you need with Grep.]',
      },
    ]);
    expect(view).toEqual({ kind: 'text', text: 'c\nd', firstLine: 3 });
    expect(note).toBe('lines 3–4 of 1,200');
    expect(recording.fileStates.get('/data/log')).toEqual({
      path: '/data/log',
      ...facts,
      whole: false,
      seen: [{ first: 3, last: 4 }],
    });
  });

  it('leaves a half line at the end of a full page to the next page', async () => {
    const { blocks, recording } = await read(
      { file_path: 'a' },
      text(['a', 'b', 'ha'], { totalLines: 9, truncated: true }),
    );
    expect(blocks).toEqual([
      {
        type: 'text',
        text: '     1\ta\n     2\tb\n\n[PARTIAL: lines 1 to 2 of 9. Read on with offset 3, or look for what you need with Grep.]',
      },
    ]);
    expect(recording.fileStates.get('/srv/app/a')?.seen).toEqual([{ first: 1, last: 2 }]);
  });

  it('cuts long lines, and shows the start of a line that is longer than a page', async () => {
    const huge = await read({ file_path: 'a.json' }, text(['x'.repeat(262_144)], { truncated: true }));
    expect(huge.blocks).toEqual([
      {
        type: 'text',
        text: `     1\t${'x'.repeat(2_000)} [line cut: more than 262,144 characters; read on with offset 1 and column 2001]`,
      },
    ]);
    expect(huge.view).toEqual({ kind: 'text', text: 'x'.repeat(50_000), firstLine: 1, language: 'json' });
    expect(huge.note).toBe('1 line · start shown here');
    const pair = await read({ file_path: 'a' }, text([`${'x'.repeat(1_999)}😀`]));
    expect(pair.blocks).toEqual([
      {
        type: 'text',
        text: `     1\t${'x'.repeat(1_999)} [line cut: 2,001 characters; read on with offset 1 and column 2000]`,
      },
    ]);
  });

  it('reads a line that is longer than a page by characters', async () => {
    const piece = await read(
      { file_path: 'a.json', offset: 2, column: 20_001 },
      text(['y'.repeat(20_000)], { firstLine: 2, lines: 1, totalLines: 3, truncated: true, lineChars: 3_000_000 }),
    );
    expect(piece.recording.operations).toEqual([
      {
        op: 'file.read',
        path: '/srv/app/a.json',
        firstLine: 2,
        maxLines: 2_000,
        columns: { first: 20_001, max: 20_000 },
        maxBytes: 262_144,
        shown,
      },
    ]);
    expect(piece.blocks).toEqual([
      {
        type: 'text',
        text: `${'y'.repeat(20_000)}\n\n[PARTIAL: characters 20,001 to 40,000 of 3,000,000 in line 2. Read on with offset 2 and column 40001, or look for what you need with Grep.]`,
      },
    ]);
    expect(piece.note).toBe('line 2, characters 20,001–40,000 of 3,000,000');
    // A part of a line is no reading of the file.
    expect(piece.recording.fileStates.get('/srv/app/a.json')).toBeUndefined();
    const last = await read(
      { file_path: 'a.json', offset: 2, column: 5 },
      text(['end'], { firstLine: 2, lines: 1, totalLines: 3, lineChars: 7 }),
    );
    expect(last.blocks).toEqual([
      { type: 'text', text: 'end\n\n[characters 5 to 7 of 7 in line 2, its end. The next line has offset 3.]' },
    ]);
    const beyond = await read({ file_path: 'a', column: 9 }, text([''], { lines: 1, totalLines: 1, lineChars: 8 }));
    expect(beyond.failed).toEqual([
      'tool',
      'Line 1 of a has only 8 characters; character 9 is after its end. Use a smaller column.',
      'only 8 characters',
    ]);
    const below = await read({ file_path: 'a', offset: 5, column: 1 }, text([], { firstLine: 5, totalLines: 2 }));
    expect(below.failed?.[1]).toBe('a has only 2 lines; line 5 is after its end. Use a smaller offset.');
  });

  it('says that a file is empty, and remembers it', async () => {
    const { blocks, note, recording } = await read({ file_path: 'empty' }, text([], { size: 0 }));
    expect(blocks).toEqual([{ type: 'text', text: 'empty exists but is empty.' }]);
    expect(note).toBe('empty file');
    expect(recording.fileStates.get('/srv/app/empty')?.whole).toBe(true);
  });

  it('refuses a range that is more than one call gives, and says how much of it fits', async () => {
    const answer = text(['a', 'b', 'ha'], { firstLine: 4, totalLines: 9, truncated: true });
    const { failed, recording } = await read({ file_path: 'a', offset: 4, limit: 5 }, answer);
    expect(failed).toEqual([
      'tool',
      'These 5 lines of a are more than the 256 KB that one call gives. Ask for at most 2 lines from line 4.',
      'more than a page',
    ]);
    expect(recording.fileStates.get('/srv/app/a')).toBeUndefined();
  });

  it('gives images as images, and says when one was made smaller', async () => {
    const image: Answer = { kind: 'image', mediaType: 'image/png', base64: 'AAAA', width: 100, height: 50, ...facts };
    const whole = await read({ file_path: 'shot.png' }, image);
    expect(whole.blocks).toEqual([{ type: 'image', mediaType: 'image/png', base64: 'AAAA' }]);
    expect(whole.view).toEqual({ kind: 'image', mediaType: 'image/png', base64: 'AAAA', alt: 'shot.png' });
    expect(whole.note).toBe('image/png · 100 × 50 · 100 bytes');
    expect(whole.recording.fileStates.get('/srv/app/shot.png')?.whole).toBe(true);
    const original = { mediaType: 'image/jpeg', width: 4_000, height: 2_000 };
    const smaller = await read({ file_path: 'shot.png' }, { ...image, original });
    expect(smaller.blocks?.at(-1)).toEqual({
      type: 'text',
      text: '[Shown at 100 × 50 pixels; the file has 4000 × 2000 pixels (image/jpeg).]',
    });
    expect(smaller.note).toBe('image/png · 100 × 50 · from 4000 × 2000 · 100 bytes');
  });

  it.each<[string, Answer, [string, string, string]]>([
    [
      'a binary file',
      { kind: 'binary', guess: 'PDF (application/pdf)', ...facts },
      [
        'tool',
        'x is a binary file (PDF (application/pdf), 100 bytes), so there is no text to show. Use Bash with a program that understands it.',
        'binary file',
      ],
    ],
    [
      'a window after the end',
      text([], { firstLine: 50, totalLines: 12 }),
      ['tool', 'x has only 12 lines; line 50 is after its end. Use a smaller offset.', 'only 12 lines'],
    ],
    [
      'no access',
      { kind: 'failure', reason: 'denied', message: '/srv/app/x may not be accessed (EACCES).' },
      [
        'permission',
        '/srv/app/x may not be accessed (EACCES). Do not try to get around it; tell the person if you need this.',
        'access refused',
      ],
    ],
    [
      'a folder',
      { kind: 'failure', reason: 'isFolder', message: '/srv/app/x is a folder. List it with ListDirectory.' },
      ['tool', '/srv/app/x is a folder. List it with ListDirectory.', 'is a folder'],
    ],
  ])('explains %s and remembers nothing', async (_, answer, expected) => {
    const { failed, recording } = await read({ file_path: 'x' }, answer);
    expect(failed).toEqual(expected);
    expect(recording.fileStates.get('/srv/app/x')).toBeUndefined();
  });

  it.each<[string, string, string[], string]>([
    ['another extension', 'src/a.ts', ['/srv/app/src/a.tsx'], ' Did you mean src/a.tsx?'],
    [
      'a path from the wrong root',
      '/src/a.ts',
      ['/srv/app/src/a.ts', '/srv/app/a.ts'],
      ' Did you mean src/a.ts or a.ts?',
    ],
    ['nothing near', 'src/a.ts', [], ''],
    ['only inside the folder', '/etc/a.ts', ['/etc/a.tsx'], ''],
  ])('suggests neighbours of a missing file: %s', async (_, path, existing, hint) => {
    const { failed, recording } = await read({ file_path: path }, missing, {
      'file.stat': (asked) => ({
        kind: 'stat',
        exists: existing.includes(asked.path),
        type: existing.includes(asked.path) ? 'file' : 'none',
        size: 1,
        mtimeMs: 1,
        isLink: false,
        realPath: asked.path,
        hash: '',
      }),
    });
    expect(failed).toEqual([
      'notFound',
      `/srv/app/a.ts does not exist (ENOENT). Check the path, or look for the file with Glob.${hint}`,
      'not found',
    ]);
    const looked = recording.operations.flatMap((operation) => (operation.op === 'file.stat' ? [operation.path] : []));
    expect(looked.every((each) => each.startsWith('/srv/app/'))).toBe(true);
  });

  it('names what it touches and shows', () => {
    const input = { file_path: '~/x.md', offset: 5, limit: 10 };
    expect({
      facts: readTool.facts(input, samplePlace),
      observable: readTool.observableInput(input, samplePlace),
      path: readTool.getPath(input, samplePlace),
      summary: readTool.getToolUseSummary(input, samplePlace),
      wholeSummary: readTool.getToolUseSummary({ file_path: 'src/a.ts' }, samplePlace),
      activity: readTool.getActivityDescription({ file_path: '/srv/app/src/a.ts' }, samplePlace),
      safe: [readTool.isConcurrencySafe(input), readTool.isReadOnly(input)],
      limit: readTool.maxResultSizeChars,
    }).toEqual({
      facts: [{ kind: 'path', access: 'read', path: '/home/ada/x.md' }],
      observable: { file_path: '/home/ada/x.md', offset: 5, limit: 10 },
      path: '/home/ada/x.md',
      summary: '/home/ada/x.md, lines 5–14',
      wholeSummary: 'src/a.ts',
      activity: 'Reading src/a.ts',
      safe: [true, true],
      limit: Number.POSITIVE_INFINITY,
    });
  });

  it.each([
    [
      { file_path: 'a', offset: '10', limit: '5' },
      { file_path: 'a', offset: 10, limit: 5 },
    ],
    [
      { file_path: 'a', offset: 0 },
      { file_path: 'a', offset: 0 },
    ],
    [
      { file_path: 'a', pages: ' 3-5 ' },
      { file_path: 'a', pages: ' 3-5 ' },
    ],
    [
      { file_path: 'a', pages: 3 },
      { file_path: 'a', pages: '3' },
    ],
    [{ file_path: 'a', pages: '5-3' }, null],
    [{ file_path: 'a', pages: '0' }, null],
    [{ file_path: 'a', pages: '1-21' }, null],
    [{ file_path: 'a', pages: 'all' }, null],
    [{ file_path: 'a', limit: 0 }, null],
    [{ file_path: 'a', offset: -1 }, null],
    [{ file_path: '' }, null],
    [{ path: 'a' }, null],
  ])('input %j → %j', (input, expected) => {
    expect(readTool.inputSchema().safeParse(input).data ?? null).toEqual(expected);
  });
});
