// Faults of the machine, as far as they are seen on the page: the person is told, and the session goes on.
import { until } from '../fixtures/gate';
import { allResults, lastResults } from '../fixtures/modelRequest';
import { processesWith } from '../fixtures/processes';
import { expect, test } from '../fixtures/test';
import { message, text, toolUse } from '../fixtures/turns';
import { ChatPage } from '../pages/chatPage';

test('an executor that is killed again and again: each call ends with a reason, the page stays, the next one works', async ({
  open,
  page,
  model,
}) => {
  const { app } = await open();
  const chat = new ChatPage(page);
  await chat.begin();
  await chat.setMode('Accept edits');
  for (const round of [1, 2, 3]) {
    const mark = `4161.${round}`;
    model.play(
      message(toolUse('Bash', { command: `setsid sleep ${mark} & echo begun; sleep ${mark}` })),
      message(text(`Round ${round} is over.`)),
    );
    await chat.send(`round ${round}`);
    await chat.answer('Allow once');
    await until('the command to run', () => processesWith(`sleep ${mark}`).length > 1);
    for (const { pid } of app.executors()) process.kill(pid, 'SIGKILL');
    await expect(chat.conversation).toContainText(`Round ${round} is over.`);
    expect(lastResults(await model.request(round * 2))).toMatchObject([
      { isError: true, text: expect.stringMatching(/executor/) },
    ]);
    await until('what had started to be ended', () => processesWith(`sleep ${mark}`).length === 0);
  }
  model.play(message(toolUse('Bash', { command: 'echo alive' })), message(text('It works.')));
  await chat.send('again');
  await expect(chat.conversation).toContainText('It works.');
  expect(lastResults(await model.request(8))).toMatchObject([{ isError: false, text: 'alive' }]);
});

test('200 calls in one message are run, answered in order, and the page can still be used', async ({
  open,
  page,
  model,
}) => {
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  const commands = Array.from({ length: 200 }, (_, at) => `echo call ${at}`);
  model.play(message(...commands.map((command) => toolUse('Bash', { command }))), message(text('All are done.')));
  await chat.send('go');
  await expect(chat.conversation).toContainText('All are done.', { timeout: 60_000 });
  const results = allResults(await model.request(2));
  expect(results.map(({ isError, text: words }) => [isError, words])).toEqual(
    commands.map((command) => [false, command.slice('echo '.length)]),
  );
  model.play(message(text('Still here.')));
  await chat.send('and now?');
  await expect(chat.conversation).toContainText('Still here.');
});
