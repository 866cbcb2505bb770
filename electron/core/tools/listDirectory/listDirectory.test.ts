import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Outcome, type RealExecutor, startRealExecutor } from '../testing/realExecutor';
import { samplePlace } from '../testing/samplePlace';
import type { AnyTool } from '../tool';
import { listDirectoryTool } from './listDirectory';

let real: RealExecutor;
let folder = '';
let counter = 0;
beforeAll(async () => {
  real = await startRealExecutor();
}, 60_000);
afterAll(() => real.dispose());
beforeEach(async () => {
  counter += 1;
  folder = `d${counter}`;
  await mkdir(join(real.folder, folder));
});

const put = (name: string | Buffer, content = '') =>
  writeFile(
    Buffer.concat([Buffer.from(`${join(real.folder, folder)}/`), typeof name === 'string' ? Buffer.from(name) : name]),
    content,
  );
const list = (more: object = {}) => real.call(listDirectoryTool as AnyTool, { path: folder, ...more });

function words(outcome: Outcome): string {
  if (outcome.kind !== 'succeeded') return outcome.text;
  const [block] = outcome.blocks;
  return block?.type === 'text' ? block.text : '';
}

it('shows folders first, sizes, links as links, and hidden entries', async () => {
  await put('b.txt', 'x'.repeat(1_204));
  await put('.hidden', 'x');
  await mkdir(join(real.folder, folder, 'src'));
  await symlink('/etc/passwd', join(real.folder, folder, 'link'));
  await symlink('nowhere', join(real.folder, folder, 'broken'));
  const outcome = await list();
  expect(words(outcome)).toBe(
    [
      'folder                  src/',
      'file            1 byte  .hidden',
      'file       1,204 bytes  b.txt',
      'link                    broken -> nowhere',
      'link                    link -> /etc/passwd',
    ].join('\n'),
  );
  expect(outcome).toMatchObject({
    note: '5 entries',
    view: {
      kind: 'table',
      columns: ['Name', 'Type', 'Bytes'],
      rows: [
        ['src/', 'folder', ''],
        ['.hidden', 'file', '1'],
        ['b.txt', 'file', '1,204'],
        ['broken -> nowhere', 'link', ''],
        ['link -> /etc/passwd', 'link', ''],
      ],
    },
  });
});

it('leaves out what is to be ignored, and says so', async () => {
  for (const name of ['a.log', 'b.log', 'c.ts', 'dist']) await put(name);
  await mkdir(join(real.folder, folder, 'out'));
  const ignore = ['*.log', 'dist/', 'ou?/'];
  expect(words(await list({ ignore }))).toBe(
    'file           0 bytes  c.ts\nfile           0 bytes  dist\n\n[3 entries left out by `ignore`.]',
  );
  expect(words(await list({ ignore: ['*'] }))).toBe('Nothing to show: 5 entries left out by `ignore`.');
  expect((await list({ ignore: ['a/b'] })).kind).toBe('invalid');
  // A pattern that would take a backtracking matcher for ever.
  await put(`${'a'.repeat(200)}!`);
  expect((await list({ ignore: [`${'*a'.repeat(100)}*b`] })).kind).toBe('succeeded');
});

it('makes hostile names visible, one line for each entry', async () => {
  await put('a\nfile  0 bytes  fake');
  await put('gpj.\u202eexe');
  await put(' lead');
  await put('back\\slash');
  await put('\u001b[31mred');
  await put(Buffer.from([0x66, 0xff]));
  await symlink('t\u200b', join(real.folder, folder, 'zero'));
  expect(words(await list())).toBe(
    [
      'file           0 bytes  \\u{1b}[31mred',
      'file           0 bytes  \\u{20}lead',
      'file           0 bytes  a\\u{a}file  0 bytes  fake',
      'file           0 bytes  back\\slash',
      'file           0 bytes  f\ufffd',
      'file           0 bytes  gpj.\\u{202e}exe',
      'link                    zero -> t\\u{200b}',
      '',
      '[Characters that cannot be seen are written as \\u{…}.]',
    ].join('\n'),
  );
});

it('counts a huge folder and shows its start', async () => {
  for (let from = 0; from < 10_000; from += 500)
    await Promise.all(Array.from({ length: 500 }, (_, index) => put(`f${String(from + index).padStart(5, '0')}`)));
  const outcome = await list();
  const lines = words(outcome).split('\n');
  expect(lines).toHaveLength(302);
  expect(lines[299]).toBe('file           0 bytes  f00299');
  expect(lines.at(-1)).toBe('[The first 300 of 10,000 entries. Leave out more with `ignore`, or raise `limit`.]');
  expect(outcome).toMatchObject({ note: 'first 300 of 10,000 entries' });
  expect(words(await list({ limit: '2', ignore: ['f00*'] }))).toBe(
    [
      'file           0 bytes  f01000',
      'file           0 bytes  f01001',
      '',
      '[The first 2 of 9,000 entries. Leave out more with `ignore`, or raise `limit`. 1,000 entries left out by `ignore`.]',
    ].join('\n'),
  );
}, 60_000);

it.each([
  ['an empty folder', {}, 'The folder is empty.'],
  ['nothing there', { path: 'none' }, /none does not exist \(ENOENT\)\. Check the path/],
  ['a file', { path: 'file.txt' }, /file\.txt is not a folder\. To see a file use Read\./],
  ['a limit too large', { limit: 10_001 }, /limit/],
])('%s', async (_, input, expected) => {
  await writeFile(join(real.folder, 'file.txt'), '');
  expect(words(await list(input))).toMatch(expected);
});

it('names what it touches', () => {
  const input = { path: '../x', ignore: [], limit: 5 };
  expect({
    facts: listDirectoryTool.facts(input, samplePlace),
    here: listDirectoryTool.facts({ ignore: [], limit: 5 }, samplePlace),
    observable: listDirectoryTool.observableInput(input, samplePlace),
    safe: [listDirectoryTool.isConcurrencySafe(input), listDirectoryTool.isReadOnly(input)],
  }).toEqual({
    facts: [{ kind: 'path', access: 'read', path: '/srv/x' }],
    here: [{ kind: 'path', access: 'read', path: '/srv/app' }],
    observable: { path: '/srv/x', ignore: [], limit: 5 },
    safe: [true, true],
  });
});
