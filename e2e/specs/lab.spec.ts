// The rule laboratory: from a denied call to its rule and its mending; from a rule to the past calls that it changes, saved,
// and obeyed by the session that runs. By mouse, and by keyboard alone.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Page } from '@playwright/test';
import { graveFaults } from '../fixtures/accessibility';
import { tabTo } from '../fixtures/keys';
import { ran, writePastCalls } from '../fixtures/pastCalls';
import { expect, test } from '../fixtures/test';
import { message, text, toolUse } from '../fixtures/turns';
import type { World } from '../fixtures/world';
import { ChatPage } from '../pages/chatPage';
import { RulesPage } from '../pages/rulesPage';

function writeLocal(world: World, permissions: object): string {
  const file = world.workspace.at('.claude/settings.local.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ permissions }, null, 2)}\n`);
  return file;
}

const savedRules = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8')).permissions;

/** Tab goes to the head of the tabs; arrows choose. */
async function tabByKeys(page: Page, name: RegExp): Promise<void> {
  const wanted = page.getByRole('tab', { name });
  await tabTo(page, page.getByRole('tab', { selected: true }));
  for (let presses = 0; presses < 8; presses += 1) {
    if ((await wanted.getAttribute('aria-selected')) === 'true') return;
    await page.keyboard.press('ArrowRight');
  }
  throw new Error('Arrows do not lead to the tab.');
}

test('finds out why a command was denied, and mends the rule', async ({ open, page, model, world }) => {
  const file = writeLocal(world, { deny: ['Bash(npm *)'], allow: ['Bash(npm test:*)'] });
  const { rpc } = await open();
  const chat = new ChatPage(page);
  await chat.begin();
  const npm = () => toolUse('Bash', { command: 'npm test', description: 'Run the tests' });
  model.play(message(npm()), message(text('It was denied.')));
  await chat.send('run the tests');
  await expect(chat.conversation).toContainText('It was denied.');
  await chat.conversation.getByRole('button', { name: /^Why: npm test/ }).click();
  const tree = page.getByRole('tree', { name: 'Why' });
  await expect(tree.getByRole('treeitem').first()).toContainText('deniedbyBash(npm *)');
  await expect(tree.getByRole('treeitem').filter({ hasText: 'Bash(npm test:*)' })).toContainText('loses');
  expect(await graveFaults(page)).toEqual([]);
  await tree.getByRole('button', { name: 'local · .claude/settings.local.json:4' }).first().click();

  const rules = new RulesPage(page);
  await expect(rules.lab.getByRole('button', { name: 'Edit', exact: true })).toBeVisible();
  await expect(rules.row('Bash(npm *)')).toHaveAttribute('aria-selected', 'true');
  await rules.lab.getByRole('button', { name: 'Edit', exact: true }).click();
  await rules.lab.getByRole('textbox', { name: 'Rule' }).fill('Bash(npm publish *)');
  await rules.lab.getByRole('button', { name: 'Change', exact: true }).click();
  await rules.tab('Try it');
  await rules.lab.getByRole('textbox', { name: 'Call' }).fill('npm test');
  await expect(rules.lab.getByRole('treeitem').first()).toContainText('allowedbyBash(npm test:*)');
  expect(savedRules(file)).toEqual({ deny: ['Bash(npm *)'], allow: ['Bash(npm test:*)'] });
  await rules.draftBar.getByRole('button', { name: /^Save/ }).click();
  await expect(rules.draftBar).toBeHidden();
  expect(savedRules(file)).toEqual({ deny: ['Bash(npm publish *)'], allow: ['Bash(npm test:*)'] });

  model.play(message(npm()), message(text('Now they pass.')));
  await rules.backToChat();
  await chat.send('once more');
  await expect(chat.conversation).toContainText('Now they pass.');
  const [denied, allowed] = await rpc.calls();
  expect([denied?.status, allowed?.status]).toEqual(['denied', 'succeeded']);
});

test('shows which past calls a rule would change, saves it, and the running session obeys', async ({
  open,
  page,
  model,
  world,
}) => {
  writePastCalls(world, [ran('npm test', 12), ran('npm run build', 5), ran('git push --force origin main')]);
  const { rpc } = await open();
  const chat = new ChatPage(page);
  await chat.begin();
  const rules = new RulesPage(page);
  await rules.open();
  await rules.tab('Replay');
  await expect(rules.lab.getByText(/^Over 30 days, 18 calls: 0 prompts fewer/)).toBeVisible();
  await rules.write('allow', 'Bash(npm test)');
  await rules.tab('Replay');
  await expect(
    rules.lab.getByText('Over 30 days, 18 calls: 12 prompts fewer, 0 newly allowed, 0 newly denied, 0 undetermined'),
  ).toBeVisible();
  await rules.lab.getByRole('button', { name: '12 calls: was ask, now allow' }).click();
  await rules.lab.getByRole('button', { name: /^npm test/ }).click();
  await expect(
    rules.lab.getByRole('tree', { name: 'Why, without the changes' }).getByRole('treeitem').first(),
  ).toContainText('asks');
  await expect(
    rules.lab.getByRole('tree', { name: 'Why, with the changes' }).getByRole('treeitem').first(),
  ).toContainText('allowedbyBash(npm test)');
  expect(await graveFaults(page)).toEqual([]);
  await rules.lab.getByRole('button', { name: 'All calls' }).click();
  const download = page.waitForEvent('download');
  await rules.lab.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  expect((await download).suggestedFilename()).toBe('replay.csv');
  await rules.lab.getByRole('button', { name: 'Save draft' }).click();
  await expect(rules.draftBar).toBeHidden();
  await expect(rules.lab.getByText(/^Over 30 days, 18 calls: 0 prompts fewer/)).toBeVisible();

  model.play(
    message(toolUse('Bash', { command: 'npm test', description: 'Run the tests' })),
    message(text('All pass.')),
  );
  await rules.backToChat();
  await chat.send('test it');
  await expect(chat.conversation).toContainText('All pass.');
  const [call] = await rpc.calls();
  expect(call?.decision?.reason).toMatchObject({ type: 'rule', rule: { text: 'Bash(npm test)' } });
});

test('the same by keyboard alone', async ({ open, page, model, world }) => {
  const file = writeLocal(world, { deny: ['Bash(npm *)'] });
  writePastCalls(world, [ran('npm test', 3), ran('ls', 2)]);
  const { rpc } = await open();
  const chat = new ChatPage(page);
  await chat.begin();
  const npm = () => toolUse('Bash', { command: 'npm test', description: 'Run the tests' });
  model.play(message(npm()), message(text('It was denied.')));
  await chat.send('run the tests');
  await expect(chat.conversation).toContainText('It was denied.');

  await tabTo(page, chat.conversation.getByRole('button', { name: /^Why: npm test/ }));
  await page.keyboard.press('Enter');
  const root = page.getByRole('tree', { name: 'Why' }).getByRole('treeitem').first();
  await tabTo(page, root);
  await page.keyboard.press('Enter');

  const rules = new RulesPage(page);
  await tabTo(page, rules.lab.getByRole('button', { name: 'Edit', exact: true }));
  await page.keyboard.press('Enter');
  const field = rules.lab.getByRole('textbox', { name: 'Rule' });
  await tabTo(page, field);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('Bash(npm publish *)');
  await page.keyboard.press('Enter');
  await expect(rules.draftBar).toBeVisible();

  await page.keyboard.press('ControlOrMeta+Home');
  await tabByKeys(page, /^Replay/);
  await expect(rules.lab.getByText(/^Over 30 days, \d+ calls/)).toBeVisible();
  await tabTo(page, rules.lab.getByRole('button', { name: /^npm test/ }));
  await page.keyboard.press('Enter');
  await expect(rules.lab.getByRole('button', { name: 'All calls' })).toBeFocused();
  await tabTo(page, rules.lab.getByRole('tree', { name: 'Why, with the changes' }).getByRole('treeitem').first());
  await page.keyboard.press('ControlOrMeta+S');
  await expect(rules.draftBar).toBeHidden();
  expect(savedRules(file)).toEqual({ deny: ['Bash(npm publish *)'] });

  model.play(message(npm()), message(text('It asked first.')));
  await page.keyboard.press('ControlOrMeta+Shift+L');
  await tabTo(page, chat.composer);
  await page.keyboard.type('once more');
  await page.keyboard.press('Enter');
  await chat.answer('Allow once');
  await expect(chat.conversation).toContainText('It asked first.');
  const [denied, asked] = await rpc.calls();
  expect([denied?.status, asked?.status]).toEqual(['denied', 'succeeded']);
});
