// A session outlives reloads, takes messages while it runs, and stays small under a flood of output.

import { createGate } from '../fixtures/gate';
import { allResults, lastResults, lastWords } from '../fixtures/modelRequest';
import { expect, test } from '../fixtures/test';
import { message, text, thinking, toolUse } from '../fixtures/turns';
import { ChatPage } from '../pages/chatPage';

test('a reload in the middle of a stream loses nothing', async ({ open, page, model }) => {
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  const gate = createGate();
  model.play(
    message(
      thinking('Let me see.'),
      text(['Before the reload. ', gate, 'After the reload.']),
      toolUse('Read', { file_path: 'README.md' }),
    ),
    message(text('The end.')),
  );
  await chat.send('tell me');
  await expect(chat.conversation).toContainText('Before the reload.');
  await page.reload();
  await expect(chat.conversation).toContainText('tell me');
  await expect(chat.conversation).toContainText('Before the reload.');
  gate.open();
  await expect(chat.conversation).toContainText('Before the reload. After the reload.');
  await expect(chat.conversation).toContainText('The end.');
  await expect(chat.card(/^Read, /)).toHaveCount(1);
  expect(model.requests).toHaveLength(2);
});

test('a reload while an ask waits shows the ask again', async ({ open, page, model }) => {
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(message(toolUse('Bash', { command: 'touch one' })), message(text('Done.')));
  await chat.send('go');
  await expect(chat.ask).toContainText('touch one');
  await page.reload();
  await expect(chat.ask).toContainText('touch one');
  await chat.answer('Allow once');
  await expect(chat.conversation).toContainText('Done.');
});

test('a reload while a command runs shows its output again', async ({ open, page, model, world }) => {
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(
    message(toolUse('Bash', { command: 'echo first; until [ -e go ]; do sleep 0.1; done; echo second; touch x' })),
    message(text('Done.')),
  );
  await chat.send('go');
  await chat.answer('Allow once');
  await expect(chat.liveOutput).toContainText('first');
  await page.reload();
  await expect(chat.liveOutput).toContainText('first');
  world.workspace.write('go', '');
  await expect(chat.conversation).toContainText('Done.');
  expect(lastResults(await model.request(2))[0]?.text).toMatch(/first\s+second/);
});

test('thinking goes back unchanged with its signature', async ({ open, page, model }) => {
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(
    message(thinking('Secret thoughts.', 'sig+/=='), toolUse('Read', { file_path: 'README.md' })),
    message(text('Done.')),
  );
  await chat.send('go');
  await expect(chat.conversation).toContainText('Done.');
  const assistant = (await model.request(2)).body.messages?.find((entry) => entry.role === 'assistant');
  expect(assistant?.content).toEqual([
    { type: 'thinking', thinking: 'Secret thoughts.', signature: 'sig+/==' },
    expect.objectContaining({ type: 'tool_use', name: 'Read' }),
  ]);
});

test('messages written while it runs are queued, can be taken back, and are sent in order', async ({
  open,
  page,
  model,
}) => {
  const { rpc } = await open();
  const chat = new ChatPage(page);
  await chat.begin();
  const gate = createGate();
  model.play(
    message(text(['Working ', gate, 'done.'])),
    message(text('Second answer.')),
    message(text('Third answer.')),
  );
  await chat.send('first');
  await expect(chat.conversation).toContainText('Working');
  await chat.send('second');
  await chat.send('mistake');
  await chat.send('third');
  await rpc.stateWhen('three queued messages', (state) => state.queue.length === 3);
  await chat.unqueue('mistake');
  await rpc.stateWhen('two queued messages', (state) => state.queue.length === 2);
  gate.open();
  await rpc.stateWhen(
    'the queue to be empty and the turn to end',
    (state) => state.queue.length === 0 && state.turn === null,
  );
  const words = model.requests.map(lastWords).join('\n');
  expect(words).toContain('second');
  expect(words.indexOf('second')).toBeLessThan(words.indexOf('third'));
  expect(words).not.toContain('mistake');
});

test('a command printing 100 MB keeps memory bounded and the page alive', async ({ open, page, model }, info) => {
  test.setTimeout(180_000);
  const { app, rpc } = await open();
  const chat = new ChatPage(page);
  await chat.begin();
  // Warm-up, so that the comparison is with a host that has run a command.
  model.play(
    message(toolUse('Bash', { command: 'touch warm' })),
    message(
      toolUse('Bash', {
        command: 'yes 0123456789abcdefghijklmnopqrstuvwxyz | head -c 100000000; touch done',
        timeout: 600_000,
      }),
    ),
    message(text('Done.')),
  );
  await chat.send('go');
  await chat.answer('Allow once');
  await model.request(2);
  await expect(chat.ask).toContainText('head -c');
  // What blocks the page's only thread, measured inside it: the way from here to there has delays of its own.
  await page.evaluate(() => {
    const blocked: number[] = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) blocked.push(entry.duration);
    }).observe({ entryTypes: ['longtask'] });
    Object.assign(window, { longestBlock: () => Math.max(0, ...blocked) });
  });
  const before = app.memory();
  await chat.answer('Allow once');
  let highest = { host: 0, below: 0 };
  let typed = '';
  for (;;) {
    const { host, below } = app.memory();
    highest = { host: Math.max(highest.host, host), below: Math.max(highest.below, below) };
    await chat.composer.press('x');
    typed += 'x';
    await expect(chat.composer).toHaveValue(typed);
    if (model.requests.length > 2) break;
    await page.waitForTimeout(100);
  }
  const longestBlock = await page.evaluate(() => {
    const measure: unknown = Reflect.get(window, 'longestBlock');
    return typeof measure === 'function' ? Number(measure()) : Number.NaN;
  });
  await info.attach('figures', {
    body: JSON.stringify({ before, highest, longestBlock }),
    contentType: 'application/json',
  });
  expect(highest.host - before.host, 'growth of the host in MB').toBeLessThan(150);
  expect(highest.below - before.below, 'growth of the executor and all below it in MB').toBeLessThan(150);
  expect(longestBlock, 'longest time in which the page could not answer, in ms').toBeLessThan(3_000);
  await chat.composer.fill('');
  const [, result] = allResults(await model.request(3));
  expect(result?.text.length).toBeLessThan(35_000);
  await expect(chat.conversation).toContainText('Done.');
  const call = (await rpc.calls())[1];
  expect(call?.status).toBe('succeeded');
  expect(JSON.stringify(call).length, 'what is stored of the call').toBeLessThan(500_000);
});

test('sessions are listed, opened again, renamed and deleted', async ({ open, page, model }) => {
  const { rpc } = await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(message(text('Hello.')));
  await chat.send('my first question');
  await expect(chat.conversation).toContainText('Hello.');
  await chat.idle();
  const [session] = await rpc.sessions();
  await rpc.call('sessions.rename', { sessionId: session?.sessionId ?? '', title: 'Renamed by a test' });
  await expect(chat.sessionList).toContainText('Renamed by a test');
  await rpc.call('sessions.delete', { sessionId: session?.sessionId ?? '' });
  await expect(chat.sessionList).not.toContainText('Renamed by a test');
});
