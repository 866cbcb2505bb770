import { describe, expect, it } from 'vitest';
import type { OperationAnswers } from '#shared/api/executor';
import { recordCall, type Script } from '../testing/recordingExecutor';
import { samplePlace } from '../testing/samplePlace';
import { writeTool } from './write';

const path = '/srv/app/src/a.ts';
const input = { file_path: 'src/a.ts', content: 'a\nb\n' };
const known = { path, hash: 'h1', mtimeMs: 1, size: 20, whole: true };

type Changed = Extract<OperationAnswers['file.write'], { kind: 'changed' }>;

function changed(more: Partial<Changed> = {}): Changed {
  return {
    kind: 'changed',
    created: false,
    replacements: 0,
    hunks: [{ oldStart: 1, newStart: 1, lines: [{ sign: '+', text: 'b' }] }],
    added: 1,
    removed: 2,
    hunksTruncated: true,
    size: 4,
    mtimeMs: 2,
    hash: 'h2',
    ...more,
  };
}

type Stat = Extract<OperationAnswers['file.stat'], { kind: 'stat' }>;

function stat(more: Partial<Stat> = {}): Stat {
  const facts = { size: 20, mtimeMs: 99, isLink: false, realPath: path, hash: 'h1' };
  return { kind: 'stat', exists: true, type: 'file', ...facts, ...more };
}

const absent = () => stat({ exists: false, type: 'none', hash: '' });

function record(script: Script = {}, state: typeof known | null = known) {
  const recording = recordCall({ 'file.stat': () => stat(), 'file.write': () => changed(), ...script });
  if (state !== null) recording.fileStates.set(state);
  return recording;
}

describe('validation', () => {
  it('shows what replacing a file that was read would change', async () => {
    const { validation, operations } = record();
    expect(await writeTool.validateInput(input, validation)).toEqual({
      verdict: 'ok',
      view: {
        kind: 'diff',
        path: 'src/a.ts',
        created: false,
        hunks: changed().hunks,
        added: 1,
        removed: 2,
        truncated: true,
      },
    });
    expect(operations).toEqual([
      { op: 'file.stat', path },
      { op: 'file.write', path, content: 'a\nb\n', expect: { hash: 'h1' }, dryRun: true },
    ]);
  });

  it('needs no reading for a new file, also where one was read and is gone', async () => {
    for (const state of [null, known]) {
      const { validation, operations, fileStates } = record(
        { 'file.stat': absent, 'file.write': () => changed({ created: true }) },
        state,
      );
      expect(await writeTool.validateInput(input, validation)).toMatchObject({
        verdict: 'ok',
        view: { created: true },
      });
      expect(operations[1]).toEqual({ op: 'file.write', path, content: 'a\nb\n', expect: 'absent', dryRun: true });
      expect(fileStates.get(path)).toBeUndefined();
    }
  });

  it.each<[string, Script, typeof known | null, string]>([
    ['not read', {}, null, 'notRead'],
    ['read in part', {}, { ...known, whole: false }, 'partlyRead'],
    ['changed on disk', { 'file.stat': () => stat({ hash: 'other' }) }, known, 'changed'],
    ['folder', { 'file.stat': () => stat({ type: 'folder' }) }, known, 'isFolder'],
    ['link', { 'file.stat': () => stat({ isLink: true }) }, known, 'isLink'],
    [
      'no access',
      { 'file.write': () => ({ kind: 'failure', reason: 'denied', message: 'No access.' }) },
      known,
      'denied',
    ],
  ])('rejects: %s', async (_, script, state, errorCode) => {
    const { validation } = record(script, state);
    expect(await writeTool.validateInput(input, validation)).toMatchObject({ verdict: 'reject', errorCode });
  });
});

describe('execution', () => {
  it.each<[string, typeof known | null, Changed, unknown, string, string]>([
    ['replaces', known, changed(), { hash: 'h1' }, 'Replaced the content of src/a.ts: +1 −2 lines.', '+1 −2'],
    [
      'creates',
      null,
      changed({ created: true, added: 2, removed: 0 }),
      'absent',
      'Created src/a.ts with 2 lines.',
      'new file · 2 lines',
    ],
  ])('%s, tells, and remembers the new content', async (_, state, answer, expected, text, note) => {
    const { context, operations, fileStates } = record({ 'file.write': () => answer }, state);
    const output = await writeTool.call(input, context);
    expect(operations).toEqual([{ op: 'file.write', path, content: 'a\nb\n', expect: expected, dryRun: false }]);
    expect(writeTool.mapResult(output, input)).toEqual([{ type: 'text', text }]);
    expect(writeTool.renderResult(output, input, samplePlace)).toMatchObject({
      view: { kind: 'diff', path: 'src/a.ts', created: answer.created },
      note,
    });
    expect(fileStates.get(path)).toEqual({ path, hash: 'h2', mtimeMs: 2, size: 4, whole: true });
  });

  it('fails when somebody else made the file in the meantime', async () => {
    const { context } = record(
      { 'file.write': () => ({ kind: 'failure', reason: 'exists', message: 'It exists. Read it first.' }) },
      null,
    );
    await expect(writeTool.call(input, context)).rejects.toMatchObject({
      kind: 'tool',
      message: 'It exists. Read it first.',
      note: 'exists already',
    });
  });
});

it('names what it touches and shows', () => {
  expect({
    facts: writeTool.facts(input, samplePlace),
    observable: writeTool.observableInput(input, samplePlace),
    path: writeTool.getPath(input, samplePlace),
    summary: writeTool.getToolUseSummary(input, samplePlace),
    activity: writeTool.getActivityDescription(input, samplePlace),
    use: writeTool.renderUse(input, samplePlace),
    safe: [writeTool.isConcurrencySafe(input), writeTool.isReadOnly(input), writeTool.canBeReadOnly()],
  }).toEqual({
    facts: [{ kind: 'path', access: 'write', path }],
    observable: { file_path: path, content: 'a\nb\n' },
    path,
    summary: 'src/a.ts',
    activity: 'Writing src/a.ts',
    use: { kind: 'text', text: 'a\nb\n', firstLine: 1, language: 'typescript' },
    safe: [false, false, false],
  });
});
