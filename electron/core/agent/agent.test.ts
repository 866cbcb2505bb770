import { expect, test, vi } from 'vitest';
import { ModelFailure } from '../model/client';
import { bench, echoTool, message, type Play, usage } from '../testing/bench';
import { titleFrom } from './agent';
import { pairingFaults } from './testing/pairingFaults';

const turnEnd = (body: { type: string }) => body.type === 'turn.finished';

/** A promise and the means to resolve it. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

test('a call starts when its block is whole, while the message still streams', async () => {
  const streaming = gate();
  const ran = gate();
  const play: Play = async function* () {
    await Promise.resolve();
    const block = { type: 'tool_use' as const, id: 'u', name: 'Echo', input: { text: 'early' } };
    yield { type: 'block', index: 0, block, cutOff: false };
    await streaming.opened;
    yield { type: 'finished', stopReason: 'tool_use', usage };
  };
  const tool = echoTool({ run: (text) => Promise.resolve(text).finally(ran.open) });
  const b = bench({ tools: [tool], plays: [play] });
  const done = b.until(turnEnd);
  b.agent.send(b.sessionId, 'go');
  await ran.opened;
  expect(b.events.some(({ body }) => body.type === 'assistant.finished')).toBe(false);
  streaming.open();
  await done;
});

test('reads overlap, a change waits for them and holds up what follows', async () => {
  const log: string[] = [];
  const run = async (text: string) => {
    log.push(`+${text}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
    log.push(`-${text}`);
    return text;
  };
  const call = (name: string, text: string) => ({ call: name, input: { text } });
  const b = bench({
    tools: [echoTool({ run }), echoTool({ name: 'Change', safe: false, run })],
    plays: [message(call('Echo', 'a'), call('Echo', 'b'), call('Change', 'C'), call('Echo', 'd'))],
  });
  const done = b.until(turnEnd);
  b.agent.send(b.sessionId, 'go');
  await done;
  expect(log.slice(0, 2).sort()).toEqual(['+a', '+b']);
  expect(log.slice(2, 4).sort()).toEqual(['-a', '-b']);
  expect(log.slice(4)).toEqual(['+C', '-C', '+d', '-d']);
});

test('messages sent while a turn runs wait their turn and are sent in order', async () => {
  const first = gate();
  const hold: Play = async function* () {
    await first.opened;
    yield* message({ text: 'one' })({} as never);
  };
  const b = bench({ plays: [hold] });
  expect(b.agent.send(b.sessionId, 'first')).toMatchObject({ queued: false });
  const second = b.agent.send(b.sessionId, 'second');
  const third = b.agent.send(b.sessionId, 'third');
  expect([second.queued, third.queued]).toEqual([true, true]);
  b.agent.unqueue(b.sessionId, second.messageId);
  let turns = 0;
  const done = b.until((body) => body.type === 'turn.finished' && ++turns === 2);
  first.open();
  await done;
  const users = b.sessions.state(b.sessionId).items.filter((item) => item.kind === 'user');
  expect(users.map((item) => item.kind === 'user' && item.text)).toEqual(['first', 'third']);
  expect(() => b.agent.unqueue(b.sessionId, third.messageId)).toThrow('no longer in the queue');
});

test('abort: one result per call, running ones that may stop do, blocking ones finish, the next request is valid', async () => {
  const blocked = gate();
  const abortable = echoTool({
    run: (_text, { signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
  });
  const blocking = echoTool({ name: 'Firm', block: true, run: (text) => blocked.opened.then(() => text) });
  let started = 0;
  const late = echoTool({ name: 'Late', safe: false });
  const call = (name: string) => ({ call: name, input: { text: name } });
  const b = bench({ tools: [abortable, blocking, late], plays: [message(call('Echo'), call('Firm'), call('Late'))] });
  const bothRun = b.until((body) => body.type === 'call.started' && ++started === 2);
  b.agent.send(b.sessionId, 'go');
  await bothRun;
  const stopping = b.agent.stop(b.sessionId);
  blocked.open();
  await stopping;
  expect(b.calls().map((one) => [one.name, one.status])).toEqual([
    ['Echo', 'interrupted'],
    ['Firm', 'succeeded'],
    ['Late', 'interrupted'],
  ]);
  const done = b.until(turnEnd);
  b.agent.send(b.sessionId, 'again');
  await done;
  const last = b.requests.at(-1)?.messages.at(-1);
  const content = Array.isArray(last?.content) ? last.content : [];
  expect(content.map((block) => block.type)).toEqual(['tool_result', 'tool_result', 'tool_result', 'text']);
});

const broken = (retryable: boolean) =>
  new ModelFailure('It broke.', { next: 'Try again.', retryable, retryAfterMs: 0 });
const failing = (error: Error, before: Play = async function* () {}): Play =>
  async function* (request) {
    yield* before(request);
    throw error;
  };

test('what may be retried is retried before anything has arrived', async () => {
  const b = bench({ plays: [failing(broken(true)), failing(broken(true)), message({ text: 'At last.' })] });
  const done = b.until(turnEnd);
  b.agent.send(b.sessionId, 'go');
  expect(await done).toMatchObject({ outcome: 'done' });
  expect(b.requests).toHaveLength(3);
});

test('what may not be retried ends the turn with cause and next step, and the session goes on', async () => {
  const b = bench({ plays: [failing(broken(false))] });
  const failed = b.until(turnEnd);
  b.agent.send(b.sessionId, 'go');
  expect(await failed).toMatchObject({ outcome: 'failed' });
  expect(b.sessions.state(b.sessionId).items.at(-1)).toMatchObject({
    kind: 'notice',
    level: 'error',
    text: 'It broke.',
    next: 'Try again.',
  });
  const done = b.until(turnEnd);
  b.agent.send(b.sessionId, 'once more');
  expect(await done).toMatchObject({ outcome: 'done' });
});

test('a stream that breaks after a whole call is not replayed: the call ran once and its result is sent', async () => {
  let runs = 0;
  const tool = echoTool({ run: (text) => Promise.resolve(`${text} ${++runs}`) });
  const oneCall: Play = async function* () {
    await Promise.resolve();
    const block = { type: 'tool_use' as const, id: 'u', name: 'Echo', input: { text: 'ran' } };
    yield { type: 'block', index: 0, block, cutOff: false };
  };
  const b = bench({ tools: [tool], plays: [failing(broken(true), oneCall)] });
  const done = b.until(turnEnd);
  b.agent.send(b.sessionId, 'go');
  expect(await done).toMatchObject({ outcome: 'done' });
  expect(runs).toBe(1);
  expect(JSON.stringify(b.requests[1]?.messages.at(-1))).toContain('ran 1');
});

test('a turn that could not be written ends in the log as soon as it can be, and the session goes on', async () => {
  const b = bench({ plays: [message({ call: 'Echo', input: { text: 'a' } })] });
  const { append } = b.sessions;
  let full = false;
  b.sessions.append = (sessionId, body) => {
    if (body.type === 'call.started') full = true;
    if (full) throw new Error('disk full');
    return append.call(b.sessions, sessionId, body);
  };
  b.agent.send(b.sessionId, 'go');
  await vi.waitFor(() => expect(b.agent.running(b.sessionId)).toBe(false));
  expect(b.sessions.state(b.sessionId).turn).not.toBeNull();
  full = false;
  const done = b.until((body) => body.type === 'turn.finished' && body.outcome === 'done');
  b.agent.send(b.sessionId, 'once more');
  await done;
  expect(b.calls().map((call) => call.status)).toEqual(['interrupted']);
  expect(pairingFaults(b.requests.at(-1)?.messages ?? [])).toEqual([]);
});

test('text that streamed before the break is kept', async () => {
  const half: Play = async function* () {
    await Promise.resolve();
    yield { type: 'delta', index: 0, kind: 'text', text: 'Half a sen' };
  };
  const b = bench({ plays: [failing(broken(false), half)] });
  const done = b.until(turnEnd);
  b.agent.send(b.sessionId, 'go');
  await done;
  const state = b.sessions.state(b.sessionId);
  expect(state.items.find((item) => item.kind === 'assistant')).toMatchObject({
    blocks: [{ type: 'text', text: 'Half a sen' }],
    stopReason: 'broken',
  });
  expect(b.sessions.liveText(b.sessionId)).toEqual([]);
});

test.each([
  ['Fix the tide test', 'Fix the tide test'],
  ['  first line\nsecond', 'first line'],
  ['', 'New session'],
  [`${'word '.repeat(30)}`, 'word word word word word word word word word word word word…'],
  ['x'.repeat(80), `${'x'.repeat(60)}…`],
])('title from %j', (text, title) => {
  expect(titleFrom(text)).toBe(title);
});
