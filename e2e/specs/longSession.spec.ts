// A session of two thousand messages: its end is there at once, its beginning and its middle when they are looked for,
// and writing goes on while it grows. The page never holds much of it.
import { createGate } from '../fixtures/gate';
import { writeLongSession } from '../fixtures/longSession';
import { expect, test } from '../fixtures/test';
import { message, text, toolUse } from '../fixtures/turns';
import { ChatPage } from '../pages/chatPage';

test('goes to its beginning and to a call from far away, and is written in while it grows', async ({
  open,
  page,
  model,
  world,
}) => {
  const { rpc } = await open();
  const chat = new ChatPage(page);
  await chat.begin();
  const { model: answering } = await rpc.state();
  writeLongSession(world, { messages: 2_000, title: 'Two thousand messages', model: answering });
  await page.reload();
  await chat.sessionList.getByText('Two thousand messages').click();
  await expect(chat.conversation).toHaveAccessibleName('Conversation: Two thousand messages');
  const { items, calls } = await rpc.state('s-long');
  const isHeld = async () => {
    const rows = await chat.conversation.locator('[data-index]').count();
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(60);
  };
  const jump = page.getByRole('button', { name: /^Jump to latest/ });

  // Its end first.
  const last = items.at(-1);
  const words =
    last?.kind === 'assistant' ? last.blocks.flatMap((block) => (block.type === 'text' ? block.text : [])) : [];
  await expect(chat.conversation).toContainText(
    words.join('').replaceAll(/[*`]/g, '').slice(-40).trim().split('\n').at(-1) ?? '',
  );
  await expect(jump).toBeHidden();
  await isHeld();

  // Its beginning.
  await chat.conversation.focus();
  await page.keyboard.press('Home');
  await expect(chat.conversation.getByText(/^1\. Please look at /)).toBeInViewport();
  await expect(jump).toBeVisible();
  await isHeld();

  // A call from the middle; its inspector knows which of all it is.
  await page.keyboard.press('Control+f');
  await page.getByRole('textbox', { name: 'Find in this conversation' }).fill('--turn 200');
  const card = chat.card(/npm run notes -- --turn 200/);
  await expect(card.first()).toBeInViewport();
  await page.keyboard.press('Escape');
  const number = Object.values(calls).findIndex(({ presentation }) => /--turn 200$/.test(presentation.summary)) + 1;
  const article = chat.conversation.getByRole('article').filter({ hasText: '--turn 200' });
  await article.getByRole('button', { name: /^Open trace: / }).click();
  await expect(page.getByText(`call ${number} · `)).toBeVisible();
  await isHeld();

  // On from there by the wheel, in both directions; what is read stays where it is.
  const box = await chat.conversation.boundingBox();
  if (box === null) throw new Error('The conversation is not drawn.');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  for (let turn = 0; turn < 12; turn += 1) await page.mouse.wheel(0, -1_500);
  await expect(chat.conversation.getByText(/^19\d\. Please look at |^18\d\. Please look at /).first()).toBeAttached();
  await isHeld();

  // Back at the end: an answer streams in, and what is typed meanwhile stays.
  await jump.click();
  await expect(jump).toBeHidden();
  const gate = createGate();
  const pieces = Array.from({ length: 200 }, (_, index) => `Word ${index} of it. `);
  model.play(
    message(
      text(['It begins. ', ...pieces, gate, 'It ends.'], { pieceDelayMs: 2 }),
      toolUse('Read', { file_path: 'README.md' }),
    ),
    message(text('All done.')),
  );
  await chat.send('go on');
  await expect(chat.conversation).toContainText('It begins.');
  await chat.composer.pressSequentially('typed while it streams');
  await expect(chat.composer).toHaveValue('typed while it streams');
  gate.open();
  await expect(chat.conversation).toContainText('It ends.');
  await expect(chat.conversation).toContainText('All done.');
  await expect(chat.composer).toHaveValue('typed while it streams');
  await isHeld();

  // Nothing of it is lost when the page begins anew.
  await page.reload();
  await expect(chat.conversation).toContainText('All done.');
  expect((await rpc.state('s-long')).items).toHaveLength(items.length + 3);
});
