import { describe, expect, it } from 'vitest';
import type { OperationAnswers } from '#shared/api/executor';
import { recordCall } from '../testing/recordingExecutor';
import { samplePlace } from '../testing/samplePlace';
import { type GlobInput, globTool } from './glob';

async function glob(input: GlobInput, answer: OperationAnswers['search.glob']) {
  const { context, operations } = recordCall({ 'search.glob': () => answer });
  const output = await globTool.call(input, context);
  const { view, note } = globTool.renderResult(output, input, samplePlace);
  return { operations, blocks: globTool.mapResult(output, input), view, note };
}

describe('Glob', () => {
  it('lists files from the current folder, in the order given, at most 100', async () => {
    const files = ['/srv/app/src/b.ts', '/srv/app/a.ts', '/srv/other/c.ts'];
    expect(await glob({ pattern: '**/*.ts' }, { kind: 'files', files, truncated: false })).toEqual({
      operations: [{ op: 'search.glob', root: '/srv/app', pattern: '**/*.ts', limit: 100 }],
      blocks: [{ type: 'text', text: 'src/b.ts\na.ts\n/srv/other/c.ts' }],
      view: {
        kind: 'files',
        files: [{ path: 'src/b.ts' }, { path: 'a.ts' }, { path: '/srv/other/c.ts' }],
        truncated: false,
      },
      note: '3 files',
    });
  });

  it('says when there are more', async () => {
    const result = await glob({ pattern: '*' }, { kind: 'files', files: ['/srv/app/a'], truncated: true });
    expect([result.blocks, result.note]).toEqual([
      [{ type: 'text', text: 'a\n\n[The first 1 only. Narrow the pattern or the folder.]' }],
      'first 1 file',
    ]);
  });

  it('says when there is nothing', async () => {
    const result = await glob({ pattern: '*.nix' }, { kind: 'files', files: [], truncated: false });
    expect([result.blocks, result.note]).toEqual([[{ type: 'text', text: 'No files match.' }], '0 files']);
  });

  it('passes failures on', async () => {
    const failure = { kind: 'failure', reason: 'badPattern', message: 'The pattern is not valid.' } as const;
    await expect(glob({ pattern: '[' }, failure)).rejects.toMatchObject({ kind: 'tool', note: 'bad pattern' });
  });

  it.each<[GlobInput, string, string]>([
    [{ pattern: '**/*.ts' }, '/srv/app', '**/*.ts'],
    [{ pattern: '*', path: 'src' }, '/srv/app/src', '* in src'],
    [{ pattern: '/etc/*.conf' }, '/etc', '/etc/*.conf'],
    [{ pattern: '../x/*' }, '/srv/x', '../x/*'],
  ])('%j touches only %s', (input, root, summary) => {
    expect({
      facts: globTool.facts(input, samplePlace),
      observable: globTool.observableInput(input, samplePlace),
      path: globTool.getPath(input, samplePlace),
      summary: globTool.getToolUseSummary(input, samplePlace),
    }).toEqual({
      facts: [{ kind: 'path', access: 'read', path: root }],
      observable: { ...input, path: root },
      path: root,
      summary,
    });
  });

  it.each([
    ['**/../../etc/*', 'reject'],
    ['src/../../*', 'reject'],
    ['/etc/../home/*', 'ok'],
    ['../x/*', 'ok'],
    ['**/*', 'ok'],
  ])('%s → %s', async (pattern, verdict) => {
    expect((await globTool.validateInput({ pattern }, recordCall().validation)).verdict).toBe(verdict);
  });

  it.each([
    [{ pattern: ' ' }, false],
    [{ pattern: 'x'.repeat(2_001) }, false],
    [{ pattern: '*', path: '' }, false],
    [{ pattern: '*', limit: 5 }, false],
    [{ pattern: '*', path: '/tmp' }, true],
  ])('input %.40j is valid: %s', (input, valid) => {
    expect(globTool.inputSchema().safeParse(input).success).toBe(valid);
  });
});
