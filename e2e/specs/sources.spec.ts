// Where rules come from, what waits for trust, and what counts only for a while.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { graveFaults } from '../fixtures/accessibility';
import { until } from '../fixtures/gate';
import { lastResults } from '../fixtures/modelRequest';
import { connectionLost, expect, test } from '../fixtures/test';
import { message, text, toolUse } from '../fixtures/turns';
import { ChatPage } from '../pages/chatPage';

const touch = (file: string) => toolUse('Bash', { command: `touch ${file}`, description: 'Make a file' });
const permissions = (lists: object) => `${JSON.stringify({ permissions: lists }, null, 2)}\n`;

test("a folder's own allow rules wait until it is trusted; its deny rules do not; trust outlives a restart", async ({
  open,
  launch,
  page,
  model,
  world,
  allowedConsoleErrors,
}) => {
  allowedConsoleErrors.push(connectionLost);
  world.workspace.write(
    '.claude/settings.json',
    permissions({ allow: ['Bash(touch:*)'], deny: ['Bash(npm:*)'], additionalDirectories: ['/srv/shared'] }),
  );
  const { app } = await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(message(touch('one')), message(toolUse('Bash', { command: 'npm test' })), message(text('Asked.')));
  await chat.send('make it');
  await expect(chat.ask).toContainText('touch one');
  await page.getByRole('button', { name: 'Show what waits…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Do you trust this folder?' });
  await expect(dialog).toContainText('Bash(touch:*)');
  await expect(dialog).toContainText('/srv/shared');
  await expect(dialog).not.toContainText('npm');
  // Trust answers the waiting ask too.
  await dialog.getByRole('button', { name: 'Trust this folder' }).click();
  await until('the file', () => existsSync(world.workspace.at('one')));
  await expect(chat.conversation).toContainText('Asked.');
  expect(lastResults(await model.request(3))[0]?.text).toContain('Bash(npm:*)');
  await expect(page.getByRole('button', { name: 'trusted folder' })).toBeVisible();

  await app.stop();
  const again = await launch({ folder: world.workspace.path });
  await page.goto(again.url);
  await expect(page.getByRole('button', { name: 'trusted folder' })).toBeVisible();
});

test('"Not now" leaves the rules waiting, and the status bar says so', async ({ open, page, world }) => {
  world.workspace.write('.claude/settings.json', permissions({ allow: ['Bash(touch:*)'] }));
  await open();
  await new ChatPage(page).begin();
  expect(await graveFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show what waits…' }).click();
  await page.getByRole('dialog').evaluate((dialog) => Promise.all(dialog.getAnimations().map((one) => one.finished)));
  expect(await graveFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(page.getByText('This folder brings settings of its own.')).toBeHidden();
  await expect(page.getByRole('button', { name: 'folder not trusted' })).toBeVisible();
});

test('three denials: the fourth is denied without asking, until the person lifts it', async ({ open, page, model }) => {
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(...['one', 'two', 'three', 'four'].map((file) => message(touch(file))), message(text('I stop trying.')));
  await chat.send('make them');
  for (const file of ['one', 'two', 'three']) {
    await expect(chat.ask).toContainText(`touch ${file}`);
    await chat.denyWith('no');
  }
  await expect(chat.conversation).toContainText('I stop trying.');
  expect(lastResults(await model.request(5))[0]?.text).toContain('the denial limit: Bash(touch)');
  await page.getByRole('button', { name: 'Ask me again' }).click();
  await expect(page.getByRole('button', { name: 'Ask me again' })).toBeHidden();
  model.play(message(touch('five')), message(text('Done.')));
  await chat.send('once more');
  await expect(chat.ask).toContainText('touch five');
  await chat.answer('Allow once');
  await expect(chat.conversation).toContainText('Done.');
});

test('the third identical call in a row asks, though it only reads', async ({ open, page, model }) => {
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  const status = () => message(toolUse('Bash', { command: 'git status' }));
  model.play(status(), status(), status(), message(text('Enough.')));
  await chat.send('look');
  await expect(chat.ask).toContainText('the same call 3 times in a row');
  await chat.denyWith('You know that already');
  await expect(chat.conversation).toContainText('Enough.');
});

test('a rule for a while is shown and can be ended', async ({ open, page, model }) => {
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(message(touch('one')), message(text('Done.')));
  await chat.send('make it');
  await chat.answer('Always allow…');
  await chat.ask.getByRole('radio', { name: 'This session' }).click();
  await chat.ask.getByRole('radio', { name: 'For 15 minutes' }).click();
  await chat.alwaysStep.save('session');
  await expect(chat.conversation).toContainText('Done.');
  const strip = page.getByRole('status').filter({ hasText: 'Allowed for a while:' });
  await expect(strip).toContainText(/Bash\(touch one\).*14 min left/);
  await strip.getByRole('button', { name: 'End now' }).click();
  await expect(strip).toBeHidden();
});

test('what the command line says counts: settings, rules, mode', async ({ open, page, model, world }) => {
  const file = join(world.root, 'more.json');
  writeFileSync(file, permissions({ allow: ['Bash(npm:*)'] }));
  const { rpc } = await open({
    args: ['--settings', file, '--disallowedTools', 'Bash(npm ci)', '--permission-mode', 'acceptEdits'],
  });
  const chat = new ChatPage(page);
  await chat.begin();
  const npm = (verb: string) => toolUse('Bash', { command: `npm ${verb}` });
  model.play(message(npm('--help')), message(npm('ci')), message(text('Done.')));
  await chat.send('try both');
  await expect(chat.conversation).toContainText('Done.');
  const calls = await rpc.calls();
  expect(calls.map((call) => call.decision?.reason)).toMatchObject([
    { type: 'rule', rule: { source: 'flagSettings', file } },
    { type: 'rule', rule: { source: 'cliArg', text: 'Bash(npm ci)' } },
  ]);
  expect((await rpc.state()).mode).toBe('acceptEdits');
});
