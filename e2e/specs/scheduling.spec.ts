// Order and overlap of calls in one message, and what an abort leaves behind.
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { ToolCall } from '#shared/session/toolCall';
import { createGate, until } from '../fixtures/gate';
import { allResults, lastResults } from '../fixtures/modelRequest';
import { expect, test } from '../fixtures/test';
import { message, text, toolUse, waitFor } from '../fixtures/turns';
import { ChatPage } from '../pages/chatPage';

interface Span {
  readonly start: number;
  readonly end: number;
}

/** When a call's execution ran, by its trace. */
function spanOf(call: ToolCall | undefined): Span {
  const trace = call?.steps.find((step) => step.step === 'execution');
  if (trace === undefined) throw new Error(`${call?.name} was not executed`);
  return { start: trace.startedAt, end: trace.endedAt };
}

const overlap = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end;
const sleep = (seconds: number) => toolUse('Bash', { command: `sleep ${seconds}`, description: 'Wait' });

test('five reads in one message overlap, and results go back in call order', async ({ open, page, model, world }) => {
  const { rpc } = await open();
  const chat = new ChatPage(page);
  await chat.begin();
  const files = [1, 2, 3, 4, 5].map((number) => world.workspace.at(`big${number}.txt`));
  for (const [index, file] of files.entries())
    writeFileSync(file, `file ${index + 1}\n${'x'.repeat(99)}\n`.repeat(20_000));
  const reads = files.map((file) => toolUse('Read', { file_path: file, limit: 3 }));
  model.play(message(text('I read them.'), ...reads), message(text('Done.')));
  await chat.send('read all');
  await expect(chat.conversation).toContainText('Done.');
  const spans = (await rpc.calls()).map(spanOf);
  expect(spans).toHaveLength(5);
  expect(Math.max(...spans.map((span) => span.start))).toBeLessThan(Math.min(...spans.map((span) => span.end)));
  const results = lastResults(await model.request(2));
  expect(results.map((result) => /file \d/.exec(result.text)?.[0])).toEqual([
    'file 1',
    'file 2',
    'file 3',
    'file 4',
    'file 5',
  ]);
});

test('A and B overlap, the writer C waits for both, D waits for C', async ({ open, page, model, world }) => {
  const { rpc } = await open();
  const chat = new ChatPage(page);
  await chat.begin();
  await chat.setMode('Accept edits');
  await rpc.stateWhen('the mode', (state) => state.mode === 'acceptEdits');
  const file = world.workspace.at('c.txt');
  const pipes = ['a.pipe', 'b.pipe'];
  for (const pipe of pipes) execFileSync('mkfifo', [world.workspace.at(pipe)]);
  // Only commands that change nothing overlap; these wait until somebody writes to their pipe.
  const held = pipes.map((pipe) => toolUse('Bash', { command: `cat ${pipe}`, description: 'Wait' }));
  model.play(
    message(...held, toolUse('Write', { file_path: file, content: 'by C\n' }), toolUse('Read', { file_path: file })),
    message(text('Done.')),
  );
  await chat.send('go');
  await rpc.stateWhen('both to run', (state) => {
    const statuses = Object.values(state.calls).map((call) => call.status);
    return statuses[0] === 'running' && statuses[1] === 'running';
  });
  expect(existsSync(file)).toBe(false);
  await Promise.all(pipes.map((pipe) => writeFile(world.workspace.at(pipe), 'go\n')));
  await expect(chat.conversation).toContainText('Done.');
  const [a, b, c, d] = (await rpc.calls()).map(spanOf);
  if (a === undefined || b === undefined || c === undefined || d === undefined) throw new Error('four calls expected');
  expect(overlap(a, b)).toBe(true);
  expect(c.start).toBeGreaterThanOrEqual(Math.max(a.end, b.end));
  expect(d.start).toBeGreaterThanOrEqual(c.end);
  const results = lastResults(await model.request(2));
  expect(results).toHaveLength(4);
  expect(results[3]?.text).toContain('by C');
});

test('a call starts while the message is still streaming', async ({ open, page, model }) => {
  const { rpc } = await open();
  const chat = new ChatPage(page);
  await chat.begin();
  const gate = createGate();
  model.play(
    message(toolUse('Read', { file_path: 'README.md' }), waitFor(gate), text('And that was it.')),
    message(text('Done.')),
  );
  await chat.send('go');
  await rpc.stateWhen('the call to end before the message does', (state) =>
    Object.values(state.calls).some((call) => call.status === 'succeeded'),
  );
  expect(model.requests).toHaveLength(1);
  gate.open();
  await expect(chat.conversation).toContainText('Done.');
});

test('a call whose input was cut off by the limit never runs', async ({ open, page, model, world }) => {
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  const cut = toolUse(
    'Write',
    {},
    { json: `{"file_path": ${JSON.stringify(world.workspace.at('cut.txt'))}, "content": "half` },
  );
  const cutOff = { turn: 'message', beats: [cut], stopReason: 'max_tokens' } as const;
  model.play(cutOff, cutOff, message(text('I try again, shorter.')));
  await chat.send('go');
  await expect(chat.conversation).toContainText('I try again, shorter.');
  // First asked again with room for more, then told of it.
  const [first, again] = model.requests;
  expect(again?.body.messages).toEqual(first?.body.messages);
  expect(again?.body.max_tokens).toBeGreaterThan(first?.body.max_tokens ?? Number.POSITIVE_INFINITY);
  expect(lastResults(await model.request(3))).toEqual([
    expect.objectContaining({ isError: true, text: expect.stringContaining('<tool_use_error>') }),
  ]);
  expect(existsSync(world.workspace.at('cut.txt'))).toBe(false);
});

test('stop while one call is done, one runs and one waits: one result each, and the session goes on', async ({
  open,
  page,
  model,
  world,
}) => {
  const { rpc } = await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(
    message(
      text('Three things.'),
      toolUse('Read', { file_path: 'README.md' }),
      sleep(60),
      toolUse('Bash', { command: 'touch never' }),
    ),
    message(text('Going on.')),
  );
  await chat.send('go');
  await rpc.stateWhen('one done and one running', (state) => {
    const [first, second] = Object.values(state.calls);
    return first?.status === 'succeeded' && second?.status === 'running';
  });
  await chat.stop();
  const stopped = await rpc.stateWhen('the turn to end', (state) => state.turn === null);
  expect(Object.values(stopped.calls).map((call) => call.status)).toEqual(['succeeded', 'interrupted', 'interrupted']);
  await chat.send('and now?');
  const request = await model.request(2);
  const results = allResults(request);
  expect(results).toHaveLength(3);
  expect(results.map((result) => result.isError)).toEqual([false, true, true]);
  expect(results[1]?.text).toMatch(/interrupted/i);
  await expect(chat.conversation).toContainText('Going on.');
  expect(existsSync(world.workspace.at('never'))).toBe(false);
});

test('stop while an ask waits withdraws it', async ({ open, page, model }) => {
  const { rpc } = await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(message(toolUse('Bash', { command: 'touch never' })), message(text('Going on.')));
  await chat.send('go');
  await expect(chat.ask).toBeVisible();
  await chat.stop();
  await expect(chat.ask).toBeHidden();
  await rpc.stateWhen('the turn to end', (state) => state.turn === null);
  await chat.send('next');
  expect(lastResults(await model.request(2))).toEqual([expect.objectContaining({ isError: true })]);
  await expect(chat.conversation).toContainText('Going on.');
});

test('stop while the model streams ends the request', async ({ open, page, model }) => {
  const { rpc } = await open();
  const chat = new ChatPage(page);
  await chat.begin();
  const gate = createGate();
  model.play(message(text(['The beginning ', gate, 'never seen'])), message(text('Going on.')));
  await chat.send('go');
  await expect(chat.conversation).toContainText('The beginning');
  await chat.stop();
  const request = await model.request(1);
  await until('the connection to be closed', () => request.aborted.value);
  await rpc.stateWhen('the turn to end', (state) => state.turn === null);
  gate.open();
  await chat.send('next');
  await expect(chat.conversation).toContainText('Going on.');
  await expect(chat.conversation).not.toContainText('never seen');
});

test('a failing call cancels no sibling', async ({ open, page, model }) => {
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(
    message(toolUse('Read', { file_path: 'nowhere.txt' }), toolUse('Read', { file_path: 'README.md' })),
    message(text('Done.')),
  );
  await chat.send('go');
  await expect(chat.conversation).toContainText('Done.');
  const results = lastResults(await model.request(2));
  expect(results.map((result) => result.isError)).toEqual([true, false]);
  expect(results[1]?.text).toContain('A small project.');
});
