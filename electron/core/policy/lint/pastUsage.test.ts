import { expect, it, vi } from 'vitest';
import type { HistoryState } from '#shared/api/history';
import { createPastUsage } from './pastUsage';

const state = (phase: HistoryState['phase']): HistoryState => ({
  phase,
  files: 1,
  filesDone: 1,
  bytes: 1,
  bytesDone: 1,
  calls: 7,
  sessions: 1,
  skipped: 0,
  problem: '',
  folder: '/srv/x',
});

const usage = { days: 30, calls: 7, usage: [] };

it('asks once in a while', async () => {
  let now = 0;
  const history = {
    state: vi.fn(async () => state('idle')),
    usage: vi.fn(async () => []),
    calls: vi.fn(async () => ({ calls: [], inAll: 7 })),
  };
  const past = createPastUsage({ history, now: () => now });
  expect(await past.of('s')).toEqual(usage);
  now = 59_000;
  expect(await past.of('s')).toEqual(usage);
  expect(history.usage).toHaveBeenCalledTimes(1);
  now = 61_000;
  expect(await past.of('s')).toEqual(usage);
  expect(history.usage).toHaveBeenCalledTimes(2);
  past.dispose();
});

it('says nothing while the past is being read, or cannot be', async () => {
  const phases: HistoryState['phase'][] = ['reading', 'idle'];
  const history = {
    state: async () => state(phases.shift() ?? 'idle'),
    usage: async () => [],
    calls: async () => ({ calls: [], inAll: 7 }),
  };
  const past = createPastUsage({ history, now: () => 0 });
  expect(await past.of('s')).toBeNull();
  expect(await past.of('s')).toEqual(usage);
  const broken = createPastUsage({
    history: { ...history, state: () => Promise.reject(new Error('gone')) },
    now: () => 0,
  });
  expect(await broken.of('s')).toBeNull();
});

it('does not keep people waiting', async () => {
  let answer: (value: { calls: never[]; inAll: number }) => void = () => undefined;
  const history = {
    state: async () => state('idle'),
    usage: async () => [],
    calls: () =>
      new Promise<{ calls: never[]; inAll: number }>((resolve) => {
        answer = resolve;
      }),
  };
  const past = createPastUsage({ history, now: () => 0 });
  expect(await past.of('s')).toBeNull();
  answer({ calls: [], inAll: 7 });
  expect(await past.of('s')).toEqual(usage);
});
