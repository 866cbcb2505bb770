// Stops at awkward moments: whatever happens, each call has one result and the next request is valid.
import { expect, test } from 'vitest';
import type { SessionEventBody } from '#shared/session/events';
import { openDatabase } from '../sessions/database';
import { SessionService } from '../sessions/service';
import { SessionStore } from '../sessions/store';
import { ask, bench, echoTool, message, type Play } from '../testing/bench';
import { pairingFaults } from './testing/pairingFaults';

const untilAborted = (signal: AbortSignal) =>
  new Promise<string>((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));

test('three parallel calls, one done, one running, one waiting for the person: one result each, and the session goes on', async () => {
  const tools = [
    echoTool({ name: 'Quick' }),
    echoTool({ name: 'Slow', run: (_text, { signal }) => untilAborted(signal) }),
    echoTool({ name: 'Gated' }),
  ];
  const call = (name: string) => ({ call: name, input: { text: name } });
  const b = bench({
    tools,
    plays: [message(call('Quick'), call('Slow'), call('Gated'))],
  });
  b.setDecision((request) =>
    request.toolName === 'Gated' ? ask : { behavior: 'allow', reason: { type: 'readOnly', detail: '' }, parts: [] },
  );
  const seen = new Set<string>();
  const ready = b.until((body) => {
    if (body.type === 'call.finished' || body.type === 'call.asked') seen.add(body.type);
    if (body.type === 'call.started' && b.calls().some(({ name, status }) => name === 'Slow' && status === 'running')) {
      seen.add(body.type);
    }
    return seen.size === 3;
  });
  b.agent.send(b.sessionId, 'go');
  await ready;
  await b.agent.stop(b.sessionId);
  expect(b.calls().map(({ name, status }) => [name, status])).toEqual([
    ['Quick', 'succeeded'],
    ['Slow', 'interrupted'],
    ['Gated', 'interrupted'],
  ]);
  const done = b.until((body) => body.type === 'turn.finished');
  b.agent.send(b.sessionId, 'again');
  expect(await done).toMatchObject({ outcome: 'done' });
  expect(pairingFaults(b.requests[1]?.messages ?? [])).toEqual([]);
});

/** A small seeded generator of numbers from 0 to below 1. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test('stopped at any moment of any turn: valid pairing, no event lost, nothing left running', async () => {
  for (let seed = 1; seed <= 150; seed += 1) {
    const random = seeded(seed);
    const pick = (below: number) => Math.floor(random() * below);
    let running = 0;
    const run = async (text: string, { signal }: { signal: AbortSignal }) => {
      running += 1;
      try {
        if (text === 'hang') return await untilAborted(signal);
        if (text === 'fail') throw new Error('broke');
        await Promise.resolve();
        return text;
      } finally {
        running -= 1;
      }
    };
    const tools = [echoTool({ run }), echoTool({ name: 'Change', safe: false, run })];
    const play = (): Play => {
      const calls = Array.from({ length: pick(5) }, () => ({
        call: ['Echo', 'Change', 'Unknown'][pick(3)] ?? 'Echo',
        input: [{ text: 'a' }, { text: 'hang' }, { text: 'fail' }, { wrong: 1 }][pick(4)] ?? {},
      }));
      return message({ text: 'I will.' }, ...calls);
    };
    const b = bench({ tools, plays: Array.from({ length: 4 }, play) });
    b.setDecision(() =>
      random() < 0.2 ? ask : { behavior: 'allow', reason: { type: 'readOnly', detail: '' }, parts: [] },
    );
    const stopAt = 3 + pick(60);
    let count = 0;
    let stopping: Promise<void> | null = null;
    const stop = () => {
      stopping ??= b.agent.stop(b.sessionId);
    };
    const ended = b.until((body) => body.type === 'turn.finished');
    b.sessions.listen({
      onEvent: () => {
        count += 1;
        if (count === stopAt) queueMicrotask(stop);
      },
      onLive: () => undefined,
      onListChange: () => undefined,
    });
    b.agent.send(b.sessionId, 'go');
    // A call that hangs or asks keeps the turn until the stop, which may then come from here.
    const late = setTimeout(stop, 50);
    await ended;
    clearTimeout(late);
    await stopping;
    expect([seed, running]).toEqual([seed, 0]);
    expect([seed, pairingFaults(b.sessions.conversation(b.sessionId).messages())]).toEqual([seed, []]);
    expect(b.calls().every((call) => 'endedAt' in call)).toBe(true);
    expect(b.events.map((event) => event.seq)).toEqual(b.events.map((_, at) => at + 2));
    for (const request of b.requests) expect([seed, pairingFaults(request.messages)]).toEqual([seed, []]);
    expect(b.logged.filter((entry) => !(entry instanceof Error && entry.message === 'broke'))).toEqual([]);
  }
}, 60_000);

const model = { id: 'm', label: 'M', scripted: false };
const presentation = { title: 'Bash', summary: '', activity: '', icon: 'terminal' as const };

function loaded(events: readonly SessionEventBody[]) {
  const { database } = openDatabase({ folder: ':memory:', nativeBinding: undefined });
  const store = new SessionStore(database, () => undefined);
  const writer = new SessionService(store, () => 1);
  const sessionId = writer.create({ folder: '/f', title: 'T', mode: 'default', model });
  for (const body of events) writer.append(sessionId, body);
  const reader = new SessionService(store, () => 2);
  reader.repairInterrupted();
  return reader.conversation(sessionId).messages();
}

const use = (messageId: string, index: number): SessionEventBody => ({
  type: 'assistant.block',
  messageId,
  index,
  block: { type: 'tool_use', id: `call-${index + 1}`, name: 'Bash', input: { command: 'sleep 9' } },
});
const created = (messageId: string, index: number): SessionEventBody => ({
  type: 'call.created',
  callId: `${messageId}.${index}`,
  messageId,
  name: 'Bash',
  input: {},
  presentation,
});
const finished = (messageId: string, index: number): SessionEventBody => ({
  type: 'call.finished',
  callId: `${messageId}.${index}`,
  status: 'succeeded',
  content: [{ type: 'text', text: 'first turn' }],
  view: null,
  note: '',
});
const opening: SessionEventBody[] = [
  { type: 'message.sent', messageId: 'u', text: 'go' },
  { type: 'turn.started', turnId: 't', model },
];

test.each([
  ['its block was stored', [...opening, { type: 'assistant.started', messageId: 'm1' }, use('m1', 0)]],
  ['it was announced', [...opening, { type: 'assistant.started', messageId: 'm1' }, use('m1', 0), created('m1', 0)]],
  [
    'it ran',
    [
      ...opening,
      { type: 'assistant.started', messageId: 'm1' },
      use('m1', 0),
      created('m1', 0),
      { type: 'call.started', callId: 'm1.0' },
    ],
  ],
] satisfies [string, SessionEventBody[]][])(
  'a program that died when %s: loading adds an error result beside the call',
  (_when, events) => {
    const messages = loaded(events);
    expect(pairingFaults(messages)).toEqual([]);
    expect(messages.at(-1)).toMatchObject({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'call-1', is_error: true }],
    });
  },
);

test('a provider that numbers its calls anew in every turn: an orphan of the second turn is repaired, the first is untouched', () => {
  const messages = loaded([
    ...opening,
    { type: 'assistant.started', messageId: 'm1' },
    use('m1', 0),
    created('m1', 0),
    finished('m1', 0),
    { type: 'assistant.started', messageId: 'm2' },
    use('m2', 0),
  ]);
  expect(pairingFaults(messages)).toEqual([]);
  const [first, second] = [messages[2], messages[4]].map((entry) => JSON.stringify(entry));
  expect([first?.includes('first turn'), second?.includes('Interrupted')]).toEqual([true, true]);
});
