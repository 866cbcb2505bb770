import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPageReader, fileBeside } from './readInWorker';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-worker-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A reader whose thread runs `code`. */
async function readerOf(code: string, limits = { readMs: 10_000, heapMb: 64 }) {
  const file = join(folder, `${Math.random().toString(36).slice(2)}.mjs`);
  await writeFile(file, `import { parentPort, workerData } from 'node:worker_threads';\n${code}`);
  return createPageReader(pathToFileURL(file), limits);
}

const page = (signal = new AbortController().signal) => ({ html: '<p>Hi</p>', url: 'https://example.org/', signal });

it('gives what the thread made of the page', async () => {
  const read = await readerOf('parentPort.postMessage({ title: workerData.url, markdown: workerData.html });');
  expect(await read(page())).toEqual({ title: 'https://example.org/', markdown: '<p>Hi</p>' });
});

it('gives the thread nothing of the environment', async () => {
  const read = await readerOf(
    'parentPort.postMessage({ title: "", markdown: String(Object.keys(process.env).length) });',
  );
  expect(await read(page())).toEqual({ title: '', markdown: '0' });
});

it.each([
  ['for (;;);', { readMs: 200, heapMb: 64 }, 'it took too long'],
  [
    'const all = []; for (;;) all.push(new Array(100_000).fill({}));',
    { readMs: 20_000, heapMb: 32 },
    'it needs too much memory',
  ],
  ['throw new RangeError("deep");', undefined, 'its HTML is too odd'],
  ['process.exit(0);', undefined, 'reading it ended early'],
])('ends a thread that does %s', async (code, limits, why) => {
  const read = await readerOf(code, limits);
  await expect(read(page())).rejects.toMatchObject({
    failure: { kind: 'failure', reason: 'unreadable', message: `The page could not be made readable: ${why}.` },
  });
});

it('ends with the call', async () => {
  const read = await readerOf('for (;;);');
  const stop = new AbortController();
  const reading = read(page(stop.signal));
  stop.abort(new Error('stopped'));
  await expect(reading).rejects.toThrow('stopped');
});

it.each([
  ['file:///opt/gatehouse/dist/executor.mjs', 'file:///opt/gatehouse/dist/pageWorker.mjs'],
  [
    'file:///opt/gatehouse/resources/app.asar/dist/executor.mjs',
    'file:///opt/gatehouse/resources/app.asar.unpacked/dist/pageWorker.mjs',
  ],
])('finds the thread’s program beside %s', (own, expected) => {
  expect(fileBeside('pageWorker.mjs', own).href).toBe(expected);
});
