import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTool } from '../read/read';
import { type Outcome, type RealExecutor, startRealExecutor } from '../testing/realExecutor';
import { samplePlace } from '../testing/samplePlace';
import type { AnyTool } from '../tool';
import { multiEditTool } from './multiEdit';

let real: RealExecutor;
beforeAll(async () => {
  real = await startRealExecutor();
}, 60_000);
afterAll(() => real.dispose());

const tool = multiEditTool as AnyTool;
const read = (name: string) => real.call(readTool as AnyTool, { file_path: name });
const put = (name: string, content: string) => writeFile(join(real.folder, name), content);
const now = (name: string) => readFile(join(real.folder, name), 'utf8');
const change = (old_string: string, new_string: string, more: object = {}) => ({ old_string, new_string, ...more });

function words(outcome: Outcome): string {
  if (outcome.kind !== 'succeeded') return outcome.text;
  const [block] = outcome.blocks;
  return block?.type === 'text' ? block.text : '';
}

async function outcomeOf(content: string, edits: readonly object[]): Promise<readonly [string, string]> {
  await put('a.txt', content);
  await read('a.txt');
  return [words(await real.call(tool, { file_path: 'a.txt', edits })), await now('a.txt')];
}

it.each<[string, string, readonly object[], string, string]>([
  [
    'in order, each on what the one before left',
    'one\ntwo\r\nthree\n',
    [change('one', 'two'), change('two\ntwo', 'both'), change('three', '3')],
    'Edited a.txt: 3 edits, 3 replacements, +2 −3 lines.',
    'both\r\n3\n',
  ],
  [
    'everywhere where that is asked for, also as text',
    'a a b\n',
    [change('a', 'c', { replace_all: 'true' }), change('b', 'a')],
    'Edited a.txt: 2 edits, 3 replacements, +1 −1 lines.',
    'c c a\n',
  ],
  ['one edit', 'x\n', [change('x', 'y')], 'Edited a.txt: 1 edit, 1 replacement, +1 −1 lines.', 'y\n'],
])('changes %s', async (_, content, edits, said, left) => {
  expect(await outcomeOf(content, edits)).toEqual([said, left]);
});

describe('all or nothing', () => {
  it.each<[string, readonly object[], RegExp]>([
    [
      'the second is not there',
      [change('one', '1'), change('none', '2')],
      /^Edit 2 of 2 \(none was made\): The text to replace was not found/,
    ],
    ['the first took it away', [change('one', '1'), change('one', '2')], /^Edit 2 of 2 \(none was made\)/],
    ['not unique', [change('two', 'too'), change('o', '0')], /^Edit 2 of 2 \(none was made\): .*stands \d times/],
    ['an empty text', [change('one', '1'), change('', 'x')], /^Edit 2 of 2: old_string is empty/],
    [
      'the same text',
      [change('one', 'one'), change('two', '2')],
      /^Edit 1 of 2: old_string and new_string are the same/,
    ],
    ['no edits', [], /edits/],
    ['too many', Array.from({ length: 101 }, () => change('a', 'b')), /edits/],
    ['unknown fields', [change('one', '1', { all: true })], /all/],
  ])('%s', async (_, edits, message) => {
    const [said, left] = await outcomeOf('one\ntwo\n', edits);
    expect(said).toMatch(message);
    expect(left).toBe('one\ntwo\n');
  });
});

it('needs the file read, whole and unchanged, as Edit does', async () => {
  const call = (name = 'b.txt') => real.call(tool, { file_path: name, edits: [change('one', '1')] });
  await put('b.txt', 'one\ntwo\n');
  expect(words(await call())).toMatch(/^You have not read b\.txt yet\. Read it first with Read/);
  await real.call(readTool as AnyTool, { file_path: 'b.txt', limit: 1 });
  expect(words(await call())).toMatch(/only a part of b\.txt \(lines 1–1\)/);
  await read('b.txt');
  await put('b.txt', 'one\nelse\n');
  expect(words(await call())).toMatch(/has changed on disk/);
  await put('b.txt', 'one\ntwo\n');
  const raced = await real.callWith(tool, { file_path: 'b.txt', edits: [change('one', '1')] }, () =>
    put('b.txt', 'one\n'),
  );
  expect(words(raced)).toMatch(/was changed by something else/);
  expect(await now('b.txt')).toBe('one\n');
  await symlink('b.txt', join(real.folder, 'link.txt'));
  expect(words(await call('link.txt'))).toMatch(/is a link to/);
  expect(words(await call('none.txt'))).toMatch(/does not exist/);
  await put('n.ipynb', '{"cells": [{"cell_type": "raw", "source": "one"}]}');
  await read('n.ipynb');
  expect(words(await call('n.ipynb'))).toBe(
    'n.ipynb is a notebook, which you saw by cells. Change it with NotebookEdit.',
  );
});

it('names what it touches, and tells the classifier no contents', () => {
  const edits = [
    { old_string: 'a', new_string: '', replace_all: false },
    { old_string: 'bc', new_string: 'd', replace_all: true },
  ];
  const input = { file_path: 'src/a.ts', edits };
  expect({
    facts: multiEditTool.facts(input, samplePlace),
    observable: multiEditTool.observableInput(input, samplePlace),
    summary: multiEditTool.getToolUseSummary(input, samplePlace),
    classifier: multiEditTool.toAutoClassifierInput(input),
    view: multiEditTool.renderUse(input, samplePlace),
    governedBy: multiEditTool.governedBy,
  }).toEqual({
    facts: [{ kind: 'path', access: 'write', path: '/srv/app/src/a.ts' }],
    observable: { ...input, file_path: '/srv/app/src/a.ts' },
    summary: 'src/a.ts, 2 edits',
    classifier: 'change src/a.ts: 2 edits, 3 characters become 1',
    view: {
      kind: 'diff',
      path: 'src/a.ts',
      created: false,
      hunks: [
        { oldStart: 0, newStart: 0, lines: [{ sign: '-', text: 'a' }] },
        {
          oldStart: 0,
          newStart: 0,
          lines: [
            { sign: '-', text: 'bc' },
            { sign: '+', text: 'd' },
          ],
        },
      ],
      added: 1,
      removed: 2,
      truncated: false,
    },
    governedBy: ['Edit'],
  });
});
