// What people have reported of calls, results and saved sessions, each played through the whole core.
import { statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type CoreWorld, disposeBuilt, modelText, startWorld, type TestSession } from './testing/coreWorld';

let world: CoreWorld;
let session: TestSession;

beforeAll(async () => {
  world = await startWorld({ settings: { permissions: { allow: ['Bash', 'Edit'] } } });
}, 60_000);
beforeEach(async () => {
  session = await world.session();
});
afterEach(() => {
  expect([world.model.faults, world.errors, world.processes()]).toEqual([[], [], []]);
});
afterAll(async () => {
  expect(world.logFaults()).toEqual([]);
  await world.dispose();
  await disposeBuilt();
});

const run = (command: string, id?: string) => ({
  name: 'Bash',
  input: { command },
  ...(id === undefined ? {} : { id }),
});
/** The results of the last request's last message with results: id → whether an error, and the words. */
const sentResults = () =>
  (world.model.requests.at(-1) ?? []).flatMap(({ content }) =>
    Array.isArray(content)
      ? content.flatMap((block) =>
          block.type === 'tool_result'
            ? [{ id: block.tool_use_id, error: block.is_error === true, text: JSON.stringify(block.content) }]
            : [],
        )
      : [],
  );

it('gives each of three calls its one result when the turn is stopped: one done, one running, one waiting', async () => {
  const states = () =>
    session
      .calls()
      .map(({ status }) => status)
      .join();
  const ready = session.until(() => states() === 'succeeded,running,asking');
  const read = (path: string) => ({ name: 'Read', input: { file_path: join(world.root, path) } });
  world.write('project/read.txt', 'read me');
  world.write('elsewhere/read.txt', 'not me');
  await session.send({ calls: [read('project/read.txt'), run('tail -f read.txt'), read('elsewhere/read.txt')] });
  await ready;
  const ended = session.until((body) => body.type === 'turn.finished');
  await session.stop();
  await ended;
  expect(session.calls().map(({ status }) => status)).toEqual(['succeeded', 'interrupted', 'interrupted']);
  await session.turn('I see.');
  expect(sentResults()).toEqual([
    { id: expect.any(String), error: false, text: expect.stringContaining('read me') },
    { id: expect.any(String), error: true, text: expect.stringMatching(/interrupted/i) },
    { id: expect.any(String), error: true, text: expect.stringMatching(/interrupted/i) },
  ]);
}, 60_000);

it('adds a result to the call of a session that was saved in the middle of it', async () => {
  const { id } = session;
  await session.turn({ calls: [run('echo one', 'call-1')] });
  await session.turn({ calls: [run('echo two', 'call-1')] });
  await world.offline((database) => {
    const ended = database
      .prepare<[string], { seq: number }>(
        `select max(seq) as seq from events where session_id = ? and json_extract(body, '$.type') = 'call.finished'`,
      )
      .get(id);
    database.prepare('delete from events where session_id = ? and seq >= ?').run(id, ended?.seq);
    database.prepare('update sessions set running = 1 where id = ?').run(id);
  });
  session = await world.reopen(id);
  await session.turn('I see.');
  const results = sentResults();
  expect(results.map(({ error, text }) => [error, text])).toEqual([
    [false, expect.stringContaining('one')],
    [true, expect.stringMatching(/Interrupted: the program ended/)],
  ]);
  // The provider's ids were the same; what is sent tells them apart.
  expect(new Set(results.map(({ id: sent }) => sent)).size).toBe(2);
}, 60_000);

it('keeps a huge result in a file, shows its start, size and place, and reads on from anywhere without asking', async () => {
  const [call] = await session.turn({ calls: [run('seq -f "line %07.0f of many" 1 250000')] });
  const persisted = call !== undefined && 'persisted' in call ? call.persisted : undefined;
  const file = persisted?.file ?? '';
  expect(statSync(file).size).toBe(250_000 * 21);
  expect(file.startsWith(world.data)).toBe(true);
  const text = modelText(call);
  expect(text.length).toBeLessThan(8_000);
  expect([text.includes(file), text.includes('5,250,000 bytes'), text.includes('line 0000001 of many')]).toEqual([
    true,
    true,
    true,
  ]);
  let asked = 0;
  void session.until((body) => {
    if (body.type === 'call.asked') asked += 1;
    return false;
  });
  const [read] = await session.turn({
    calls: [{ name: 'Read', input: { file_path: file, offset: 200_000, limit: 2 } }],
  });
  expect([modelText(read).includes('line 0200000 of many'), modelText(read).includes('line 0200001'), asked]).toEqual([
    true,
    true,
    0,
  ]);
});

it('keeps start and end of a result where the file cannot be written, and says so', async () => {
  const [first] = await session.turn({ calls: [run('seq 1 100000')] });
  const folder = dirname(first !== undefined && 'persisted' in first ? (first.persisted?.file ?? '') : '');
  await rm(folder, { recursive: true });
  writeFileSync(folder, 'a file is in the way');
  try {
    const [call] = await session.turn({ calls: [run('seq 1 1000000')] });
    expect(call?.status).toBe('succeeded');
    const text = modelText(call);
    expect([
      text.startsWith('1\n2\n3\n'),
      text.includes('\n1000000\n\nThe whole output could not be kept'),
      text.length < 40_000,
    ]).toEqual([true, true, true]);
  } finally {
    await rm(folder);
  }
});

it('cuts a huge line by characters, and reads it by characters', async () => {
  const line = `{"items":[${'"0123456789",'.repeat(240_000)}"the end"]}`;
  const file = world.write('project/line.json', line);
  const [printed] = await session.turn({ calls: [run('cat line.json')] });
  const text = modelText(printed);
  expect([text.length < 8_000, text.includes('"0123456789"'), text.includes('`column`')]).toEqual([true, true, true]);
  expect(text).not.toContain('counting lines');
  const read = async (input: object) =>
    modelText((await session.turn({ calls: [{ name: 'Read', input: { file_path: file, ...input } }] }))[0]);
  const plain = await read({ offset: 1, limit: 5 });
  expect([plain.length < 200_000, /column/.test(plain)]).toEqual([true, true]);
  expect(await read({ offset: 1, column: line.length - 20 })).toContain('"the end"]}');
});
