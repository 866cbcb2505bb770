// The model server is down, refuses, limits, breaks off: the page says cause and next step, and the session goes on.

import { createGate, until } from '../fixtures/gate';
import { allResults, lastWords } from '../fixtures/modelRequest';
import { deadUrl } from '../fixtures/scriptedModel';
import { expect, test } from '../fixtures/test';
import { breakOff, errorEvent, failure, hang, message, ping, text, toolUse, waitFor } from '../fixtures/turns';
import { ChatPage } from '../pages/chatPage';

test('server down: said with its address and what to do; the message is kept', async ({ open, page }) => {
  test.setTimeout(90_000);
  const url = await deadUrl();
  const { rpc } = await open({ answeredBy: { url } });
  const chat = new ChatPage(page);
  await chat.begin();
  await chat.send('are you there?');
  await expect(chat.conversation).toContainText(`${url} cannot be reached`);
  await expect(chat.conversation).toContainText(/base URL in Settings/, { timeout: 40_000 });
  await expect(chat.conversation).toContainText('are you there?');
  expect((await rpc.state()).turn).toBeNull();
});

test('401: not repeated, says that the key was refused and where to change it; then goes on', async ({
  open,
  page,
  model,
}) => {
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(failure(401), message(text('Now it works.')));
  await chat.send('hello');
  await expect(chat.conversation).toContainText(/refused the API key \(401/);
  await expect(chat.conversation).toContainText(/valid key into Settings/);
  expect(model.requests).toHaveLength(1);
  await chat.send('again');
  await expect(chat.conversation).toContainText('Now it works.');
});

test('429 is repeated after the time that the server names', async ({ open, page, model }) => {
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  // What is said of it stays until the second answer begins.
  const gate = createGate();
  model.play(failure(429, { 'retry-after': '2' }), message(waitFor(gate), text('Here I am.')));
  await chat.send('hello');
  await expect(chat.conversation).toContainText(/limits requests for this key \(429.*Trying again .*attempt 2/);
  gate.open();
  await expect(chat.conversation).toContainText('Here I am.');
  const [first, second] = model.requests;
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_900);
});

test.describe('passing troubles are repeated without a word from the person', () => {
  const troubles = [
    ['529', failure(529)],
    ['500', failure(500)],
    ['a connection that closes in the first block', message(text(['Half a sen'], { unfinished: true }), breakOff())],
    ['an error event before any block is complete', message(ping(), errorEvent())],
  ] as const;
  for (const [name, turn] of troubles) {
    test(name, async ({ open, page, model }) => {
      await open();
      const chat = new ChatPage(page);
      await chat.begin();
      model.play(turn, message(text('Here I am.')));
      await chat.send('hello');
      await expect(chat.conversation).toContainText('Here I am.');
      await chat.idle();
    });
  }
});

test('a stream that breaks after a call: the call runs once and the model goes on from its result', async ({
  open,
  page,
  model,
}) => {
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(
    message(text('I read.'), toolUse('Read', { file_path: 'README.md' }), breakOff()),
    message(text('I have read it.')),
  );
  await chat.send('go');
  await expect(chat.conversation).toContainText('I have read it.');
  await expect(chat.card(/^Read, /)).toHaveCount(1);
  expect(allResults(await model.request(2))).toHaveLength(1);
});

test('a stream that breaks after a text: what came is kept, the cause is said, the next message works', async ({
  open,
  page,
  model,
}) => {
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(
    message(text('The first part.'), errorEvent('api_error', 'Internal server error')),
    message(text('The rest.')),
  );
  await chat.send('go');
  await expect(chat.conversation).toContainText('broke off');
  await expect(chat.conversation).toContainText('The first part.');
  await chat.send('go on');
  await expect(chat.conversation).toContainText('The rest.');
  expect(lastWords(await model.request(2))).toContain('go on');
});

test('a server that says nothing can be stopped', async ({ open, page, model }) => {
  const { rpc } = await open();
  const chat = new ChatPage(page);
  await chat.begin();
  const gate = createGate();
  model.play(hang(gate), message(text('Here I am.')));
  await chat.send('hello');
  const request = await model.request(1);
  await chat.stop();
  await until('the connection to be closed', () => request.aborted.value);
  await rpc.stateWhen('the turn to end', (state) => state.turn === null);
  gate.open();
  await chat.send('again');
  await expect(chat.conversation).toContainText('Here I am.');
});

test('a real model without a key: says so, and the rehearsal model still answers', async ({ open, page }) => {
  const { rpc } = await open({ answeredBy: 'rehearsal' });
  const chat = new ChatPage(page);
  await chat.begin();
  const sessionId = (await rpc.sessions())[0]?.sessionId ?? '';
  await rpc.call('sessions.setModel', { sessionId, model: { id: 'claude-x', label: 'Claude X', scripted: false } });
  await chat.send('hello');
  await expect(chat.conversation).toContainText('There is no API key');
  await expect(chat.conversation).toContainText('Put a key into Settings');
  await chat.chooseModel('Rehearsal');
  await chat.send('read README.md');
  await expect(chat.conversation).toContainText('README.md: 3 lines');
});

test('the list of models fails: said in the page, and a model can still be used', async ({ open, page, model }) => {
  model.setModelListStatus(500);
  const { rpc } = await open();
  const chat = new ChatPage(page);
  await chat.begin();
  const { models, problem } = (await rpc.call('models.list', {})) as { models: { id: string }[]; problem: string };
  expect(problem).toMatch(/500/);
  expect(models.length).toBeGreaterThan(0);
  model.play(message(text('Here I am.')));
  await chat.send('hello');
  await expect(chat.conversation).toContainText('Here I am.');
});

test('requests carry key, version, tools in order and a stable prefix', async ({ open, page, model }) => {
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(message(toolUse('Read', { file_path: 'README.md' })), message(text('One.')), message(text('Two.')));
  await chat.send('hello');
  await expect(chat.conversation).toContainText('One.');
  await chat.send('more');
  await expect(chat.conversation).toContainText('Two.');
  const [first, second, third] = model.requests;
  expect(first?.headers.authorization).toBe('Bearer sk-e2e-secret-000000-4242');
  expect(first?.body.model).toBe('scripted-large');
  const names = (first?.body.tools ?? []).map((tool) => tool.name);
  expect(names).toEqual([...names].sort());
  for (const name of ['Bash', 'Edit', 'Glob', 'Grep', 'Read', 'TodoWrite', 'ToolSearch', 'Write'])
    expect(names).toContain(name);
  for (const request of [second, third]) {
    expect(JSON.stringify(request?.body.tools)).toBe(JSON.stringify(first?.body.tools));
    expect(JSON.stringify(request?.body.system)).toBe(JSON.stringify(first?.body.system));
  }
});
