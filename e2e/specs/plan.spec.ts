// Plan mode from both ends: the model holds itself back, presents a plan, and the person chooses how it goes on.
import { graveFaults } from '../fixtures/accessibility';
import { expect, test } from '../fixtures/test';
import { ChatPage } from '../pages/chatPage';

const plan = {
  plan: '# Tide table\n\n1. Read `src/x.js`\n2. Replace **foo** with bar\n3. Run the tests\n\n| File | Change |\n|---|---|\n| src/x.js | one line |',
};

test('a plan is shown as it is meant, and approved with the mode to go on in', async ({ open, page }) => {
  await open({ answeredBy: 'rehearsal' });
  const chat = new ChatPage(page);
  await chat.begin();
  await chat.send('use EnterPlanMode with {}');
  await chat.idle();
  await chat.send(`use ExitPlanMode with ${JSON.stringify(plan)}`);
  await expect(chat.ask.getByRole('heading', { name: 'Tide table' })).toBeVisible();
  await expect(chat.ask.getByRole('button', { name: /Keep planning/ })).toBeVisible();
  expect(await graveFaults(page)).toEqual([]);
  const approve = chat.ask.getByRole('button', { name: 'Approve, accept edits' });
  await expect(approve).not.toHaveAttribute('aria-disabled', 'true');
  await approve.click();
  await chat.idle();
  await expect(page.getByText('Accept edits').first()).toBeVisible();
});
