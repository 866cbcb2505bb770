// Scheduled prompts through the services of a core: rules first, the mode that may still be had, the queue, a restart.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openDatabase } from '../sessions/database';
import { SessionService } from '../sessions/service';
import { SessionStore } from '../sessions/store';
import { bench } from '../testing/bench';
import { createScheduler } from './createScheduler';
import type { Scheduler } from './scheduler';

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
  const sessions = new SessionService(new SessionStore(database, () => undefined), () => Date.now());
  const model = { id: 'm', label: 'M', scripted: false };
  const id = sessions.create({ title: 't', folder: '/srv/app', mode: 'default', model });
  const daily = { sessionId: id, prompt: 'Look at the tides.', cron: '0 9 * * *', at: null };
  const steps: string[] = [];
  const errors: unknown[] = [];
  const held = { bypass: true, rules: Promise.resolve() };
  const { engine } = bench({
    engine: {
      openSession: (_sessionId, folder) => {
        steps.push(`rules in ${folder}`);
        return held.rules;
      },
      modeAvailable: (mode) =>
        mode === 'bypassPermissions' && !held.bypass
          ? { available: false, reason: 'Not this time.' }
          : { available: true, reason: '' },
    },
  }).services;
  /** A start of the program on the same data. */
  const launch = (): Scheduler => {
    const scheduler = createScheduler({
      ...{ database, sessions, engine },
      agent: {
        send(sessionId, text) {
          steps.push(`${sessions.state(sessionId).mode}: ${text.split('\n').at(-1) ?? ''}`);
          return { messageId: 'm', queued: false };
        },
      },
      log: { info: () => undefined, warn: () => undefined, error: (_what, error) => errors.push(error) },
      now: () => Date.now(),
    });
    open.push(scheduler);
    scheduler.start();
    return scheduler;
  };
  const notices = () => sessions.state(id).items.flatMap((item) => (item.kind === 'notice' ? [item.text] : []));
  return { id, daily, sessions, steps, errors, held, launch, notices };
}

const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000);

it('has the rules in force before it sends, in the session’s mode', async () => {
  const { id, daily, sessions, steps, launch } = world();
  sessions.append(id, { type: 'mode.changed', mode: 'plan' });
  expect(launch().add(daily).ok).toBe(true);
  await minutes(1);
  expect(steps).toEqual(['rules in /srv/app', 'plan: Look at the tides.']);
});

it('does not send in a mode that is no longer to be had', async () => {
  const { id, daily, sessions, steps, held, launch, notices } = world();
  sessions.append(id, { type: 'mode.changed', mode: 'bypassPermissions' });
  launch().add(daily);
  held.bypass = false;
  await minutes(1);
  expect(steps.at(-1)).toBe('default: Look at the tides.');
  expect(notices()).toContain('The session left Bypass mode. Not this time.');
});

it('sends nothing where the rules cannot be had, and says so in the log', async () => {
  const { daily, steps, held, errors, launch } = world();
  held.rules = Promise.reject(new Error('The disk is gone.'));
  held.rules.catch(() => undefined);
  launch().add(daily);
  await minutes(1);
  expect([steps, errors]).toEqual([['rules in /srv/app'], [new Error('The disk is gone.')]]);
});

it('goes on after a restart, and no longer once the session is gone', async () => {
  const { id, daily, sessions, steps, launch } = world();
  const first = launch();
  first.add(daily);
  first.dispose();
  launch();
  await minutes(1);
  expect(steps).toHaveLength(2);
  sessions.delete(id);
  await minutes(24 * 60);
  expect(steps).toHaveLength(2);
});
