// Changes of files taken back: whole steps, single places, through later edits by hand, and the taking back itself.
import type { Page } from '@playwright/test';
import { runCli } from '../fixtures/cli';
import { tabTo } from '../fixtures/keys';
import { look } from '../fixtures/look';
import { connectionLost, expect, test } from '../fixtures/test';
import { message, text, toolUse } from '../fixtures/turns';
import { ChatPage } from '../pages/chatPage';

const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const lines = (...changed: readonly [from: string, to: string][]): string =>
  `${numbers.map((word) => changed.find(([from]) => from === word)?.[1] ?? word).join('\n')}\n`;

const panel = (page: Page) => page.getByRole('region', { name: 'Changes of files' });
const step = (page: Page, name: RegExp) => panel(page).getByRole('option', { name });
const file = (page: Page, name: string) => panel(page).getByRole('checkbox', { name: `Restore ${name}`, exact: true });

/** Does what a message says without asking. */
async function done(chat: ChatPage, message: string): Promise<void> {
  await chat.send(message);
  await expect(chat.conversation).toContainText(/steps are done|all you asked for/);
  await chat.idle();
}

test('a step is taken back through what was changed since; the restore is undone, and that again', async ({
  open,
  page,
  world,
}) => {
  const { rpc } = await open({ answeredBy: 'rehearsal' });
  const chat = new ChatPage(page);
  const { workspace } = world;
  workspace.write('src/numbers.txt', lines());
  await chat.begin();
  await chat.setMode('Accept edits');
  await done(
    chat,
    'replace one with ONE in src/numbers.txt then replace nine with NINE in src/numbers.txt then write src/new.txt: hello',
  );
  workspace.write('src/numbers.txt', lines(['one', 'ONE'], ['nine', 'NINE'], ['five', 'FIVE by hand']));

  // From the card of the first edit.
  await chat.conversation.getByRole('button', { name: 'Take back: src/numbers.txt' }).first().click();
  await expect(panel(page)).toBeVisible();
  await expect(panel(page).getByRole('option')).toHaveCount(3);
  await expect(panel(page).getByText('changed since, fits together')).toBeVisible();
  await panel(page)
    .getByRole('button', { name: /^Restore/ })
    .click();
  await expect(page.getByText('1 file restored.', { exact: true })).toBeVisible();
  expect(workspace.read('src/numbers.txt')).toBe(lines(['nine', 'NINE'], ['five', 'FIVE by hand']));
  await expect(panel(page).getByRole('option')).toHaveCount(4);
  await expect(step(page, /Restored by you/)).toHaveAttribute('aria-selected', 'true');

  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.getByText('The restore was undone.', { exact: true })).toBeVisible();
  expect(workspace.read('src/numbers.txt')).toBe(lines(['one', 'ONE'], ['nine', 'NINE'], ['five', 'FIVE by hand']));
  await page.getByRole('button', { name: 'Redo', exact: true }).click();
  await expect(panel(page).getByRole('option')).toHaveCount(6);
  expect(workspace.read('src/numbers.txt')).toBe(lines(['nine', 'NINE'], ['five', 'FIVE by hand']));

  // Back to the beginning, with the file that was made: all that came after the message.
  await page.keyboard.press('Escape');
  await expect(panel(page)).toBeHidden();
  await page.getByRole('button', { name: 'Actions for your message' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: /^Undo all changes since this message/ }).click();
  await expect(panel(page).getByText('3 changes since the message')).toBeVisible();
  await panel(page)
    .getByRole('button', { name: /^Restore/ })
    .click();
  await expect(page.getByText('2 files restored.', { exact: true })).toBeVisible();
  expect(workspace.has('src/new.txt')).toBe(false);
  expect(workspace.read('src/numbers.txt')).toBe(lines(['five', 'FIVE by hand']));

  // The model must read anew what it has not seen.
  await page.keyboard.press('Escape');
  await chat.send('use Edit with {"file_path": "src/numbers.txt", "old_string": "two", "new_string": "TWO"}');
  await expect
    .poll(async () => (await rpc.calls()).at(-1))
    .toMatchObject({ name: 'Edit', status: 'failed', modelText: expect.stringContaining('has changed on disk') });
});

test('by keyboard alone: a moment is chosen, a conflict seen in three texts, one place of two restored', async ({
  open,
  page,
  world,
}) => {
  await open({ answeredBy: 'rehearsal' });
  const chat = new ChatPage(page);
  const { workspace } = world;
  workspace.write('src/numbers.txt', lines());
  await chat.begin();
  await chat.setMode('Accept edits');
  await done(
    chat,
    `read src/numbers.txt then write src/numbers.txt:\n${lines(['two', 'TWO'], ['eight', 'EIGHT'])}then run \`echo x > made-by-a-command\``,
  ).catch(() => undefined);
  if (await chat.ask.isVisible()) await chat.answer('Allow once');
  await chat.idle();
  workspace.write('src/numbers.txt', lines(['two', 'my own two'], ['eight', 'EIGHT']));

  await tabTo(page, page.getByRole('button', { name: 'Changes of files' }));
  await page.keyboard.press('Enter');
  await expect(panel(page)).toBeVisible();
  await expect(panel(page).getByText('changed since, conflict')).toBeVisible();
  for (const title of ['As the step left it', 'On disk now', 'Would be restored'])
    await expect(panel(page).getByText(title)).toBeVisible();
  await expect(panel(page).getByText('1 call not covered.').first()).toBeVisible();
  await look(page, { state: 'changes-conflict', within: 'section[aria-label="Changes of files"]' });

  // The place that collides is not chosen by itself.
  const collides = panel(page).getByRole('checkbox', { name: 'Restore this place in src/numbers.txt, line 1' });
  await expect(collides).not.toBeChecked();
  await expect(file(page, 'src/numbers.txt')).toBeChecked();
  await tabTo(page, collides);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('1 file restored.', { exact: true })).toBeVisible();
  expect(workspace.read('src/numbers.txt')).toBe(lines(['two', 'my own two']));

  // Up and down in time; then the place that collides, knowingly.
  const list = panel(page).getByRole('listbox');
  await tabTo(page, list);
  await page.keyboard.press('End');
  await expect(panel(page).getByText('changed since, conflict')).toBeVisible();
  await tabTo(page, file(page, 'src/numbers.txt'));
  await page.keyboard.press('Space');
  await expect(panel(page).getByText(/Overwrites 1 later change\./)).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => workspace.read('src/numbers.txt')).toBe(lines());

  // The slider goes through the moments; at the first one everything is as it was.
  const slider = panel(page).getByRole('slider', { name: 'Go back to' });
  await tabTo(page, slider);
  await page.keyboard.press('Home');
  await expect(panel(page).getByText('is so already')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(panel(page).getByRole('button', { name: 'Back to before it, all 2 steps' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await page.keyboard.press('Escape');
  await expect(panel(page)).toBeHidden();
});

test('nothing changed yet, and a file that changes after the preview', async ({ open, page, world }) => {
  await open({ answeredBy: 'rehearsal' });
  const chat = new ChatPage(page);
  const { workspace } = world;
  await chat.begin();
  await page.getByRole('button', { name: 'Changes of files' }).click();
  await expect(panel(page).getByText('No file was changed yet')).toBeVisible();
  await panel(page).getByRole('button', { name: 'Close changes' }).click();
  await chat.setMode('Accept edits');
  await done(chat, 'replace foo with bar in src/x.js');
  await page.getByRole('button', { name: 'Changes of files' }).click();
  await expect(file(page, 'src/x.js')).toBeChecked();
  workspace.write('src/x.js', "export const greeting = 'other';\n");
  await panel(page)
    .getByRole('button', { name: /^Restore/ })
    .click();
  await expect(page.getByText('Nothing was restored.', { exact: true })).toBeVisible();
  expect(workspace.read('src/x.js')).toBe("export const greeting = 'other';\n");
  await expect(panel(page).getByText('changed since, conflict')).toBeVisible();
});

test('what a run beside the workspace changed is taken back here, by a sub-agent too; the program may be killed', async ({
  launch,
  open,
  page,
  world,
  model,
  allowedConsoleErrors,
}) => {
  allowedConsoleErrors.push(connectionLost);
  const { workspace } = world;
  const long = `src/${'a-rather-long-folder-name/'.repeat(6)}and-a-file-in-it.txt`;
  const task = { description: 'Write', prompt: 'write it', subagent_type: 'general-purpose' };
  model.play(
    message(toolUse('Write', { file_path: long, content: 'made by a run\n' }), toolUse('Agent', task)),
    message(toolUse('Write', { file_path: workspace.at('by-agent.txt'), content: 'made by a sub-agent\n' })),
    message(text('Written.')),
    message(text('All is done.')),
  );
  const { app } = await open();
  const end = await runCli(['run', '-p', 'make files', '--allowedTools', 'Write', 'Agent'], {
    world,
    modelUrl: model.url,
  });
  expect(end).toMatchObject({ code: 0, out: 'All is done.\n' });
  expect(workspace.has('by-agent.txt')).toBe(true);

  await app.kill();
  const again = await launch({ folder: workspace.path });
  await page.goto(again.url);
  const chat = new ChatPage(page);
  await chat.sessionList.getByText('make files').first().click();
  await page.getByRole('button', { name: 'Changes of files' }).click();
  await expect(panel(page).getByRole('option')).toHaveCount(2);
  await expect(panel(page).getByLabel('by a sub-agent')).toHaveCount(1);
  await panel(page).getByRole('listbox').press('End');
  await panel(page).getByRole('button', { name: 'Back to before it, all 2 steps' }).click();
  await expect(panel(page).getByText('deleted')).toHaveCount(2);
  await look(page, { state: 'changes-long', within: 'section[aria-label="Changes of files"]' });
  await panel(page)
    .getByRole('button', { name: /^Restore/ })
    .click();
  await expect(page.getByText('2 files restored.', { exact: true })).toBeVisible();
  expect([workspace.has(long), workspace.has('by-agent.txt')]).toEqual([false, false]);
  await panel(page).getByRole('button', { name: 'What the step did' }).click();
  await expect(panel(page).getByText('made by a sub-agent')).toBeVisible();
});
