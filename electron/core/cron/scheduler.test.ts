import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../sessions/database';
import { SessionStore } from '../sessions/store';
import { messageOf, mostSchedules, Scheduler } from './scheduler';
import { ScheduleStore } from './scheduleStore';

const start = new Date('2026-01-05T08:59:30').getTime();
let open: Scheduler[] = [];

beforeEach(() => {
  vi.useFakeTimers({ now: start });
});
afterEach(() => {
  for (const one of open) one.dispose();
  open = [];
  vi.useRealTimers();
});

function world() {
  const { database } = openDatabase({ folder: ':memory:', nativeBinding: undefined });
  const sessions = new SessionStore(database, () => undefined);
  sessions.create({ sessionId: 's', title: 't', folder: '/f', at: 0 });
  const store = new ScheduleStore(database);
  const sent: string[] = [];
  const notices: string[] = [];
  const queue: string[] = [];
  const held = { fails: false };
  /** A start of the program on the same data. */
  const launch = () => {
    const scheduler = new Scheduler({
      store,
      now: () => Date.now(),
      send: (sessionId, text) => {
        if (held.fails) return Promise.reject(new Error('The disk is full.'));
        sent.push(`${sessionId}: ${text}`);
        return Promise.resolve();
      },
      queued: () => queue,
      notice: (_id, level, text) => void notices.push(`${level}: ${text}`),
      onError: () => undefined,
    });
    open.push(scheduler);
    scheduler.start();
    return scheduler;
  };
  return { store, sessions, sent, notices, queue, held, launch };
}

const daily = { sessionId: 's', prompt: 'Look at the tides.', cron: '0 9 * * *', at: null };
const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000);

function added(scheduler: Scheduler, wish: Parameters<Scheduler['add']>[0]) {
  const result = scheduler.add(wish);
  if (!result.ok) throw new Error(result.problem);
  return result.schedule;
}

describe('a scheduled prompt', () => {
  it('is sent each time it is due', async () => {
    const { launch, sent } = world();
    const schedule = added(launch(), daily);
    expect(sent).toEqual([]);
    await minutes(1);
    expect(sent).toEqual([`s: ${messageOf(schedule)}`]);
    await minutes(24 * 60);
    expect(sent).toHaveLength(2);
  });

  it('is sent once at a time, and is gone then', async () => {
    const { launch, sent, store } = world();
    added(launch(), { ...daily, cron: null, at: start + 90_000 });
    await minutes(10);
    expect([sent.length, store.list()]).toEqual([1, []]);
  });

  it('survives a restart', async () => {
    const { launch, sent } = world();
    const first = launch();
    added(first, daily);
    first.dispose();
    launch();
    await minutes(1);
    expect(sent).toHaveLength(1);
  });

  it('that was missed is told once, and not made up for', async () => {
    const { launch, sent, notices, store } = world();
    const first = launch();
    added(first, daily);
    added(first, { ...daily, prompt: 'Once', cron: null, at: start + 60_000 });
    first.dispose();
    vi.setSystemTime(new Date('2026-01-08T12:00:00'));
    launch().dispose();
    launch();
    await minutes(1);
    expect(sent).toEqual([]);
    expect(notices).toEqual([
      'warning: A scheduled prompt was missed (2026-01-05 09:00): “Look at the tides.” It runs next 2026-01-09 09:00.',
      'warning: A scheduled prompt was missed (2026-01-05 09:00): “Once” It is not made up for.',
    ]);
    expect(store.list()).toHaveLength(1);
  });

  it('does not pile up behind a long turn', async () => {
    const { launch, sent, queue, notices } = world();
    const schedule = added(launch(), { ...daily, cron: '* * * * *' });
    await minutes(1);
    queue.push(messageOf(schedule));
    await minutes(2);
    expect([sent.length, notices.length]).toEqual([1, 2]);
  });

  it('that cannot be sent is told, and comes again', async () => {
    const { launch, held, sent, notices } = world();
    added(launch(), { ...daily, cron: '* * * * *' });
    held.fails = true;
    await minutes(1);
    held.fails = false;
    await minutes(1);
    expect([sent.length, notices]).toEqual([
      1,
      ['warning: A scheduled prompt could not be sent (The disk is full.): “Look at the tides.”'],
    ]);
  });

  it('goes with its session', () => {
    const { launch, sessions, store } = world();
    added(launch(), daily);
    sessions.remove('s');
    expect(store.list()).toEqual([]);
  });

  it('is deleted by its own session only', () => {
    const { launch, store } = world();
    const scheduler = launch();
    const { scheduleId } = added(scheduler, daily);
    expect([scheduler.remove('other', scheduleId), scheduler.list('other')]).toEqual([false, []]);
    expect([scheduler.remove('s', scheduleId), store.list()]).toEqual([true, []]);
  });

  it.each([
    [{ cron: '0 0 30 2 *', at: null }, 'There is no such day: this would never run.'],
    [{ cron: null, at: start }, 'That time is past.'],
    [{ cron: null, at: Number.NaN }, 'Give a cron expression or a time.'],
  ])('%j is refused', (when, problem) => {
    expect(
      world()
        .launch()
        .add({ ...daily, ...when }),
    ).toEqual({ ok: false, problem });
  });

  it('is one of fifty at most', () => {
    const scheduler = world().launch();
    for (let count = 0; count < mostSchedules; count += 1) added(scheduler, daily);
    expect(scheduler.add(daily)).toMatchObject({ ok: false });
  });
});
