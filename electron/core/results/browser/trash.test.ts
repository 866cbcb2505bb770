import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { batchesIn, emptyTrash, restoreBatch, type Trash, throwAway, trashMs } from './trash';

const now = Date.UTC(2026, 5, 30);
let root: string;
let trash: Trash;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gatehouse-trash-'));
  trash = { folder: join(root, 'trash'), results: join(root, 'projects') };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text = path): string {
  const file = join(trash.results, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

it('brings a batch back to where its files lay', async () => {
  const files = [put('p/s/tool-results/a.txt', 'one'), put('p/t/tool-results/a.txt', 'three')];
  const batch = { batchId: String(now), at: now, files: 2, bytes: 8, goneAt: now + trashMs };
  expect(await throwAway(trash, files, now)).toEqual({ batch, failed: 0, problem: '' });
  expect(files.map((file) => existsSync(file))).toEqual([false, false]);
  expect(await batchesIn(trash)).toEqual([batch]);
  rmSync(join(trash.results, 'p/t'), { recursive: true });
  expect(await restoreBatch(trash, String(now))).toEqual({ restored: files, left: 0 });
  expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(['one', 'three']);
  expect(await batchesIn(trash)).toEqual([]);
  expect(readdirSync(trash.folder)).toEqual([]);
});

it('never puts a file over another', async () => {
  const file = put('p/s/tool-results/a.txt', 'old');
  await throwAway(trash, [file], now);
  put('p/s/tool-results/a.txt', 'new');
  expect(await restoreBatch(trash, String(now))).toEqual({ restored: [], left: 1 });
  expect(readFileSync(file, 'utf8')).toBe('new');
  rmSync(file);
  expect(await restoreBatch(trash, String(now))).toEqual({ restored: [file], left: 0 });
  expect(readFileSync(file, 'utf8')).toBe('old');
});

it('says what could not be moved, and makes no batch of nothing', async () => {
  const gone = join(trash.results, 'p/s/tool-results/gone.txt');
  expect(await throwAway(trash, [gone], now)).toEqual({ batch: null, failed: 1, problem: 'gone.txt: ENOENT' });
  expect(readdirSync(trash.folder)).toEqual([]);
  const there = put('p/s/tool-results/a.txt');
  expect(await throwAway(trash, [gone, there], now)).toMatchObject({ batch: { files: 1 }, failed: 1 });
});

it('keeps two batches of one moment apart', async () => {
  await throwAway(trash, [put('p/s/tool-results/a.txt')], now);
  await throwAway(trash, [put('p/s/tool-results/a.txt')], now);
  expect((await batchesIn(trash)).map(({ batchId }) => batchId)).toEqual([String(now + 1), String(now)]);
});

it('deletes for good what has been there long enough', async () => {
  await throwAway(trash, [put('p/s/tool-results/a.txt')], now);
  await throwAway(trash, [put('p/s/tool-results/b.txt')], now + 1_000);
  expect(await emptyTrash(trash, now + trashMs)).toEqual({ deleted: 1, failed: 0 });
  expect((await batchesIn(trash)).map(({ at }) => at)).toEqual([now + 1_000]);
});

it.each([
  ['a way out', [{ name: '0-a.txt', from: '../../elsewhere/a.txt' }]],
  ['another place', [{ name: '0-a.txt', from: 'p/s/other/a.txt' }]],
  ['a file beside', [{ name: '../../secret.txt', from: 'p/s/tool-results/a.txt' }]],
  ['nonsense', 'x'],
])('trusts no record that names %s', async (_, files) => {
  const batch = join(trash.folder, '5');
  mkdirSync(batch, { recursive: true });
  writeFileSync(join(batch, '0-a.txt'), 'x');
  writeFileSync(join(root, 'secret.txt'), 'x');
  writeFileSync(join(batch, 'record.json'), JSON.stringify({ files }));
  expect(await batchesIn(trash)).toEqual([]);
  expect(await restoreBatch(trash, '5')).toEqual({ restored: [], left: 0 });
  expect(existsSync(join(root, 'secret.txt'))).toBe(true);
});

it('follows no link', async () => {
  const file = put('p/s/tool-results/a.txt', 'x');
  await throwAway(trash, [file], now);
  rmSync(join(trash.results, 'p'), { recursive: true });
  mkdirSync(join(root, 'elsewhere/s/tool-results'), { recursive: true });
  symlinkSync(join(root, 'elsewhere'), join(trash.results, 'p'));
  expect(await restoreBatch(trash, String(now))).toEqual({ restored: [], left: 1 });
  expect(readdirSync(join(root, 'elsewhere/s/tool-results'))).toEqual([]);
  const linked = join(trash.results, 'link.txt');
  symlinkSync(join(root, 'elsewhere'), linked);
  expect(await throwAway(trash, [linked], now)).toMatchObject({ batch: null, failed: 1 });
});

it('does not restore what names no batch', async () => {
  await throwAway(trash, [put('p/s/tool-results/a.txt')], now);
  for (const batchId of ['..', '../projects', '', '999'])
    expect(await restoreBatch(trash, batchId)).toEqual({ restored: [], left: 0 });
});
