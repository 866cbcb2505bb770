// The Rules page with real files: a messy one is cleaned up and brought back, a rule moves between sources, a broken file
// is repaired. By mouse, and again by keyboard alone.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { graveFaults } from '../fixtures/accessibility';
import { until } from '../fixtures/gate';
import { tabTo } from '../fixtures/keys';
import { expect, test } from '../fixtures/test';
import type { World } from '../fixtures/world';
import { ChatPage } from '../pages/chatPage';
import { RulesPage } from '../pages/rulesPage';

/** Writes an invented settings file that grew for years. */
const samples = fileURLToPath(new URL('../../build/samples.mjs', import.meta.url));

const userFile = (world: World): string => join(world.home, '.claude', 'settings.json');
const read = (file: string): string => readFileSync(file, 'utf8');
const listed = (file: string): { readonly allow?: string[]; readonly ask?: string[]; readonly deny?: string[] } =>
  JSON.parse(read(file)).permissions;

async function started(page: Page): Promise<RulesPage> {
  await new ChatPage(page).begin();
  return new RulesPage(page);
}

test('cleans up 200 rules in one step, which can be taken back byte for byte', async ({ open, page, world }) => {
  const file = userFile(world);
  execFileSync(process.execPath, [samples, join(world.home, '.claude'), '--rules', '200', '--calls', '20']);
  const messy = read(file);
  await open();
  const rules = await started(page);
  await rules.open();
  await rules.tab('Checks');
  expect(await graveFaults(page)).toEqual([]);
  await rules.lab.getByRole('button', { name: 'Mend all that is safe' }).click();
  await expect(rules.draftBar).toContainText('unsaved changes');
  expect(read(file)).toBe(messy);
  await rules.draftBar.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(rules.draftBar).toBeHidden();
  const before = JSON.parse(messy).permissions;
  const after = listed(file);
  expect((after.allow ?? []).length).toBeLessThan(before.allow.length / 2);
  // Nothing that denies was lost; what never counted was written as it was meant.
  const meant = (before.deny ?? []).map((rule: string) => rule.replace(/^Write\(/, 'Edit('));
  expect(new Set(after.deny)).toEqual(new Set(meant));
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await until('the file as it was', () => read(file) === messy);
});

test('moves a rule from user to project by dragging', async ({ open, page, world }) => {
  writeFileSync(userFile(world), '{ "permissions": { "allow": ["Bash(make *)", "Bash(ls *)"] } }\n');
  await open();
  const rules = await started(page);
  await rules.open();
  await rules.row('Bash(make *)').dragTo(rules.table.getByRole('row').filter({ hasText: 'shared with the team' }));
  await expect(rules.row('Bash(make *)')).toContainText('moved');
  await rules.draftBar.getByRole('button', { name: 'Save…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('shared with everybody who works on this project');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(rules.draftBar).toBeHidden();
  expect(listed(userFile(world)).allow).toEqual(['Bash(ls *)']);
  expect(listed(world.workspace.at('.claude/settings.json')).allow).toEqual(['Bash(make *)']);
});

test('moves and removes rules by keyboard alone, and takes it back', async ({ open, page, world }) => {
  const file = userFile(world);
  const text = '{ "permissions": { "allow": ["Bash(make *)", "Bash(ls *)"] } }\n';
  writeFileSync(file, text);
  await open();
  const rules = await started(page);
  await page.keyboard.press('Control+Shift+L');
  await tabTo(page, rules.table);
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  for (let presses = 0; presses < 20; presses += 1) {
    const active = await rules.table.getAttribute('aria-activedescendant');
    const said = await page.locator(`[id="${active}"]`).textContent();
    if (said?.includes('Bash(make *)') === true) break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Space');
  await tabTo(page, page.getByRole('button', { name: 'Move to…' }).first());
  await page.keyboard.press('Enter');
  await page.keyboard.type('local');
  // A menu goes to what is typed a moment later.
  await expect(page.getByRole('menuitem', { name: /^local/i })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(rules.row('Bash(make *)')).toContainText('moved');
  await page.keyboard.press('Control+s');
  await expect(rules.draftBar).toBeHidden();
  expect(listed(file).allow).toEqual(['Bash(ls *)']);
  expect(listed(world.workspace.at('.claude/settings.local.json')).allow).toEqual(['Bash(make *)']);
  await tabTo(page, rules.table);
  await page.keyboard.press('Control+z');
  await until('the file as it was', () => read(file) === text);
});

test('offers to mend a file that somebody broke, and its rules count again', async ({ open, page, world }) => {
  const file = userFile(world);
  writeFileSync(file, '{ "permissions": { "deny": ["Bash(rm *)"] } }\n');
  await open();
  const rules = await started(page);
  await rules.open();
  await expect(rules.row('Bash(rm *)')).toBeVisible();
  writeFileSync(file, '{\n  "permissions": {\n    // mine\n    "deny": ["Bash(rm *)", "Bash(dd *)",]\n  }\n}\n');
  await page.getByRole('button', { name: 'Text', exact: true }).click();
  await page.getByRole('button', { name: 'Repair…' }).first().click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('took out a comment');
  await dialog.getByRole('button', { name: 'Write it' }).click();
  await until(
    'the file parses',
    () => read(file) === '{\n  "permissions": {\n    "deny": ["Bash(rm *)", "Bash(dd *)"]\n  }\n}\n',
  );
  await page.getByRole('button', { name: 'Table', exact: true }).click();
  await expect(rules.row('Bash(dd *)')).toBeVisible();
});

test('mends a broken file by keyboard alone', async ({ open, page, world }) => {
  const file = userFile(world);
  writeFileSync(file, '{ "permissions": { "deny": ["Bash(rm *)" }\n');
  await open();
  await started(page);
  await page.keyboard.press('Control+Shift+L');
  await tabTo(page, page.getByRole('button', { name: 'Text', exact: true }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Repair…' }).first());
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Write it' }));
  await page.keyboard.press('Enter');
  await until('the file parses', () => {
    try {
      return listed(file).deny?.join() === 'Bash(rm *)';
    } catch {
      return false;
    }
  });
});
