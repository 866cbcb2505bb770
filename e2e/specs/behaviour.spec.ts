// What people have reported of programs like this one, as far as it is seen on the page.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastResults } from '../fixtures/modelRequest';
import { expect, test } from '../fixtures/test';
import { message, text, toolUse } from '../fixtures/turns';
import { ChatPage } from '../pages/chatPage';

test('a long command shows how long it has run, and an editor is never waited for', async ({ open, page, model }) => {
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  const commit = 'echo a > a && git add a && git -c user.email=a@example.org -c user.name=a commit';
  model.play(
    message(toolUse('Bash', { command: 'echo begun; sleep 600' })),
    message(toolUse('Bash', { command: commit })),
    message(text('Done.')),
  );
  await chat.send('go');
  await expect(chat.liveOutput).toContainText('begun');
  const elapsed = chat.conversation.getByText(/(^|\s)[1-9]\d* s(\s|$)/).first();
  await expect(elapsed).toBeVisible();
  const before = await elapsed.textContent();
  await expect(elapsed).not.toHaveText(before ?? '');
  await chat.stop();
  await chat.idle();
  await chat.send('now commit');
  await chat.answer('Allow once');
  await expect(chat.conversation).toContainText('Done.');
  const [result] = lastResults(await model.request(3));
  expect([result?.isError, result?.text]).toEqual([true, expect.stringMatching(/editor/i)]);
});

test('a command of two lines is shown and run as two commands', async ({ open, page, model, world }) => {
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  const made = 'mkdir -p build examples && touch build/a.o examples/b.txt';
  const command = 'rm -f build/*.o 2>/dev/null\nls examples';
  model.play(
    message(toolUse('Bash', { command: made })),
    message(toolUse('Bash', { command })),
    message(text('Done.')),
  );
  await chat.send('go');
  await chat.answer('Allow once');
  await expect(chat.ask).toContainText('rm -f build/*.o 2>/dev/null');
  await expect(chat.ask).toContainText('ls examples');
  await chat.answer('Allow once');
  await expect(chat.conversation).toContainText('Done.');
  expect(lastResults(await model.request(3))).toMatchObject([{ isError: false, text: 'b.txt' }]);
  expect(world.workspace.read('examples/b.txt')).toBe('');
});

test('redraws and colours: the model gets plain text, the page the colours', async ({ open, page, model }) => {
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  const command = `for n in $(seq 100); do printf '\\r\\033[2KStep %d%%' $n; done; printf '\\n\\033[32mdone\\033[0m\\n'`;
  model.play(message(toolUse('Bash', { command })), message(text('I see.')));
  await chat.send('go');
  await chat.answer('Allow once');
  await expect(chat.conversation).toContainText('I see.');
  expect(lastResults(await model.request(2))).toMatchObject([{ isError: false, text: 'Step 100%\ndone' }]);
});

test('a settings file that breaks while the program runs: what it denied stays denied, and the page says so', async ({
  open,
  page,
  model,
  world,
}) => {
  const file = join(world.home, '.claude', 'settings.json');
  writeFileSync(file, JSON.stringify({ permissions: { deny: ['Bash(git push:*)'] } }));
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  const broken = '{ "permissions": { "deny": ["Bash(git push:*)"]';
  model.play(message(toolUse('Bash', { command: 'git push' })), message(text('Done.')));
  await chat.send('hello');
  await expect(chat.conversation).toContainText('Done.');
  writeFileSync(file, broken);
  await expect(page.getByText(/settings\.json/).first()).toBeVisible();
  model.play(message(toolUse('Bash', { command: 'git push origin main' })), message(text('Denied again.')));
  await chat.send('push');
  await expect(chat.conversation).toContainText('Denied again.');
  expect(lastResults(await model.request(4))).toMatchObject([
    { isError: true, text: expect.stringContaining('git push') },
  ]);
  expect(readFileSync(file, 'utf8')).toBe(broken);
});
