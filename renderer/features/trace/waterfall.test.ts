// The pure parts of the waterfall: the folded axis, bars, lines.
import { expect, it } from 'vitest';
import { parseFilter } from '#shared/trace/filter';
import { emptyTrace, foldTrace } from '#shared/trace/foldTrace';
import { hookRun, traceEvents } from '#shared/trace/testing/traceEvents';
import type { TraceRow } from '#shared/trace/traceRow';
import { linesOf, sortedLines } from './lines';
import { barsOf, piecesOf } from './segments';
import { folds, pixelOf, placeOf, ticks, timeAt, timeScale } from './timeScale';

const fold = emptyTrace();
for (const event of traceEvents) foldTrace(fold, event);
const rows: readonly TraceRow[] = [...fold.entries.values()].map(({ row }) => row);
const hooks = [{ seq: 2, run: hookRun({ runId: 's', event: 'SessionStart', startedAt: 950, effect: 'no opinion' }) }];
const row = (index: number): TraceRow => {
  const one = rows[index];
  if (one === undefined) throw new Error(`no row ${index}`);
  return one;
};

const busy = [
  { from: 100_000, to: 110_000 },
  { from: 105_000, to: 120_000 },
  { from: 3_720_000, to: 3_730_000 },
];

it('folds what is idle for long, and keeps the distances around it', () => {
  const scale = timeScale(busy, { fold: true });
  expect(scale).toEqual({
    start: 100_000,
    end: 3_730_000,
    length: 30_900,
    stretches: [
      { from: 100_000, to: 120_000, at: 0, length: 20_000, folded: false },
      { from: 120_000, to: 3_720_000, at: 20_000, length: 900, folded: true },
      { from: 3_720_000, to: 3_730_000, at: 20_900, length: 10_000, folded: false },
    ],
  });
  expect(
    [90_000, 100_000, 110_000, 120_000, 1_920_000, 3_725_000, 9_999_999].map((time) => placeOf(scale, time)),
  ).toEqual([0, 0, 10_000, 20_000, 20_450, 25_900, 30_900]);
  for (const time of [100_000, 110_000, 1_920_000, 3_725_000, 3_730_000])
    expect(timeAt(scale, placeOf(scale, time))).toBeCloseTo(time, 3);
});

it('folds nothing where that is not wanted, and has an axis for nothing at all', () => {
  expect(timeScale(busy, { fold: false }).stretches).toEqual([
    { from: 100_000, to: 3_730_000, at: 0, length: 3_630_000, folded: false },
  ]);
  expect(timeScale([], { fold: true })).toEqual({ stretches: [], length: 10, start: 0, end: 10 });
  expect(timeScale([{ from: 5, to: 5 }], { fold: true }).length).toBe(10);
});

it('marks round times since the start, and what is folded', () => {
  const scale = timeScale(busy, { fold: true });
  const shown = { from: 0, to: scale.length, width: 618 };
  expect(ticks(scale, shown)).toEqual([
    { x: 0, label: '0 s' },
    { x: 100, label: '5 s' },
    { x: 200, label: '10 s' },
    { x: 300, label: '15 s' },
    { x: 400, label: '20 s' },
    { x: 518, label: '1:00:25' },
  ]);
  expect(folds(scale, shown)).toEqual([{ x: 400, width: 18, ms: 3_600_000 }]);
  const near = { from: 9_990, to: 10_010, width: 400 };
  expect(ticks(scale, near).map(({ label }) => label)).toEqual(['9.99 s', '9.995 s', '10 s', '10.005 s']);
  expect(pixelOf(near, 10_000)).toBe(200);
  const late = timeScale([{ from: 0, to: 20_000_000 }], { fold: false });
  const labels = (from: number, to: number) => ticks(late, { from, to, width: 200 }).map(({ label }) => label);
  expect(labels(17_640_000, 17_643_000)).toEqual(['4:54:00', '4:54:01', '4:54:02']);
  expect(labels(17_640_000, 17_641_500)).toEqual(['4:54:00', '4:54:00.5', '4:54:01']);
  expect(labels(80_000, 81_500)).toEqual(['1:20', '1:20.5', '1:21']);
  expect(labels(0, 18_000_000)).toEqual(['0 s', '2 h', '4 h']);
});

it('cuts the permission step where a person was waited for', () => {
  const kinds = (index: number) => piecesOf(row(index), 15_010).map(({ kind, from, to }) => [kind, from, to]);
  expect(kinds(0)).toEqual([
    ['early', 1_000, 1_000.5],
    ['preHook', 1_001, 1_005],
    ['permission', 1_005, 1_006],
    ['execution', 1_006, 3_000],
  ]);
  expect(kinds(1)).toEqual([
    ['permission', 4_001, 4_002],
    ['waiting', 4_002, 14_002],
    ['permission', 14_002, 14_003],
    ['execution', 14_004, 15_010],
  ]);
  expect(piecesOf(row(2), 15_010)).toEqual([
    { kind: 'permission', from: 15_001, to: 15_003, stopped: true, open: false },
  ]);
  const asking: TraceRow = {
    ...row(1),
    steps: [],
    prompts: [{ askedAt: 4_002, answeredAt: null, by: null }],
    status: 'asking',
  };
  expect(piecesOf(asking, 5_000)).toEqual([{ kind: 'waiting', from: 4_002, to: 5_000, stopped: false, open: true }]);
});

it('draws what took no pixel, one beside the other, and nothing out of view', () => {
  const scale = timeScale([{ from: 0, to: 100_000 }], { fold: false });
  const shown = { from: 0, to: 100_000, width: 1_000 };
  expect(barsOf(row(0), { scale, shown, now: 20_000 })).toEqual([
    { kind: 'early', x: 10, width: 2, stopped: false, open: false },
    { kind: 'preHook', x: 13, width: 2, stopped: false, open: false },
    { kind: 'permission', x: 16, width: 2, stopped: false, open: false },
    { kind: 'execution', x: 19, width: 11, stopped: false, open: false },
  ]);
  expect(barsOf(row(0), { scale, shown: { from: 50_000, to: 60_000, width: 1_000 }, now: 20_000 })).toEqual([]);
  const inside = barsOf(row(0), { scale, shown: { from: 2_000, to: 2_100, width: 1_000 }, now: 20_000 });
  expect(inside).toEqual([{ kind: 'execution', x: -4, width: 1_008, stopped: false, open: false }]);
});

const keys = (
  filter: string,
  order: Parameters<typeof sortedLines>[1] = { order: 'number', descending: false, now: 15_010 },
) => {
  const terms = parseFilter(filter);
  if (!terms.ok) throw new Error(terms.error.message);
  return sortedLines(linesOf({ rows, hooks }, { terms: terms.value, now: 15_010 }), order).map(({ key }) => key);
};

it('lists calls and the session’s own hooks in the order of time', () => {
  expect(keys('')).toEqual(['hook:s', 'c1', 'c2', 'c3']);
  expect(keys('hook:any')).toEqual(['hook:s', 'c1']);
  expect(keys('sessionstart')).toEqual(['hook:s']);
  expect(keys('tool:Bash -is:subagent')).toEqual(['c1', 'c2']);
  expect(keys('hook:fail')).toEqual(['c1']);
});

it('sorts by what is asked for, hooks of the session last', () => {
  const by = (order: Parameters<typeof sortedLines>[1]['order'], descending = false) =>
    keys('', { order, descending, now: 15_010 });
  expect(by('number', true)).toEqual(['c3', 'c2', 'c1', 'hook:s']);
  expect(by('ran', true)).toEqual(['c1', 'c2', 'c3', 'hook:s']);
  expect(by('verdict')).toEqual(['c3', 'c2', 'c1', 'hook:s']);
  expect(by('what')).toEqual(['c2', 'c1', 'c3', 'hook:s']);
  expect(by('by', true)).toEqual(['c3', 'c1', 'c2', 'hook:s']);
});
