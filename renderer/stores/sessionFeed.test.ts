import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RpcError } from '#shared/rpc/errors';
import type { LiveEvent, SessionEventBody } from '#shared/session/events';
import { createFakeCore, eventsOf, type FakeCore, type FakeHandlers, rehearsal, stateAfter } from '../testing/fakeCore';
import { resetStores } from '../testing/resetStores';
import { followHost, useApp } from './app';
import { useSession } from './session';
import { SessionFeed } from './sessionFeed';
import { itemsAtOnce } from './shownItems';

const created: SessionEventBody = {
  type: 'session.created',
  folder: '/srv/app',
  title: 'Tide',
  mode: 'default',
  model: rehearsal,
  network: false,
};

const first = eventsOf([created, { type: 'message.sent', messageId: 'u1', text: 'hello' }]);

const later = eventsOf(
  [
    { type: 'turn.started', turnId: 't1', model: rehearsal },
    { type: 'assistant.started', messageId: 'a1' },
    { type: 'assistant.block', messageId: 'a1', index: 0, block: { type: 'text', text: 'Hello there' } },
  ],
  first.length,
);

function delta(text: string, index = 0): LiveEvent {
  return { type: 'assistant.delta', messageId: 'a1', index, kind: 'text', text };
}

let core: FakeCore;
let feed: SessionFeed;

function start(answers: Partial<FakeHandlers> = {}): void {
  core = createFakeCore({
    'sessions.subscribe': () => ({ kind: 'snapshot', state: stateAfter(first), live: [] }),
    ...answers,
  });
  followHost();
  feed = new SessionFeed();
  core.link.start();
}

async function openSession(id = 's1'): Promise<void> {
  await vi.waitFor(() => expect(core.link.state.status).toBe('open'));
  useApp.getState().openSession(id);
  await vi.waitFor(() => expect(useSession.getState().status).toBe('ready'));
}

const emit = (index: number) => core.emit('session.event', { sessionId: 's1', event: at(index) });

function at(index: number) {
  const event = later[index];
  if (event === undefined) throw new Error(`no event ${index}`);
  return event;
}

const subscriptions = () =>
  core.calls.filter(({ method }) => method.endsWith('subscribe')).map(({ method, params }) => [method, params]);

beforeEach(resetStores);

afterEach(() => {
  feed.dispose();
  core.link.dispose();
});

describe('session feed', () => {
  it('takes the snapshot, then the events in order', async () => {
    start();
    await openSession();
    expect(useSession.getState().state).toEqual(stateAfter(first));
    emit(0);
    emit(1);
    await vi.waitFor(() => expect(useSession.getState().state).toEqual(stateAfter([...first, ...later.slice(0, 2)])));
  });

  it('ignores what it has already and what belongs to another session', async () => {
    start();
    await openSession();
    const before = useSession.getState().state;
    core.emit('session.event', { sessionId: 's1', event: { ...at(0), seq: 1 } });
    core.emit('session.event', { sessionId: 'other', event: at(0) });
    emit(0);
    await vi.waitFor(() => expect(useSession.getState().state.seq).toBe(3));
    expect(useSession.getState().state).toEqual(stateAfter([...first, at(0)]));
    expect(before).toEqual(stateAfter(first));
  });

  it('closes a gap by asking for the events since the last one', async () => {
    start();
    await openSession();
    core.answers = {
      ...core.answers,
      'sessions.subscribe': () => ({ kind: 'events', events: later, live: [] }),
    };
    emit(2);
    await vi.waitFor(() => expect(useSession.getState().state).toEqual(stateAfter([...first, ...later])));
    expect(subscriptions()).toEqual([
      ['sessions.subscribe', { sessionId: 's1', items: itemsAtOnce }],
      ['sessions.unsubscribe', { sessionId: 's1' }],
      ['sessions.subscribe', { sessionId: 's1', items: itemsAtOnce, since: 2 }],
    ]);
  });

  it('asks for everything when the answer itself has a gap', async () => {
    let asked = 0;
    start({
      'sessions.subscribe': ({ since }) => {
        asked += 1;
        if (asked === 1) return { kind: 'snapshot', state: stateAfter(first), live: [] };
        return since === undefined
          ? { kind: 'snapshot', state: stateAfter([...first, ...later]), live: [] }
          : { kind: 'events', events: later.slice(1), live: [] };
      },
    });
    await openSession();
    emit(2);
    await vi.waitFor(() => expect(useSession.getState().state).toEqual(stateAfter([...first, ...later])));
    expect(asked).toBe(3);
  });

  it('keeps events that arrive before the answer to the subscription', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    start({
      'sessions.subscribe': async () => {
        await released;
        return { kind: 'snapshot', state: stateAfter(first), live: [] };
      },
    });
    await vi.waitFor(() => expect(core.link.state.status).toBe('open'));
    useApp.getState().openSession('s1');
    await vi.waitFor(() => expect(subscriptions()).toHaveLength(1));
    emit(0);
    release();
    await vi.waitFor(() => expect(useSession.getState().state).toEqual(stateAfter([...first, at(0)])));
  });

  it('shows text as it streams and drops it when the finished block is there', async () => {
    start();
    await openSession();
    emit(0);
    emit(1);
    core.emit('session.live', { sessionId: 's1', event: delta('Hello') });
    core.emit('session.live', { sessionId: 's1', event: delta(' there') });
    core.emit('session.live', { sessionId: 's1', event: delta('thought', 1) });
    await vi.waitFor(() =>
      expect(useSession.getState().live).toEqual({
        a1: [
          { index: 0, kind: 'text', text: 'Hello there' },
          { index: 1, kind: 'text', text: 'thought' },
        ],
      }),
    );
    emit(2);
    await vi.waitFor(() =>
      expect(useSession.getState().live).toEqual({ a1: [{ index: 1, kind: 'text', text: 'thought' }] }),
    );
  });

  it('takes the text that streamed before it came', async () => {
    start({
      'sessions.subscribe': () => ({ kind: 'snapshot', state: stateAfter(first), live: [delta('so'), delta(' far')] }),
    });
    await openSession();
    expect(useSession.getState().live).toEqual({ a1: [{ index: 0, kind: 'text', text: 'so far' }] });
  });

  it('knows how far background tasks are, also those that ran before it came', async () => {
    const progress = (taskId: string, outputChars: number) =>
      ({ type: 'task.progress', taskId, outputChars, lastLine: `line ${outputChars}` }) as const;
    start({
      'sessions.subscribe': () => ({ kind: 'snapshot', state: stateAfter(first), live: [progress('b1', 1)] }),
    });
    await openSession();
    core.emit('session.live', { sessionId: 's1', event: progress('b2', 2) });
    core.emit('session.live', { sessionId: 's1', event: progress('b2', 3) });
    await vi.waitFor(() =>
      expect(useSession.getState().taskProgress).toEqual({ b1: progress('b1', 1), b2: progress('b2', 3) }),
    );
  });

  it('says that the model is asked again until it answers', async () => {
    start();
    await openSession();
    core.emit('session.live', {
      sessionId: 's1',
      event: { type: 'model.retrying', attempt: 2, ofAttempts: 5, waitMs: 4_000, reason: 'overloaded' },
    });
    await vi.waitFor(() =>
      expect(useSession.getState().retrying).toMatchObject({ attempt: 2, ofAttempts: 5, reason: 'overloaded' }),
    );
    emit(0);
    emit(1);
    await vi.waitFor(() => expect(useSession.getState().retrying).toBeNull());
  });

  it('goes on where it was after the connection was lost', async () => {
    start();
    await openSession();
    core.goAway('gone');
    await vi.waitFor(() => expect(useApp.getState().connection.status).toBe('lost'));
    expect(useSession.getState().state).toEqual(stateAfter(first));
    core.answers = { ...core.answers, 'sessions.subscribe': () => ({ kind: 'events', events: later, live: [] }) };
    core.comeBack();
    core.link.retryNow();
    await vi.waitFor(() => expect(useSession.getState().state).toEqual(stateAfter([...first, ...later])));
    expect(subscriptions().at(-1)).toEqual(['sessions.subscribe', { sessionId: 's1', items: itemsAtOnce, since: 2 }]);
  });

  it('lets go of the old session when another is opened, and keeps drafts', async () => {
    start();
    await openSession();
    useSession.getState().setDraft('s1', 'half a sent');
    useApp.getState().openSession('s2');
    await vi.waitFor(() => expect(useSession.getState()).toMatchObject({ sessionId: 's2', status: 'ready' }));
    expect(subscriptions()).toEqual([
      ['sessions.subscribe', { sessionId: 's1', items: itemsAtOnce }],
      ['sessions.unsubscribe', { sessionId: 's1' }],
      ['sessions.subscribe', { sessionId: 's2', items: itemsAtOnce }],
    ]);
    expect(useSession.getState().drafts).toEqual({ s1: 'half a sent' });
  });

  it('says why a session cannot be opened', async () => {
    start({
      'sessions.subscribe': () => {
        throw new RpcError('notFound', 'The session was deleted.');
      },
    });
    await vi.waitFor(() => expect(core.link.state.status).toBe('open'));
    useApp.getState().openSession('s1');
    await vi.waitFor(() =>
      expect(useSession.getState()).toMatchObject({ status: 'failed', problem: 'The session was deleted.' }),
    );
  });
});
