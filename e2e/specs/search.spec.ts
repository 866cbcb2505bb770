// Words are found wherever they were said, run or printed, and lead to where they stand.
import { look } from '../fixtures/look';
import { expect, test } from '../fixtures/test';
import { writeTranscript } from '../fixtures/transcripts';
import { message, text, toolUse } from '../fixtures/turns';
import { ChatPage } from '../pages/chatPage';
import { SessionsPage } from '../pages/sessionsPage';

/** How many places are marked on the page, and what the present one says. */
function marks(page: import('@playwright/test').Page): Promise<{ readonly all: number; readonly present: string[] }> {
  return page.evaluate(() => ({
    all: [...(CSS.highlights.get('found-words') ?? [])].length,
    present: [...(CSS.highlights.get('found-current') ?? [])].map(String),
  }));
}

test('what a command printed is found in everything, and leads to its call', async ({ open, page, model, world }) => {
  writeTranscript(world, {
    session: '6f1c2a34-0000-4000-8000-000000000002',
    said: [{ person: 'Where is the lighthouse?', model: 'The lighthouse stands at the mole.' }],
    daysAgo: 3,
  });
  world.workspace.write('light.txt', `${'dark\n'.repeat(400)}lighthouse at 53.87\n${'dark\n'.repeat(400)}`);
  await open();
  const chat = new ChatPage(page);
  const sessions = new SessionsPage(page);
  await chat.begin();
  model.play(message(toolUse('Bash', { command: 'cat light.txt' })), message(text('It is dark.')));
  await chat.send('Show me the coast');
  await expect(chat.conversation).toContainText('It is dark.');
  await chat.idle();
  // So that the way leads from elsewhere.
  await page.keyboard.press('Control+Shift+O');
  await page.keyboard.press('Escape');

  await sessions.list.getByRole('textbox').fill('lighthouse');
  await sessions.list.getByRole('button', { name: 'Search in everything' }).click();
  await expect(sessions.searchField).toHaveValue('lighthouse');
  await expect(page.getByRole('main', { name: 'Search' }).getByRole('status').last()).toHaveText(
    /^\d finds in 2 conversations$/,
  );
  await expect(page.locator('mark').first()).toHaveText('lighthouse');
  await look(page, { state: 'search' });
  await page.getByRole('button', { name: 'Outputs', exact: true }).click();
  await expect(page.getByRole('main', { name: 'Search' }).getByRole('status').last()).toHaveText(
    '1 find in 1 conversation',
  );
  await sessions.searchField.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const card = chat.card(/^Bash, cat light\.txt/);
  await expect(card).toHaveAttribute('aria-expanded', 'true');
  await expect(card).toBeInViewport();
  await expect.poll(() => marks(page)).toEqual({ all: 0, present: ['lighthouse'] });
  await expect(chat.conversation.getByText('lighthouse at 53.87')).toBeInViewport();

  // Back to the same finds, and into the transcript by mouse.
  await page.keyboard.press('Control+Shift+F');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('button', { name: /^answer.*The lighthouse stands/ }).click();
  await expect(page.getByRole('region', { name: 'Read-only' })).toBeVisible();
  await expect.poll(async () => (await marks(page)).present).toEqual(['lighthouse']);
});

test('a text is found in the open conversation, one after the other', async ({ open, page, model }) => {
  await open();
  const chat = new ChatPage(page);
  const sessions = new SessionsPage(page);
  await chat.begin();
  model.play(
    message(text('A **buoy** and a Buoy.'), toolUse('Bash', { command: 'cat README.md # buoy' })),
    message(text(`${'Much is said.\n\n'.repeat(60)}The last buoy.`)),
  );
  await chat.send('Tell me of a buoy');
  await expect(chat.conversation).toContainText('The last buoy.');
  await chat.idle();

  await page.keyboard.press('Control+f');
  await page.keyboard.type('buoy');
  await expect(sessions.finder.getByRole('status')).toHaveText('5 of 5');
  await expect.poll(async () => (await marks(page)).present).toEqual(['buoy']);
  await page.keyboard.press('Enter');
  await expect(sessions.finder.getByRole('status')).toHaveText('1 of 5');
  await expect(chat.conversation.getByText('Tell me of a buoy')).toBeInViewport();
  await page.keyboard.press('F3');
  await page.keyboard.press('F3');
  await expect(sessions.finder.getByRole('status')).toHaveText('3 of 5');
  await expect.poll(async () => (await marks(page)).present).toEqual(['Buoy']);
  await look(page, { state: 'find' });
  await sessions.finder.getByRole('button', { name: 'Match case' }).click();
  await expect(sessions.finder.getByRole('status')).toHaveText('4 of 4');
  await sessions.finder.getByRole('textbox').fill('zebra');
  await expect(sessions.finder.getByRole('status')).toHaveText('Nothing');
  await page.keyboard.press('Escape');
  await expect(sessions.finder).toHaveCount(0);
  await expect.poll(() => marks(page)).toEqual({ all: 0, present: [] });
});
