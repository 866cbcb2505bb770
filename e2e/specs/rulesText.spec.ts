// The Rules page with files as text and many rules: cleaning up by keyboard, the text beside the table, two writers of one
// file, ten thousand rows. Every view is looked through by axe.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { graveFaults } from '../fixtures/accessibility';
import { until } from '../fixtures/gate';
import { tabTo } from '../fixtures/keys';
import { lastResults } from '../fixtures/modelRequest';
import { expect, test } from '../fixtures/test';
import { message, text, toolUse } from '../fixtures/turns';
import type { World } from '../fixtures/world';
import { ChatPage } from '../pages/chatPage';
import { RulesPage } from '../pages/rulesPage';

/** Writes an invented settings file that grew for years. */
const samples = fileURLToPath(new URL('../../build/samples.mjs', import.meta.url));

const userFile = (world: World): string => join(world.home, '.claude', 'settings.json');
const read = (file: string): string => readFileSync(file, 'utf8');
const settings = (lists: object): string => `${JSON.stringify({ permissions: lists }, null, 2)}\n`;

async function opened(page: Page): Promise<RulesPage> {
  await new ChatPage(page).begin();
  await page.keyboard.press('Control+Shift+L');
  const rules = new RulesPage(page);
  await expect(rules.table).toBeVisible();
  return rules;
}

test('cleans up 200 rules by keyboard alone, and takes it back', async ({ open, page, world }) => {
  const file = userFile(world);
  execFileSync(process.execPath, [samples, join(world.home, '.claude'), '--rules', '200', '--calls', '20']);
  const messy = read(file);
  await open();
  const rules = await opened(page);
  await tabTo(page, rules.lab.getByRole('tab', { selected: true }));
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await tabTo(page, rules.lab.getByRole('button', { name: 'Mend all that is safe' }));
  await page.keyboard.press('Enter');
  await expect(rules.draftBar).toContainText('unsaved changes');
  // What the checks leave, the person finds by sorting and takes out.
  await tabTo(page, page.getByRole('searchbox', { name: 'Filter rules' }));
  await page.keyboard.type('sk-sample');
  await tabTo(page, rules.table);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Control+s');
  await expect(rules.draftBar).toBeHidden();
  expect(read(file)).not.toContain('sk-sample');
  expect(JSON.parse(read(file)).permissions.allow.length).toBeLessThan(100);
  await expect(rules.table).toBeHidden();
  await tabTo(page, page.getByRole('button', { name: /^Show all/ }));
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+z');
  await until('the file as it was', () => read(file) === messy);
});

test('text and table are one: from a rule to its line, a written text counts at the next call, and back', async ({
  open,
  page,
  model,
  world,
}) => {
  const file = userFile(world);
  writeFileSync(file, settings({ allow: ['Bash(ls *)', 'Bash(make *)'], deny: ['Bash(git\u200bpush)'] }));
  await open();
  const rules = await opened(page);
  await expect(rules.row('zero-width space')).toBeVisible();
  await rules.row('Bash(make *)').click();
  expect(await graveFaults(page)).toEqual([]);
  await rules.lab.getByRole('button', { name: 'Show in file' }).click();
  const editor = page.getByRole('textbox', { name: `Text of ${file}` });
  await expect(editor).toBeFocused();
  expect(await page.evaluate(() => getSelection()?.toString())).toContain('Bash(make *)');
  await page.keyboard.type('      "Bash(touch *)"');
  await expect(page.getByRole('button', { name: /^Text.*not saved$/ })).toBeVisible();
  expect(await graveFaults(page)).toEqual([]);
  await page.keyboard.press('Control+s');
  await until('the text on disk', () => read(file).includes('Bash(touch *)'));
  await page.getByRole('button', { name: 'Show in table' }).click();
  await expect(rules.row('Bash(touch *)')).toHaveAttribute('aria-selected', 'true');
  await expect(rules.row('Bash(make *)')).toHaveCount(0);

  const chat = new ChatPage(page);
  await rules.backToChat();
  model.play(message(toolUse('Bash', { command: 'touch made' })), message(text('Done.')));
  await chat.send('make it');
  await expect(chat.conversation).toContainText('Done.');
  expect(lastResults(await model.request(2))[0]?.isError).toBe(false);
  expect(world.workspace.has('made')).toBe(true);
});

test('marks what is wrong while it is written; two writers: merged, or the person says which text stands', async ({
  open,
  page,
  world,
}) => {
  const file = userFile(world);
  writeFileSync(file, settings({ allow: ['Bash(ls *)'], deny: ['Bash(dd *)'] }));
  await open();
  await opened(page);
  await page.getByRole('button', { name: 'Text', exact: true }).click();
  const editor = page.getByRole('textbox', { name: `Text of ${file}` });
  await editor.click();
  const write = async (content: string): Promise<void> => {
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(content);
  };
  await write('{ "permissions": { "allow": ["Bash(ls *)", ] }');
  await expect(page.locator('.cm-lintRange-error').first()).toBeAttached();
  await page.keyboard.press('Control+s');
  await expect(page.getByText('The file was not saved; your text is kept.', { exact: true })).toBeVisible();
  expect(read(file)).toBe(settings({ allow: ['Bash(ls *)'], deny: ['Bash(dd *)'] }));

  await write(settings({ allow: ['Bash(ls *)', 'Bash(pwd)'], deny: ['Bash(dd *)'] }));
  writeFileSync(file, settings({ allow: ['Bash(ls *)'], deny: ['Bash(dd *)', 'Bash(shutdown)'] }));
  await page.keyboard.press('Control+s');
  const both = settings({ allow: ['Bash(ls *)', 'Bash(pwd)'], deny: ['Bash(dd *)', 'Bash(shutdown)'] });
  await until('both changes', () => read(file) === both);
  await expect(page.getByText('Saved, together with what changed on disk meanwhile.', { exact: true })).toBeVisible();
  await expect(editor).toContainText('Bash(shutdown)');

  await write(settings({ allow: ['Bash(mine)'] }));
  writeFileSync(file, settings({ allow: ['Bash(theirs)'] }));
  await page.keyboard.press('Control+s');
  await page.getByRole('button', { name: 'Compare…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Bash(theirs)');
  await expect(dialog).toContainText('Bash(mine)');
  await dialog.evaluate((element) => Promise.all(element.getAnimations().map((one) => one.finished)));
  expect(await graveFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Write mine' }).click();
  await until('my text', () => read(file) === settings({ allow: ['Bash(mine)'] }));
});

test('what is in force: a mode is set and a folder added as part of one step', async ({ open, page, world }) => {
  const file = userFile(world);
  writeFileSync(file, settings({ allow: ['Bash(ls *)'] }));
  await open();
  const rules = await opened(page);
  await page.getByRole('button', { name: 'In force' }).click();
  await page.getByRole('combobox', { name: 'Default mode', exact: true }).click();
  await page.getByRole('option', { name: 'Plan' }).click();
  await page.getByRole('textbox', { name: 'Folder' }).fill('../shared');
  await page.getByRole('combobox', { name: 'Add to' }).click();
  await page.getByRole('option', { name: 'user' }).click();
  await page.getByRole('button', { name: 'Add folder' }).click();
  await expect(page.getByText('Not saved yet: not set → Plan in user')).toBeVisible();
  expect(await graveFaults(page)).toEqual([]);
  await rules.draftBar.getByRole('button', { name: /^Save/ }).click();
  await expect(page.getByText(/Counts: Plan/)).toBeVisible();
  expect(JSON.parse(read(file)).permissions).toEqual({
    allow: ['Bash(ls *)'],
    defaultMode: 'plan',
    additionalDirectories: ['../shared'],
  });
});

test('the draft outlives a reload; ten thousand rules answer at once', async ({ open, page, world }) => {
  test.setTimeout(150_000);
  const allow = Array.from({ length: 10_000 }, (_, at) => `Bash(task ${at} *)`);
  writeFileSync(userFile(world), settings({ allow }));
  await open();
  const rules = await opened(page);
  await expect(rules.table).toHaveAttribute('aria-rowcount', '10005');
  await rules.table.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowUp');
  await expect(rules.row('Bash(task 9999 *)')).toBeInViewport();
  const took = await page.evaluate(async () => {
    const grid = document.getElementById('rules-grid');
    const picturesAfter = async (press: () => void): Promise<number> => {
      const from = performance.now();
      for (let at = 0; at < 20; at += 1) {
        press();
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      }
      return performance.now() - from;
    };
    const idle = await picturesAfter(() => undefined);
    const busy = await picturesAfter(() =>
      grid?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp', bubbles: true })),
    );
    return busy / idle;
  });
  expect(took, 'time from a key to the next picture, against a picture without a key').toBeLessThan(9);
  await page.keyboard.press('Delete');
  await expect(rules.draftBar).toContainText('1 unsaved change');
  await page.reload();
  await opened(page);
  await expect(rules.draftBar).toContainText('1 unsaved change');
  await rules.draftBar.getByRole('button', { name: 'Discard' }).click();
  await expect(rules.draftBar).toBeHidden();
});
