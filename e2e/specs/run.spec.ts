// Turns without a page, and their traces.
import { runCli, startCli } from '../fixtures/cli';
import { createGate, until } from '../fixtures/gate';
import { lastResults, lastWords } from '../fixtures/modelRequest';
import { descendantsOf, processesWith } from '../fixtures/processes';
import { expect, test } from '../fixtures/test';
import { failure, hang, message, text, toolUse } from '../fixtures/turns';

const jsonLines = (out: string): Record<string, unknown>[] =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('prints the last answer alone, runs what is allowed, and ends with 0', async ({ world, model }) => {
  model.play(
    message(text('I look first.'), toolUse('Read', { file_path: world.workspace.at('package.json') })),
    message(toolUse('Bash', { command: 'printf %s made > made.txt', description: 'Make a file' })),
    message(text('All is well.')),
  );
  const end = await runCli(['run', '-p', 'look around', '--allowedTools', 'Bash(printf:*)', 'Edit(made.txt)'], {
    world,
    modelUrl: model.url,
  });
  expect(end).toEqual({ code: 0, out: 'All is well.\n', err: '' });
  expect(world.workspace.read('made.txt')).toBe('made');
  expect(model.requests[0]?.body.model).toBe('scripted-large');
  expect(processesWith(world.root)).toEqual([]);
});

test('takes the prompt from a pipe, alone and beside -p', async ({ world, model }) => {
  model.play(message(text('One.')), message(text('Two.')));
  const options = { world, modelUrl: model.url };
  expect((await runCli(['run'], { ...options, input: 'piped words\n' })).out).toBe('One.\n');
  expect((await runCli(['run', '-p', 'explain'], { ...options, input: 'a log\n' })).out).toBe('Two.\n');
  expect(model.requests.map((request) => lastWords(request))).toEqual(['piped words', 'explain\n\na log']);
});

test('denies what would ask, tells the model and the person why, and goes on', async ({ world, model }) => {
  model.play(
    message(toolUse('Bash', { command: 'touch a', description: 'Touch' }, { id: 'toolu_touch' })),
    message(text('I could not.')),
  );
  const end = await runCli(['run', '-p', 'touch a', '--output', 'json'], { world, modelUrl: model.url });
  expect(end.code).toBe(0);
  expect(world.workspace.has('a')).toBe(false);
  const result = lastResults(await model.request(2))[0];
  expect(result).toMatchObject({ id: 'toolu_touch', isError: true });
  expect(result?.text).toContain('nobody can be asked');
  expect(end.err).toContain('Bash was denied: ');
  expect(jsonLines(end.out)).toMatchObject([
    {
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'I could not.',
      num_turns: 2,
      usage: { input_tokens: 200, output_tokens: 80 },
      permission_denials: [{ tool_name: 'Bash', tool_use_id: 'toolu_touch', tool_input: { command: 'touch a' } }],
    },
  ]);
});

test('a deny of the command line beats what the person allows', async ({ world, model }) => {
  model.play(message(toolUse('Bash', { command: 'ls', description: 'List' })), message(text('No.')));
  const args = ['run', '-p', 'x', '--allowedTools', 'Bash', '--disallowedTools', 'Bash(ls:*)', '--output', 'json'];
  const end = await runCli(args, { world, modelUrl: model.url });
  expect(jsonLines(end.out)[0]).toMatchObject({ permission_denials: [{ tool_name: 'Bash' }] });
});

test('streams every event as a line of JSON, the result last', async ({ world, model }) => {
  model.play(message(toolUse('Bash', { command: 'true', description: 'Nothing' })), message(text('Done.')));
  const end = await runCli(['run', '-p', 'x', '--output', 'stream-json'], { world, modelUrl: model.url });
  const lines = jsonLines(end.out);
  expect(lines[0]).toMatchObject({ type: 'init', cwd: world.workspace.path, model: 'scripted-large' });
  expect(lines.at(-1)).toMatchObject({ type: 'result', result: 'Done.', session_id: lines[0]?.session_id });
  const events = lines.slice(1, -1).map((line) => (line.event as { type: string }).type);
  expect(events).toContain('message.sent');
  expect(events.filter((type) => type === 'call.stepEnded')).toHaveLength(7);
  expect(events.at(-1)).toBe('turn.finished');
  const seqs = lines.slice(1, -1).map((line) => line.seq as number);
  expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index));
});

test('continues the last session, or a named one', async ({ world, model }) => {
  model.play(message(text('First.')), message(text('Second.')), message(text('Third.')));
  const options = { world, modelUrl: model.url };
  await runCli(['run', '-p', 'one'], options);
  const second = await runCli(['run', '--continue', '-p', 'two', '--output', 'json'], options);
  const sessionId = String(jsonLines(second.out)[0]?.session_id);
  await runCli(['run', '--resume', sessionId.slice(0, 12), '-p', 'three'], options);
  expect((model.requests[2]?.body.messages ?? []).map((one) => one.role)).toEqual(
    Array.from({ length: 5 }, (_, index) => (index % 2 === 0 ? 'user' : 'assistant')),
  );
  const listed = await runCli(['trace', '--json'], options);
  expect(JSON.parse(listed.out)).toHaveLength(1);
});

test('a failed turn ends with 1, cause and next step on standard error', async ({ world, model }) => {
  model.play(failure(401));
  const refused = await runCli(['run', '-p', 'x'], { world, modelUrl: model.url });
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toMatch(/key/i);
  const limited = ['run', '-p', 'x', '--max-turns', '1', '--output', 'json'];
  model.play(message(toolUse('Bash', { command: 'true', description: 'Nothing' })));
  const ended = await runCli(limited, { world, modelUrl: model.url });
  expect(ended.code).toBe(1);
  expect(jsonLines(ended.out)[0]).toMatchObject({ is_error: true, subtype: 'failed', num_turns: 1 });
  expect(ended.err).toContain('after one message of the model');
});

test('without a key the rehearsal model answers, and that is said', async ({ world }) => {
  const end = await runCli(['run', '-p', 'read package.json'], { world });
  expect(end.code).toBe(0);
  expect(end.out).toContain('package.json');
  expect(end.err).toContain('the rehearsal model answers');
});

test('what came with a folder that nobody trusted allows nothing, and that is said once', async ({ world, model }) => {
  world.workspace.write('.claude/settings.json', JSON.stringify({ permissions: { allow: ['Bash(touch:*)'] } }));
  world.workspace.write('CLAUDE.md', 'Touch everything.');
  world.workspace.write('.mcp.json', JSON.stringify({ mcpServers: { own: { command: 'touch', args: ['b'] } } }));
  model.play(message(toolUse('Bash', { command: 'touch a', description: 'Touch' })), message(text('No.')));
  const end = await runCli(['run', '-p', 'x'], { world, modelUrl: model.url });
  expect(world.workspace.has('a')).toBe(false);
  expect(end.err.match(/Nobody has trusted/g)).toHaveLength(1);
  expect(end.err).toContain('Bash(touch:*)');
  expect(end.err).toContain('is not read until you trust the folder in the workspace: CLAUDE.md.');
  expect(end.err).toMatch(/MCP servers of .*\.mcp\.json are not there \(own\): nobody has trusted the folder yet\./);
  expect(world.workspace.has('b')).toBe(false);
  expect(JSON.stringify((await model.request(1)).body.system)).not.toContain('Touch everything');
});

test('Ctrl-C stops the turn with all that it started and ends with 130', async ({ world, model }) => {
  model.play(message(toolUse('Bash', { command: 'sleep 300', description: 'Wait' })));
  const started = startCli(['run', '-p', 'wait', '--output', 'json'], { world, modelUrl: model.url });
  await until('the command to run', () => descendantsOf(started.pid).some(({ command }) => /^sleep 300/.test(command)));
  started.signal('SIGINT');
  const end = await started.ended;
  expect(end.code).toBe(130);
  expect(jsonLines(end.out)[0]).toMatchObject({ is_error: true, subtype: 'stopped' });
  await until('all processes to end', () => processesWith(world.root).length === 0);
});

test('Ctrl-C while the model is silent ends the run, too', async ({ world, model }) => {
  const gate = createGate();
  model.play(hang(gate));
  const started = startCli(['run', '-p', 'x'], { world, modelUrl: model.url });
  await model.request(1);
  started.signal('SIGINT');
  expect((await started.ended).code).toBe(130);
  gate.open();
});

test('works beside an open workspace, which sees the session and keeps out of it meanwhile', async ({
  world,
  model,
  open,
}) => {
  const { rpc } = await open();
  const gate = createGate();
  model.play(hang(gate));
  const started = startCli(['run', '-p', 'beside'], { world, modelUrl: model.url });
  await model.request(1);
  const session = (await rpc.sessions()).find((one) => one.title === 'beside');
  expect(session).toBeDefined();
  const sent = rpc.call('sessions.send', { sessionId: session?.sessionId ?? '', text: 'me too' });
  await expect(sent).rejects.toThrow('Another Gatehouse is working in this session');
  started.signal('SIGINT');
  expect((await started.ended).code).toBe(130);
  gate.open();
  model.play(message(text('Now here.')));
  await rpc.call('sessions.send', { sessionId: session?.sessionId ?? '', text: 'and now' });
  const state = await rpc.stateWhen('the turn to end', ({ turn, items }) => turn === null && items.length >= 3);
  expect(state.items.at(-1)).toMatchObject({ kind: 'assistant', blocks: [{ type: 'text', text: 'Now here.' }] });
});

test('a trace shows the seven steps, the decision and the result; also while the workspace runs', async ({
  world,
  model,
  open,
}) => {
  model.play(
    message(
      toolUse('Bash', { command: 'echo hello', description: 'Greet' }),
      toolUse('Read', { file_path: '/etc/hosts' }),
    ),
    message(text('Done.')),
  );
  const run = await runCli(['run', '-p', 'greet', '--output', 'json'], { world, modelUrl: model.url });
  const sessionId = String(jsonLines(run.out)[0]?.session_id);
  await open();
  const traced = (...args: readonly string[]) => runCli(['trace', ...args], { world });
  expect((await traced()).out).toContain(sessionId);
  const calls = await traced(sessionId);
  expect(calls.out).toMatch(/^ {2}1 {2}m_\S+ {2}succeeded .*Bash echo hello\n {2}2 {2}m_\S+ {2}denied .*Read /);
  const first = await traced(sessionId, '1');
  for (const step of ['1 lookup', '2 input', '3 validation', '4 preHook', '5 permission', '6 execution', '7 postHook'])
    expect(first.out).toContain(step);
  expect(first.out).toContain('ALLOW: Bash may do this');
  expect(first.out).toContain('│ hello');
  expect((await traced('last', 'last')).out).toContain('DENY: Read may not do this');
  const asJson = JSON.parse((await traced(sessionId, '1', '--json')).out) as { call: { steps: unknown[] } };
  expect(asJson).toMatchObject({
    sessionId,
    call: { name: 'Bash', status: 'succeeded', decision: { behavior: 'allow' } },
  });
  expect(asJson.call.steps).toHaveLength(7);
});

test('bad usage ends with 3 before anything is started', async ({ world }) => {
  const cases: readonly (readonly [readonly string[], string])[] = [
    [['run'], 'There is no prompt.'],
    [['run', '-p', 'x', 'nowhere'], 'nowhere is no folder. A prompt stands behind -p'],
    [['run', '-p', 'x', '--output', 'xml'], 'Forms: text, json, stream-json'],
    [['run', '-p', 'x', '--max-turns', '0'], '--max-turns 0'],
    [['run', '-p', 'x', '--continue', '--resume', 's_1'], 'name two sessions'],
    [['run', '-p', 'x', '--continue'], 'no session in'],
    [['run', '-p', 'x', '--tool'], "Unknown option '--tool'"],
    [['trace', 'nobody'], 'There is no session nobody'],
  ];
  await runCli(['run', '-p', 'count to 2', '--cwd', world.home], { world });
  for (const [args, words] of cases) {
    const end = await runCli(args, { world });
    expect([args, end.code, end.out]).toEqual([args, 3, '']);
    expect(end.err).toContain(words);
  }
});

test('a data folder that cannot be used fails with a next step', async ({ world }) => {
  world.workspace.write('file', '');
  const end = await runCli(['run', '-p', 'x', '--data', world.workspace.at('file/sub')], { world });
  expect(end).toMatchObject({ code: 1, out: '' });
  expect(end.err).toContain('name another data folder with --data');
});

test('a call that a hook puts off ends the run, and is decided and run when the session is taken up', async ({
  world,
  model,
}) => {
  world.workspace.write(
    'guard.mjs',
    `import { existsSync } from 'node:fs';
const permissionDecision = existsSync('approved') ? 'allow' : 'defer';
console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision } }));
`,
  );
  const handler = { type: 'command', command: process.execPath, args: [world.workspace.at('guard.mjs')] };
  const settings = JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [handler] }] } });
  const input = { command: 'touch made', description: 'Make a file' };
  model.play(message(toolUse('Bash', input, { id: 'toolu_later' })), message(text('Made.')));
  const args = ['--settings', settings, '--output', 'json'];
  const first = await runCli(['run', '-p', 'go', ...args], { world, modelUrl: model.url });
  const [told] = jsonLines(first.out);
  expect(first.code).toBe(0);
  expect(told).toMatchObject({
    is_error: false,
    stop_reason: 'tool_deferred',
    deferred_tool_use: { id: 'toolu_later', name: 'Bash', input },
  });
  expect([world.workspace.has('made'), model.requests.length]).toEqual([false, 1]);

  world.workspace.write('approved', '');
  const resume = ['run', '--resume', String(told?.session_id), ...args];
  const second = await runCli(resume, { world, modelUrl: model.url });
  expect(jsonLines(second.out)).toMatchObject([{ is_error: false, result: 'Made.', stop_reason: 'end_turn' }]);
  expect(world.workspace.has('made')).toBe(true);
  expect(lastResults(await model.request(2))).toMatchObject([{ id: 'toolu_later', isError: false }]);

  const third = await runCli(resume, { world, modelUrl: model.url });
  expect([third.code, third.err]).toEqual([3, expect.stringContaining('no call of this session was put off')]);
});
