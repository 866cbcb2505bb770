// The Results page with real large files: a command's whole output is opened from its card, searched, kept, and the rest
// cleaned up and brought back. By mouse, and again by keyboard alone.
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tabTo } from '../fixtures/keys';
import { look } from '../fixtures/look';
import { expect, test } from '../fixtures/test';
import type { World } from '../fixtures/world';
import { ChatPage } from '../pages/chatPage';
import { ResultsPage } from '../pages/resultsPage';

/** What only its content tells from a state that is checked anyhow. */
const wantsPictures = process.env.GATEHOUSE_PICTURES === '1';

/** Lines of the large file; each is 50 bytes. */
const lines = 800_000;
const day = 24 * 60 * 60;

/** Every hundredth line warns, each of them once. */
function lineOf(number: number): string {
  const words = number % 100 === 0 ? 'warn unused export depthScale' : 'resolve ./chart/layers and the rest';
  return `${String(number).padStart(9, '0')} ${words}`.padEnd(49, '.');
}

/** Files of results that earlier sessions left: one of tens of megabytes, some structured ones, one of Claude Code. */
function fill(world: World): { readonly large: string } {
  const own = join(world.data, 'projects', '-srv-app', 'earlier', 'tool-results');
  const foreign = join(world.home, '.claude', 'projects', '-srv-app', 'theirs', 'tool-results');
  for (const folder of [own, foreign]) mkdirSync(folder, { recursive: true });
  const large = join(own, 'toolu_large.txt');
  writeFileSync(large, `${Array.from({ length: lines }, (_, at) => lineOf(at + 1)).join('\n')}\n`);
  const vessels = Array.from({ length: 400 }, (_, id) => ({ id, name: `Vessel ${id}`, berth: { quay: id % 7 } }));
  writeFileSync(join(own, 'toolu_vessels.json'), JSON.stringify(vessels, null, 2));
  writeFileSync(join(foreign, 'toolu_theirs.txt'), 'colour \u001b[32mgreen\u001b[0m, hidden \u202e sign\n'.repeat(900));
  const old = Date.now() / 1_000 - 12 * day;
  utimesSync(large, old, old);
  return { large };
}

test('opens the whole output from its card, searches it, keeps it, cleans up the rest and takes it back', async ({
  open,
  page,
  world,
}) => {
  world.workspace.write(
    'build.mjs',
    "for (let n = 1; n <= 9000; n += 1) console.log(n % 30 === 0 ? 'warn ' + n + ': unused export' : 'resolve ./chart/' + n);\n",
  );
  await open({ answeredBy: 'rehearsal' });
  const chat = new ChatPage(page);
  const results = new ResultsPage(page);
  await chat.begin();
  await results.open();
  await expect(page.getByText('longer than 20,000 characters')).toBeVisible();
  await look(page, { state: 'results-empty' });
  const { large } = fill(world);
  await page.getByRole('button', { name: 'Go to the chat' }).click();
  await chat.send('run `node build.mjs`');
  await chat.answer('Allow once');
  await chat.idle();
  await chat.conversation.getByRole('button', { name: 'Open', exact: true }).click();

  await expect(results.file.getByRole('heading', { level: 2 })).toHaveText('node build.mjs');
  await expect(results.row('node build.mjs')).toHaveAttribute('aria-selected', 'true');
  await expect(results.row('toolu_large.txt')).toContainText('40 MB');
  await results.search.fill('warn \\d+0:');
  await results.button('Regular expression').click();
  await expect(results.file).toContainText('1 of 300');
  await results.button('Next match').click();
  await expect(results.line(60)).toHaveAttribute('aria-selected', 'true');
  await expect(results.file).toContainText('2 of 300');
  await results.button('Only matches').click();
  await expect(results.line(30, results.matches)).toContainText('warn 30: unused export');
  await expect(results.line(31, results.matches)).toHaveCount(0);
  await results.button('Only matches').click();

  await results.button('Go to line').click();
  await page.getByRole('textbox', { name: 'Line' }).fill('8,765');
  await page.keyboard.press('Enter');
  await expect(results.line(8_765)).toContainText('resolve ./chart/8765');

  await results.button('Keep').click();
  await expect(results.row('node build.mjs')).toContainText('kept');
  await page.getByRole('button', { name: 'Clean up…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Clean up results' });
  await expect(dialog).toContainText('It takes 1 file, 40 MB');
  await dialog.getByRole('combobox', { name: 'Age' }).click();
  await page.getByRole('option', { name: 'of any age' }).click();
  await dialog.getByRole('button', { name: 'Move 2 files to the trash' }).click();
  await expect(dialog).toBeHidden();
  await expect(results.row('toolu_large.txt')).toHaveCount(0);
  await expect(results.row('toolu_theirs.txt')).toHaveCount(1);
  expect(existsSync(large)).toBe(false);

  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(results.row('toolu_large.txt')).toHaveCount(1);
  expect(existsSync(large)).toBe(true);

  await results.button('Go to call').click();
  await expect(chat.card(/^Bash, node build\.mjs/)).toBeVisible();
});

test('reads a file of tens of megabytes by keyboard alone', async ({ open, page, world }) => {
  fill(world);
  await open({ answeredBy: 'rehearsal' });
  const results = new ResultsPage(page);
  await new ChatPage(page).begin();
  await page.keyboard.press('Control+Shift+U');
  await expect(results.row('toolu_large.txt')).toBeVisible();
  await tabTo(page, results.table);
  await page.keyboard.press('End');
  await expect(await results.rowOfKeys(results.table)).toContainText('toolu_large.txt');
  await page.keyboard.press('Enter');

  await expect(results.line(1)).toContainText(lineOf(1));
  await expect(results.file).toContainText(`${lines.toLocaleString('en')} lines`);
  await tabTo(page, results.text);
  await page.keyboard.press('End');
  await expect(results.line(lines)).toContainText(lineOf(lines));
  await page.keyboard.press('Control+g');
  await page.keyboard.type('400001');
  await page.keyboard.press('Enter');
  await expect(results.line(400_001)).toContainText(lineOf(400_001));
  await expect(results.text).toBeFocused();
  await page.keyboard.press('PageDown');
  await page.keyboard.press('PageUp');
  await expect(results.line(400_001)).toHaveAttribute('aria-selected', 'true');

  await page.keyboard.press('/');
  await expect(results.search).toBeFocused();
  await page.keyboard.type('depthScale');
  await expect(results.file).toContainText('1 of 8,000');
  await page.keyboard.press('Shift+Enter');
  await expect(results.line(lines)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(results.line(100)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowDown');
  await expect(results.text).toBeFocused();
  await page.keyboard.press('F3');
  await expect(results.line(200)).toHaveAttribute('aria-selected', 'true');

  // What is in view and what is chosen outlives a look at another page.
  await page.keyboard.press('Control+Shift+L');
  await expect(results.text).toBeHidden();
  await page.keyboard.press('Control+Shift+U');
  await expect(results.line(200)).toHaveAttribute('aria-selected', 'true');
  await expect(results.file).toContainText('2 of 8,000');

  await tabTo(page, results.table);
  await page.keyboard.press('k');
  await expect(results.row('toolu_large.txt')).toContainText('kept');
  await page.keyboard.press('Home');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  const dialog = page.getByRole('dialog', { name: 'Clean up results' });
  await expect(dialog).toContainText('It takes 1 file');
  await tabTo(page, dialog.getByRole('button', { name: 'Move 1 file to the trash' }));
  await page.keyboard.press('Enter');
  await expect(results.row('toolu_vessels.json')).toHaveCount(0);
  await expect(results.table).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: 'Trash', exact: true }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('dialog', { name: 'Trash' }).getByRole('button', { name: 'Bring back' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Trash' })).toContainText('The trash is empty.');
  await tabTo(page, page.getByRole('dialog', { name: 'Trash' }).getByRole('button', { name: 'Close' }));
  await page.keyboard.press('Enter');
  await expect(results.row('toolu_vessels.json')).toHaveCount(1);
});

test('its states look right', { tag: '@pictures' }, async ({ open, page, world }) => {
  fill(world);
  await open({ answeredBy: 'rehearsal' });
  const results = new ResultsPage(page);
  await new ChatPage(page).begin();
  await results.open();
  await results.row('toolu_large.txt').click();
  await results.search.fill('depth');
  await expect(results.file).toContainText('1 of 8,000');
  await look(page, { state: 'results-text' });
  await results.search.fill('(depth');
  await results.button('Regular expression').click();
  await expect(results.file.getByRole('alert')).toBeVisible();
  await results.row('toolu_vessels.json').click();
  const tree = results.file.getByRole('tree', { name: 'Values' });
  await tree.getByRole('treeitem', { name: /^1:/ }).click();
  await expect(tree.getByRole('treeitem', { name: /^name: "Vessel 1"/ })).toBeVisible();
  await look(page, { state: 'results-json', within: '[aria-label="File"]' });
  await results.button('Table').click();
  await expect(results.file.getByRole('gridcell', { name: 'Vessel 3', exact: true })).toBeVisible();
  if (wantsPictures) await look(page, { state: 'results-table', within: '[aria-label="File"]' });
  await results.button('Hex').click();
  await expect(results.file.getByRole('grid', { name: 'Bytes of the file' })).toContainText('5b 0a 20 20');
  await results.row('toolu_theirs.txt').click();
  await expect(results.file).toContainText('U+202E right-to-left override');
  await expect(results.file).toContainText('only read');
  if (wantsPictures) await look(page, { state: 'results-foreign', within: '[aria-label="File"]' });
  await page.getByRole('button', { name: 'Clean up…' }).click();
  await expect(page.getByRole('dialog')).toContainText('It takes');
  await look(page, { state: 'results-clean-up', within: '[role="dialog"]' });
});
