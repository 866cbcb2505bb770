import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SessionEventBody } from '#shared/session/events';
import { callIdOf } from '../agent/conversation';
import { resultsOf } from '../results/names';
import { Branching } from './branching';
import { openDatabase } from './database';
import { SessionService } from './service';
import { SessionStore } from './store';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gatehouse-branch-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const model = { id: 'm', label: 'M', scripted: false };
const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const presentation = { title: 'Bash', summary: 'ls', activity: '', icon: 'terminal' as const };
const folder = '/srv/app';
const untitled = 'New session';

function setUp(title = 'Work') {
  const { database } = openDatabase({ folder: ':memory:', nativeBinding: undefined });
  const store = new SessionStore(database, () => undefined);
  let time = 1_000;
  const now = () => ++time;
  const sessions = new SessionService(store, now);
  const branching = new Branching({ store, sessions, resultsRoot: root, untitled, now });
  const sessionId = sessions.create({ folder, title, mode: 'plan', model });
  const say = (...bodies: SessionEventBody[]) => {
    for (const body of bodies) sessions.append(sessionId, body);
  };
  return { store, sessions, branching, sessionId, say };
}

const person = (messageId: string): SessionEventBody[] => [
  { type: 'message.queued', messageId, text: `say ${messageId}` },
  { type: 'message.sent', messageId, text: `say ${messageId}` },
  { type: 'turn.started', turnId: `t${messageId}`, model },
];

const begun = (messageId: string, index: number, agentId?: string): SessionEventBody[] => {
  const of = agentId === undefined ? {} : { agentId };
  const block = { type: 'tool_use' as const, id: `use-${messageId}-${index}`, name: 'Bash', input: { command: 'ls' } };
  return [
    { type: 'assistant.block', messageId, index, block, ...of },
    {
      type: 'call.created',
      callId: callIdOf(messageId, index),
      messageId,
      name: 'Bash',
      input: {},
      presentation,
      ...of,
    },
  ];
};
const ended = (callId: string, more: { text?: string; deferred?: true } = {}): SessionEventBody => ({
  type: 'call.finished',
  callId,
  status: more.deferred === undefined ? 'succeeded' : 'interrupted',
  content: [{ type: 'text', text: more.text ?? `result of ${callId}` }],
  view: null,
  note: '',
  ...(more.deferred === undefined ? {} : { deferred: more.deferred }),
});
const text = (messageId: string, index: number): SessionEventBody => ({
  type: 'assistant.block',
  messageId,
  index,
  block: { type: 'text', text: `text of ${messageId}` },
});
const finished = (messageId: string, agentId?: string): SessionEventBody => ({
  type: 'assistant.finished',
  messageId,
  stopReason: 'end_turn',
  usage,
  ...(agentId === undefined ? {} : { agentId }),
});
const started = (messageId: string, agentId?: string): SessionEventBody => ({
  type: 'assistant.started',
  messageId,
  ...(agentId === undefined ? {} : { agentId }),
});
const task = (status: 'running' | 'completed') => ({
  ...{ taskId: 'b1', callId: 'm1.1', command: 'sleep 9', description: '', status, startedAt: 1, endedAt: null },
  ...{ exitCode: null, outputFile: '', outputBytes: 0, note: '' },
});
const agent = (agentId: string, callId: string, status: 'running' | 'completed'): SessionEventBody => ({
  type: 'agent.changed',
  agent: {
    ...{ agentId, callId, parent: null, type: 'general', description: '', model: 'm', background: false, status },
    ...{ startedAt: 1, endedAt: status === 'running' ? null : 2, note: '' },
  },
});

const log: SessionEventBody[] = [
  ...person('u1'),
  started('m1'),
  text('m1', 0),
  ...begun('m1', 1),
  ...begun('m1', 2),
  { type: 'task.changed', task: task('running') },
  { type: 'call.started', callId: 'm1.1' },
  finished('m1'),
  ended('m1.1'),
  ended('m1.2'),
  { type: 'context.added', from: 'a hook', text: 'beside the results' },
  started('m2'),
  text('m2', 0),
  finished('m2'),
  { type: 'turn.finished', turnId: 'tu1', outcome: 'done' },
  { type: 'session.renamed', title: 'Work' },
  ...person('u2'),
  { type: 'context.added', from: 'a hook', text: 'said with u2' },
  started('m3'),
  text('m3', 0),
  finished('m3'),
  { type: 'turn.finished', turnId: 'tu2', outcome: 'done' },
];

/** What the model is told, in few words. */
function told(sessions: SessionService, sessionId: string): string[] {
  return sessions
    .conversation(sessionId)
    .messages()
    .flatMap(({ role, content }) =>
      (typeof content === 'string' ? [] : content).map((block) => {
        if (block.type === 'text') return `${role}: ${block.text}`;
        if (block.type === 'tool_use') return `${role} calls ${block.id}`;
        return block.type === 'tool_result' ? `${role} answers ${block.tool_use_id}` : block.type;
      }),
    );
}

const untilResults = [
  'user: say u1',
  'assistant: text of m1',
  'assistant calls use-m1-1',
  'assistant calls use-m1-2',
  'user answers use-m1-1',
  'user answers use-m1-2',
];
const inHook = (words: string) => expect.stringContaining(words);
const end = 'user: (The answer above ended here.)';

test.each<[string, string, { text: string; told: unknown[]; calls: string[] }]>([
  ['the first message', 'u1', { text: 'say u1', told: [], calls: [] }],
  [
    'an answer with calls',
    'm1',
    { text: '', told: [...untilResults, inHook('beside the results')], calls: ['m1.1', 'm1.2'] },
  ],
  [
    'the last answer of a turn',
    'm2',
    {
      text: '',
      told: [...untilResults, inHook('beside the results'), 'assistant: text of m2', end],
      calls: ['m1.1', 'm1.2'],
    },
  ],
  [
    'a later message',
    'u2',
    {
      text: 'say u2',
      told: [...untilResults, inHook('beside the results'), 'assistant: text of m2', end],
      calls: ['m1.1', 'm1.2'],
    },
  ],
])('a branch from %s has all up to there, and nothing that goes on', async (_name, messageId, expected) => {
  const { sessions, branching, sessionId, say } = setUp();
  say(...log);
  const before = sessions.eventsSince(sessionId, 0);
  const made = await branching.branch({ sessionId, messageId });
  const state = sessions.state(made.sessionId);
  expect(made.text).toBe(expected.text);
  expect(told(sessions, made.sessionId)).toEqual(expected.told);
  expect(Object.entries(state.calls).map(([id, call]) => [id, call.status])).toEqual(
    expected.calls.map((id) => [id, 'succeeded']),
  );
  expect([state.tasks, state.queue, state.turn, state.mode, state.folder]).toEqual([{}, [], null, 'plan', folder]);
  expect(sessions.eventsSince(made.sessionId, 0).map(({ seq }) => seq)).toEqual(
    Array.from({ length: state.seq }, (_, index) => index + 1),
  );
  expect(sessions.list().find((one) => one.sessionId === made.sessionId)).toMatchObject({
    title: 'Work (branch)',
    activity: 'idle',
    origin: { kind: 'branch', sessionId, title: 'Work', throughSeq: expect.any(Number) },
  });
  expect(sessions.eventsSince(sessionId, 0)).toEqual(before);
});

test('a branch goes on like any session, and can be branched again', async () => {
  const { sessions, branching, sessionId, say } = setUp();
  say(...log);
  const first = await branching.branch({ sessionId, messageId: 'm1' });
  for (const body of [...person('u9'), started('m9'), text('m9', 0), finished('m9')])
    sessions.append(first.sessionId, body);
  const second = await branching.branch({ sessionId: first.sessionId, messageId: 'm9' });
  expect(told(sessions, second.sessionId).slice(-3)).toEqual(['user: say u9', 'assistant: text of m9', end]);
  expect(sessions.list().map(({ title }) => title)).toEqual(['Work (branch)', 'Work (branch)', 'Work']);
});

test('calls without a result that counts are left out, their message stays', async () => {
  const { sessions, branching, sessionId, say } = setUp(untitled);
  say(...person('u1'), started('m1'), ...begun('m1', 0), ...begun('m1', 1), ...begun('m1', 2), finished('m1'));
  say(ended('m1.1'), ended('m1.2', { deferred: true }));
  const made = await branching.branch({ sessionId, messageId: 'm1' });
  expect(told(sessions, made.sessionId)).toEqual(['user: say u1', 'assistant calls use-m1-1', 'user answers use-m1-1']);
  expect(Object.keys(sessions.state(made.sessionId).calls)).toEqual(['m1.1']);
  expect(sessions.state(made.sessionId).title).toBe(untitled);
});

test('what sub-agents did comes along once they and the calls that started them have ended', async () => {
  const { sessions, branching, sessionId, say } = setUp();
  say(...person('u1'), started('m1'), ...begun('m1', 0), ...begun('m1', 1), finished('m1'));
  for (const [id, call] of [
    ['a1', 'm1.0'],
    ['a2', 'm1.1'],
  ] as const) {
    say(agent(id, call, 'running'), { type: 'message.sent', messageId: `u-${id}`, text: 'Work.', agentId: id });
    say(started(`m-${id}`, id), ...begun(`m-${id}`, 0, id), finished(`m-${id}`, id), ended(`m-${id}.0`));
  }
  say(agent('a1', 'm1.0', 'completed'), ended('m1.0'), ended('m1.1'));
  const made = await branching.branch({ sessionId, messageId: 'm1' });
  const state = sessions.state(made.sessionId);
  // a2 works on in the background.
  expect([Object.keys(state.calls), Object.keys(state.agents)]).toEqual([['m1.0', 'm1.1', 'm-a1.0'], ['a1']]);
});

test('a compaction before the branch counts in it under its new number, a later one does not', async () => {
  const { sessions, branching, sessionId, say } = setUp();
  say(...log);
  const throughSeq = sessions.state(sessionId).seq;
  say({ type: 'conversation.compacted', throughSeq, summary: 'short', trigger: 'auto', tokensBefore: 9 });
  say(...person('u4'), started('m4'), text('m4', 0), finished('m4'));
  const [late, early] = [
    await branching.branch({ sessionId, messageId: 'm4' }),
    await branching.branch({ sessionId, messageId: 'm3' }),
  ];
  expect(told(sessions, late.sessionId)).toEqual([inHook('short'), 'user: say u4', 'assistant: text of m4', end]);
  expect(told(sessions, early.sessionId).slice(0, 1)).toEqual(['user: say u1']);
});

test.each<[string, string, string]>([
  ['a message that there is not', 'x', 'notFound'],
  ['a sub-agent’s message', 'u-a1', 'notFound'],
  ['a message that still waits', 'q', 'notFound'],
  ['an answer that is being written', 'm5', 'conflict'],
])('%s is refused, and nothing is made', async (_name, messageId, code) => {
  const { sessions, store, branching, sessionId, say } = setUp();
  say(...log, { type: 'message.sent', messageId: 'u-a1', text: 'Work.', agentId: 'a1' });
  say({ type: 'message.queued', messageId: 'q', text: 'later' }, started('m5'), text('m5', 0));
  await expect(branching.branch({ sessionId, messageId })).rejects.toMatchObject({ code });
  expect([sessions.list().length, store.deletedBefore(Number.POSITIVE_INFINITY)]).toEqual([1, []]);
});

test('kept results are the branch’s own: named anew, readable when the first session is gone', async () => {
  const { sessions, branching, sessionId, say } = setUp();
  const from = resultsOf(root, { folder, sessionId });
  mkdirSync(from, { recursive: true });
  writeFileSync(join(from, 'use_1.txt'), 'the whole output');
  writeFileSync(join(root, 'secret'), 'not a result');
  symlinkSync(join(root, 'secret'), join(from, 'use_2.txt'));
  const told = (name: string) => `All of it is in the file\n${join(from, name)}\nRead it. ${from}-not/x`;
  const thinking = { type: 'thinking' as const, thinking: join(from, 'use_1.txt'), signature: 's' };
  say(...person('u1'), started('m1'), { type: 'assistant.block', messageId: 'm1', index: 0, block: thinking });
  say(...begun('m1', 1), ...begun('m1', 2), finished('m1'));
  const persisted = { file: join(from, 'use_1.txt'), bytes: 16, previewChars: 3 };
  say({ ...ended('m1.1', { text: told('use_1.txt') }), persisted } as SessionEventBody);
  say(ended('m1.2', { text: told('use_2.txt') }));
  const made = await branching.branch({ sessionId, messageId: 'm1' });
  const to = resultsOf(root, { folder, sessionId: made.sessionId });
  rmSync(from, { recursive: true });
  expect(readFileSync(join(to, 'use_1.txt'), 'utf8')).toBe('the whole output');
  expect(() => lstatSync(join(to, 'use_2.txt'))).toThrow('ENOENT');
  const { calls, items } = sessions.state(made.sessionId);
  expect(calls['m1.1']).toMatchObject({
    persisted: { file: join(to, 'use_1.txt') },
    modelText: `All of it is in the file\n${join(to, 'use_1.txt')}\nRead it. ${from}-not/x`,
  });
  // A signed thought is only good as it is.
  expect(items[1]).toMatchObject({ blocks: [thinking, {}, {}] });
});
