import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { editFile } from './edit';
import { editCell } from './editCell';
import { hashBytes } from './stat';
import { writeFile } from './write';

let root: string;
let folder: string;
let counter = 0;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-keep-')));
  folder = join(root, 'kept');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const at = (name: string) => join(root, name);
const keep = (maxBytes = 1_000) => ({ folder, changeId: `f_${++counter}`, callId: 'm.0', maxBytes });
const hashOf = (text: string) => hashBytes(Buffer.from(text));
const side = (text: string, mode: number, kept = true) => ({
  hash: hashOf(text),
  bytes: Buffer.byteLength(text),
  mode,
  kept,
});
const notes = () => readdirSync(join(folder, 'pending'));

test('keeps both sides of each kind of change under their hash, for the owner alone, and notes the change', async () => {
  const path = at('f.sh');
  const made = {
    op: 'file.write' as const,
    path,
    content: 'one\r\n',
    expect: 'absent' as const,
    dryRun: false,
    keep: keep(),
  };
  const mask = process.umask(0o022);
  const created = await writeFile(made);
  process.umask(mask);
  expect(created).toMatchObject({
    kept: { path, before: null, after: side('one\r\n', 0o644), lines: { added: 1, removed: 0 }, problem: '' },
  });
  chmodSync(path, 0o750);
  const edited = await editFile({
    op: 'file.edit',
    path,
    edits: [{ oldString: 'one', newString: 'two', replaceAll: false }],
    hash: hashOf('one\r\n'),
    dryRun: false,
    keep: keep(),
  });
  expect(edited).toMatchObject({
    kept: { before: side('one\r\n', 0o750), after: side('two\r\n', 0o750), problem: '' },
  });
  expect(readFileSync(join(folder, hashOf('one\r\n')), 'utf8')).toBe('one\r\n');
  expect(readFileSync(join(folder, hashOf('two\r\n')), 'utf8')).toBe('two\r\n');
  expect(readdirSync(folder)).toHaveLength(3);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
  expect(notes()).toHaveLength(2);
  const note = JSON.parse(readFileSync(join(folder, 'pending', notes()[1] ?? ''), 'utf8'));
  expect(note.changes).toMatchObject([{ path, by: { kind: 'call', callId: 'm.0' }, after: side('two\r\n', 0o750) }]);

  const cell = { cell_type: 'code', id: 'a', metadata: {}, outputs: [], execution_count: null, source: ['x\n'] };
  const notebook = JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 }, null, 1);
  writeFileSync(at('n.ipynb'), notebook);
  const changed = await editCell({
    op: 'file.editCell',
    path: at('n.ipynb'),
    mode: 'replace',
    cellId: 'a',
    source: 'y',
    hash: hashOf(notebook),
    dryRun: false,
    keep: keep(),
  });
  expect(changed).toMatchObject({ kept: { before: { hash: hashOf(notebook), kept: true }, problem: '' } });
});

test('what is too large is written and named, not kept; what is no text has no lines', async () => {
  writeFileSync(at('f'), Buffer.from([0, 1, 2]));
  const hash = hashBytes(Buffer.from([0, 1, 2]));
  const big = 'x'.repeat(20);
  const answer = await writeFile({
    op: 'file.write',
    path: at('f'),
    content: big,
    expect: { hash },
    dryRun: false,
    keep: keep(10),
  });
  expect(answer).toMatchObject({
    kept: { before: { hash, kept: true }, after: { bytes: 20, kept: false }, lines: null, problem: '' },
  });
  expect(readdirSync(folder).sort()).toEqual([hash, 'pending'].sort());
});

test('a folder that cannot be used fails no write and is told', async () => {
  mkdirSync(at('elsewhere'));
  symlinkSync(at('elsewhere'), folder);
  const wish = { op: 'file.write' as const, path: at('f'), content: 'x', expect: 'absent' as const, dryRun: false };
  expect(await writeFile({ ...wish, keep: keep() })).toMatchObject({
    kind: 'changed',
    kept: { after: { kept: false }, problem: 'ENOTDIR' },
  });
  expect(readFileSync(at('f'), 'utf8')).toBe('x');
  rmSync(folder);
  writeFileSync(folder, 'a file');
  expect(await writeFile({ ...wish, path: at('g'), keep: keep() })).toMatchObject({
    kept: { problem: expect.stringMatching(/^E/) },
  });
});

test('a change that is not made leaves no note, and a trial keeps nothing', async () => {
  const wish = { op: 'file.write' as const, path: at('f'), content: 'x', expect: 'absent' as const };
  await writeFile({ ...wish, dryRun: true, keep: keep() });
  expect(readdirSync(root)).toEqual([]);
  mkdirSync(at('f'));
  expect(await writeFile({ ...wish, dryRun: false, keep: keep() })).toMatchObject({ kind: 'failure' });
  expect(
    await writeFile({ ...wish, path: at('f/x'), expect: { hash: 'no' }, dryRun: false, keep: keep() }),
  ).toMatchObject({
    kind: 'failure',
  });
  expect(readdirSync(root)).toEqual(['f']);
});

test('the path is told with the links of its folders resolved', async () => {
  mkdirSync(at('real'));
  symlinkSync(at('real'), at('link'));
  const wish = {
    op: 'file.write' as const,
    path: at('link/f'),
    content: 'x',
    expect: 'absent' as const,
    dryRun: false,
  };
  expect(await writeFile({ ...wish, keep: keep() })).toMatchObject({ kept: { path: at('real/f') } });
});
