// The Tools & MCP page: a server is added, its tools are deferred, one is used, asked about, and found in the trace.
import { createRequire } from 'node:module';
import { graveFaults } from '../fixtures/accessibility';
import { runCli } from '../fixtures/cli';
import { expect, test } from '../fixtures/test';
import { ChatPage } from '../pages/chatPage';
import { ToolsPage } from '../pages/toolsPage';

const filesystemServer = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-filesystem/dist/index.js',
);

test('a server is added, its tools are deferred, one is used after an ask, and the call is in the trace', async ({
  open,
  page,
  world,
}) => {
  test.setTimeout(150_000);
  world.workspace.write('notes.txt', 'The tide comes at six.\n');
  await open({ answeredBy: 'rehearsal' });
  const chat = new ChatPage(page);
  await chat.begin();
  const tools = new ToolsPage(page);
  await tools.open();

  await tools.fillServer({
    name: 'files',
    command: process.execPath,
    args: [filesystemServer, world.workspace.path],
  });
  await tools.dialog.getByRole('button', { name: 'Test connection' }).click();
  await expect(tools.dialog.getByRole('status').filter({ hasText: 'It works.' })).toContainText('read_text_file');
  expect(await graveFaults(page)).toEqual([]);
  await tools.save();
  await expect(tools.server).toContainText('connected');
  await expect(tools.server.getByRole('button', { name: /^read_text_file/ })).toBeVisible();

  await tools.tab('Tools');
  await tools.defer('Always');
  const row = tools.row('mcp__files__read_text_file');
  await expect(row).toContainText('deferred');
  await expect(page.getByText(/deferral saves \d+ %/)).toBeVisible();
  await row.click();
  await expect(tools.tool).toContainText('written by the server');
  expect(await graveFaults(page)).toEqual([]);

  await tools.backToChat();
  await chat.send(`use mcp__files__read_text_file with {"path": "${world.workspace.at('notes.txt')}"}`);
  await expect(chat.ask).toContainText('read_text_file');
  await chat.answer('Allow once');
  await chat.idle();
  await chat
    .card(/read_text_file/)
    .last()
    .click();
  await expect(chat.conversation).toContainText('The tide comes at six.');

  await page
    .getByRole('button', { name: /^Open trace: / })
    .last()
    .click();
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await expect(inspector.getByRole('tab', { name: 'Trace', selected: true })).toBeVisible();
  await expect(inspector).toContainText(/allowed by you/);

  // The model has found the tool: it is loaded from now on.
  await tools.open();
  await expect(row).toContainText('loaded');
  const traced = await runCli(['trace', 'last', 'last'], { world });
  expect(traced).toMatchObject({ code: 0, err: '', out: expect.stringContaining('read_text_file') });
});
