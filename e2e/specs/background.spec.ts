// Commands in the background: seen and stopped by the person, told of to the model, and never outliving the program.

import { until } from '../fixtures/gate';
import { lastResults, lastWords } from '../fixtures/modelRequest';
import { processesWith } from '../fixtures/processes';
import { connectionLost, expect, test } from '../fixtures/test';
import { message, text, toolUse } from '../fixtures/turns';
import { ChatPage } from '../pages/chatPage';

const inBackground = (command: string) =>
  toolUse('Bash', { command, description: 'Start the server', run_in_background: true });

test.use({ allowedConsoleErrors: [connectionLost] });

test('a background task is shown with its output, stopped from the page, and the model hears of it', async ({
  open,
  page,
  model,
}) => {
  const { rpc } = await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(
    message(inBackground('echo "ready on 3000"; touch started; sleep 4151')),
    message(text('It runs.')),
    message(text('I see.')),
  );
  await chat.send('start it');
  await chat.answer('Allow once');
  await expect(chat.conversation).toContainText('It runs.');
  expect(lastResults(await model.request(2))[0]?.text).toMatch(/^The command runs in the background as task b1\./);

  const strip = page.getByRole('region', { name: 'Background tasks' });
  await expect(strip).toContainText('ready on 3000');
  await expect(strip).toContainText('characters');
  await expect(chat.conversation).toContainText('runs in the background as b1');
  await page.reload();
  await expect(strip).toContainText('ready on 3000');

  await strip.getByRole('button', { name: 'Stop background task b1' }).click();
  await expect(strip).toBeHidden();
  expect(processesWith('sleep 4151')).toEqual([]);
  const { tasks } = await rpc.state();
  expect(tasks.b1).toMatchObject({ status: 'stopped', note: 'stopped by you' });
  expect(model.requests).toHaveLength(2);

  await chat.send('go on');
  await expect(chat.conversation).toContainText('I see.');
  expect(lastWords(await model.request(3))).toMatch(/Background task b1 .*stopped by you.*go on/s);
});

test('a background task ends when the program is quit', async ({ open, page, model }) => {
  const { app, rpc } = await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(message(inBackground("trap '' TERM; while :; do sleep 4152; done")), message(text('It runs.')));
  await chat.send('start it');
  await chat.answer('Allow once');
  await expect(chat.conversation).toContainText('It runs.');
  await rpc.stateWhen('the task', (state) => state.tasks.b1?.status === 'running');
  await until('the command to run', () => processesWith('sleep 4152').length > 0);
  await app.stop();
  expect(processesWith('sleep 4152')).toEqual([]);
});

test('a background task ends with a program that crashes, and the next start says so', async ({
  open,
  launch,
  page,
  model,
  context,
}) => {
  const { app } = await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(
    message(inBackground("trap '' TERM; while :; do sleep 4153; done")),
    message(text('It runs.')),
    message(text('I see.')),
  );
  await chat.send('start it');
  await chat.answer('Allow once');
  await expect(chat.conversation).toContainText('It runs.');
  await until('the command to run', () => processesWith('sleep 4153').length > 0);
  for (const { pid } of app.executors()) process.kill(pid, 'SIGSTOP');
  const executors = app.executors();
  await app.kill();
  for (const { pid } of executors) process.kill(pid, 'SIGKILL');

  const again = await launch();
  await page.goto(again.url);
  await until('what was left to be ended', () => processesWith('sleep 4153').length === 0);
  await page
    .getByRole('button', { name: /start it/ })
    .first()
    .click();
  await expect(chat.conversation).toContainText('It runs.');
  await expect(page.getByRole('region', { name: 'Background tasks' })).toBeHidden();
  await chat.send('go on');
  await expect(chat.conversation).toContainText('I see.');
  expect(lastWords(await model.request(3))).toMatch(/Background task b1 .*is no longer running.*go on/s);
  await context.close();
});
