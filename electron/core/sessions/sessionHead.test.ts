import { expect, test } from 'vitest';
import type { SessionEventBody } from '#shared/session/events';
import { newestOf } from '#shared/session/window';
import { openDatabase } from './database';
import { SessionService } from './service';
import { headEveryEvents, headOf, headVersion } from './sessionHead';
import { SessionStore } from './store';

const model = { id: 'm', label: 'M', scripted: false };
const presentation = { title: 'Bash', summary: 'ls', activity: '', icon: 'terminal' as const };
const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };

function setUp() {
  const { database } = openDatabase({ folder: ':memory:', nativeBinding: undefined });
  const damaged: number[] = [];
  const store = new SessionStore(database, (_id, seq) => damaged.push(seq));
  let time = 1_000;
  return { database, store, damaged, service: () => new SessionService(store, () => ++time) };
}

const turn = (name: string): SessionEventBody[] => [
  { type: 'message.sent', messageId: `u${name}`, text: 'go' },
  { type: 'turn.started', turnId: `t${name}`, model },
  { type: 'assistant.started', messageId: `m${name}` },
  { type: 'call.created', callId: `m${name}.0`, messageId: `m${name}`, name: 'Bash', input: {}, presentation },
  {
    type: 'agent.changed',
    agent: {
      agentId: `a${name}`,
      callId: `m${name}.0`,
      parent: null,
      type: 'general',
      description: '',
      model: 'm',
      background: false,
      status: 'running',
      startedAt: 1,
      endedAt: null,
      note: '',
    },
  },
  {
    type: 'call.created',
    callId: `x${name}.0`,
    messageId: `x${name}`,
    name: 'Read',
    input: {},
    presentation,
    agentId: `a${name}`,
  },
  ...[`x${name}.0`, `m${name}.0`].map(
    (callId): SessionEventBody => ({
      type: 'call.finished',
      callId,
      status: 'succeeded',
      content: [{ type: 'text', text: 'out' }],
      view: null,
      note: '',
    }),
  ),
  { type: 'assistant.finished', messageId: `m${name}`, stopReason: 'end_turn', usage },
  { type: 'notice', level: 'info', text: 'so', next: '' },
  { type: 'turn.finished', turnId: `t${name}`, outcome: 'done' },
];
const created = { folder: '/f', title: 'T', mode: 'default' as const, model };

test('the newest items read from the end of the log are those of the whole, wherever the head was kept', () => {
  const { store, service } = setUp();
  const writer = service();
  const sessionId = writer.create(created);
  const bodies = ['1', '2', '3', '4'].flatMap(turn);
  for (const [index, body] of bodies.entries()) {
    writer.append(sessionId, body);
    const whole = writer.state(sessionId);
    for (const count of [1, 2, 5, 40]) {
      const read = service().newestStored(sessionId, count);
      // Before the first turn has ended there is no head.
      if (store.head(sessionId) === null) expect([index, read]).toEqual([index, null]);
      else expect([index, count, read]).toEqual([index, count, newestOf(whole, count)]);
    }
  }
});

test('a head is kept anew when a turn ends and after many events, and is small', () => {
  const { store, service } = setUp();
  const writer = service();
  const sessionId = writer.create(created);
  for (const body of turn('1')) writer.append(sessionId, body);
  expect(store.head(sessionId)?.seq).toBe(writer.state(sessionId).seq);
  expect(headOf(writer.state(sessionId))).toMatchObject({
    items: [],
    firstItem: 3,
    turnsBefore: 1,
    callsMade: 2,
    calls: {},
  });
  const { seq } = writer.state(sessionId);
  for (let at = 0; at < headEveryEvents; at += 1)
    writer.append(sessionId, { type: 'session.renamed', title: `T${at}` });
  expect(store.head(sessionId)?.seq).toBe(seq + headEveryEvents);
});

test('heads of another shape have another version', () => {
  const { service } = setUp();
  const writer = service();
  const sessionId = writer.create(created);
  for (const body of turn('1')) writer.append(sessionId, body);
  // Where this fails, or `reduce` makes something else of the same events: raise `headVersion`, then this list.
  expect([
    headVersion,
    Object.keys(headOf(writer.state(sessionId)))
      .sort()
      .join(' '),
  ]).toEqual([
    2,
    'agents calls callsMade createdAt cwd firstItem folder items meter mode model network networkAsks queue seq tasks title todos turn turnsBefore updatedAt usage',
  ]);
});

test.each<
  [string, (head: { seq: number; version: number; state: unknown }) => { seq: number; version: number; state: unknown }]
>([
  ['of another version', (head) => ({ ...head, version: headVersion + 1 })],
  ['that is none', (head) => ({ ...head, state: { title: 'T' } })],
  ['that says another place than it has', (head) => ({ ...head, seq: head.seq - 1 })],
  ['from beyond the log', (head) => ({ ...head, seq: head.seq + 50 })],
])('a head %s is not used: the log is the truth', (_what, change) => {
  const { store, service } = setUp();
  const writer = service();
  const sessionId = writer.create(created);
  for (const body of turn('1')) writer.append(sessionId, body);
  const head = store.head(sessionId);
  if (head === null) throw new Error('no head');
  store.keepHead(sessionId, change(head));
  expect(service().newestStored(sessionId, 5)).toBeNull();
});

test('a damaged row at the end changes neither numbers nor what is around it', () => {
  const { database, damaged, service } = setUp();
  const writer = service();
  const sessionId = writer.create(created);
  for (const body of ['1', '2'].flatMap(turn)) writer.append(sessionId, body);
  const last = writer.state(sessionId).seq;
  database.prepare('update events set body = ? where seq = ?').run('{', last);
  const reread = service();
  const whole = reread.state(sessionId);
  expect(service().newestStored(sessionId, 3)).toMatchObject({ seq: last, items: newestOf(whole, 3).items });
  expect(damaged).toContain(last);
});

test('a session is read piece by piece as it is read at once; others have their turn meanwhile', async () => {
  const { service } = setUp();
  const writer = service();
  const sessionId = writer.create(created);
  const names = Array.from({ length: 300 }, (_, index) => String(index));
  for (const body of names.flatMap(turn)) writer.append(sessionId, body);
  const [slow, quick] = [service(), service()];
  let steps = 0;
  let counting = true;
  const count = (): void => {
    steps += 1;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  expect(slow.isLoaded(sessionId)).toBe(false);
  const [first, second] = [slow.load(sessionId), slow.load(sessionId)];
  expect(second).toBe(first);
  await first;
  counting = false;
  expect([slow.isLoaded(sessionId), slow.state(sessionId)]).toEqual([true, quick.state(sessionId)]);
  expect(steps).toBeGreaterThan(1);
});

test('who cannot wait reads all at once, and the slow reader leaves it at that', async () => {
  const { service } = setUp();
  const writer = service();
  const sessionId = writer.create(created);
  for (const body of Array.from({ length: 300 }, (_, index) => String(index)).flatMap(turn))
    writer.append(sessionId, body);
  const reader = service();
  const loading = reader.load(sessionId);
  reader.append(sessionId, { type: 'session.renamed', title: 'now' });
  const state = reader.state(sessionId);
  await loading;
  expect(reader.state(sessionId)).toBe(state);
  expect(state.title).toBe('now');
});
