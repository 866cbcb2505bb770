import { expect, test } from 'vitest';
import { type ModelEvent, ModelFailure } from '../model/client';
import { type Bench, bench, echoTool, message, type Play, usage } from '../testing/bench';
import { buildTool } from '../tools/buildTool';
import { pairingFaults } from './testing/pairingFaults';

/** A message of the given events that ends for the given reason. */
function ending(stopReason: string, events: readonly ModelEvent[] = [], inputTokens = 1): Play {
  return async function* () {
    await Promise.resolve();
    yield* events;
    yield { type: 'finished', stopReason, usage: { ...usage, inputTokens } };
  };
}
const text = (value: string, index = 0): ModelEvent => ({
  type: 'block',
  index,
  block: { type: 'text', text: value },
  cutOff: false,
});
const use = (index: number, cutOff = false): ModelEvent => {
  const block = {
    type: 'tool_use' as const,
    id: `u${index}`,
    name: 'Echo',
    input: cutOff ? {} : { text: `t${index}` },
  };
  return cutOff ? { type: 'block', index, block, cutOff } : { type: 'block', index, block, cutOff };
};
const failing = (failure: ModelFailure): Play =>
  async function* () {
    await Promise.resolve();
    yield* [];
    throw failure;
  };
const exceeded = new ModelFailure('Too long.', { next: '', retryable: false, kind: 'context_exceeded' });

async function turn(b: Bench, say = 'go') {
  const done = b.until((body) => body.type === 'turn.finished');
  b.agent.send(b.sessionId, say);
  return await done;
}
const sent = (b: Bench, at = -1) => JSON.stringify(b.requests.at(at)?.messages);
const notices = (b: Bench) =>
  b.sessions.state(b.sessionId).items.flatMap((item) => (item.kind === 'notice' ? [item.text] : []));

test('a call cut off by the limit never runs: the message is asked for again with a higher one', async () => {
  let runs = 0;
  const tool = echoTool({ run: (value) => Promise.resolve(`${value}${++runs}`) });
  const cut = ending('max_tokens', [text('Let me'), use(1, true)]);
  const b = bench({ tools: [tool], plays: [cut, ending('tool_use', [use(0)])] });
  expect(await turn(b)).toMatchObject({ outcome: 'done' });
  expect(b.requests.map((request) => request.maxTokens)).toEqual([undefined, 32_000, 32_000]);
  expect(sent(b, 1)).not.toContain('Let me');
  expect(runs).toBe(1);
});

test('cut off twice, or beside calls that ran: the cut call gets an error result', async () => {
  const cut = ending('max_tokens', [use(0, true)]);
  const b = bench({ plays: [cut, cut, message({ text: 'Shorter then.' })] });
  expect(await turn(b)).toMatchObject({ outcome: 'done' });
  expect(b.calls().map((call) => call.status)).toEqual(['failed']);
  const beside = bench({ plays: [ending('max_tokens', [use(0), use(1, true)])] });
  await turn(beside);
  expect(beside.calls().map((call) => call.status)).toEqual(['succeeded', 'failed']);
  expect(beside.requests).toHaveLength(2);
});

test('a model that may not write that much is asked with the usual limit again', async () => {
  const cut = ending('max_tokens', [use(0, true)]);
  const refusing = failing(
    new ModelFailure('max_tokens: 32000 > 8192', { next: '', retryable: false, kind: 'invalid_request' }),
  );
  const b = bench({ plays: [cut, refusing, cut, message({ text: 'Shorter then.' })] });
  expect(await turn(b)).toMatchObject({ outcome: 'done' });
  expect(b.requests.map((request) => request.maxTokens)).toEqual([undefined, 32_000, undefined, undefined]);
  expect(b.calls().map((call) => call.status)).toEqual(['failed']);
});

test('a long text without a call is not asked for again', async () => {
  const b = bench({ plays: [ending('max_tokens', [text('Long')])] });
  expect(await turn(b)).toMatchObject({ outcome: 'done' });
  expect([b.requests.length, notices(b).length]).toEqual([1, 1]);
});

test('pause_turn sends the content back unchanged, a bounded number of times', async () => {
  const server = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} };
  const paused = ending('pause_turn', [
    { type: 'block', index: 0, block: { type: 'server', block: server }, cutOff: false },
  ]);
  const b = bench({ plays: [paused, message({ text: 'Found.' })] });
  expect(await turn(b)).toMatchObject({ outcome: 'done' });
  expect(b.requests[1]?.messages.at(-1)).toEqual({ role: 'assistant', content: [server] });
  const endless = bench({ plays: Array.from({ length: 20 }, () => paused) });
  expect(await turn(endless)).toMatchObject({ outcome: 'stopped' });
  expect(endless.requests).toHaveLength(11);
});

test('a refusal is told and its partial output not sent again', async () => {
  const b = bench({ plays: [ending('refusal', [text('I would')])] });
  expect(await turn(b)).toMatchObject({ outcome: 'failed' });
  await turn(b, 'else');
  expect(sent(b)).not.toContain('I would');
  expect(notices(b)).toEqual(['The model declined to answer this.']);
});

test('an empty end after results is continued once with a fresh text', async () => {
  const b = bench({ plays: [ending('tool_use', [use(0)]), ending('end_turn'), ending('end_turn')] });
  expect(await turn(b)).toMatchObject({ outcome: 'done' });
  expect(b.requests).toHaveLength(3);
  const content = b.requests[2]?.messages.at(-1)?.content;
  expect(Array.isArray(content) && content.map((block) => block.type)).toEqual(['tool_result', 'text']);
});

test('what follows is driven by calls, not by the stop reason', async () => {
  const b = bench({ plays: [ending('end_turn', [use(0)]), ending('stop_sequence', [text('Done.')])] });
  expect(await turn(b)).toMatchObject({ outcome: 'done' });
  expect(b.requests).toHaveLength(2);
});

test('near the end of the window the older part is summed up, in a request without tools, and the turn goes on', async () => {
  const long = 'x'.repeat(30_000);
  const tool = echoTool({ run: () => Promise.resolve(long) });
  const b = bench({
    tools: [tool],
    contextTokens: 20_000,
    plays: [
      ending('tool_use', [use(0)], 5_000),
      ending('tool_use', [use(0)], 14_000),
      ending('end_turn', [text('THE SUMMARY')]),
      ending('end_turn', [text('Done.')]),
    ],
  });
  expect(await turn(b, 'count the files')).toMatchObject({ outcome: 'done' });
  expect(b.requests.map((request) => request.tools.length)).toEqual([1, 1, 0, 1]);
  const last = sent(b);
  expect(last).toContain('THE SUMMARY');
  expect(last).toContain('count the files');
  for (const request of b.requests) expect(pairingFaults(request.messages)).toEqual([]);
  const state = b.sessions.state(b.sessionId);
  expect(state.items.filter((item) => item.kind === 'compaction')).toHaveLength(1);
  expect(Object.keys(state.calls)).toHaveLength(2);
});

test('a failing summary is a notice; when the API then refuses the length, the oldest part is left out, once', async () => {
  const tool = echoTool({ run: () => Promise.resolve('y'.repeat(30_000)) });
  const b = bench({
    tools: [tool],
    contextTokens: 20_000,
    plays: [
      ending('tool_use', [use(0)], 5_000),
      ending('tool_use', [use(0)], 17_000),
      failing(new ModelFailure('No.', { next: '', retryable: false })),
      failing(exceeded),
      failing(new ModelFailure('No.', { next: '', retryable: false })),
      ending('end_turn', [text('Done.')]),
    ],
  });
  expect(await turn(b, 'first wish')).toMatchObject({ outcome: 'done' });
  expect(notices(b)).toEqual([
    'The conversation could not be compacted. No.',
    'The conversation could not be compacted. No.',
    expect.stringContaining('no longer shown'),
  ]);
  expect(sent(b)).toContain('first wish');
  expect(pairingFaults(b.requests.at(-1)?.messages ?? [])).toEqual([]);
});

test('a conversation that stays too long ends the turn with its reason instead of trying for ever', async () => {
  const b = bench({ plays: [failing(exceeded), failing(exceeded), failing(exceeded)] });
  expect(await turn(b)).toMatchObject({ outcome: 'failed' });
  expect([b.requests.length, notices(b)]).toEqual([1, ['Too long.']]);
});

test('an answer that outgrew the window is asked for again after making room', async () => {
  const b = bench({
    plays: [
      message({ text: 'one' }),
      ending('model_context_window_exceeded', [text('half an ans')]),
      ending('end_turn', [text('SUMMARY')]),
      ending('end_turn', [text('whole')]),
    ],
  });
  await turn(b);
  expect(await turn(b, 'more')).toMatchObject({ outcome: 'done' });
  expect(b.requests).toHaveLength(4);
  expect(sent(b)).toContain('SUMMARY');
  expect(sent(b)).not.toContain('half an ans');
});

test('compaction by hand is a turn of its own, refused while one runs', async () => {
  const b = bench({ plays: [message({ text: 'one' }), ending('end_turn', [text('SUMMARY')])] });
  const nothing = b.until((body) => body.type === 'turn.finished');
  b.agent.compact(b.sessionId);
  expect(() => b.agent.compact(b.sessionId)).toThrow('The session is running.');
  expect(await nothing).toMatchObject({ outcome: 'done' });
  expect(notices(b)).toEqual(['There is nothing to compact yet.']);
  await turn(b, 'hello there');
  const done = b.until((body) => body.type === 'turn.finished');
  b.agent.compact(b.sessionId);
  await done;
  await turn(b, 'next');
  expect(b.requests.at(-1)?.messages).toHaveLength(1);
  expect(sent(b)).toMatch(/SUMMARY.*hello there.*next/);
});

test('500 calls in one message run, are answered once each, in order', async () => {
  const b = bench({
    plays: [message(...Array.from({ length: 500 }, (_, at) => ({ call: 'Echo', input: { text: `${at}` } })))],
  });
  expect(await turn(b)).toMatchObject({ outcome: 'done' });
  expect(b.calls().every((call) => call.status === 'succeeded')).toBe(true);
  const content = b.requests[1]?.messages.at(-1)?.content;
  expect(Array.isArray(content) && content.map((block) => block.type === 'tool_result' && block.tool_use_id)).toEqual(
    Array.from({ length: 500 }, (_, at) => `u${at}`),
  );
});

test('a failing call cancels no sibling', async () => {
  const tool = echoTool({
    run: async (value) => {
      await Promise.resolve();
      if (value === 't0') throw new Error('broke');
      return value;
    },
  });
  const b = bench({ tools: [tool], plays: [ending('tool_use', [use(0), use(1), use(2)])] });
  await turn(b);
  expect(b.calls().map((call) => call.status)).toEqual(['failed', 'succeeded', 'succeeded']);
});

test('changes of context hold after a parallel batch in the order of its calls, and at once in serial', async () => {
  const seen: string[] = [];
  const move = (safe: boolean) =>
    echoTool({
      name: safe ? 'Look' : 'Move',
      safe,
      run: async (to, context) => {
        seen.push(`${to} from ${context.cwd}`);
        // The first of a batch ends last.
        await new Promise((resolve) => setTimeout(resolve, to === '/a' ? 20 : 1));
        context.setCwd(to);
        return to;
      },
    });
  const modifier = {
    ...buildTool({ ...move(true), name: 'Modify' }),
    contextModifier: (output: unknown) => ({ cwd: `/modified${String(output)}` }),
  };
  const b = bench({
    tools: [move(true), move(false), modifier],
    plays: [
      message(
        { call: 'Look', input: { text: '/a' } },
        { call: 'Look', input: { text: '/b' } },
        { call: 'Move', input: { text: '/c' } },
        { call: 'Modify', input: { text: '/d' } },
        { call: 'Move', input: { text: '/e' } },
      ),
    ],
  });
  await turn(b);
  expect(seen).toEqual(['/a from /folder', '/b from /folder', '/c from /b', '/d from /c', '/e from /modified/d']);
  expect(b.sessions.state(b.sessionId).cwd).toBe('/e');
});

test('the tools array has the same bytes in every request, and the earlier messages never change', async () => {
  const b = bench({
    tools: [echoTool({ name: 'Zeta' }), echoTool({}), echoTool({ name: 'Alpha' })],
    plays: [message({ call: 'Echo', input: { text: 'a' } }), message({ call: 'Alpha', input: { text: 'b' } })],
  });
  await turn(b);
  await turn(b, 'more');
  const tools = b.requests.map((request) => JSON.stringify(request.tools));
  expect(new Set(tools).size).toBe(1);
  expect(JSON.parse(tools[0] ?? '[]')).toMatchInlineSnapshot(`
    [
      {
        "description": "Echoes.",
        "input_schema": {
          "additionalProperties": false,
          "properties": {
            "text": {
              "type": "string",
            },
          },
          "required": [
            "text",
          ],
          "type": "object",
        },
        "name": "Alpha",
      },
      {
        "description": "Echoes.",
        "input_schema": {
          "additionalProperties": false,
          "properties": {
            "text": {
              "type": "string",
            },
          },
          "required": [
            "text",
          ],
          "type": "object",
        },
        "name": "Echo",
      },
      {
        "description": "Echoes.",
        "input_schema": {
          "additionalProperties": false,
          "properties": {
            "text": {
              "type": "string",
            },
          },
          "required": [
            "text",
          ],
          "type": "object",
        },
        "name": "Zeta",
      },
    ]
  `);
  for (const [at, request] of b.requests.entries()) {
    const next = b.requests[at + 1];
    const same = next?.messages.slice(0, request.messages.length - 1);
    if (same !== undefined) expect(JSON.stringify(same)).toBe(JSON.stringify(request.messages.slice(0, -1)));
  }
});
