import { expect, test } from 'vitest';
import type { HookEvent } from '../hooks/hooks';
import { ModelFailure } from '../model/client';
import { type Bench, bench, message } from '../testing/bench';
import { blocked, fakeHooks, stopped } from './testing/fakeHooks';
import { pairingFaults } from './testing/pairingFaults';

const call = { call: 'Echo', input: { text: 'a' } };

async function turn(b: Bench, text = 'go') {
  const done = b.until((body) => body.type === 'turn.finished');
  b.agent.send(b.sessionId, text);
  return await done;
}

const notices = (b: Bench) => b.sessions.state(b.sessionId).items.filter((item) => item.kind === 'notice');
const lastOf = (b: Bench) => JSON.stringify(b.requests.at(-1)?.messages);

test('a prompt that a hook blocks is erased: the model never hears of it, the person does, the next one is sent', async () => {
  const judge = (event: HookEvent) =>
    event.name === 'UserPromptSubmit' && event.prompt.includes('secret') ? blocked('holds a secret') : {};
  const hooks = fakeHooks({ UserPromptSubmit: judge });
  const b = bench({ hooks });
  const outcomes: string[] = [];
  const done = b.until((body) => body.type === 'turn.finished' && outcomes.push(body.outcome) === 2);
  expect(b.agent.send(b.sessionId, 'the secret is 7')).toMatchObject({ queued: false });
  expect(b.agent.send(b.sessionId, 'hello')).toMatchObject({ queued: true });
  await done;
  expect(outcomes).toEqual(['stopped', 'done']);
  expect(b.requests).toHaveLength(1);
  expect(lastOf(b)).not.toContain('secret');
  expect(notices(b)).toMatchObject([{ text: 'guard.sh refused your message: holds a secret' }]);
  const { items, queue, title } = b.sessions.state(b.sessionId);
  expect([items.filter((item) => item.kind === 'user').length, queue, title]).toEqual([1, [], 'hello']);
});

test('continue: false ends before the turn begins, too', async () => {
  const b = bench({ hooks: fakeHooks({ UserPromptSubmit: stopped('closed today') }) });
  const types: string[] = [];
  const ended = b.until((body) => types.push(body.type) > 0 && body.type === 'turn.finished');
  b.agent.send(b.sessionId, 'go');
  await ended;
  // What tells why lies within the turn, where those who follow it look.
  expect(types).toEqual(['message.queued', 'turn.started', 'message.unqueued', 'notice', 'turn.finished']);
  expect([b.requests.length, b.agent.running(b.sessionId)]).toEqual([0, false]);
});

test('a message that is taken back while hooks look at it is not sent', async () => {
  let release: (outcome: object) => void = () => undefined;
  const looking = new Promise<object>((resolve) => {
    release = resolve;
  });
  const look = () => looking;
  const b = bench({ hooks: fakeHooks({ UserPromptSubmit: look }) });
  const { messageId } = b.agent.send(b.sessionId, 'go');
  b.agent.unqueue(b.sessionId, messageId);
  release({});
  await b.agent.stop(b.sessionId);
  expect(b.sessions.state(b.sessionId).items).toEqual([]);
});

test('text of start and prompt hooks reaches the model beside the prompt, once a session and once a prompt', async () => {
  const hooks = fakeHooks({
    SessionStart: { context: ['house rules'], messages: ['Loaded.'] },
    UserPromptSubmit: { context: ['it rains'] },
  });
  const b = bench({ hooks });
  await turn(b);
  await turn(b, 'again');
  expect(b.requests[1]?.messages[0]?.content).toEqual([
    { type: 'text', text: '<gatehouse-context source="SessionStart hook">\nhouse rules\n</gatehouse-context>' },
    { type: 'text', text: 'go' },
    { type: 'text', text: '<gatehouse-context source="UserPromptSubmit hook">\nit rains\n</gatehouse-context>' },
  ]);
  expect(hooks.fired.map((event) => [event.name, 'source' in event ? event.source : ''])).toEqual([
    ['SessionStart', 'startup'],
    ['UserPromptSubmit', ''],
    ['UserPromptSubmit', ''],
  ]);
  expect(notices(b)).toMatchObject([{ text: 'Loaded.', level: 'warning' }]);
});

test('SessionEnd is told once of a session that was used, and of no other', async () => {
  const hooks = fakeHooks({ SessionEnd: {} });
  const b = bench({ hooks });
  b.sessions.create({ folder: '/other', title: 'T', mode: 'default', model: { id: 'm', label: 'M', scripted: false } });
  await turn(b);
  await b.agent.dispose();
  await b.agent.dispose();
  expect(hooks.fired).toEqual([{ name: 'SessionEnd', reason: 'other' }]);
});

test('a Stop hook that blocks sends the model on with its reason, and is told that it did', async () => {
  let times = 0;
  const judge = () => (++times === 1 ? blocked('tests are red') : {});
  const hooks = fakeHooks({ Stop: judge });
  const b = bench({ hooks, plays: [message({ text: 'Ready.' }), message({ text: 'Now ready.' })] });
  expect(await turn(b)).toMatchObject({ outcome: 'done' });
  expect(b.requests[1]?.messages.at(-1)).toMatchObject({
    role: 'user',
    content: [{ text: '<gatehouse-context source="Stop hook">\ntests are red\n</gatehouse-context>' }],
  });
  expect(hooks.fired).toEqual([
    { name: 'Stop', stopHookActive: false, lastAssistantMessage: 'Ready.' },
    { name: 'Stop', stopHookActive: true, lastAssistantMessage: 'Now ready.' },
  ]);
});

test('Stop hooks make the model go on at most eight times', async () => {
  const b = bench({ hooks: fakeHooks({ Stop: blocked('more') }) });
  expect(await turn(b)).toMatchObject({ outcome: 'done' });
  expect(b.requests).toHaveLength(9);
  expect(notices(b)).toMatchObject([
    { text: 'Stop hooks made the model go on 8 times in a row, so the turn ended here.' },
  ]);
});

test('continue: false of a Stop hook ends the turn over any block', async () => {
  const b = bench({ hooks: fakeHooks({ Stop: { ...blocked('more'), ...stopped('enough') } }) });
  expect(await turn(b)).toMatchObject({ outcome: 'done' });
  expect([b.requests.length, notices(b)]).toMatchObject([1, [{ text: 'guard.sh ended the turn: enough' }]]);
});

test.each([
  ['blocks', blocked('red')],
  ['says continue: false', stopped('red')],
])('a PostToolBatch hook that %s stops the loop; its results are in the log', async (_what, answer) => {
  const hooks = fakeHooks({ PostToolBatch: answer });
  const b = bench({ hooks, plays: [message(call, { call: 'Nope', input: {} })] });
  expect(await turn(b)).toMatchObject({ outcome: 'stopped' });
  expect(b.requests).toHaveLength(1);
  expect(hooks.fired).toMatchObject([
    {
      name: 'PostToolBatch',
      calls: [
        { toolName: 'Echo', toolInput: { text: 'a' }, toolUseId: 'u0', result: 'a', isError: false },
        { toolName: 'Nope', isError: true },
      ],
    },
  ]);
  expect(notices(b)).toMatchObject([{ text: 'guard.sh ended the turn: red' }]);
});

test('text of a PostToolBatch hook follows the results', async () => {
  const b = bench({ hooks: fakeHooks({ PostToolBatch: { context: ['mind the gap'] } }), plays: [message(call, call)] });
  await turn(b);
  const content = b.requests[1]?.messages.at(-1)?.content;
  expect(Array.isArray(content) && content.map((block) => block.type)).toEqual(['tool_result', 'tool_result', 'text']);
  expect(pairingFaults(b.requests[1]?.messages ?? [])).toEqual([]);
});

test.each([
  ['PreCompact', stopped('not now'), 0, ['guard.sh ended the turn: not now']],
  ['PreCompact', blocked('not now'), 0, ['guard.sh refused to compact the conversation: not now']],
  ['PostCompact', stopped('enough'), 1, ['guard.sh ended the turn: enough']],
] as const)('%s hooks: %o', async (name, answer, compactions, told) => {
  const hooks = fakeHooks({ [name]: answer });
  const b = bench({ hooks });
  await turn(b);
  const done = b.until((body) => body.type === 'turn.finished');
  b.agent.compact(b.sessionId);
  await done;
  const { items } = b.sessions.state(b.sessionId);
  expect(items.filter((item) => item.kind === 'compaction')).toHaveLength(compactions);
  expect(notices(b).map((item) => item.kind === 'notice' && item.text)).toEqual(told);
  expect(hooks.fired).toEqual([{ name, trigger: 'manual' }]);
});

test('StopFailure is told of what ended the turn', async () => {
  const hooks = fakeHooks({ StopFailure: {}, Stop: {} });
  const failing = async function* () {
    await Promise.resolve();
    yield* [];
    throw new ModelFailure('Limited.', { next: 'Wait.', retryable: false, kind: 'rate_limit' });
  };
  const b = bench({ hooks, plays: [failing] });
  expect(await turn(b)).toMatchObject({ outcome: 'failed' });
  expect(hooks.fired).toEqual([{ name: 'StopFailure', error: 'rate_limit', errorDetails: 'Limited.' }]);
});

test('a stop while a hook works ends the turn without another request', async () => {
  let release: (outcome: object) => void = () => undefined;
  const working = new Promise<object>((resolve) => {
    release = resolve;
  });
  let ask: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const judge = () => {
    ask();
    return working;
  };
  const hooks = fakeHooks({ Stop: judge });
  const b = bench({ hooks });
  b.agent.send(b.sessionId, 'go');
  await asked;
  const stopping = b.agent.stop(b.sessionId);
  release(blocked('more'));
  await stopping;
  expect(b.requests).toHaveLength(1);
  expect(b.sessions.state(b.sessionId).turn).toBeNull();
});
