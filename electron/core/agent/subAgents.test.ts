// Sub-agents over the real loop, pipeline and log.
import { expect, test } from 'vitest';
import type { Decision } from '#shared/permissions/decision';
import type { PermissionMode } from '#shared/permissions/modes';
import type { AgentType } from '../context/definitions';
import type { HookEvent, HookOutcome, Hooks } from '../hooks/hooks';
import { noHookOutcome } from '../hooks/hooks';
import type { ModelRequest } from '../model/client';
import { openDatabase } from '../sessions/database';
import { SessionService } from '../sessions/service';
import { SessionStore } from '../sessions/store';
import { ask, deny, echoTool, message, type Play } from '../testing/bench';
import { agentBench, agentType } from './testing/agentBench';
import { pairingFaults } from './testing/pairingFaults';

const start = (input: object = {}) => ({
  call: 'Agent',
  input: { description: 'look around', prompt: 'Look around.', ...input },
});
const echo = (text: string) => ({ call: 'Echo', input: { text } });
const allow: Decision = { behavior: 'allow', reason: { type: 'readOnly', detail: 'test' }, parts: [] };

/** Plays by what the request is about: the session's own turn or the agent's. */
function byPart(parts: { readonly own: Play[]; readonly agent: Play[] }): Play[] {
  const play: Play = (request) => {
    const list = isAgents(request) ? parts.agent : parts.own;
    return (list.shift() ?? message({ text: 'Done.' }))(request);
  };
  return Array.from({ length: 40 }, () => play);
}
const isAgents = (request: ModelRequest) => request.system.includes('# Your part');
const lastResult = (request: ModelRequest | undefined): unknown => {
  const content = request?.messages.at(-1)?.content;
  return Array.isArray(content) ? content.find((block) => block.type === 'tool_result') : content;
};
const done = (body: { type: string }) => body.type === 'turn.finished';

test('an agent works in a conversation of its own; its last text is the result', async () => {
  const b = agentBench({
    plays: byPart({
      own: [message({ text: 'I send one.' }, start()), message({ text: 'It says: all well.' })],
      agent: [message({ text: 'Looking.' }, echo('x')), message({ text: 'All well.' })],
    }),
  });
  const ended = b.until(done);
  b.agent.send(b.sessionId, 'go');
  await ended;
  const agents = b.requests.filter(isAgents);
  expect(agents.map(({ messages }) => messages.length)).toEqual([1, 3]);
  expect(agents[0]?.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Look around.' }] }]);
  const own = b.requests.filter((request) => !isAgents(request));
  expect(own.map(({ messages }) => messages.length)).toEqual([1, 3]);
  expect(lastResult(own[1])).toMatchObject({ content: [{ type: 'text', text: 'All well.' }] });
  expect(b.requests.flatMap(({ messages }) => pairingFaults(messages))).toEqual([]);

  const state = b.sessions.state(b.sessionId);
  expect(Object.values(state.agents)).toMatchObject([
    { agentId: 'a1', type: 'general-purpose', parent: null, status: 'completed', description: 'look around', note: '' },
  ]);
  expect(Object.values(state.calls).map(({ name, agentId, status }) => [name, agentId, status])).toEqual([
    ['Agent', undefined, 'succeeded'],
    ['Echo', 'a1', 'succeeded'],
  ]);
  const texts = state.items.flatMap((item) => (item.kind === 'assistant' ? item.blocks : []));
  expect(texts.filter((block) => block.type === 'text').map((block) => block.text)).toEqual([
    'I send one.',
    'It says: all well.',
  ]);
  // Messages cost tokens, whoever sends them.
  expect(state.usage.outputTokens).toBe(4);
});

test('a call of an agent asks in its name; a denial with words goes on, one without stops the agent', async () => {
  const b = agentBench({
    plays: byPart({
      own: [message(start(), start())],
      agent: [message(echo('first')), message(echo('second')), message({ text: 'I was told otherwise.' })],
    }),
  });
  b.setDecision(({ toolName }) => (toolName === 'Echo' ? ask : allow));
  const asked: (string | null)[] = [];
  b.sessions.listen({
    onEvent: (sessionId, { body }) => {
      if (body.type !== 'call.asked' || body.ask.kind !== 'permission') return;
      asked.push(body.ask.agent);
      const { input, askId } = body.ask;
      const words = JSON.stringify(input).includes('first') ? { words: 'Not this file.' } : {};
      queueMicrotask(() => void b.asks.answer({ sessionId, askId, answer: { kind: 'deny', ...words } }));
    },
    onLive: () => undefined,
    onListChange: () => undefined,
  });
  const ended = b.until(done);
  b.agent.send(b.sessionId, 'go');
  await ended;
  expect(asked).toEqual(['general-purpose', 'general-purpose']);
  const results = b.calls().filter(({ name }) => name === 'Agent');
  expect(results.map(({ status }) => status).sort()).toEqual(['failed', 'succeeded']);
  const texts = results.map((call) => ('modelText' in call ? call.modelText : ''));
  expect(texts.some((text) => text === 'I was told otherwise.')).toBe(true);
  expect(texts.some((text) => text.includes('You denied a call, so the turn stopped here.'))).toBe(true);
  expect(b.requests.filter((request) => !isAgents(request))).toHaveLength(2);
});

test('what is denied to the session is denied to its agents', async () => {
  const b = agentBench({ plays: byPart({ own: [message(start())], agent: [message(echo('x'))] }) });
  b.setDecision(({ toolName }) => (toolName === 'Echo' ? deny : allow));
  const ended = b.until(done);
  b.agent.send(b.sessionId, 'go');
  await ended;
  expect(b.calls().map(({ name, status }) => [name, status])).toEqual([
    ['Agent', 'succeeded'],
    ['Echo', 'denied'],
  ]);
});

test.each([
  ['a list', { tools: ['Echo'] }, ['Echo']],
  ['rules in the list', { tools: ['Echo(x:*)', 'Nothing'] }, ['Echo']],
  ['all but one', { withoutTools: ['Echo'] }, ['Agent', 'Change', 'Skill']],
])('an agent has the tools of its kind: %s', async (_name, kind, names) => {
  const b = agentBench({
    types: [agentType({ name: 'small', ...kind })],
    tools: [echoTool({}), echoTool({ name: 'Change', safe: false }), echoTool({ name: 'TodoWrite' })],
    plays: byPart({
      own: [message(start({ subagent_type: 'small' }))],
      agent: [message({ call: 'TodoWrite', input: { text: 'x' } })],
    }),
  });
  const ended = b.until(done);
  b.agent.send(b.sessionId, 'go');
  await ended;
  const [request] = b.requests.filter(isAgents);
  expect(request?.tools.map(({ name }) => name)).toEqual(names);
  expect(b.calls()[1]).toMatchObject({ name: 'TodoWrite', status: 'failed' });
});

test('agents of agents reach down two levels; tools of the outer one bound those of the inner one', async () => {
  const b = agentBench({
    types: [agentType({ name: 'small', tools: ['Agent', 'Echo'] })],
    tools: [echoTool({}), echoTool({ name: 'Change', safe: false })],
    plays: byPart({
      own: [message(start({ subagent_type: 'small' }))],
      agent: [
        message(start({ prompt: 'deeper' })),
        message(start({ prompt: 'too deep' })),
        message({ text: 'Inner.' }),
      ],
    }),
  });
  const ended = b.until(done);
  b.agent.send(b.sessionId, 'go');
  await ended;
  const agents = Object.values(b.sessions.state(b.sessionId).agents);
  expect(agents.map(({ agentId, parent, type }) => [agentId, parent, type])).toEqual([
    ['a1', null, 'small'],
    ['a2', 'a1', 'general-purpose'],
  ]);
  const inner = b.requests.filter(
    (request) => isAgents(request) && JSON.stringify(request.messages).includes('deeper'),
  );
  expect(inner.at(0)?.tools.map(({ name }) => name)).toEqual(['Echo']);
  expect(b.calls().filter(({ status }) => status === 'failed')).toMatchObject([{ name: 'Agent', agentId: 'a2' }]);
});

test('stopping the session stops its agents and their calls; every call has one result', async () => {
  const slow = echoTool({
    name: 'Slow',
    run: (_text, { signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
  });
  const b = agentBench({
    tools: [slow],
    plays: byPart({
      own: [message(start(), start())],
      agent: [1, 2].map(() => message({ call: 'Slow', input: { text: 'x' } })),
    }),
  });
  let running = 0;
  const both = b.until((body) => {
    if (body.type === 'call.started') running += 1;
    return running === 4;
  });
  b.agent.send(b.sessionId, 'go');
  await both;
  await b.agent.stop(b.sessionId);
  const { agents, calls } = b.sessions.state(b.sessionId);
  expect(Object.values(agents).map(({ status }) => status)).toEqual(['stopped', 'stopped']);
  expect(Object.values(calls).map(({ status }) => status)).toEqual(Array(4).fill('interrupted'));
  expect(b.logged).toEqual([]);
});

test('in the background an agent is a task: it outlives the turn, tells its text, and can be stopped', async () => {
  const gate: { open?: () => void } = {};
  const held = new Promise<void>((resolve) => {
    gate.open = resolve;
  });
  const b = agentBench({
    tools: [echoTool({ run: (text) => held.then(() => text) })],
    plays: byPart({
      own: [message(start({ run_in_background: true })), message({ text: 'It runs.' })],
      agent: [message({ text: 'Looking.' }, echo('x')), message({ text: 'All well.' })],
    }),
  });
  const ended = b.until(done);
  b.agent.send(b.sessionId, 'go');
  await ended;
  const tasks = b.services.tasks(b.sessionId, 'c');
  expect(tasks.list()).toMatchObject([
    { taskId: 'b1', command: 'Agent general-purpose: look around', status: 'running' },
  ]);
  gate.open?.();
  const task = await tasks.wait('b1', { waitMs: 5_000, signal: new AbortController().signal });
  expect(task).toMatchObject({ status: 'completed', exitCode: 0 });
  expect(tasks.readNew('b1', { maxChars: 1_000 })?.text).toBe('Looking.\n[Echo x: succeeded, echoed]\nAll well.\n');
  expect(Object.values(b.sessions.state(b.sessionId).agents)).toMatchObject([
    { background: true, status: 'completed' },
  ]);
});

test('a background agent that the person stops ends with its calls', async () => {
  const slow = echoTool({
    run: (_text, { signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
  });
  const b = agentBench({
    tools: [slow],
    plays: byPart({ own: [message(start({ run_in_background: true }))], agent: [message(echo('x'))] }),
  });
  const started = b.until(
    (body) =>
      body.type === 'call.started' && b.calls().some(({ agentId, status }) => agentId === 'a1' && status === 'running'),
  );
  const ended = b.until(done);
  b.agent.send(b.sessionId, 'go');
  await Promise.all([started, ended]);
  const task = await b.services.tasks(b.sessionId, 'c').stop('b1', 'person');
  expect(task).toMatchObject({ status: 'stopped', note: 'stopped by you' });
  expect(b.calls().find(({ agentId }) => agentId === 'a1')).toMatchObject({ status: 'interrupted' });
});

test('hooks hear of start and end of an agent and may send it on; events of its calls name it', async () => {
  const heard: [string, string | undefined][] = [];
  const outcome = (event: HookEvent): HookOutcome => {
    if (event.name === 'SubagentStart') return { ...noHookOutcome, context: ['Mind the tide.'] };
    const block = { reason: 'Look again.', hook: 'h' };
    return event.name === 'SubagentStop' && !event.stopHookActive ? { ...noHookOutcome, block } : noHookOutcome;
  };
  const hooks: Hooks = {
    listens: () => true,
    fire(event, place) {
      heard.push([event.name, place.agent?.agentId]);
      return Promise.resolve(outcome(event));
    },
    dispose: () => Promise.resolve(),
  };
  const b = agentBench({
    hooks,
    plays: byPart({
      own: [message(start())],
      agent: [message(echo('x')), message({ text: 'Once.' }), message({ text: 'Twice.' })],
    }),
  });
  const ended = b.until(done);
  b.agent.send(b.sessionId, 'go');
  await ended;
  expect(heard.filter(([, agent]) => agent === 'a1').map(([name]) => name)).toEqual([
    'SubagentStart',
    'PreToolUse',
    'PostToolUse',
    'PostToolBatch',
    'SubagentStop',
    'SubagentStop',
  ]);
  expect(heard.filter(([, agent]) => agent === undefined).map(([name]) => name)).toContain('Stop');
  expect(JSON.stringify(b.requests.find(isAgents)?.messages)).toContain('Mind the tide.');
  expect(b.calls()[0]).toMatchObject({ modelText: 'Twice.' });
});

test('an agent has its own model, folder, view of files and number of messages', async () => {
  const seen: string[] = [];
  const look = echoTool({
    name: 'Look',
    safe: false,
    run: (text, context) => {
      seen.push(`${text} ${context.cwd}`);
      context.setCwd('/folder/sub');
      return Promise.resolve(text);
    },
  });
  const call = (text: string) => message({ call: 'Look', input: { text } });
  const b = agentBench({
    tools: [look],
    types: [agentType({ name: 'short', maxTurns: 2, model: 'small-1' })],
    plays: byPart({
      own: [message(start({ subagent_type: 'short' })), call('own')],
      agent: [call('one'), call('two'), call('three')],
    }),
  });
  const ended = b.until(done);
  b.agent.send(b.sessionId, 'go');
  await ended;
  expect(seen).toEqual(['one /folder', 'two /folder/sub', 'own /folder']);
  expect(b.requests.map(({ model }) => model)).toEqual(['test', 'small-1', 'small-1', 'test', 'test']);
  expect(b.calls()[0]).toMatchObject({ status: 'failed' });
});

test.each<[PermissionMode, AgentType['mode'], PermissionMode]>([
  ['default', 'plan', 'plan'],
  ['bypassPermissions', 'dontAsk', 'dontAsk'],
  ['plan', 'dontAsk', 'plan'],
  ['dontAsk', 'plan', 'dontAsk'],
  ['acceptEdits', null, 'acceptEdits'],
])('in a session in %s an agent of mode %s works in %s', async (mode, own, expected) => {
  const modes: PermissionMode[] = [];
  const b = agentBench({
    types: [agentType({ name: 'other', mode: own })],
    engine: {
      evaluate: (request, situation) => {
        if (request.toolName === 'Echo') modes.push(situation.mode);
        return Promise.resolve({ decision: allow, paths: [], hosts: [], suggestions: [], pattern: '' });
      },
    },
    plays: byPart({ own: [message(start({ subagent_type: 'other' }))], agent: [message(echo('x'))] }),
  });
  b.sessions.append(b.sessionId, { type: 'mode.changed', mode });
  const ended = b.until(done);
  b.agent.send(b.sessionId, 'go');
  await ended;
  expect(modes).toEqual([expected]);
});

test('an agent that judges for a hook knows its own instructions alone, fires no hooks and asks nobody', async () => {
  const fired: string[] = [];
  const hooks: Hooks = {
    listens: () => true,
    fire(event) {
      fired.push(event.name);
      return Promise.resolve(noHookOutcome);
    },
    dispose: () => Promise.resolve(),
  };
  const b = agentBench({ hooks, plays: [message(echo('x')), message({ text: '{"ok": true}' })] });
  b.setDecision(() => ask);
  const end = await b.subAgents.run({
    sessionId: b.sessionId,
    callId: 'c',
    type: agentType({ name: 'hook', prompt: 'Judge.', tools: ['Echo'], maxTurns: 50 }),
    prompt: 'Is all well?',
    description: 'judges for a hook',
    model: null,
    background: false,
    folder: null,
    judges: true,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  expect([end.agent.status, end.text, end.calls]).toEqual(['completed', '{"ok": true}', 1]);
  expect(b.requests.map(({ system }) => system)).toEqual(['Judge.', 'Judge.']);
  expect(b.calls()).toMatchObject([{ name: 'Echo', status: 'denied' }]);
  expect(fired).toEqual([]);
});

test.each([
  ['an unknown kind', { subagent_type: 'generl-purpose' }, 'Did you mean general-purpose?'],
  ['a kind that has to have a worktree', { subagent_type: 'apart' }, 'call it with isolation: "worktree"'],
])('refused before anything runs: %s', async (_name, input, words) => {
  const types = [agentType({ name: 'apart', isolation: 'worktree' })];
  const b = agentBench({ types, plays: byPart({ own: [message(start(input))], agent: [] }) });
  const ended = b.until(done);
  b.agent.send(b.sessionId, 'go');
  await ended;
  const [call] = b.calls();
  expect(call).toMatchObject({ status: 'failed', failure: 'validation' });
  expect(call !== undefined && 'modelText' in call ? call.modelText : '').toContain(words);
  expect(b.sessions.state(b.sessionId).agents).toEqual({});
});

test('an agent that a crash left running is ended when the session is opened again, with its calls', () => {
  const { database } = openDatabase({ folder: ':memory:', nativeBinding: undefined });
  const sessions = new SessionService(new SessionStore(database, () => undefined), () => 5);
  const model = { id: 'm', label: 'M', scripted: false };
  const id = sessions.create({ folder: '/f', title: 't', mode: 'default', model });
  const agent = {
    ...{ agentId: 'a1', callId: 'm.0', parent: null, type: 'x', description: 'd', model: 'm', background: true },
    ...({ status: 'running', startedAt: 1, endedAt: null, note: '' } as const),
  };
  sessions.append(id, { type: 'agent.changed', agent });
  const presentation = { title: 'Echo', summary: '', activity: '', icon: 'tool' } as const;
  sessions.append(id, {
    type: 'call.created',
    callId: 'n.0',
    messageId: 'n',
    name: 'Echo',
    input: {},
    presentation,
    agentId: 'a1',
  });
  sessions.repairAgents(id, () => true);
  expect(sessions.state(id).agents.a1?.status).toBe('running');
  sessions.repairAgents(id, () => false);
  expect([sessions.state(id).agents.a1?.status, sessions.state(id).calls['n.0']?.status]).toEqual([
    'stopped',
    'interrupted',
  ]);
});
