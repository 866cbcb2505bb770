// Handlers that ask a model or a tool of an MCP server.
import { afterEach, expect, it } from 'vitest';
import type { HooksOptions } from './createHooks';
import type { HookEvent } from './hooks';
import type { HookQuestion } from './modelHandler';
import { bash, type HookBench, hookBench, hooksFor, settingsOf } from './testing/hookBench';

let bench: HookBench;
afterEach(() => bench.dispose());

async function fire(handler: object, services: Partial<HooksOptions>, event: HookEvent = bash('ls')) {
  bench = await hookBench(services);
  bench.use(settingsOf(hooksFor(event.name, [handler])));
  return await bench.fire(event);
}

it('asks the model with the event as data', async () => {
  const questions: HookQuestion[] = [];
  const askModel = (question: HookQuestion) => {
    questions.push(question);
    return Promise.resolve('{"ok": true}');
  };
  const outcome = await fire(
    { type: 'prompt', prompt: 'Is $ARGUMENTS harmless? $& $1', model: 'small' },
    { askModel },
    bash('echo "$&"'),
  );
  expect(outcome).toMatchObject({ ran: 1, block: null, opinion: null, messages: [] });
  expect(questions).toMatchObject([
    { model: 'small', prompt: expect.stringMatching(/^Is \{"session_id":.*\} harmless\? \$& \$1$/) },
  ]);
});

it.each([
  ['{"ok": false, "reason": "it deletes"}', { deny: 'it deletes', messages: 0 }],
  ['```json\n{"ok": false, "reason": "it deletes"}\n```', { deny: 'it deletes', messages: 0 }],
  ['{"ok": true, "reason": "fine"}', { deny: null, messages: 0 }],
  ['I think it is fine.', { deny: null, messages: 1 }],
  ['{"ok": "yes"}', { deny: null, messages: 1 }],
  ['', { deny: null, messages: 1 }],
])('the answer %j', async (text, expected) => {
  const outcome = await fire({ type: 'prompt', prompt: 'ok?' }, { askModel: () => Promise.resolve(text) });
  expect({ deny: outcome.opinion?.reason ?? null, messages: outcome.messages.length }).toEqual(expected);
});

it('gives up on a model that fails or takes too long', async () => {
  const failing = await fire(
    { type: 'prompt', prompt: 'ok?' },
    { askModel: () => Promise.reject(new Error('overloaded')) },
  );
  expect(failing.messages).toEqual([expect.stringContaining('the model gave no answer (overloaded)')]);
  await bench.dispose();
  const late = await fire(
    { type: 'prompt', prompt: 'ok?', timeout: 0.1 },
    { askModel: () => new Promise(() => undefined) },
  );
  expect(late.messages).toEqual([expect.stringContaining('longer than 0.1 s')]);
});

it('lets an agent look with a limit', async () => {
  const runAgent = (question: { readonly maxTurns: number }) =>
    Promise.resolve(`{"ok": false, "reason": "${question.maxTurns} looks"}`);
  const outcome = await fire({ type: 'agent', prompt: 'ok?' }, { runAgent });
  expect(outcome.opinion).toEqual({ behavior: 'deny', reason: '50 looks', hook: '“ok?” (user settings)' });
});

it('calls a tool with values of the event, and reads its text like output', async () => {
  const calls: unknown[] = [];
  const callMcpTool: HooksOptions['callMcpTool'] = ({ server, tool, input }) => {
    calls.push({ server, tool, input });
    const hookSpecificOutput = {
      hookEventName: 'PreToolUse',
      permissionDecision: 'ask',
      permissionDecisionReason: 'r',
    };
    return Promise.resolve({ text: JSON.stringify({ hookSpecificOutput }), isError: false });
  };
  const input = {
    path: `in \${tool_input.command}`,
    deep: [`\${tool_input}`],
    none: `\${a.b}\${__proto__.x}`,
    number: 1,
  };
  const outcome = await fire({ type: 'mcp_tool', server: 'scan', tool: 'check', input }, { callMcpTool });
  expect(calls).toEqual([
    { server: 'scan', tool: 'check', input: { path: 'in ls', deep: ['{"command":"ls"}'], none: '', number: 1 } },
  ]);
  expect(outcome.opinion).toMatchObject({ behavior: 'ask', reason: 'r' });
});

it.each([
  [
    'an error of the tool',
    () => Promise.resolve({ text: 'bad input', isError: true }),
    'scan: check failed: bad input',
  ],
  ['a server that is gone', () => Promise.reject(new Error('no server “scan”')), 'no server “scan”'],
  ['a tool that hangs', () => new Promise<never>(() => undefined), 'longer than 0.1 s'],
])('%s is named', async (_name, callMcpTool, text) => {
  const outcome = await fire({ type: 'mcp_tool', server: 'scan', tool: 'check', timeout: 0.1 }, { callMcpTool });
  expect(outcome.messages).toEqual([expect.stringContaining(text)]);
});
