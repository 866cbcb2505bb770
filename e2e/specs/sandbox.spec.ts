// What confines the commands of a session: that the page says it, with the settings behind it, and that it is so.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { until } from '../fixtures/gate';
import { look } from '../fixtures/look';
import { expect, test } from '../fixtures/test';
import { message, text, toolUse } from '../fixtures/turns';
import type { World } from '../fixtures/world';
import { ChatPage } from '../pages/chatPage';

const userFile = (world: World): string => join(world.home, '.claude/settings.json');

function writeSettings(world: World, sandbox: object): void {
  writeFileSync(userFile(world), `${JSON.stringify({ sandbox }, null, 2)}\n`);
}

const bar = (page: Page) => page.getByRole('contentinfo');
const details = (page: Page) => page.getByRole('dialog', { name: 'Sandbox' });
const section = (page: Page) => page.getByRole('region', { name: 'Sandbox' });

test('the page says what confines commands and which line made it so, and follows the settings', async ({
  open,
  page,
  world,
}) => {
  mkdirSync(join(world.home, '.ssh'));
  mkdirSync(world.workspace.at('kept'));
  writeSettings(world, {
    excludedCommands: ['docker:*'],
    filesystem: { denyWrite: [world.workspace.at('kept')], allowWrit: [] },
    network: { allowedDomains: ['*.example.com'], deniedDomains: ['bad.example.com'] },
  });
  await open();
  await new ChatPage(page).begin();
  const button = bar(page).getByRole('button', { name: /^sandbox: bubblewrap/ });
  await button.click();
  await expect(details(page)).toContainText('Runs outsidedocker:*');
  await expect(details(page)).toContainText('1 setting has no effect here.');
  await look(page, {
    state: 'sandbox-details',
    within: '[role="dialog"]',
    reopen: async () => {
      if (!(await details(page).isVisible()))
        await bar(page)
          .getByRole('button', { name: /sandbox/ })
          .click();
    },
  });

  await details(page)
    .getByRole('button', { name: /^All of it/ })
    .click();
  await expect(section(page).getByRole('heading', { name: 'Sandbox', exact: true })).toBeFocused();
  await section(page).getByText('Hidden', { exact: true }).click();
  await expect(section(page).getByRole('list', { name: 'Hidden' })).toContainText('~/.ssh');
  await section(page).getByText('Read-only within these').click();
  const kept = section(page).getByRole('list', { name: 'Read-only within these' }).getByRole('listitem').first();
  await expect(kept).toContainText('/kept');
  await expect(section(page).getByRole('list', { name: 'Settings that have no effect here' })).toContainText(
    'allowWrit',
  );
  await look(page, { state: 'sandbox-settings', within: '[aria-label="Sandbox"]' });
  await kept.getByRole('button', { name: '~/.claude/settings.json:8' }).click();
  await expect(page.getByRole('heading', { name: 'Rules', level: 1 })).toBeAttached();
  await expect(page.getByText('allowWrit').first()).toBeVisible();

  // Switched off, and the line that did it.
  writeSettings(world, { enabled: false });
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: /^Chat/ }).click();
  await expect(bar(page).getByRole('button', { name: 'sandbox off' })).toBeVisible();
  const banner = page.getByRole('status').filter({ hasText: 'The sandbox is switched off.' });
  await expect(banner.getByRole('button', { name: '~/.claude/settings.json:3' })).toBeVisible();
  await look(page, { state: 'sandbox-off' });
  rmSync(userFile(world));
  await expect(button).toBeVisible();
  await expect(banner).toBeHidden();
});

test('a command gets out of the sandbox only by an ask that says so', async ({ open, page, model, world }) => {
  const outside = join(world.home, 'outside');
  writeSettings(world, { excludedCommands: ['tee:*'] });
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  const touch = (more: object) => message(toolUse('Bash', { command: `touch ${outside}`, ...more }));

  model.play(touch({}), message(text('It failed.')));
  await chat.send('inside');
  await expect(chat.ask).toContainText('sandbox on');
  await chat.answer('Allow once');
  await expect(chat.conversation).toContainText('It failed.');
  expect(existsSync(outside)).toBe(false);

  model.play(touch({ dangerouslyDisableSandbox: true }));
  await chat.send('outside');
  await expect(chat.ask).toContainText('The model wants to run this outside of the sandbox.');
  await look(page, { state: 'sandbox-outside', within: '[data-ask]' });
  await chat.answer('Deny');
  await chat.idle();
  expect(existsSync(outside)).toBe(false);

  model.play(touch({ dangerouslyDisableSandbox: true }), message(text('Made.')));
  await chat.send('outside again');
  await expect(chat.ask).toContainText('outside of the sandbox');
  await chat.answer('Allow once');
  await expect(chat.conversation).toContainText('Made.');
  await until('the file', () => existsSync(outside));

  rmSync(outside);
  model.play(message(toolUse('Bash', { command: `echo x | tee ${outside}` })), message(text('Written.')));
  await chat.send('by a pattern');
  await expect(chat.ask).toContainText('This runs outside of the sandbox.');
  await expect(chat.ask).toContainText('tee:*');
  await chat.answer('Allow once');
  await expect(chat.conversation).toContainText('Written.');
  expect(existsSync(outside)).toBe(true);
});

test('a host is asked about while its command waits, and the answer counts as long as it says', async ({
  open,
  page,
  model,
  world,
}) => {
  const server = createServer((_request, response) => response.end('hello from the host\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  try {
    const { rpc } = await open();
    const chat = new ChatPage(page);
    await chat.begin();
    // Through the proxy also for this machine, which no list of exceptions may spare.
    const fetch = (host: string) =>
      message(toolUse('Bash', { command: `curl -sS -m 60 --noproxy none.example http://${host}/; true` }));
    const waits = page.locator('[data-ask]').filter({ hasText: 'wants to reach' });
    const own = `127.0.0.1:${port}`;

    model.play(fetch(own), message(text('Refused.')));
    await chat.send('fetch it');
    await chat.answer('Allow once');
    await expect(waits).toContainText('A command wants to reach 127.0.0.1');
    await expect(waits).toContainText(`curl -sS -m 60 --noproxy none.example http://${own}/; true`);
    await expect(chat.card(/^Bash, curl .*, waiting for you$/)).toBeVisible();
    await expect(chat.sessionList.getByRole('heading', { name: 'Needs you' })).toBeVisible();
    await look(page, { state: 'network-ask', within: '[data-ask]' });
    await chat.answer('Deny');
    await expect(chat.conversation).toContainText('Refused.');

    model.play(fetch(own), fetch(own), message(text('Fetched.')));
    await chat.send('again');
    await chat.answer('Allow once');
    await waits.waitFor();
    await chat.answer('For this session');
    await expect(waits).toBeHidden();
    await chat.answer('Allow once');
    await expect(chat.conversation).toContainText('Fetched.');

    model.play(fetch('tides.example'), message(text('Listed.')));
    await chat.send('and another');
    await chat.answer('Allow once');
    await expect(waits).toContainText('tides.example');
    await chat.answer('Always allow…');
    await chat.answer('Save and connect');
    await expect(chat.conversation).toContainText('Listed.');
    // The folder is not trusted: its own settings would not count.
    expect(JSON.parse(readFileSync(userFile(world), 'utf8'))).toMatchObject({
      sandbox: { network: { allowedDomains: ['tides.example'] } },
    });

    const outcomes = (await rpc.calls()).map(({ hosts = [] }) =>
      hosts.map(({ host, answered }) => [host, answered?.outcome]),
    );
    expect(outcomes).toEqual([
      [['127.0.0.1', { by: 'person', allowed: false, lasts: 'once' }]],
      [['127.0.0.1', { by: 'person', allowed: true, lasts: 'session' }]],
      [],
      [['tides.example', { by: 'person', allowed: true, lasts: 'always', pattern: 'tides.example' }]],
    ]);
    const shown = (await rpc.calls()).map((call) => ('modelText' in call ? call.modelText : ''));
    expect(shown.map((words) => words.includes('hello from the host'))).toEqual([false, true, true, false]);
  } finally {
    server.close();
  }
});
