// What can be done with conversations: keep them in order, branch them, take them along, go on from Claude Code's.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { graveFaults } from '../fixtures/accessibility';
import { createGate } from '../fixtures/gate';
import { look } from '../fixtures/look';
import { lastWords } from '../fixtures/modelRequest';
import type { RpcClient } from '../fixtures/rpcClient';
import { expect, test } from '../fixtures/test';
import { writeTranscript } from '../fixtures/transcripts';
import { message, text, toolUse } from '../fixtures/turns';
import type { World } from '../fixtures/world';
import { ChatPage } from '../pages/chatPage';
import { SessionsPage } from '../pages/sessionsPage';

async function makeSession(rpc: RpcClient, world: World, title: string): Promise<string> {
  const { sessionId } = (await rpc.call('sessions.create', { folder: world.workspace.path })) as { sessionId: string };
  await rpc.call('sessions.rename', { sessionId, title });
  return sessionId;
}

test('sessions are pinned, archived, deleted and brought back, by mouse and by keyboard', async ({
  open,
  page,
  model,
  world,
}) => {
  const { rpc } = await open();
  const chat = new ChatPage(page);
  const sessions = new SessionsPage(page);
  await chat.begin();
  for (const title of ['Alpha', 'Beta', 'Gamma']) await makeSession(rpc, world, title);
  await expect(sessions.row('Gamma')).toBeVisible();

  await sessions.choose('Beta', 'Pin');
  await expect(sessions.group('Pinned')).toContainText('Beta');
  await sessions.row('Alpha').focus();
  await page.keyboard.press('p');
  await expect(sessions.group('Pinned')).toContainText('Alpha');

  await sessions.row('Gamma').focus();
  await page.keyboard.press('a');
  await expect(sessions.list.getByRole('button', { name: 'Archived (1)' })).toBeVisible();
  await expect(sessions.row('Gamma')).toHaveCount(0);
  await sessions.list.getByRole('button', { name: 'Archived (1)' }).click();
  await expect(sessions.group('Archived')).toContainText('Gamma');
  await sessions.row('Gamma').focus();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Take out of the archive' }).press('Enter');
  await expect(sessions.group('Today')).toContainText('Gamma');
  await expect(sessions.list.locator('[data-session-row]:focus')).toHaveCount(1);

  await sessions.row('Alpha').focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Delete');
  await expect(page.getByText('Session deleted.', { exact: true })).toBeVisible();
  await expect(sessions.group('Pinned').getByRole('listitem')).toHaveCount(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(sessions.group('Pinned').getByRole('listitem')).toHaveCount(2);

  const gate = createGate();
  model.play(message(text(['Working ', gate, 'done.'])));
  await chat.send('go');
  const running = sessions.group('Running').locator('[data-session-row]');
  await expect(running).toBeVisible();
  await running.focus();
  await page.keyboard.press('Delete');
  await expect(page.getByText('The session was not deleted.', { exact: true })).toBeVisible();
  await expect(running).toBeVisible();
  gate.open();
  await chat.idle();
  expect(await graveFaults(page)).toEqual([]);
});

test('a conversation branches from a message, and what was said is sent anew', async ({ open, page, model }) => {
  const { rpc } = await open();
  const chat = new ChatPage(page);
  const sessions = new SessionsPage(page);
  await chat.begin();
  model.play(message(text('Low water is at four.')), message(text('High water is at ten.')));
  await chat.send('When is low water?');
  await expect(chat.conversation).toContainText('Low water is at four.');
  await chat.idle();
  await chat.send('And high water?');
  await expect(chat.conversation).toContainText('High water is at ten.');
  await chat.idle();
  const [first] = await rpc.sessions();

  await page.getByRole('button', { name: 'Actions for your message' }).last().click();
  await page.getByRole('menuitem', { name: /^Branch from here/ }).click();
  await expect(chat.composer).toHaveValue('And high water?');
  await expect(chat.composer).toBeFocused();
  await expect(chat.conversation).toContainText('Low water is at four.');
  await expect(chat.conversation).not.toContainText('High water is at ten.');
  model.play(message(text('Slack water is at seven.')));
  await chat.send('And slack water?');
  await expect(chat.conversation).toContainText('Slack water is at seven.');
  await chat.idle();
  const request = await model.request(3);
  expect(JSON.stringify(request.body.messages)).toContain('Low water is at four.');
  expect(JSON.stringify(request.body.messages)).not.toContain('high water');
  expect(lastWords(request)).toContain('And slack water?');

  // By keyboard from an answer; and back to where it began.
  await page.getByRole('button', { name: 'Actions for this answer' }).first().focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(chat.conversation).not.toContainText('Slack water');
  await expect(chat.conversation).toContainText('Low water is at four.');
  await expect(chat.composer).toHaveValue('');
  await expect(sessions.list.getByRole('listitem')).toHaveCount(3);
  await page.getByRole('button', { name: /^branched from/ }).click();
  await expect(chat.conversation).toContainText('Slack water is at seven.');
  await page.getByRole('button', { name: /^branched from/ }).click();
  await expect(chat.conversation).toContainText('High water is at ten.');
  expect((await rpc.state(first?.sessionId)).items).toHaveLength(4);
});

test("Claude Code's transcript is read, warned about, and gone on from, and stays as it is", async ({
  open,
  page,
  model,
  world,
}) => {
  writeFileSync(join(world.home, '.claude/settings.json'), '{ "cleanupPeriodDays": 30 }\n');
  const path = writeTranscript(world, {
    session: '6f1c2a34-0000-4000-8000-000000000001',
    said: [
      { person: 'Which tide table is right?', model: 'The one of the harbour office.' },
      { person: 'Thank you', model: 'You are welcome.' },
    ],
    ran: { command: 'cat tides.txt', printed: 'Station Cuxhaven\nlow 04:12' },
    daysAgo: 28,
    damaged: 2,
  });
  const before = { text: readFileSync(path, 'utf8'), changed: statSync(path).mtimeMs };
  await open();
  const chat = new ChatPage(page);
  const sessions = new SessionsPage(page);
  await chat.begin();
  await expect(sessions.list.getByText('1 session will be swept in 2 days.')).toBeVisible();
  await sessions.list.getByRole('button', { name: 'Show them' }).click();
  await expect(sessions.list.getByRole('listitem')).toHaveCount(1);
  await sessions.list.getByRole('listitem').getByRole('button').first().click();
  await expect(chat.conversation).toContainText('The one of the harbour office.');
  await chat.card(/^Bash, cat tides\.txt/).focus();
  await expect(chat.conversation).toContainText('Station Cuxhaven');
  const banner = page.getByRole('region', { name: 'Read-only' });
  await expect(banner).toContainText('2 lines could not be understood');
  await expect(banner).toContainText('Claude Code deletes it in 2 days');
  await expect(chat.composer).toHaveCount(0);
  await look(page, { state: 'transcript' });

  await page.getByRole('button', { name: 'Continue here' }).click();
  await expect(chat.composer).toBeVisible();
  await expect(chat.conversation).toContainText('The one of the harbour office.');
  model.play(message(text('Gladly.')));
  await chat.send('One more question');
  await expect(chat.conversation).toContainText('Gladly.');
  await chat.idle();
  const sent = JSON.stringify((await model.request(1)).body.messages);
  for (const said of ['Which tide table is right?', 'Station Cuxhaven', 'One more question'])
    expect(sent).toContain(said);
  await page.getByRole('button', { name: /^continued from/ }).click();
  await expect(banner).toContainText('Continued as');
  expect({ text: readFileSync(path, 'utf8'), changed: statSync(path).mtimeMs }).toEqual(before);
});

test('a conversation is exported as one page without secrets', async ({ open, page, model, world, context }) => {
  const { rpc } = await open();
  const chat = new ChatPage(page);
  const sessions = new SessionsPage(page);
  await chat.begin();
  const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
  model.play(
    message(toolUse('Read', { file_path: 'README.md' })),
    message(text('**Mended** <script>alert(1)</script>')),
  );
  await chat.send(`My token is ${secret} and I live in ${world.home}/notes`);
  await expect(chat.conversation).toContainText('Mended');
  await chat.idle();
  const [session] = await rpc.sessions();
  await sessions.choose(session?.title ?? '', 'Export…');
  await page.getByRole('radio', { name: 'HTML' }).check();
  await page.getByRole('button', { name: 'Preview…' }).click();
  await expect(page.getByText('This is a best effort')).toBeVisible();
  await look(page, { state: 'export', within: '[role="dialog"]' });
  await page.getByRole('button', { name: 'Back' }).click();
  const download = await sessions.saveExport('HTML');
  expect(download.suggestedFilename()).toMatch(/\.html$/);
  const html = readFileSync(await download.path(), 'utf8');
  expect(html).not.toContain(secret);
  expect(html).not.toContain(world.home);
  expect(html).not.toContain('<script');
  const alone = await context.newPage();
  const asked: string[] = [];
  alone.on('request', (request) => asked.push(request.url()));
  await alone.setContent(html);
  await expect(alone.getByText('Mended')).toBeVisible();
  await expect(alone.getByText('<script>alert(1)</script>')).toBeVisible();
  expect(asked).toEqual([]);
  await alone.close();
});
