import { describe, expect, it } from 'vitest';
import type { OperationAnswers } from '#shared/api/executor';
import { recordCall, type Script } from '../testing/recordingExecutor';
import { samplePlace } from '../testing/samplePlace';
import { type EditInput, editTool } from './edit';

const path = '/srv/app/src/a.ts';
const input: EditInput = { file_path: 'src/a.ts', old_string: 'foo', new_string: 'bar', replace_all: false };
const known = { path, hash: 'h1', mtimeMs: 1, size: 20, whole: true };

const change: OperationAnswers['file.edit'] = {
  kind: 'changed',
  created: false,
  replacements: 1,
  hunks: [
    {
      oldStart: 3,
      newStart: 3,
      lines: [
        { sign: ' ', text: 'a' },
        { sign: '-', text: 'foo' },
        { sign: '+', text: 'bar' },
        { sign: '+', text: 'baz' },
      ],
    },
  ],
  added: 2,
  removed: 1,
  hunksTruncated: false,
  size: 30,
  mtimeMs: 2,
  hash: 'h2',
};
const diff = {
  kind: 'diff',
  path: 'src/a.ts',
  created: false,
  hunks: change.hunks,
  added: 2,
  removed: 1,
  truncated: false,
};

function stat(
  more: Partial<Extract<OperationAnswers['file.stat'], { kind: 'stat' }>> = {},
): OperationAnswers['file.stat'] {
  const facts = { size: 20, mtimeMs: 99, isLink: false, realPath: path, hash: 'h1' };
  return { kind: 'stat', exists: true, type: 'file', ...facts, ...more };
}

/** A recording in which the file was read. */
function record(script: Script = {}, state: typeof known | null = known) {
  const recording = recordCall({ 'file.stat': () => stat(), 'file.edit': () => change, ...script });
  if (state !== null) recording.fileStates.set(state);
  return recording;
}

describe('validation', () => {
  it('tries the edit without writing and shows the difference; a moved timestamp alone does not matter', async () => {
    const { validation, operations } = record();
    expect(await editTool.validateInput(input, validation)).toEqual({ verdict: 'ok', view: diff });
    expect(operations).toEqual([
      { op: 'file.stat', path },
      {
        op: 'file.edit',
        path,
        edits: [{ oldString: 'foo', newString: 'bar', replaceAll: false }],
        hash: 'h1',
        dryRun: true,
      },
    ]);
  });

  it('leaves the comparison of a file too large to hash at a look to the executor', async () => {
    const { validation } = record({ 'file.stat': () => stat({ hash: '', size: 100_000_000 }) });
    expect((await editTool.validateInput(input, validation)).verdict).toBe('ok');
  });

  it.each<[string, Partial<EditInput>, Script, typeof known | null, string, RegExp]>([
    ['empty old_string', { old_string: '' }, {}, known, 'emptyOldString', /use Write/],
    ['nothing to change', { new_string: 'foo' }, {}, known, 'sameText', /are the same/],
    [
      'missing file',
      {},
      { 'file.stat': () => stat({ exists: false, type: 'none' }) },
      known,
      'missing',
      /^src\/a.ts does not exist.*Write/,
    ],
    ['folder', {}, { 'file.stat': () => stat({ type: 'folder' }) }, known, 'isFolder', /is a folder/],
    ['device', {}, { 'file.stat': () => stat({ type: 'other' }) }, known, 'notFile', /not a regular file/],
    [
      'link, dangling or not',
      {},
      { 'file.stat': () => stat({ exists: false, type: 'none', isLink: true, realPath: '/etc/passwd' }) },
      known,
      'isLink',
      /^src\/a.ts is a link to \/etc\/passwd\./,
    ],
    ['over 1 GiB', {}, { 'file.stat': () => stat({ size: 1_073_741_825 }) }, known, 'tooLarge', /1,073,741,825 bytes/],
    ['not read', {}, {}, null, 'notRead', /^You have not read src\/a.ts yet\. Read it first/],
    [
      'changed on disk',
      {},
      { 'file.stat': () => stat({ hash: 'other' }) },
      known,
      'changed',
      /changed on disk.*Read it again/,
    ],
    [
      'unreadable folder',
      {},
      { 'file.stat': () => ({ kind: 'failure', reason: 'denied', message: 'No access.' }) },
      known,
      'denied',
      /^No access\. Do not try to get around it/,
    ],
    [
      'no match',
      {},
      { 'file.edit': () => ({ kind: 'failure', reason: 'noMatch', message: 'It is not there.' }) },
      known,
      'noMatch',
      /^It is not there\. Copy the text exactly/,
    ],
    [
      'not unique',
      {},
      { 'file.edit': () => ({ kind: 'failure', reason: 'notUnique', message: 'It is there 3 times.' }) },
      known,
      'notUnique',
      /^It is there 3 times\.$/,
    ],
  ])('rejects: %s', async (_, more, script, state, errorCode, message) => {
    const { validation } = record(script, state);
    const result = await editTool.validateInput({ ...input, ...more }, validation);
    expect(result).toEqual({ verdict: 'reject', errorCode, message: expect.stringMatching(message) });
  });

  it('rejects what was read only in part and says which lines', async () => {
    const { validation, fileStates } = record({ 'file.stat': () => stat({ hash: 'h3' }) });
    const page = { path, hash: 'h3', mtimeMs: 1, size: 20, totalLines: 5_000 };
    fileStates.addPage({ ...page, range: { first: 1, last: 2_000 } });
    fileStates.addPage({ ...page, range: { first: 3_000, last: 3_100 } });
    expect(await editTool.validateInput(input, validation)).toEqual({
      verdict: 'reject',
      errorCode: 'partlyRead',
      message:
        'You have read only a part of src/a.ts (lines 1–2,000, 3,000–3,100). Read the rest too (offset and limit), then repeat the change.',
    });
  });
});

describe('execution', () => {
  it('edits, tells, and remembers the new content so that the next edit needs no reading', async () => {
    const { context, operations, fileStates } = record();
    const output = await editTool.call({ ...input, replace_all: true }, context);
    expect(operations).toEqual([
      {
        op: 'file.edit',
        path,
        edits: [{ oldString: 'foo', newString: 'bar', replaceAll: true }],
        hash: 'h1',
        dryRun: false,
      },
    ]);
    expect(editTool.mapResult(output, input)).toEqual([
      { type: 'text', text: 'Edited src/a.ts: 1 replacement, +2 −1 lines.' },
    ]);
    expect(editTool.renderResult(output, input, samplePlace)).toEqual({ view: diff, note: '+2 −1' });
    expect(editTool.extractSearchText(output)).toBe('foo\nbar\nbaz');
    expect(fileStates.get(path)).toEqual({ path, hash: 'h2', mtimeMs: 2, size: 30, whole: true });
  });

  it('fails when the file changed between ask and write, and keeps what it knew', async () => {
    const { context, fileStates } = record({
      'file.edit': () => ({ kind: 'failure', reason: 'changed', message: 'It was changed. Read it again.' }),
    });
    await expect(editTool.call(input, context)).rejects.toMatchObject({
      kind: 'tool',
      message: 'It was changed. Read it again.',
      note: 'changed on disk',
    });
    expect(fileStates.get(path)).toEqual(known);
  });

  it('fails when the file is no longer known', async () => {
    const { context } = record({}, null);
    await expect(editTool.call(input, context)).rejects.toMatchObject({ kind: 'tool', note: 'not read' });
  });
});

it('names what it touches and shows', () => {
  const two = { ...input, old_string: 'a\r\nb\n', new_string: '' };
  expect({
    facts: editTool.facts(input, samplePlace),
    observable: editTool.observableInput(input, samplePlace),
    summary: editTool.getToolUseSummary(input, samplePlace),
    activity: editTool.getActivityDescription(input, samplePlace),
    use: editTool.renderUse(two, samplePlace),
    safe: [editTool.isConcurrencySafe(input), editTool.isReadOnly(input), editTool.canBeReadOnly()],
  }).toEqual({
    facts: [{ kind: 'path', access: 'write', path }],
    observable: { ...input, file_path: path },
    summary: 'src/a.ts',
    activity: 'Editing src/a.ts',
    use: {
      kind: 'diff',
      path: 'src/a.ts',
      created: false,
      hunks: [
        {
          oldStart: 0,
          newStart: 0,
          lines: [
            { sign: '-', text: 'a' },
            { sign: '-', text: 'b' },
          ],
        },
      ],
      added: 0,
      removed: 2,
      truncated: false,
    },
    safe: [false, false, false],
  });
});

it.each([
  [
    { file_path: 'a', old_string: 'x', new_string: 'y' },
    { file_path: 'a', old_string: 'x', new_string: 'y', replace_all: false },
  ],
  [
    { file_path: 'a', old_string: 'x', new_string: 'y', replace_all: 'true' },
    { file_path: 'a', old_string: 'x', new_string: 'y', replace_all: true },
  ],
  [{ file_path: 'a', old_string: 'x', new_string: 'y', replace_all: 'maybe' }, null],
  [{ file_path: 'a', old_string: 'x' }, null],
  [{ file_path: 'a', old_string: 'x', new_string: 'y', edits: [] }, null],
])('input %j → %j', (given, expected) => {
  expect(editTool.inputSchema().safeParse(given).data ?? null).toEqual(expected);
});
