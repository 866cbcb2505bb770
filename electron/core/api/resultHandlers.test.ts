// Result files as pages ask for them: each page has its own, by ids alone, and all it had open ends with it.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ResultsWorld } from '../results/testing/resultsWorld';
import { Connection } from './connection';
import { resultHandlers } from './resultHandlers';

const buildThread = fileURLToPath(new URL('../results/testing/buildThread.mjs', import.meta.url));
const signal = { cancelled: false, onCancel: () => () => undefined };

let world: ResultsWorld;
let handlers: ReturnType<typeof resultHandlers>;

beforeAll(() => {
  world = new ResultsWorld();
  mkdirSync(join(world.root, 'dist'));
  const file = join(world.root, 'dist/resultsWorker.mjs');
  execFileSync(process.execPath, [buildThread, file]);
  handlers = resultHandlers({ results: world.browser(file) });
});
afterAll(() => world.dispose());

function page() {
  const events: { name: string; id: string | undefined }[] = [];
  const connection = new Connection((name, payload) => {
    events.push({ name, id: 'id' in payload ? String(payload.id) : undefined });
  });
  return { connection, events, context: { connection, signal } };
}

it('gives each page its own look at a file, until the page is gone', async () => {
  const [one, other] = [page(), page()];
  world.put(world.place(world.session('A'), 'a.txt'), 'first\nsecond\n');
  const { files, limitChars } = await handlers['results.list']({}, one.context);
  const id = files[0]?.id ?? '';
  expect([files.length, limitChars]).toEqual([1, 20_000]);

  const opened = await handlers['results.open']({ id }, one.context);
  expect(opened.rows.map(({ text }) => text)).toEqual(['first', 'second']);
  await handlers['results.open']({ id }, other.context);
  await expect.poll(() => [one.events, other.events].map((told) => told.length > 0)).toEqual([true, true]);
  expect(one.events[0]).toEqual({ name: 'results.indexed', id });

  const query = { text: 'second', regex: false, caseSensitive: true };
  const { searchId } = await handlers['results.search']({ id, query }, one.context);
  const asked = { id, searchId, from: 0, count: 5 };
  expect(await handlers['results.matches'](asked, one.context)).toEqual({
    matches: [{ row: 1, line: 2, start: 0, end: 6 }],
  });
  await expect(handlers['results.matches'](asked, other.context)).rejects.toMatchObject({ code: 'conflict' });

  one.connection.dispose();
  const rows = { id, from: 0, count: 1 };
  await expect(handlers['results.rows'](rows, one.context)).rejects.toMatchObject({ code: 'conflict' });
  expect((await handlers['results.rows'](rows, other.context)).rows).toHaveLength(1);
  await expect(handlers['results.open']({ id: '/etc/passwd' }, other.context)).rejects.toMatchObject({
    code: 'notFound',
  });
});
