import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepResultsTidy } from '../keepTidy';
import { dayMs, ResultsWorld } from '../testing/resultsWorld';

let world: ResultsWorld;
beforeEach(() => {
  world = new ResultsWorld();
});
afterEach(() => world.dispose());

const everything = { ids: null, olderThanDays: null, sessionId: null, orphansOnly: false, unreadOnly: false };
const noLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

async function listed() {
  const { files } = await world.browser().list();
  return new Map(files.map((file) => [file.file.slice(file.file.lastIndexOf('/') + 1), file]));
}

describe('what the model has seen', () => {
  it('is told by the log', async () => {
    const id = world.session('Upgrade the parser');
    const persisted = (name: string) => ({ persisted: { file: world.place(id, name), bytes: 5, previewChars: 4_096 } });
    const read = (name: string, input: object = {}) => ({
      name: 'Read',
      summary: name,
      input: { file_path: world.place(id, name), ...input },
    });
    for (const name of ['shown', 'again', 'whole', 'cut', 'failed'])
      world.call(id, { callId: name, name: 'Bash', summary: `make\n${name}` }, persisted(`${name}.txt`));
    world.call(id, { callId: 'r1', ...read('again.txt', { offset: 5 }) }, { note: 'lines 5–9 of 10' });
    world.call(id, { callId: 'r2', ...read('whole.txt') }, { note: '1,204 lines' });
    world.call(
      id,
      { callId: 'r3', ...read('cut.txt') },
      { note: '1 line', content: [{ type: 'text', text: 'a [line cut: 9 characters' }] },
    );
    world.call(id, { callId: 'r4', ...read('failed.txt') }, { status: 'denied' });
    world.call(id, { callId: 'runs', name: 'Bash', summary: 'sleep 9' });
    world.call(id, { callId: 'lost', name: 'Bash', summary: 'true' }, { status: 'interrupted' });
    const names = ['shown', 'again', 'whole', 'cut', 'failed', 'runs', 'lost', 'nobody'];
    for (const name of names) world.put(world.place(id, `${name}.txt`), 'five\n', 2);
    const files = await listed();
    expect([...files].map(([name, { seen, call }]) => [name, seen, call?.callId ?? null]).sort()).toEqual(
      [
        ['shown.txt', { kind: 'preview', chars: 4_096 }, 'shown'],
        ['again.txt', { kind: 'again', callId: 'r1', number: 6 }, 'again'],
        ['whole.txt', { kind: 'whole' }, 'whole'],
        ['cut.txt', { kind: 'again', callId: 'r3', number: 8 }, 'cut'],
        ['failed.txt', { kind: 'preview', chars: 4_096 }, 'failed'],
        ['runs.txt', { kind: 'never' }, 'runs'],
        ['lost.txt', { kind: 'unknown' }, 'lost'],
        ['nobody.txt', { kind: 'unknown' }, null],
      ].sort(),
    );
    expect(files.get('shown.txt')).toEqual({
      id: expect.stringMatching(/^[\w-]{24}$/),
      origin: 'gatehouse',
      file: world.place(id, 'shown.txt'),
      bytes: 5,
      modifiedAt: expect.closeTo(world.now - 2 * dayMs, -2),
      session: { id, title: 'Upgrade the parser', folder: '/srv/app' },
      call: { callId: 'shown', tool: 'Bash', what: 'make shown' },
      seen: { kind: 'preview', chars: 4_096 },
      kept: false,
      goesAt: expect.closeTo(world.now + 28 * dayMs, -2),
    });
  });

  it('is brought up to date', async () => {
    const id = world.session('A');
    const file = world.put(world.place(id, 'a.txt'), 'x');
    world.call(id, { callId: 'a', name: 'Bash', summary: 'a' }, { persisted: { file, bytes: 1, previewChars: 1 } });
    const browser = world.browser();
    expect((await browser.list()).files.map(({ seen }) => seen.kind)).toEqual(['preview']);
    world.call(id, { callId: 'b', name: 'Read', summary: 'a', input: { file_path: file } }, { note: '1 line' });
    expect((await browser.list()).files.map(({ seen }) => seen.kind)).toEqual(['whole']);
    world.sessions.delete(id);
    expect((await browser.list()).files.map(({ session }) => session)).toEqual([null]);
  });
});

describe('hostile folders', () => {
  it('lists plain files only, and nothing behind a link', async () => {
    const id = world.session('A');
    const good = world.put(world.place(id, 'good.txt'), 'x');
    const secret = world.put(join(world.root, 'elsewhere/p/s/tool-results/secret.txt'), 'x');
    symlinkSync(secret, join(dirname(good), 'link.txt'));
    execFileSync('mkfifo', [join(dirname(good), 'pipe.txt')]);
    mkdirSync(join(dirname(good), 'folder.txt'));
    world.put(join(dirname(good), 'not a result.sh'), 'x');
    symlinkSync(join(world.root, 'elsewhere/p'), join(world.folder, 'linked'));
    symlinkSync(join(world.root, 'elsewhere/p/s'), join(dirname(dirname(dirname(good))), 'linked'));
    mkdirSync(join(world.claudeConfig, 'projects/-srv-app'), { recursive: true });
    symlinkSync(join(world.root, 'elsewhere/p/s'), join(world.claudeConfig, 'projects/-srv-app/s'));
    expect([...(await listed()).keys()]).toEqual(['good.txt']);
  });

  it('opens nothing by a path', async () => {
    const browser = world.browser();
    const secret = world.put(join(world.root, 'secret.txt'), 'x');
    for (const id of [secret, '../secret.txt', '']) {
      await expect(browser.saveCopy(id, world.root)).rejects.toMatchObject({ code: 'notFound' });
      await expect(browser.reveal(id)).rejects.toMatchObject({ code: 'notFound' });
    }
  });

  it('copies nothing that was replaced by a link since it was listed', async () => {
    const id = world.session('A');
    const file = world.put(world.place(id, 'a.txt'), 'x');
    const secret = world.put(join(world.root, 'secret.txt'), 'secret');
    const browser = world.browser();
    const [one] = (await browser.list()).files;
    rmSync(file);
    symlinkSync(secret, file);
    await expect(browser.saveCopy(one?.id ?? '', world.root)).rejects.toMatchObject({ code: 'refused' });
    expect(readdirSync(world.root).sort()).toEqual(['claude', 'data', 'secret.txt']);
  });
});

describe('keeping', () => {
  it('spares a file from every clean-up', async () => {
    const id = world.session('A');
    world.put(world.place(id, 'a.txt'), 'x', 99);
    world.put(world.place(id, 'b.txt'), 'xx', 98);
    const browser = world.browser();
    const { files } = await browser.list();
    const [b, a] = files;
    if (a === undefined || b === undefined) throw new Error('two files are there');
    await browser.keep([a.id], true);
    expect((await browser.list()).files.map(({ kept, goesAt }) => [kept, goesAt === null])).toEqual([
      [false, false],
      [true, true],
    ]);
    expect(await browser.cleanUpPreview(everything)).toEqual({
      ids: [b.id],
      bytes: 2,
      spared: 1,
      oldest: b.modifiedAt,
    });
    expect(await browser.cleanUp([a.id])).toEqual({
      batch: null,
      left: 1,
      problem: '1 are kept, still written, not Gatehouse’s own, or gone',
    });
    await keepResultsTidy({ paths: { data: world.data, claudeConfig: world.claudeConfig }, log: noLog });
    expect([...(await listed()).keys()]).toEqual(['a.txt']);
    await browser.keep([a.id], false);
    await keepResultsTidy({ paths: { data: world.data, claudeConfig: world.claudeConfig }, log: noLog });
    expect([...(await listed()).keys()]).toEqual([]);
    expect((await browser.trashBatches()).reduce((sum, batch) => sum + batch.files, 0)).toBe(2);
  });

  it('cleans nothing up when it cannot be told what is to be kept', async () => {
    world.put(world.place(world.session('A'), 'a.txt'), 'x', 99);
    writeFileSync(join(world.data, 'kept-results.json'), '{"kept": [');
    await keepResultsTidy({ paths: { data: world.data, claudeConfig: world.claudeConfig }, log: noLog });
    expect(existsSync(join(world.data, 'trash'))).toBe(false);
    await expect(world.browser().list()).rejects.toThrow('damaged');
  });

  it('copies one of Claude Code’s before its sweep, and gives the copy up again', async () => {
    const file = world.put(join(world.claudeConfig, 'projects/-srv-app/abc/tool-results/toolu_1.txt'), 'text', 29);
    const browser = world.browser();
    const [one] = (await browser.list()).files;
    await browser.keep([one?.id ?? ''], true);
    const [shown, ...more] = (await browser.list()).files;
    expect([shown?.origin, shown?.kept, more]).toEqual(['claudeCode', true, []]);
    rmSync(file);
    const [copy] = (await browser.list()).files;
    expect(copy).toMatchObject({ origin: 'gatehouse', kept: true, goesAt: null, bytes: 4 });
    expect(readFileSync(copy?.file ?? '', 'utf8')).toBe('text');
    linkSync(copy?.file ?? '', file);
    await browser.keep([one?.id ?? ''], false);
    expect((await browser.list()).files.map(({ origin, kept }) => [origin, kept])).toEqual([['claudeCode', false]]);
    expect(existsSync(copy?.file ?? '')).toBe(false);
  });
});

it('removes a session’s files save for those that are kept', async () => {
  const id = world.session('A');
  const [a, b] = [world.put(world.place(id, 'a.txt'), 'x'), world.put(world.place(id, 'b.txt'), 'x', 1)];
  const folder = dirname(dirname(a));
  world.put(join(folder, 'changes/1'), 'x');
  const browser = world.browser();
  const kept = (await browser.list()).files.find(({ file }) => file === b);
  await browser.keep([kept?.id ?? ''], true);
  await browser.removeSession(folder);
  expect([readdirSync(folder), readdirSync(dirname(a))]).toEqual([['tool-results'], ['b.txt']]);
  await browser.keep([kept?.id ?? ''], false);
  await browser.removeSession(folder);
  expect(existsSync(folder)).toBe(false);
});

it('says that the list is another one when a result was kept or read', () => {
  vi.useFakeTimers();
  try {
    const id = world.session('A');
    const browser = world.browser();
    world.sessions.listen({
      onEvent: (_id, { body }) => browser.take(body),
      onLive: () => undefined,
      onListChange: () => undefined,
    });
    const changes = (): number => {
      vi.advanceTimersByTime(1_000);
      return world.changes;
    };
    world.call(id, { callId: 'a', name: 'Bash', summary: 'a' }, {});
    expect(changes()).toBe(0);
    const file = world.place(id, 'b.txt');
    world.call(id, { callId: 'b', name: 'Bash', summary: 'b' }, { persisted: { file, bytes: 1, previewChars: 1 } });
    world.call(id, { callId: 'c', name: 'Read', summary: 'c', input: { file_path: file } }, {});
    expect(changes()).toBe(1);
    world.call(id, { callId: 'd', name: 'Read', summary: 'd', input: { file_path: file } }, {});
    expect(changes()).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});

describe('cleaning up', () => {
  it.each([
    [{ olderThanDays: 10 }, ['old.txt', 'orphan.txt']],
    [{ orphansOnly: true }, ['orphan.txt']],
    [{ unreadOnly: true }, ['new.txt']],
    [{ olderThanDays: 10, orphansOnly: true, unreadOnly: true }, []],
    [{}, ['new.txt', 'old.txt', 'orphan.txt']],
  ])('%j', async (choice, expected) => {
    const id = world.session('A');
    const file = world.put(world.place(id, 'new.txt'), 'x');
    world.call(id, { callId: 'new', name: 'Bash', summary: 'a' }, { persisted: { file, bytes: 1, previewChars: 1 } });
    world.put(world.place(id, 'old.txt'), 'x', 20);
    world.put(world.place('s_gone', 'orphan.txt'), 'x', 30);
    // Still written: its call runs.
    world.call(id, { callId: 'runs', name: 'Bash', summary: 'sleep' });
    world.put(world.place(id, 'runs.txt'), 'x', 20);
    world.put(join(world.claudeConfig, 'projects/-srv-app/abc/tool-results/toolu_1.txt'), 'x', 29);
    const browser = world.browser();
    const names = new Map((await browser.list()).files.map((one) => [one.id, one.file.replace(/.*\//, '')]));
    const { ids } = await browser.cleanUpPreview({ ...everything, ...choice });
    expect(ids.map((one) => names.get(one)).sort()).toEqual(expected);
  });

  it('moves nothing where there is no trash to be had', async () => {
    const file = world.put(world.place(world.session('A'), 'a.txt'), 'x');
    world.put(join(world.data, 'trash'), 'no folder');
    const browser = world.browser();
    const ids = (await browser.list()).files.map(({ id }) => id);
    await expect(browser.cleanUp(ids)).rejects.toMatchObject({ code: 'unavailable' });
    expect(existsSync(file)).toBe(true);
  });

  it('can be taken back, and what was old is kept then', async () => {
    const id = world.session('A');
    const files = [world.put(world.place(id, 'a.txt'), 'x', 99), world.put(world.place(id, 'b.txt'), 'yy', 1)];
    const browser = world.browser();
    const { batch } = await browser.cleanUp((await browser.list()).files.map((file) => file.id));
    expect(batch).toMatchObject({ files: 2, bytes: 3 });
    expect((await browser.list()).files).toEqual([]);
    expect(await browser.trashBatches()).toEqual([batch]);
    expect(await browser.restore(batch?.batchId ?? '')).toEqual({ restored: 2, left: 0 });
    expect((await browser.list()).files.map(({ file, kept }) => [file, kept])).toEqual([
      [files[1], false],
      [files[0], true],
    ]);
    expect(await browser.trashBatches()).toEqual([]);
  });
});

it('saves copies under free names and shows files', async () => {
  const file = world.put(world.place(world.session('A'), 'a.txt'), 'x');
  const browser = world.browser();
  const [one] = (await browser.list()).files;
  const into = join(world.root, 'copies');
  mkdirSync(into);
  expect(await browser.saveCopy(one?.id ?? '', into)).toBe(join(into, 'a.txt'));
  expect(await browser.saveCopy(one?.id ?? '', into)).toBe(join(into, 'a (2).txt'));
  expect(readFileSync(join(into, 'a (2).txt'), 'utf8')).toBe('x');
  await expect(browser.saveCopy(one?.id ?? '', join(into, 'nowhere'))).rejects.toMatchObject({ code: 'notFound' });
  await browser.reveal(one?.id ?? '');
  expect(world.revealed).toEqual([file]);
});
