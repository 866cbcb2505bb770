// What confines the commands of a session: that the page says it, with the settings behind it, and that it is so.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { look } from '../fixtures/look';
import { expect, test } from '../fixtures/test';
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
