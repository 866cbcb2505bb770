import { describe, expect, test } from 'vitest';
import type { SessionEventBody } from '#shared/session/events';
import type { SessionState } from '#shared/session/state';
import { type ItemWindow, newestOf, windowAt } from '#shared/session/window';
import { eventsOf, rehearsal, stateAfter } from '../testing/fakeCore';
import {
  bounded,
  endOfShown,
  type HeldItems,
  hasNewer,
  hasOlder,
  itemsAtOnce,
  mostItems,
  shownOf,
  withNewer,
  withNewest,
  withOlder,
  withWindow,
} from './shownItems';

const presentation = { title: 'Bash', summary: 'ls', activity: '', icon: 'terminal' as const };

/** Pairs of a message and an answer with a call. */
const pairs = (count: number): SessionEventBody[] =>
  Array.from({ length: count }, (_, at): SessionEventBody[] => [
    { type: 'message.sent', messageId: `u${at}`, text: 'go' },
    { type: 'assistant.started', messageId: `m${at}` },
    { type: 'call.created', callId: `m${at}.0`, messageId: `m${at}`, name: 'Bash', input: {}, presentation },
    { type: 'call.finished', callId: `m${at}.0`, status: 'succeeded', content: [], view: null, note: '' },
  ]).flat();

const whole = stateAfter(
  eventsOf([
    { type: 'session.created', folder: '/srv/app', title: 'T', mode: 'default', model: rehearsal, network: false },
    ...pairs(500),
  ]),
);
const total = whole.items.length;

function windowOf(at: Parameters<typeof windowAt>[1], count = itemsAtOnce, state: SessionState = whole): ItemWindow {
  const window = windowAt(state, at, count);
  if (window === null) throw new Error('there is no window');
  return window;
}

const opened = (): HeldItems => ({ state: newestOf(whole, itemsAtOnce), past: null });
const older = (held: HeldItems): HeldItems => withOlder(held, windowOf({ before: shownOf(held).first }));
const newer = (held: HeldItems): HeldItems => withNewer(held, windowOf({ from: endOfShown(held) }));

/** What must hold at any time: what is shown is a part of the whole, bounded, with its calls and hardly any others. */
function check(held: HeldItems): void {
  const { first, items, turnsBefore } = shownOf(held);
  const there = windowOf({ from: first }, 500);
  expect(items).toEqual(there.items.slice(0, items.length));
  expect(turnsBefore).toBe(there.turnsBefore);
  expect(items.length).toBeLessThanOrEqual(mostItems);
  const newest = held.state.items;
  expect(newest).toEqual(whole.items.slice(held.state.firstItem));
  const ids = new Set(
    [...items, ...newest].flatMap((item) => (item.kind === 'assistant' ? [`${item.messageId}.0`] : [])),
  );
  expect(Object.keys(held.state.calls)).toEqual(Object.keys(whole.calls).filter((callId) => ids.has(callId)));
  if (held.past !== null) expect(first + items.length).toBeLessThanOrEqual(held.state.firstItem);
}

describe('what is shown of a long conversation', () => {
  test('older parts lead to the beginning, newer ones back to the end, and never much is held', () => {
    let held = opened();
    check(held);
    let steps = 0;
    for (; hasOlder(held); steps += 1) {
      held = older(held);
      check(held);
    }
    expect([shownOf(held).first, hasNewer(held), steps]).toEqual([0, true, 12]);
    for (; hasNewer(held) && steps < 40; steps += 1) {
      held = newer(held);
      check(held);
    }
    expect([endOfShown(held), hasNewer(held)]).toEqual([total, false]);
  });

  test.each<[string, number, number, boolean]>([
    ['far from the end', 100, 60, true],
    ['at the beginning', 0, 0, true],
    ['just before what is held', 900, 860, false],
    ['among what is held', 980, 920, false],
  ])('a part %s', (_where, around, first, apart) => {
    const held = withWindow(opened(), windowOf({ around }));
    check(held);
    expect([shownOf(held).first, hasNewer(held)]).toEqual([first, apart]);
    expect(shownOf(withNewest(held))).toMatchObject({ first: apart ? total - itemsAtOnce : first });
  });

  test('a window that does not reach what is shown changes nothing', () => {
    const held = opened();
    expect(withOlder(held, windowOf({ from: 100 }))).toBe(held);
    expect(withNewer(held, windowOf({ from: 100 }))).toBe(held);
  });

  test('calls that wait for a person stay, wherever they are', () => {
    const asking = { ...whole.calls['m3.0'], callId: 'm3.0', status: 'checking' } as SessionState['calls'][string];
    const held = opened();
    const state = { ...held.state, calls: { 'm3.0': asking, ...held.state.calls } };
    let now: HeldItems = { state, past: null };
    for (let step = 0; step < 6; step += 1) now = older(now);
    expect(withNewest(now).state.calls['m3.0']).toBe(asking);
  });

  test('a call made by hand, which belongs to no message, stays', () => {
    const byHand = { ...whole.calls['m3.0'], callId: 'h.0', messageId: 'h' } as SessionState['calls'][string];
    const held = opened();
    let now: HeldItems = { state: { ...held.state, calls: { ...held.state.calls, 'h.0': byHand } }, past: null };
    for (let step = 0; step < 6; step += 1) now = older(now);
    expect(withNewest(now).state.calls['h.0']).toBe(byHand);
  });
});

describe('while events come in', () => {
  const grown = (items: number): HeldItems => ({ state: newestOf(whole, items), past: null });

  test.each<[string, HeldItems, boolean, number, number | null]>([
    ['little is left alone', grown(mostItems), true, mostItems, null],
    ['the oldest go while the end is followed', grown(mostItems + 1), true, mostItems / 2, null],
    ['a reader elsewhere keeps what is there', grown(2 * mostItems), false, 2 * mostItems, null],
    ['and what is read is set apart when it becomes too much', grown(2 * mostItems + 1), false, itemsAtOnce, mostItems],
  ])('%s', (_what, held, atEnd, newest, past) => {
    const now = bounded(held, atEnd);
    expect([now.state.items.length, now.past?.items.length ?? null]).toEqual([newest, past]);
    if (now.past !== null) expect(now.past.first).toBe(held.state.firstItem);
  });

  test('beside what is read, only the newest are kept', () => {
    const apart = withWindow(opened(), windowOf({ around: 100 }));
    const more = { ...apart, state: { ...newestOf(whole, 200), calls: apart.state.calls } };
    expect([bounded(more, false).state.items.length, bounded(more, false).past]).toEqual([itemsAtOnce, apart.past]);
  });
});
