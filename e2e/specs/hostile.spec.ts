// A folder, a model, a server, hooks, settings and transcripts that are all hostile: whatever they say is shown as text,
// in every place of the page.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectInert, hostileMarkdown, hostileName, hostileText, hostileWords, marker } from '../fixtures/inert';
import { expect, test } from '../fixtures/test';
import { writeTranscript } from '../fixtures/transcripts';
import { message, text, thinking, toolUse } from '../fixtures/turns';
import { createWorkspace } from '../fixtures/workspace';
import type { World } from '../fixtures/world';
import { ChatPage } from '../pages/chatPage';
import { HooksPage } from '../pages/hooksPage';
import { ResultsPage } from '../pages/resultsPage';
import { RulesPage } from '../pages/rulesPage';
import { SessionsPage } from '../pages/sessionsPage';
import { SettingsPage } from '../pages/settingsPage';
import { ToolsPage } from '../pages/toolsPage';
import { TracePage } from '../pages/tracePage';

/** A server whose every word is hostile. */
const server = (words: string): string => `
const words = ${JSON.stringify(words)};
const answers = {
  initialize: (params) => ({
    protocolVersion: params.protocolVersion,
    capabilities: { tools: {}, prompts: {}, resources: {} },
    serverInfo: { name: words, version: words },
    instructions: words,
  }),
  'tools/list': () => ({
    tools: [{
      name: 'look' + '\\u202e\\u200b',
      title: words,
      description: words,
      inputSchema: { type: 'object', properties: { ${marker}: { type: 'string', title: words, description: words, enum: [words] } } },
    }],
  }),
  'tools/call': () => ({ content: [{ type: 'text', text: words }], isError: true }),
  'prompts/list': () => ({ prompts: [{ name: 'p' + words, description: words }] }),
  'resources/list': () => ({ resources: [{ uri: 'file:///' + encodeURI(words), name: words, description: words }] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
};
process.stderr.write(words + '\\n');
let rest = '';
process.stdin.on('data', (chunk) => {
  rest += chunk;
  for (let at = rest.indexOf('\\n'); at !== -1; at = rest.indexOf('\\n')) {
    const { id, method, params } = JSON.parse(rest.slice(0, at));
    rest = rest.slice(at + 1);
    if (id === undefined) continue;
    const result = answers[method]?.(params);
    const body = result === undefined ? { error: { code: -32601, message: words } } : { result };
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...body }) + '\\n');
  }
});
`;

/** Everything that a program reads at its start: settings, hooks, servers, commands, agents, transcripts, results. */
function fill(world: World, folder: string): void {
  const claude = join(world.home, '.claude');
  const mcp = join(world.root, 'server.mjs');
  writeFileSync(mcp, server(hostileWords));
  writeFileSync(join(world.root, 'said.txt'), hostileWords);
  const hook = { type: 'command', command: `cat ${join(world.root, 'said.txt')} >&2 # ${hostileWords}`, timeout: 5 };
  const settings = {
    permissions: {
      allow: [`Bash(${hostileWords})`, `Nonsense ${hostileWords} ${'x'.repeat(20_000)}`, 7],
      deny: [`Read(${hostileWords})`],
      [hostileWords]: hostileWords,
    },
    hooks: {
      PostToolUse: [{ matcher: 'Bash', hooks: [hook] }],
      [`No${hostileWords}`]: [{ matcher: hostileWords, hooks: [{ type: hostileWords }] }],
    },
    [hostileWords]: 1,
  };
  writeFileSync(join(claude, 'settings.json'), JSON.stringify(settings));
  writeFileSync(
    join(world.home, '.claude.json'),
    JSON.stringify({
      mcpServers: {
        [`srv${hostileWords}`]: { command: hostileWords },
        evil: { command: process.execPath, args: [mcp] },
      },
    }),
  );
  for (const kind of ['commands', 'agents']) {
    mkdirSync(join(claude, kind));
    const head = JSON.stringify(hostileWords);
    writeFileSync(
      join(claude, kind, `${marker}.md`),
      `---\nname: ${marker}\ndescription: ${head}\nargument-hint: ${head}\n---\n${hostileWords}\n`,
    );
  }
  // What the folder itself brings waits for trust, and is listed.
  mkdirSync(join(folder, '.claude'), { recursive: true });
  writeFileSync(
    join(folder, '.claude', 'settings.json'),
    JSON.stringify({
      permissions: { allow: [`Bash(${hostileWords})`], additionalDirectories: [`/srv/${hostileName}`] },
      hooks: { Stop: [{ hooks: [{ type: 'command', command: hostileWords }] }] },
    }),
  );
  writeTranscript(world, {
    session: '6f1c2a34-0000-4000-8000-00000000000a',
    said: [{ person: `seen ${hostileWords}`, model: hostileMarkdown }],
    ran: { command: `echo ${hostileWords}`, printed: hostileText },
    daysAgo: 2,
  });
  const results = join(world.data, 'projects', '-srv-app', 'earlier', 'tool-results');
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, `toolu_${marker}.txt`), `${hostileText}\n${'x'.repeat(100)}\n`.repeat(400));
  writeFileSync(
    join(results, 'toolu_data.json'),
    JSON.stringify({ [hostileWords]: [hostileWords, { a: hostileWords }] }),
  );
  writeFileSync(join(results, 'toolu_table.csv'), `name,${marker}\n"${hostileWords.replaceAll('"', '""')}",1\n`);
}

/** Long calls are allowed only by who has seen all of them. */
async function readToEnd(chat: ChatPage): Promise<void> {
  await chat.ask.evaluate((ask) => {
    for (const part of ask.querySelectorAll('*')) part.scrollTop = part.scrollHeight;
  });
}

test('whatever they say stays text, everywhere', async ({ open, page, context, model, world }) => {
  test.setTimeout(240_000);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const folder = join(world.root, hostileName);
  const workspace = createWorkspace(folder);
  workspace.write(hostileName, `${hostileWords}\n`);
  fill(world, folder);
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const opened: string[] = [];
  context.on('page', (other) => opened.push(other.url()));
  await open({ folder });
  const chat = new ChatPage(page);
  await chat.begin();
  await expectInert(page, 'an open folder');

  const file = join(folder, hostileName);
  model.play(
    message(thinking(hostileMarkdown), text(hostileMarkdown), toolUse('Read', { file_path: file })),
    message(
      toolUse('TodoWrite', { todos: [{ content: hostileWords, activeForm: hostileWords, status: 'in_progress' }] }),
      toolUse(`Tool_${marker}`, { [hostileWords]: hostileWords }),
      toolUse('Grep', { pattern: marker, output_mode: 'content' }),
    ),
    message(
      toolUse('Bash', {
        command: `cat '${join(world.root, 'said.txt')}'; touch x # ${hostileWords}`,
        description: hostileWords,
      }),
    ),
    message(toolUse('Edit', { file_path: file, old_string: marker, new_string: `new ${hostileWords}` })),
    message(toolUse('ToolSearch', { query: 'select:AskUserQuestion' })),
    message(
      toolUse('AskUserQuestion', {
        questions: [
          {
            question: hostileWords,
            header: marker,
            multiSelect: false,
            options: [
              { label: `one ${hostileWords}`, description: hostileWords },
              { label: 'two', description: hostileWords },
            ],
          },
        ],
      }),
    ),
    message(text(`The end. ${hostileMarkdown}`)),
  );
  await chat.send(`do ${hostileWords} ${'long'.repeat(2_000)}`);
  await expect(chat.ask).toContainText('touch x');
  await expectInert(page, 'an ask for a command');
  await readToEnd(chat);
  await chat.answer('Allow once');
  await expect(chat.ask).toContainText(/edit|change/i);
  await expectInert(page, 'an ask for a change');
  await readToEnd(chat);
  await chat.answer('Allow once');
  await expect(chat.ask).toContainText('two');
  await expectInert(page, 'a question');
  await chat.choose('two');
  await expect(chat.conversation).toContainText('The end.');
  await chat.idle();
  await expectInert(page, 'the conversation');
  for (const card of await chat.conversation.getByRole('button', { expanded: false }).all())
    if (await card.isVisible()) await card.click();
  await expectInert(page, 'the conversation with everything open');

  expect({ dialogs, opened, clipboard: await page.evaluate(() => navigator.clipboard.readText()) }).toEqual({
    dialogs: [],
    opened: [],
    clipboard: '',
  });

  await chat.composer.fill('/h0');
  await expectInert(page, 'the list of commands');
  await chat.composer.fill('');
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await page
    .getByRole('button', { name: /^Open trace: / })
    .last()
    .click();
  for (const tab of await inspector.getByRole('tab').all()) {
    await tab.click();
    await expectInert(page, `the inspector, ${await tab.textContent()}`, { shows: false });
  }

  await page.keyboard.press('Control+k');
  await page.keyboard.type(marker);
  await expectInert(page, 'the palette');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');

  await page.keyboard.press('Control+k');
  await page.keyboard.type('Export this');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Preview…' }).click();
  await expect(page.getByRole('button', { name: 'Save file' })).toBeEnabled();
  await expectInert(page, 'the preview of an export');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Show what waits…' }).first().click();
  await expect(page.getByRole('dialog', { name: 'Do you trust this folder?' })).toContainText(marker);
  await expectInert(page, 'what the folder would do');
  await page.keyboard.press('Escape');

  const pages: readonly [name: string, open: () => Promise<void>][] = [
    ['rules', () => new RulesPage(page).open()],
    ['hooks', () => new HooksPage(page).open()],
    ['tools', () => new ToolsPage(page).open()],
    ['trace', () => new TracePage(page).open()],
    ['results', () => new ResultsPage(page).open()],
    ['settings', () => new SettingsPage(page).open()],
  ];
  for (const [name, openPage] of pages) {
    await openPage();
    const main = page.getByRole('main');
    await expectInert(page, `the page ${name}`);
    const rows = main.getByRole('row').filter({ hasText: /h0stile|toolu|evil/ });
    for (const tab of await main.getByRole('tab').all()) {
      await tab.click();
      await expectInert(page, `the page ${name}, ${await tab.textContent()}`, { shows: false });
      if ((await rows.count()) > 0) await rows.first().click();
      await expectInert(page, `the page ${name}, a row of ${await tab.textContent()}`, { shows: false });
    }
    for (const row of (await rows.all()).slice(0, 3)) {
      await row.click();
      await expectInert(page, `the page ${name}, ${((await row.textContent()) ?? '').slice(0, 30)}`);
    }
  }

  const sessions = new SessionsPage(page);
  await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('button', { name: /^Search/ })
    .click();
  await sessions.searchField.fill(marker);
  await expect(page.getByRole('main', { name: 'Search' }).getByRole('status').last()).toContainText('finds');
  await expectInert(page, 'finds');
  await page
    .getByRole('button', { name: /seen h0stile/ })
    .first()
    .click();
  await expect(page.getByRole('region', { name: 'Read-only' })).toBeVisible();
  await expectInert(page, 'a transcript');
});
