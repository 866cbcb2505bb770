// The three tools over a real scheduler.
import { afterEach, expect, it, vi } from 'vitest';
import { Scheduler } from '../../cron/scheduler';
import { ScheduleStore } from '../../cron/scheduleStore';
import { openDatabase } from '../../sessions/database';
import { bench, message } from '../../testing/bench';
import { createCronDeleteTool } from '../cronDelete/cronDelete';
import { createCronListTool } from '../cronList/cronList';
import { createRegistry } from '../registry';
import { samplePlace } from '../testing/samplePlace';
import { createCronCreateTool } from './cronCreate';

afterEach(() => void vi.useRealTimers());

it('schedules, lists and deletes', async () => {
  vi.useFakeTimers({ now: new Date('2026-01-05T08:00:00'), toFake: ['Date'] });
  const notices: string[] = [];
  const held: { scheduler?: Scheduler } = {};
  const options = {
    scheduler: () => held.scheduler ?? null,
    notice: (_id: string, text: string) => void notices.push(text),
  };
  const steps: [string, object, string | RegExp][] = [
    ['CronList', {}, 'Nothing is scheduled in this session.'],
    [
      'CronCreate',
      { prompt: 'Look at the tides.', cron: '0 9 * * 1-5' },
      /^Scheduled as k_[0-9a-f]{32}: next at 2026-01-05 09:00 local time\. It runs only while Gatehouse is open\.$/,
    ],
    ['CronCreate', { prompt: 'Once.', at: '2026-01-06T10:30' }, /: once, at 2026-01-06 10:30 local time/],
    ['CronCreate', { prompt: 'x', at: '2026-01-04T10:30' }, 'Nothing was scheduled. That time is past.'],
    ['CronCreate', { prompt: 'x', cron: '61 * * * *' }, /^Nothing was scheduled\. minute: 61 is not within 0 to 59/],
    ['CronCreate', { prompt: 'x' }, /Give either `cron` or `at`, not both\./],
    ['CronCreate', { prompt: 'x', cron: '* * * * *', at: '2026-01-06T10:30' }, /Give either/],
    ['CronCreate', { prompt: 'x', at: 'tomorrow' }, /expected a time like/],
    [
      'CronList',
      {},
      /^k_\w+ · 0 9 \* \* 1-5 · next 2026-01-05 09:00 · Look at the tides\.\nk_\w+ · once · next 2026-01-06 10:30 · Once\.$/,
    ],
    ['CronDelete', { id: 'k_none' }, /^This session has no scheduled prompt k_none\. There are: k_\w+, k_\w+\.$/],
  ];
  const { database } = openDatabase({ folder: ':memory:', nativeBinding: undefined });
  database.pragma('foreign_keys = OFF');
  const store = new ScheduleStore(database);
  const nothing = () => undefined;
  held.scheduler = new Scheduler({
    store,
    now: () => Date.now(),
    send: () => Promise.resolve(),
    queued: () => [],
    notice: nothing,
    onError: nothing,
  });
  const b = bench({
    tools: [createCronCreateTool(options), createCronListTool(options), createCronDeleteTool(options)],
    plays: steps.map(([call, input]) => message({ call, input })),
  });
  const ended = b.until((body) => body.type === 'turn.finished');
  b.agent.send(b.sessionId, 'go');
  await ended;
  const texts = b.calls().map((call) => ('modelText' in call ? call.modelText : call.status));
  for (const [index, [, , expected]] of steps.entries()) expect(texts[index]).toMatch(expected);
  expect(notices).toEqual([
    'A prompt was scheduled, again and again (0 9 * * 1-5), first for 2026-01-05 09:00: Look at the tides.',
    'A prompt was scheduled, once, first for 2026-01-06 10:30: Once.',
  ]);
  const [first] = store.list();
  if (first === undefined) throw new Error('nothing is scheduled');
  expect(held.scheduler.remove(b.sessionId, first.scheduleId)).toBe(true);
  held.scheduler.dispose();
});

it('are not offered where nobody would send the prompts', () => {
  const options = { scheduler: () => null, notice: () => undefined };
  const tools = [createCronCreateTool(options), createCronListTool(options), createCronDeleteTool(options)];
  expect(createRegistry({ tools }).tools).toEqual([]);
  expect(tools.map((tool) => tool.unavailableReason())).toEqual(
    tools.map(() => 'Scheduled prompts need a Gatehouse that stays open; this is a single run.'),
  );
});

it('need no permission', () => {
  const options = { scheduler: () => null, notice: () => undefined };
  expect(createCronCreateTool(options).checkPermissions({ prompt: 'x' }, samplePlace).behavior).toBe('allow');
});
