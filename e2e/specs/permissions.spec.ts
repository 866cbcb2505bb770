// The ask: what each answer does, on disk and for the model, and that nothing but an answer approves.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGate, until } from '../fixtures/gate';
import { lastResults } from '../fixtures/modelRequest';
import { expect, test } from '../fixtures/test';
import { message, text, toolUse, waitFor } from '../fixtures/turns';
import { ChatPage } from '../pages/chatPage';

const touch = (file: string) => toolUse('Bash', { command: `touch ${file}`, description: 'Make a file' });

test('allow once runs this call and asks again for the next', async ({ open, page, model, world }) => {
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(message(text('I make a file.'), touch('one')), message(touch('one')), message(text('Done.')));
  await chat.send('make it');
  await expect(chat.ask).toContainText('touch one');
  await chat.answer('Allow once');
  await until('the file', () => existsSync(world.workspace.at('one')));
  await model.request(2);
  await expect(chat.ask).toContainText('touch one');
  await chat.answer('Allow once');
  await expect(chat.conversation).toContainText('Done.');
  expect(existsSync(world.workspace.at('.claude/settings.local.json'))).toBe(false);
});

test('always allow saves the rule with all else kept, and the next such call runs', async ({
  open,
  page,
  model,
  world,
}) => {
  const file = world.workspace.at('.claude/settings.local.json');
  mkdirSync(world.workspace.at('.claude'), { recursive: true });
  writeFileSync(
    file,
    '{\n  "model": "x",\n  "permissions": {\n    "allow": ["Bash(ls:*)"],\n    "deny": ["Bash(curl:*)"]\n  },\n  "unknownKey": {"a": [1, 2]}\n}\n',
  );
  const { rpc } = await open();
  const chat = new ChatPage(page);
  await chat.begin();
  const npm = () => toolUse('Bash', { command: 'npm test', description: 'Run the tests' });
  model.play(message(npm()), message(npm()), message(text('Done.')));
  await chat.send('test twice');
  await chat.answer('Always allow…');
  const rule = await chat.alwaysStep.suggestedRule();
  expect(rule).toMatch(/^Bash\(npm test/);
  await chat.alwaysStep.save('local');
  await expect(chat.conversation).toContainText('Done.');

  const saved = readFileSync(file, 'utf8');
  expect(saved).toContain(JSON.stringify(rule));
  for (const kept of ['"model": "x"', '"Bash(ls:*)"', '"deny": ["Bash(curl:*)"]', '"unknownKey": {"a": [1, 2]}'])
    expect(saved).toContain(kept);
  const [first, second] = await rpc.calls();
  expect(first?.decision?.reason).toMatchObject({ type: 'user', answer: 'always' });
  expect(second?.decision?.reason).toMatchObject({ type: 'rule', rule: { text: rule, source: 'localSettings' } });
  await expect(chat.conversation).toContainText(`${rule}`);
});

test('always allow for the session writes no file', async ({ open, page, model, world }) => {
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  const npm = () => toolUse('Bash', { command: 'npm test' });
  model.play(message(npm()), message(npm()), message(text('Done.')));
  await chat.send('test twice');
  await chat.answer('Always allow…');
  await chat.alwaysStep.save('session');
  await expect(chat.conversation).toContainText('Done.');
  // What keeps a command from making one is taken away a moment after it.
  await until('no folder of settings', () => !existsSync(world.workspace.at('.claude')));
  expect(existsSync(join(world.home, '.claude/settings.json'))).toBe(false);
});

test('a saved rule can be taken back at once', async ({ open, page, model, world }) => {
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  const npm = () => toolUse('Bash', { command: 'npm test' });
  model.play(message(npm()), message(text('Once.')));
  await chat.send('test');
  await chat.answer('Always allow…');
  await chat.alwaysStep.choose(/^Bash\(npm test:\*\)/);
  expect(await chat.alwaysStep.suggestedRule()).toBe('Bash(npm test:*)');
  await chat.alwaysStep.save('local');
  await until('the rule in the file', () => world.workspace.has('.claude/settings.local.json'));
  expect(world.workspace.read('.claude/settings.local.json')).toContain('Bash(npm test:*)');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('The rule was taken back', { exact: true })).toBeVisible();
  // The file came with the rule, and goes with it.
  await until('no file any more', () => !world.workspace.has('.claude/settings.local.json'));
  await expect(chat.conversation).toContainText('Once.');
  model.play(message(npm()));
  await chat.send('again');
  await expect(chat.ask).toContainText('npm test');
  await chat.answer('Deny');
});

test('deny with words tells the model those words; the turn goes on', async ({ open, page, model, world }) => {
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(message(touch('one')), message(text('Understood.')));
  await chat.send('make it');
  await chat.denyWith('Use the name two instead, "quoted" & <tagged>');
  const [result] = lastResults(await model.request(2));
  expect(result?.isError).toBe(true);
  expect(result?.text).toContain('Use the name two instead, "quoted" & <tagged>');
  await expect(chat.conversation).toContainText('Understood.');
  expect(existsSync(world.workspace.at('one'))).toBe(false);
});

test('deny without words ends the turn; the next message carries the denial', async ({ open, page, model }) => {
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(message(touch('one')), message(text('Something else, then.')));
  await chat.send('make it');
  await chat.answer('Deny');
  await chat.idle();
  expect(model.requests).toHaveLength(1);
  await chat.send('do something else');
  const request = await model.request(2);
  expect(lastResults(request)).toEqual([
    expect.objectContaining({ isError: true, text: expect.stringMatching(/denied/i) }),
  ]);
  await expect(chat.conversation).toContainText('Something else, then.');
});

test('an edit shows its diff before it is allowed', async ({ open, page, model, world }) => {
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(
    message(toolUse('Read', { file_path: world.workspace.at('src/x.js') })),
    message(
      toolUse('Edit', { file_path: world.workspace.at('src/x.js'), old_string: "'foo'", new_string: "'b\u200bar'" }),
    ),
    message(text('Done.')),
  );
  await chat.send('edit');
  await expect(chat.ask).toContainText('src/x.js');
  await expect(chat.ask).toContainText("export const greeting = 'foo';");
  await expect(chat.ask, 'an invisible character is made visible').toContainText(/200B|ZWSP|zero width/i);
  await chat.answer('Allow once');
  await expect(chat.conversation).toContainText('Done.');
  expect(world.workspace.read('src/x.js')).toBe("export const greeting = 'b\u200bar';\n");
});

test('typing, Enter and a click in the first moment approve nothing', async ({ open, page, model, world }) => {
  const { rpc } = await open();
  const chat = new ChatPage(page);
  await chat.begin();
  await rpc.call('settings.setPreferences', { armDelayMs: 2_000 });
  const gate = createGate();
  model.play(message(waitFor(gate), touch('one')));
  await chat.send('make it');
  await chat.composer.pressSequentially('yes ');
  gate.open();
  const allow = chat.ask.getByRole('button', { name: 'Allow once', exact: true });
  await expect(allow).toHaveAttribute('aria-disabled', 'true');
  // Playwright would wait until it may be pressed; a hurried hand does not.
  await allow.click({ force: true });
  expect((await rpc.calls()).map((call) => call.status)).toEqual(['asking']);
  await expect(allow).toHaveAttribute('aria-disabled', 'false');

  await chat.composer.click();
  await chat.composer.pressSequentially('y1a ');
  for (const key of ['Escape', 'Control+Enter', 'Control+Backspace']) await page.keyboard.press(key);
  await expect(chat.ask).toBeVisible();
  expect((await rpc.calls()).map((call) => call.status)).toEqual(['asking']);
  expect(existsSync(world.workspace.at('one'))).toBe(false);
  await expect(chat.composer, 'focus stays with the writer').toBeFocused();
  await chat.answer('Deny');
});

test('the chord answers only from inside the ask', async ({ open, page, model, world }) => {
  await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(message(touch('one')), message(text('Done.')));
  await chat.send('make it');
  await expect(chat.ask).toBeVisible();
  await page.keyboard.press('Control+Shift+A');
  await expect(chat.ask.getByRole('button', { name: /^Allow once/ })).not.toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Control+Enter');
  await expect(chat.conversation).toContainText('Done.');
  expect(existsSync(world.workspace.at('one'))).toBe(true);
});

test('the mode decides: accept edits writes unasked, plan changes nothing', async ({ open, page, model, world }) => {
  const { rpc } = await open();
  const chat = new ChatPage(page);
  await chat.begin();
  await chat.setMode('Accept edits');
  await rpc.stateWhen('the mode', (state) => state.mode === 'acceptEdits');
  model.play(
    message(toolUse('Write', { file_path: world.workspace.at('new.txt'), content: 'new\n' })),
    message(text('Written.')),
  );
  await chat.send('write');
  await expect(chat.conversation).toContainText('Written.');
  expect(world.workspace.read('new.txt')).toBe('new\n');

  await chat.setMode('Plan');
  await rpc.stateWhen('the mode', (state) => state.mode === 'plan');
  model.play(
    message(toolUse('Write', { file_path: world.workspace.at('other.txt'), content: 'x' })),
    message(text('I only plan.')),
  );
  await chat.send('write more');
  const [result] = lastResults(await model.request(4));
  expect(result?.isError).toBe(true);
  expect(existsSync(world.workspace.at('other.txt'))).toBe(false);
  await expect(chat.conversation).toContainText('I only plan.');
});

test('bypass cannot be chosen where it was not enabled at launch', async ({ open, page }) => {
  const { rpc } = await open();
  await new ChatPage(page).begin();
  const [session] = await rpc.sessions();
  await expect(
    rpc.call('sessions.setMode', { sessionId: session?.sessionId ?? '', mode: 'bypassPermissions' }),
  ).rejects.toThrow(/refused: /);
});

test('two tabs: the first answer wins, the other sees it close', async ({ open, page, context, model, world }) => {
  const { app, rpc } = await open();
  const chat = new ChatPage(page);
  await chat.begin();
  model.play(message(touch('one')), message(text('Done.')));
  await chat.send('make it');
  await expect(chat.ask).toBeVisible();
  const second = await context.newPage();
  await second.goto(app.origin);
  const other = new ChatPage(second);
  await expect(other.ask).toContainText('touch one');
  const [call] = await rpc.calls();
  const askId = call?.status === 'asking' ? call.ask.askId : '';

  await other.answer('Deny');
  await expect(chat.ask).toBeHidden();
  await expect(other.ask).toBeHidden();
  const [session] = await rpc.sessions();
  const late = rpc.call('sessions.answer', {
    sessionId: session?.sessionId ?? '',
    askId,
    answer: { kind: 'allowOnce' },
  });
  await expect(late).rejects.toThrow(/conflict: /);
  expect(existsSync(world.workspace.at('one'))).toBe(false);
});
