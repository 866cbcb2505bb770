// From no key to a real server: key, base URL, connection test, and what survives a restart.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { testKey } from '../fixtures/app';
import { connectionLost, expect, test } from '../fixtures/test';
import { message, text } from '../fixtures/turns';
import { ChatPage } from '../pages/chatPage';
import { SettingsPage } from '../pages/settingsPage';

test('a key and a base URL given in the page reach the server, are kept, and never come back', async ({
  open,
  launch,
  page,
  model,
  world,
  allowedConsoleErrors,
}) => {
  allowedConsoleErrors.push(connectionLost);
  const { app } = await open({ answeredBy: 'rehearsal' });
  const chat = new ChatPage(page);
  await chat.begin();
  const settings = new SettingsPage(page);
  await settings.open();
  await expect(page.getByText('No key. The rehearsal model answers.')).toBeVisible();
  await settings.test();
  await expect(settings.outcome).toContainText('It does not work.');
  await settings.setBaseUrl(model.url);
  await settings.setKey(testKey);
  await expect(page.getByText('…4242')).toBeVisible();
  await settings.test();
  await expect(settings.outcome).toContainText('It works. Connected: 2 models offered.');
  expect(await page.content()).not.toContain(testKey);
  expect(model.modelRequests.at(-1)?.headers.authorization).toBe(`Bearer ${testKey}`);

  const files = readdirSync(world.root, { recursive: true, encoding: 'utf8' })
    .map((file) => join(world.root, file))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() ?? false);
  const holding = files.filter((file) => readFileSync(file).includes(testKey));
  for (const file of holding) expect(statSync(file).mode & 0o077, `${file} is private`).toBe(0);
  expect(holding.length).toBe(1);

  await app.stop();
  const again = await launch({ answeredBy: 'rehearsal', folder: world.workspace.path });
  await page.goto(again.url);
  model.play(message(text('From the server.')));
  await chat.begin();
  await chat.chooseModel('Scripted Large');
  await chat.send('hello');
  await expect(chat.conversation).toContainText('From the server.');
  expect(model.requests[0]?.body.model).toBe('scripted-large');
});

test('bad input in the settings is refused beside the field', async ({ open, page }) => {
  await open({ answeredBy: 'rehearsal' });
  const settings = new SettingsPage(page);
  await new ChatPage(page).begin();
  await settings.open();
  await settings.baseUrl.fill('ftp://nowhere');
  await expect(page.getByText(/http/).first()).toBeVisible();
  await expect(settings.saveBaseUrl).toBeDisabled();
  await settings.key.fill('two words');
  await expect(page.getByText('A key has no spaces or line breaks.')).toBeVisible();
});

test('the theme is changed at once and kept', async ({ open, page }) => {
  await open({ answeredBy: 'rehearsal' });
  const settings = new SettingsPage(page);
  await new ChatPage(page).begin();
  await settings.open();
  const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.getByRole('radio', { name: 'Light' }).click();
  await expect.poll(colour).toBe('rgb(250, 250, 250)');
  await page.getByRole('radio', { name: 'Dark' }).click();
  await expect.poll(colour).toBe('rgb(17, 19, 23)');
  await page.reload();
  await expect.poll(colour).toBe('rgb(17, 19, 23)');
});
