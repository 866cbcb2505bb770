// Bad input of every kind: a clear message with cause and next step, and nothing is lost.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { until } from '../fixtures/gate';
import { lastResults } from '../fixtures/modelRequest';
import { expect, test } from '../fixtures/test';
import { message, text, toolUse } from '../fixtures/turns';
import { ChatPage } from '../pages/chatPage';

test('a settings file with a fault: banner with line and column, last good rules in force, file untouched', async ({
  open,
  page,
  model,
  world,
}) => {
  const file = world.workspace.at('.claude/settings.json');
  mkdirSync(world.workspace.at('.claude'), { recursive: true });
  writeFileSync(file, '{"permissions": {"deny": ["Bash(touch:*)"]}}\n');
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  const broken = '{\n  "permissions": {\n    "deny": ["Bash(touch:*)" "x"]\n  }\n}\n';
  writeFileSync(file, broken);
  const banner = page.getByRole('alert').or(page.getByRole('status')).filter({ hasText: 'settings.json' });
  await expect(banner.first()).toContainText(/settings\.json:3:(?:29|30)\b/);

  model.play(message(toolUse('Bash', { command: 'touch never' })), message(text('Denied.')));
  await chat.send('go');
  await expect(chat.conversation).toContainText('Denied.');
  const [result] = lastResults(await model.request(2));
  expect(result?.isError).toBe(true);
  expect(result?.text).toContain('Bash(touch:*)');
  expect(readFileSync(file, 'utf8')).toBe(broken);

  writeFileSync(file, '{}\n');
  await expect(banner).toHaveCount(0);
});

test('an unknown tool and invalid input: the model gets an explanation, nobody is asked', async ({
  open,
  page,
  model,
}) => {
  const { rpc } = await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(
    message(
      toolUse('Raed', { file_path: 'README.md' }),
      toolUse('Bash', { command: 'touch x', colour: 'red' }),
      toolUse('Bash', {}),
      toolUse('Read', { file_path: 7 }),
      toolUse('Read', { file_path: 'README.md', limit: '2' }),
    ),
    message(text('I see.')),
  );
  await chat.send('go');
  await expect(chat.conversation).toContainText('I see.');
  const results = lastResults(await model.request(2));
  expect(results.map((result) => result.isError)).toEqual([true, true, true, true, false]);
  for (const result of results.slice(0, 4)) expect(result.text).toMatch(/^<tool_use_error>[\s\S]+<\/tool_use_error>$/);
  expect(results[0]?.text).toContain('Read');
  expect(results[1]?.text).toContain('colour');
  expect(results[2]?.text).toContain('command');
  expect(results[3]?.text).toContain('file_path');
  expect(results[4]?.text).toContain('# Sample');
  const asked = (await rpc.calls()).flatMap((call) =>
    call.steps.filter((step) => step.step === 'permission' && step.waitedMs > 0),
  );
  expect(asked).toEqual([]);
});

test('an executor that is killed in the middle: error result, the next command works', async ({
  open,
  page,
  model,
}) => {
  const { app, rpc } = await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(
    message(toolUse('Bash', { command: 'echo begun; sleep 100; touch x' })),
    message(toolUse('Bash', { command: 'echo fresh start; touch y' })),
    message(text('Done.')),
  );
  await chat.send('go');
  await chat.answer('Allow once');
  await expect(chat.liveOutput).toContainText('begun');
  const [executor] = app.executors();
  if (executor === undefined) throw new Error('no executor is running');
  process.kill(executor.pid, 'SIGKILL');
  const [result] = lastResults(await model.request(2));
  expect(result?.isError).toBe(true);
  expect(result?.text).toMatch(/executor/i);
  await chat.answer('Allow once');
  await expect(chat.conversation).toContainText('Done.');
  expect(lastResults(await model.request(3))[0]).toMatchObject({
    isError: false,
    text: expect.stringContaining('fresh start'),
  });
  expect((await rpc.calls()).map((call) => call.status)).toEqual(['failed', 'succeeded']);
  await until('the old executor to be gone', () => !app.executors().some((info) => info.pid === executor.pid));
});

test('a command that times out is ended with all its children, and says so', async ({ open, page, model }) => {
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(
    message(
      toolUse('Bash', {
        command: 'for i in 1 2; do (while :; do sleep 1; done) & done; echo out; sleep 600',
        timeout: 1_000,
      }),
    ),
    message(text('Done.')),
  );
  await chat.send('go');
  await chat.answer('Allow once');
  await expect(chat.conversation).toContainText('Done.', { timeout: 20_000 });
  const [result] = lastResults(await model.request(2));
  expect(result?.isError).toBe(true);
  expect(result?.text).toContain('out');
  expect(result?.text).toMatch(/timed out|time limit|timeout/i);
});

test('a file that changed since it was read is not overwritten', async ({ open, page, model, world }) => {
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  await chat.setMode('Accept edits');
  const file = world.workspace.at('src/x.js');
  model.choose((request) => {
    if (model.requests.length !== 2) return undefined;
    void request;
    writeFileSync(file, "export const greeting = 'foo from elsewhere';\n");
    return message(toolUse('Write', { file_path: file, content: 'mine\n' }));
  });
  model.play(message(toolUse('Read', { file_path: file })), message(text('I read it again.')));
  await chat.send('go');
  await expect(chat.conversation).toContainText('I read it again.');
  const [result] = lastResults(await model.request(3));
  expect(result?.isError).toBe(true);
  expect(result?.text).toMatch(/changed/i);
  expect(world.workspace.read('src/x.js')).toBe("export const greeting = 'foo from elsewhere';\n");
});

test('requests out of contract are refused by name and do not end the connection', async ({ open, page }) => {
  const { rpc } = await open();
  await new ChatPage(page).begin();
  await expect(rpc.call('sessions.send', { sessionId: 'x' })).rejects.toThrow(/invalid: sessions\.send/);
  await expect(rpc.call('toString', {})).rejects.toThrow(/unknownMethod: /);
  await expect(rpc.call('sessions.send', { sessionId: 'nobody', text: 'hi' })).rejects.toThrow(/notFound: /);
  await expect(rpc.call('hello', { protocol: 99 })).rejects.toThrow(/refused: /);
  expect(await rpc.call('sessions.list', {})).toBeTruthy();
});
