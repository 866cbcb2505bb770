// The desktop host, where Electron's program has been fetched: the same core and page in a window of its own.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { _electron } from '@playwright/test';
import { electronBinary, testKey } from '../fixtures/app';
import { expect, test } from '../fixtures/test';
import { message, text, toolUse } from '../fixtures/turns';
import { ChatPage } from '../pages/chatPage';

const binary = electronBinary();
const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

test.skip(binary === null, "Electron's program is not installed");
test.skip(process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY, 'there is no display');

test('a call is asked, allowed and done; the window cannot leave its page', async ({ world, model }) => {
  const app = await _electron.launch({
    executablePath: binary ?? '',
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), projectRoot, '--folder', world.workspace.path],
    env: {
      ...world.environment,
      DISPLAY: process.env.DISPLAY ?? '',
      ANTHROPIC_API_KEY: testKey,
      ANTHROPIC_BASE_URL: model.url,
    },
  });
  try {
    const page = await app.firstWindow();
    const chat = new ChatPage(page);
    await chat.begin();
    model.play(message(toolUse('Bash', { command: 'touch one' })), message(text('Done.')));
    await chat.send('make it');
    await chat.answer('Allow once');
    await expect(chat.conversation).toContainText('Done.');
    expect(existsSync(world.workspace.at('one'))).toBe(true);
    expect(page.url()).toMatch(/^app:\/\//);
    const before = page.url();
    await page.evaluate(() => {
      window.location.href = 'https://example.invalid/';
    });
    await page.waitForTimeout(500);
    expect(page.url()).toBe(before);
    expect(await page.evaluate(() => 'require' in window || 'process' in window)).toBe(false);
  } finally {
    await app.close();
  }
});
