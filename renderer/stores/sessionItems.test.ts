import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RpcError } from '#shared/rpc/errors';
import type { SessionEventBody } from '#shared/session/events';
import { newestOf, windowAt } from '#shared/session/window';
import { createFakeCore, eventsOf, type FakeCore, type FakeHandlers, rehearsal, stateAfter } from '../testing/fakeCore';
import { resetStores } from '../testing/resetStores';
import { useSession } from './session';
import { itemsAtOnce, shownOf } from './shownItems';
import { useToasts } from './toasts';

const presentation = { title: 'Bash', summary: 'ls', activity: '', icon: 'terminal' as const };
const long = 'x'.repeat(20_000);

const whole = stateAfter(
  eventsOf([
    { type: 'session.created', folder: '/srv/app', title: 'T', mode: 'default', model: rehearsal, network: false },
    ...Array.from({ length: 400 }, (_, at): SessionEventBody[] => [
      { type: 'message.sent', messageId: `u${at}`, text: 'go' },
      { type: 'assistant.started', messageId: `m${at}` },
      { type: 'call.created', callId: `m${at}.0`, messageId: `m${at}`, name: 'Bash', input: {}, presentation },
      {
        type: 'call.finished',
        callId: `m${at}.0`,
        status: 'succeeded',
        content: [{ type: 'text', text: long }],
        view: null,
        note: '',
      },
    ]).flat(),
  ]),
);

let core: FakeCore;

async function start(answers: Partial<FakeHandlers> = {}): Promise<void> {
  core = createFakeCore({
    'sessions.items': ({ at, count }) => {
      const window = windowAt(whole, at, count);
      if (window === null) throw new RpcError('notFound', 'There is no such message.');
      return window;
    },
    'sessions.call': ({ callId }) => {
      const call = whole.calls[callId];
      if (call === undefined) throw new RpcError('notFound', 'There is no such call.');
      return { call };
    },
    ...answers,
  });
  core.link.start();
  await vi.waitFor(() => expect(core.link.state.status).toBe('open'));
  useSession.setState({ sessionId: 's1', status: 'ready', state: newestOf(whole, itemsAtOnce), past: null });
}

const session = () => useSession.getState();
const first = () => shownOf(session()).first;

beforeEach(resetStores);
afterEach(() => core.link.dispose());

describe('ensureItem', () => {
  it.each<[string, Parameters<ReturnType<typeof session>['ensureItem']>[0], boolean, number, number]>([
    ['a message that is shown', { messageId: 'u399' }, true, 720, 0],
    ['a call that is shown', { callId: 'm390.0' }, true, 720, 0],
    ['a message from far away', { messageId: 'u100' }, true, 180, 1],
    ['a call from far away', { callId: 'm100.0' }, true, 181, 1],
    ['a position', { position: 0 }, true, 0, 1],
    ['no message of this session', { messageId: 'none' }, false, 720, 1],
  ])('%s', async (_what, item, found, shown, asked) => {
    await start();
    expect(await session().ensureItem(item)).toBe(found);
    expect([first(), core.calls.length]).toEqual([shown, asked]);
    expect(useToasts.getState().toasts).toEqual([]);
  });

  it('goes back to the newest items without asking', async () => {
    await start();
    await session().ensureItem({ messageId: 'u100' });
    expect(await session().ensureItem({ messageId: 'u399' })).toBe(true);
    expect([first(), session().past, core.calls.length]).toEqual([720, null, 1]);
  });

  it('says when a part could not be loaded, and changes nothing', async () => {
    await start({
      'sessions.items': () => {
        throw new RpcError('internal', 'The disk is gone.');
      },
    });
    expect(await session().ensureItem({ messageId: 'u1' })).toBe(false);
    expect(first()).toBe(720);
    expect(useToasts.getState().toasts).toMatchObject([{ text: 'The disk is gone.' }]);
  });

  it('forgets an answer for a session that is not open any more', async () => {
    await start();
    const asked = session().ensureItem({ messageId: 'u1' });
    useSession.setState({ sessionId: 's2', state: newestOf(whole, 4) });
    expect(await asked).toBe(false);
    expect([first(), session().past]).toEqual([796, null]);
  });
});

describe('older and newer items', () => {
  it('are asked for once however often the reader scrolls', async () => {
    await start();
    await Promise.all([session().showOlder(), session().showOlder(), session().showOlder()]);
    expect([first(), core.calls.length]).toEqual([680, 1]);
  });

  it('lead from one place to the end again', async () => {
    await start();
    await session().ensureItem({ position: 400 });
    for (let step = 0; step < 20 && session().past !== null; step += 1) await session().showNewer();
    expect(session().past).toBeNull();
    expect(shownOf(session()).items.at(-1)).toMatchObject({ messageId: 'm399' });
  });
});

describe('ensureCall', () => {
  it('brings the contents of a light call, and lets go of those that were looked at long ago', async () => {
    await start();
    expect(session().state.calls['m399.0']).toMatchObject({ light: true });
    expect(await session().ensureCall('m399.0')).toBe(true);
    expect(session().state.calls['m399.0']).toEqual(whole.calls['m399.0']);
    for (let at = 320; at < 398; at += 1) await session().ensureCall(`m${at}.0`);
    expect(session().state.calls['m399.0']).toMatchObject({ light: true });
    expect(Object.values(session().state.calls).filter((call) => call.light === undefined).length).toBe(40);
    // One from elsewhere was never among what is shown, and goes altogether.
    expect(session().state.calls['m320.0']).toBeUndefined();
  });

  it('brings a call from elsewhere and leaves in place what is shown', async () => {
    await start();
    expect(await session().ensureCall('m3.0')).toBe(true);
    expect([session().state.calls['m3.0'], first()]).toEqual([whole.calls['m3.0'], 720]);
    expect(await session().ensureCall('none')).toBe(false);
  });
});
