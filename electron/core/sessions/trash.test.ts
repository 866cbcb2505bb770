import { expect, test } from 'vitest';
import { openDatabase } from './database';
import { emptyTrash, trashDays } from './emptyTrash';
import { SessionService } from './service';
import { SessionStore } from './store';

const dayMs = 86_400_000;
const model = { id: 'm', label: 'M', scripted: false };
const log = {
  info: () => undefined,
  warn: () => undefined,
  error: (_what: string, error: unknown) => errors.push(error),
};
const errors: unknown[] = [];

function setUp() {
  const { database } = openDatabase({ folder: ':memory:', nativeBinding: undefined });
  const store = new SessionStore(database, () => undefined);
  const clock = { now: 100 * dayMs };
  const sessions = new SessionService(store, () => ++clock.now);
  const create = (title: string) => sessions.create({ folder: `/srv/${title}`, title, mode: 'default', model });
  const titles = () => sessions.list().map(({ title }) => title);
  const rows = () => database.prepare<[], { n: number }>('select count(*) as n from events').get()?.n;
  return { store, sessions, clock, create, titles, rows };
}

test('a deleted session is nowhere to be found until it comes back as it was', () => {
  const { sessions, create, titles } = setUp();
  const [a, b] = [create('a'), create('b')];
  sessions.append(a, { type: 'session.marked', pinned: true });
  let told = 0;
  sessions.listen({ onEvent: () => undefined, onLive: () => undefined, onListChange: () => (told += 1) });
  sessions.delete(a);
  expect([titles(), sessions.exists(a), sessions.exists(b), told]).toEqual([['b'], false, true, 1]);
  expect([sessions.undelete(a), sessions.undelete(a), sessions.undelete('s_none')]).toEqual([true, false, false]);
  expect([titles(), sessions.state(a).title, told]).toEqual([['b', 'a'], 'a', 2]);
  expect(sessions.list()[1]).toMatchObject({ sessionId: a, pinned: true, archived: false });
});

test('marks are told, and leave a session in its place', () => {
  const { sessions, create, titles } = setUp();
  const [a] = [create('a'), create('b')];
  const before = sessions.list()[1]?.updatedAt;
  let told = 0;
  sessions.listen({ onEvent: () => undefined, onLive: () => undefined, onListChange: () => (told += 1) });
  sessions.append(a, { type: 'session.marked', pinned: true, archived: true });
  sessions.append(a, { type: 'session.marked', archived: false });
  expect([titles(), told]).toEqual([['b', 'a'], 2]);
  expect(sessions.list()[1]).toMatchObject({ pinned: true, archived: false, updatedAt: before });
});

test('what was deleted some days ago goes for good, with its files; a fault leaves it for the next time', async () => {
  const { store, sessions, clock, create, titles, rows } = setUp();
  const [old, young, kept] = [create('old'), create('young'), create('kept')];
  for (let count = 0; count < 1_200; count += 1) sessions.append(old, { type: 'cwd.changed', cwd: '/srv' });
  sessions.delete(old);
  clock.now += (trashDays - 1) * dayMs;
  sessions.delete(young);
  const removed: string[] = [];
  const empty = (removeFiles: (folder: string) => Promise<void>) =>
    emptyTrash({
      ...{ store, now: clock.now, stopped: () => false, log },
      removeFiles: ({ folder }) => removeFiles(folder),
    });
  const remove = async (folder: string) => void removed.push(folder);
  await empty(remove);
  expect([removed, sessions.undelete(old)]).toEqual([[], true]);
  sessions.delete(old);
  clock.now += trashDays * dayMs + 1;
  sessions.undelete(young);
  await empty(() => Promise.reject(new Error('busy')));
  expect([errors.length, sessions.undelete(old)]).toEqual([1, true]);
  sessions.delete(old);
  clock.now += trashDays * dayMs + 1;
  await empty(remove);
  expect([removed, sessions.undelete(old), titles().sort(), rows()]).toEqual([
    ['/srv/old'],
    false,
    ['kept', 'young'],
    2,
  ]);
  expect(sessions.exists(kept)).toBe(true);
});
