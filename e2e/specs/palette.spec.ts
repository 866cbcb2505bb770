// Everything from the keyboard: the palette, its keys and how they are changed; a call's file and change beside the chat;
// what a session costs.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { graveFaults } from '../fixtures/accessibility';
import { until } from '../fixtures/gate';
import { tabTo } from '../fixtures/keys';
import { expect, test } from '../fixtures/test';
import { message, text, toolUse } from '../fixtures/turns';
import { ChatPage } from '../pages/chatPage';

test('a few letters lead to an action, a mode and a session, by keyboard and by mouse', async ({
  open,
  page,
  model,
}) => {
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(message(text('First.')));
  await chat.send('the tide tables');
  await expect(chat.conversation).toContainText('First.');

  const palette = page.getByRole('dialog', { name: 'Command palette' });
  const field = palette.getByRole('combobox', { name: 'Command palette' });
  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  expect(await graveFaults(page, { within: '[role="dialog"]' })).toEqual([]);
  // What cannot be done says why, and Enter does nothing with it.
  await field.fill('stop the turn');
  const stop = palette.getByRole('option', { name: /Stop the turn/ });
  await expect(stop).toHaveAttribute('aria-disabled', 'true');
  await expect(stop).toContainText('Nothing runs in this session.');
  await page.keyboard.press('Enter');
  await expect(palette).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(field).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();

  await page.keyboard.press('Control+Shift+p');
  await page.keyboard.type('mode plan');
  await expect(palette.getByRole('option', { selected: true })).toContainText('Mode: Plan');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('contentinfo')).toContainText('Plan mode');

  await page.keyboard.press('Control+k');
  // What was used lately stands on top.
  await field.fill('hk');
  await palette.getByRole('option', { name: /^Hooks/ }).click();
  await expect(page.getByRole('heading', { name: 'Hooks', level: 1 })).toBeAttached();
  await page.keyboard.press('Control+k');
  await expect(palette.getByRole('group', { name: 'Recent' }).getByRole('option').first()).toContainText('Hooks');
  await field.fill('tide');
  await page.keyboard.press('Enter');
  await expect(chat.conversation).toContainText('First.');
});

test('keys are changed, shown where they conflict, and kept', async ({ open, page }) => {
  await open({ answeredBy: 'rehearsal' });
  await new ChatPage(page).begin();
  await page.keyboard.press('Control+/');
  await page.getByRole('dialog', { name: 'Keys' }).getByRole('button', { name: 'Change keys…' }).click();
  const keys = page.getByRole('list', { name: 'Keys of actions' });
  await page.getByRole('searchbox', { name: 'Search actions' }).fill('hooks');
  await tabTo(page, keys.getByRole('button', { name: /^Hooks: Ctrl Shift H/ }));
  await page.keyboard.press('Enter');
  // A letter alone would fire while somebody types.
  await page.keyboard.press('k');
  await expect(keys.getByRole('alert')).toContainText('Hold Ctrl');
  await page.keyboard.press('Control+Shift+l');
  await expect(keys).toContainText('also stands for “Rules”');
  await keys.getByRole('button', { name: /^Hooks: Ctrl Shift L/ }).click();
  await page.keyboard.press('Control+Shift+9');
  await expect(keys.getByRole('button', { name: /^Hooks: Ctrl Shift 9/ })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('contentinfo')).toContainText('mode');
  await page.keyboard.press('Control+Shift+9');
  await expect(page.getByRole('heading', { name: 'Hooks', level: 1 })).toBeAttached();
  await page.keyboard.press('Control+Shift+h');
  await expect(page.getByRole('heading', { name: 'Hooks', level: 1 })).toBeAttached();
});

test('a call’s change and file, a link to a line, and what it cost', async ({ open, page, model, world }) => {
  world.workspace.write(
    'src/long.js',
    `${Array.from({ length: 400 }, (_, line) => `line(${line + 1});`).join('\n')}\n`,
  );
  writeFileSync(join(world.home, '.claude/settings.json'), '{ "permissions": { "allow": ["Edit", "Read"] } }');
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(
    message(toolUse('Read', { file_path: 'src/long.js' })),
    message(
      toolUse('Edit', { file_path: 'src/long.js', old_string: 'line(300);', new_string: 'line( 300 );\nmore();' }),
    ),
    message(text('It is in src/long.js:300, and the end is `src/long.js:400`. Not in .env:1.')),
  );
  await chat.send('change it');
  await expect(chat.conversation).toContainText('It is in');

  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await page.getByRole('button', { name: 'src/long.js:400' }).click();
  const line = (number: number) => inspector.locator(`[data-line="${number}"]`);
  await expect(line(400)).toBeVisible();
  await expect(line(400)).toContainText('line(399);');

  await page.keyboard.press('Control+Shift+d');
  await chat.conversation
    .getByRole('button', { name: /steps|trace/i })
    .last()
    .click();
  await inspector.getByRole('tab', { name: 'File' }).click();
  await expect(line(301)).toContainText('more();');
  await expect(line(301)).toContainText('touched by the call');
  await expect(inspector).not.toContainText('Changed since');
  const before = world.workspace.read('src/long.js');
  await until('a later moment than the call', async () => {
    world.workspace.write('src/long.js', `// new\n${before}`);
    await inspector.getByRole('button', { name: 'Read again' }).click();
    return (await inspector.getByText('Changed since this call.').count()) > 0;
  });
  await expect(line(302)).toContainText('more();');
  await expect(inspector).toContainText('Its lines stand elsewhere now.');

  await inspector.getByRole('tab', { name: 'Diff' }).click();
  await page.keyboard.press('F7');
  await expect(inspector.getByRole('status').filter({ hasText: '1 of 1' })).toBeVisible();
  await inspector.getByRole('button', { name: 'Ignore blanks' }).click();
  await expect(inspector.getByRole('row').filter({ hasText: 'added' })).toHaveCount(1);
  expect(await graveFaults(page, { within: 'aside[aria-label="Inspector"]' })).toEqual([]);

  await page.getByRole('button', { name: '.env:1' }).click();
  await expect(inspector).toContainText('There is no file .env now.');

  await page
    .getByRole('contentinfo')
    .getByRole('button', { name: /tokens/ })
    .click();
  const meter = page.getByRole('dialog', { name: 'Tokens and cost' });
  await expect(meter).toContainText('no price');
  await meter.getByRole('button', { name: 'Prices…' }).click();
  await expect(meter).toBeHidden();
  await page.getByRole('combobox', { name: 'Model id' }).fill('scripted-large');
  await page.getByRole('textbox', { name: 'Input', exact: true }).fill('10');
  await page.getByRole('button', { name: 'Set price' }).click();
  await expect(page.getByRole('contentinfo').getByRole('button', { name: /tokens/ })).toContainText('$');
  await expect(page.getByRole('contentinfo').getByRole('button', { name: /tokens/ })).not.toContainText('no price');
});
