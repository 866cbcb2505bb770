// The Hooks page with real hooks: written, tried out without the call, seen to run, changed and taken back; and hooks of a
// folder that is not trusted.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { graveFaults } from '../fixtures/accessibility';
import { until } from '../fixtures/gate';
import { tabTo } from '../fixtures/keys';
import { expect, test } from '../fixtures/test';
import { message, text, toolUse } from '../fixtures/turns';
import type { World } from '../fixtures/world';
import { ChatPage } from '../pages/chatPage';
import { HooksPage } from '../pages/hooksPage';

const userFile = (world: World): string => join(world.home, '.claude', 'settings.json');
const localFile = (world: World): string => world.workspace.at('.claude/settings.local.json');

test('a hook is added, tried with a past call, runs, and is taken back', async ({ open, page, model, world }) => {
  const kept = '{\n\t"permissions": { "allow": ["Bash"] },\n\t"other": 1\n}\n';
  writeFileSync(userFile(world), kept);
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(message(toolUse('Bash', { command: 'echo past' })), message(text('Done.')));
  await chat.send('go');
  await expect(chat.conversation).toContainText('Done.');

  const hooks = new HooksPage(page);
  await hooks.open();
  await expect(page.getByRole('heading', { name: 'No hooks yet' })).toBeVisible();
  await page.getByRole('button', { name: 'Add hook' }).click();
  await hooks.choose('Where it is kept', 'Me, in all folders');
  await hooks.dialog
    .getByRole('textbox', { name: 'Command' })
    .fill("if grep -q past; then echo 'Not again.' >&2; exit 2; fi");
  await expect(hooks.dialog.getByRole('region', { name: 'What would be written' })).toContainText('PreToolUse');
  expect(readFileSync(userFile(world), 'utf8')).toBe(kept);
  await hooks.dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(hooks.dialog).toBeHidden();
  expect(readFileSync(userFile(world), 'utf8')).toContain('\t"other": 1');

  await hooks.row('grep -q past').click();
  await hooks.trial.getByRole('searchbox', { name: 'Choose a past call' }).click();
  await hooks.trial.getByRole('button', { name: /echo past/ }).click();
  await hooks.trial.getByRole('button', { name: 'Run the hook' }).click();
  await expect(hooks.trial).toContainText('The call would be refused: Not again.');
  await hooks.trial.getByRole('button', { name: 'What it was told and what it said' }).click();
  await expect(hooks.trial).toContainText('"hook_event_name": "PreToolUse"');
  expect(await graveFaults(page)).toEqual([]);
  // A trial is no run of the session.
  await page.getByRole('tab', { name: 'Runs' }).click();
  await expect(page.getByRole('heading', { name: 'No hook has run in this session' })).toBeVisible();

  await page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: /^Chat/ }).click();
  model.play(message(toolUse('Bash', { command: 'echo past' })), message(text('Refused.')));
  await chat.send('again');
  await expect(chat.conversation).toContainText('Refused.');
  await hooks.open();
  await page.getByRole('tab', { name: /^Runs/ }).click();
  const run = page.getByRole('list', { name: 'Runs' }).getByRole('listitem').first();
  await expect(run).toContainText('Not again.');
  await run.getByRole('button', { name: /echo past/ }).click();
  await expect(page.getByRole('complementary', { name: 'Inspector' })).toContainText('Not again.');

  await hooks.open();
  await page.getByRole('tab', { name: /^Hooks/ }).click();
  await hooks.row('grep -q past').click();
  await hooks.details.getByRole('button', { name: 'Remove' }).click();
  await hooks.dialog.getByRole('button', { name: 'Remove' }).click();
  await until('the file as it was', () => readFileSync(userFile(world), 'utf8') === kept);
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
  await expect(hooks.row('grep -q past')).toBeVisible();
});

test('what is wrong is said, and a hook of a folder that is not trusted never runs', async ({ open, page, world }) => {
  const stop = { type: 'command', command: 'touch "$CLAUDE_PROJECT_DIR"/ran' };
  world.workspace.write('.claude/settings.json', JSON.stringify({ hooks: { Stop: [{ hooks: [stop] }] } }));
  writeFileSync(
    userFile(world),
    JSON.stringify({
      hooks: {
        pretooluse: [{ hooks: [{ type: 'command', command: 'true' }] }],
        PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: './nowhere.sh' }] }],
        PostToolUse: [{ matcher: '(', hooks: [{ type: 'command', command: 'true' }] }],
        SessionStart: [{ hooks: [{ type: 'command', command: 'echo begun' }] }],
      },
    }),
  );
  await open({ answeredBy: 'rehearsal' });
  const chat = new ChatPage(page);
  await chat.begin();
  await chat.send('hello');
  await chat.idle();
  const hooks = new HooksPage(page);
  await hooks.open();
  for (const [row, words] of [
    ['pretooluse', 'names are case-sensitive. Write PreToolUse'],
    ['nowhere.sh', 'There is no file ./nowhere.sh'],
  ] as const)
    await expect(hooks.list.getByRole('row').filter({ hasText: row }).filter({ hasText: words }).first()).toBeVisible();
  // By keyboard alone: to the list, down to the hook, its details.
  await tabTo(page, hooks.list.getByRole('row').filter({ hasText: 'echo begun' }));
  await page.keyboard.press('Enter');
  await expect(hooks.details).toContainText('exit 0');
  await expect(hooks.row('touch')).toContainText('waits for trust');
  await hooks.row('touch').click();
  await expect(hooks.trial).toContainText('It may not run');
  expect(existsSync(world.workspace.at('ran'))).toBe(false);
  await page.getByRole('tab', { name: /^Runs/ }).click();
  await expect(page.getByRole('list', { name: 'Runs' })).toContainText('for the session, no call');

  await page.getByRole('button', { name: 'Show what waits…' }).first().click();
  await expect(page.getByRole('dialog')).toContainText('hook for Stop');
  await page.getByRole('button', { name: 'Trust this folder' }).click();
  await page.getByRole('tab', { name: /^Hooks/ }).click();
  await hooks.row('touch').click();
  await hooks.trial.getByRole('button', { name: 'Run the hook' }).click();
  await expect(hooks.trial).toContainText('Nothing');
  expect(existsSync(world.workspace.at('ran'))).toBe(true);

  // A switch takes them all out, and the page says which.
  writeFileSync(localFile(world), '{ "disableAllHooks": true }');
  await expect(page.getByText('All hooks are off.')).toBeVisible();
  await expect(hooks.row('touch')).toContainText('off');
});
