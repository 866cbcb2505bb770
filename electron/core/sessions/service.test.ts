import { expect, test } from 'vitest';
import type { SessionEvent, SessionEventBody } from '#shared/session/events';
import { reduce, reduceInto } from '#shared/session/reduce';
import { emptyState } from '#shared/session/state';
import { openDatabase } from './database';
import { SessionService } from './service';
import { SessionStore } from './store';

const model = { id: 'm', label: 'M', scripted: false };
const presentation = { title: 'Bash', summary: 'sleep 9', activity: '', icon: 'terminal' as const };

function setUp() {
  const { database } = openDatabase({ folder: ':memory:', nativeBinding: undefined });
  const damaged: number[] = [];
  const store = new SessionStore(database, (_id, seq) => damaged.push(seq));
  let time = 1_000;
  const service = () => new SessionService(store, () => ++time);
  return { database, store, damaged, service };
}

const created = { folder: '/f', title: 'T', mode: 'default' as const, model };
const running: SessionEventBody[] = [
  { type: 'message.sent', messageId: 'u', text: 'go' },
  { type: 'turn.started', turnId: 't', model },
  { type: 'assistant.started', messageId: 'm1' },
  { type: 'call.created', callId: 'm1.0', messageId: 'm1', name: 'Bash', input: {}, presentation },
  { type: 'call.started', callId: 'm1.0' },
  { type: 'call.created', callId: 'm1.1', messageId: 'm1', name: 'Bash', input: {}, presentation },
];

test('state is the reduction of the stored log, for a new program as for the one that wrote it', () => {
  const { service } = setUp();
  const first = service();
  const sessionId = first.create(created);
  for (const body of running) first.append(sessionId, body);
  const events = first.eventsSince(sessionId, 0);
  expect(events.map((event) => event.seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(events.reduce(reduce, emptyState())).toEqual(first.state(sessionId));
  expect(service().state(sessionId)).toEqual(first.state(sessionId));
});

test('after a crash every open call has one interrupted result and the turn an end; a second start adds nothing', () => {
  const { service } = setUp();
  const crashed = service();
  const sessionId = crashed.create(created);
  for (const body of running) crashed.append(sessionId, body);
  const next = service();
  next.repairInterrupted();
  const state = next.state(sessionId);
  expect(state.turn).toBeNull();
  expect(Object.values(state.calls).map((call) => [call.status, 'modelText' in call && call.modelText])).toEqual([
    ['interrupted', expect.stringContaining('check before repeating it')],
    ['interrupted', expect.stringContaining('Nothing was done')],
  ]);
  expect(state.items.at(-1)).toMatchObject({ kind: 'notice', level: 'warning' });
  const third = service();
  third.repairInterrupted();
  expect(third.state(sessionId).seq).toBe(state.seq);
});

test('an event is stored before it is published, and a failing store publishes nothing', () => {
  const { database, service } = setUp();
  const sessions = service();
  const sessionId = sessions.create(created);
  const seen: SessionEvent[] = [];
  sessions.listen({
    onEvent: (_id, event) => {
      expect(sessions.eventsSince(sessionId, event.seq - 1)).toEqual([event]);
      seen.push(event);
    },
    onLive: () => undefined,
    onListChange: () => undefined,
  });
  sessions.append(sessionId, { type: 'session.renamed', title: 'New' });
  expect(seen).toHaveLength(1);
  expect(sessions.list()[0]?.title).toBe('New');
  database.exec("create trigger full before insert on events begin select raise(abort, 'disk full'); end");
  expect(() => sessions.append(sessionId, { type: 'session.renamed', title: 'Lost' })).toThrow('disk full');
  expect(seen).toHaveLength(1);
  expect(sessions.state(sessionId).title).toBe('New');
  expect(sessions.list()[0]?.title).toBe('New');
});

test('a damaged row is reported and left out; the rest of the session loads', () => {
  const { database, damaged, service } = setUp();
  const first = service();
  const sessionId = first.create(created);
  first.append(sessionId, { type: 'message.sent', messageId: 'u', text: 'one' });
  first.append(sessionId, { type: 'message.sent', messageId: 'v', text: 'two' });
  database.prepare("update events set body = '{broken' where seq = 2").run();
  const state = service().state(sessionId);
  expect(state.items).toMatchObject([{ text: 'two' }]);
  expect(damaged).toEqual([2]);
});

test('a page that opens in the middle of a message gets the text so far', () => {
  const sessions = setUp().service();
  const sessionId = sessions.create(created);
  sessions.append(sessionId, { type: 'assistant.started', messageId: 'm' });
  for (const text of ['Hel', 'lo'])
    sessions.publish(sessionId, { type: 'assistant.delta', messageId: 'm', index: 0, kind: 'text', text });
  expect(sessions.liveText(sessionId)).toEqual([
    { type: 'assistant.delta', messageId: 'm', index: 0, kind: 'text', text: 'Hello' },
  ]);
  sessions.append(sessionId, {
    type: 'assistant.block',
    messageId: 'm',
    index: 0,
    block: { type: 'text', text: 'Hello' },
  });
  expect(sessions.liveText(sessionId)).toEqual([]);
});

test('a damaged row at the end does not stop the session: the next event gets a number of its own', () => {
  const { database, damaged, service } = setUp();
  const first = service();
  const sessionId = first.create(created);
  first.append(sessionId, { type: 'message.sent', messageId: 'u', text: 'one' });
  database.prepare('update events set body = json(\'{"type":"future.event"}\') where seq = 2').run();
  const next = service();
  expect(next.append(sessionId, { type: 'message.sent', messageId: 'v', text: 'two' }).seq).toBe(3);
  expect(damaged).toEqual([2]);
});

test('a state that was taken as a snapshot stays as it was; activity follows asks without looking at all calls', () => {
  const sessions = setUp().service();
  const sessionId = sessions.create(created);
  for (const body of running) sessions.append(sessionId, body);
  const before = sessions.snapshot(sessionId);
  const copy = structuredClone(before);
  const activities: string[] = [];
  sessions.listen({
    onEvent: () => undefined,
    onLive: () => undefined,
    onListChange: () => activities.push(sessions.list()[0]?.activity ?? ''),
  });
  const ask = { kind: 'question' as const, askId: 'a', questions: [] };
  const asked: SessionEventBody = { type: 'call.asked', callId: 'm1.1', ask };
  sessions.append(sessionId, asked);
  sessions.append(sessionId, { type: 'call.stepStarted', callId: 'm1.0', step: 'execution' });
  sessions.append(sessionId, { type: 'call.answered', callId: 'm1.1', askId: 'a', by: 'person' });
  sessions.append(sessionId, { type: 'turn.finished', turnId: 't', outcome: 'done' });
  expect(activities).toEqual(['waiting', 'running', 'idle']);
  expect(before).toEqual(copy);
});

test('applying events in place and leaving each state as it is come to the same', () => {
  const events = running.map((body, index) => ({ seq: index + 1, at: index, body }));
  const inPlace = emptyState();
  let pure = emptyState();
  for (const event of events) {
    const before = structuredClone(pure);
    const next = reduce(pure, event);
    expect(pure).toEqual(before);
    pure = next;
    reduceInto(inPlace, event);
    expect(inPlace).toEqual(pure);
  }
});

test('no event copies what was there before it', () => {
  const sessions = setUp().service();
  const sessionId = sessions.create(created);
  const { calls, items } = sessions.state(sessionId);
  for (const body of running) sessions.append(sessionId, body);
  sessions.append(sessionId, { type: 'call.started', callId: 'm1.1' });
  const after = sessions.state(sessionId);
  expect([after.calls === calls, after.items === items]).toEqual([true, true]);
});

test('a session that was only asked about does not exist, nor can anything be added to it', () => {
  const service = setUp().service();
  expect(service.state('none').items).toEqual([]);
  expect([service.exists('none'), service.isLoaded('none')]).toEqual([false, false]);
});
