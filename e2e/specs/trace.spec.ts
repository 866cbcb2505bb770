// What became of calls: seen while it happens, filtered, explained, taken along. By mouse, and again by keyboard alone.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tabTo } from '../fixtures/keys';
import { look } from '../fixtures/look';
import { expect, test } from '../fixtures/test';
import type { World } from '../fixtures/world';
import { ChatPage } from '../pages/chatPage';
import { TracePage } from '../pages/tracePage';

/** Recognisable in an export. */
const secret = `ghp_${'a1B2c3D4e5F6'.repeat(2)}`;

/** A hook that says something before each command, and one at the start of a session. */
function setHooks(world: World): void {
  const before = { matcher: 'Bash', hooks: [{ type: 'command', command: 'cat > /dev/null; echo looked >&2; exit 1' }] };
  const hooks = { PreToolUse: [before], SessionStart: [{ hooks: [{ type: 'command', command: 'echo begun' }] }] };
  writeFileSync(join(world.home, '.claude', 'settings.json'), JSON.stringify({ hooks }));
}

test('a call is watched while it waits and runs, found by a filter, explained and exported', async ({
  open,
  page,
  world,
}) => {
  setHooks(world);
  const { rpc } = await open({ answeredBy: 'rehearsal' });
  const chat = new ChatPage(page);
  const trace = new TracePage(page);
  await chat.begin();
  await trace.open();
  await expect(page.getByRole('heading', { name: 'Nothing has run here yet' })).toBeVisible();
  await look(page, { state: 'trace-empty' });
  await page.getByRole('button', { name: 'Write a message' }).click();
  await chat.send(`read README.md then run \`curl --help ${secret} > out.txt; until [ -e go ]; do sleep 0.1; done\``);
  await expect(chat.ask).toBeVisible({ timeout: 20_000 });

  // While it waits, its line grows; answered from elsewhere, it goes on before one's eyes.
  await trace.open();
  const command = trace.row('curl');
  await expect(trace.row('README.md')).toContainText('allow');
  await expect(command).toContainText('waits for you');
  await expect(trace.bars(command, 'waiting')).toHaveAttribute('data-open', 'true');
  await expect(trace.bars(command, 'preHook')).toHaveCount(1);
  await expect(trace.row('SessionStart')).toContainText('echo begun');
  await look(page, { state: 'trace-waiting' });
  const [session] = await rpc.sessions();
  const state = await rpc.stateWhen('an ask', ({ calls }) =>
    Object.values(calls).some((call) => call.status === 'asking'),
  );
  const asking = Object.values(state.calls).find((call) => call.status === 'asking');
  if (session === undefined || asking?.status !== 'asking') throw new Error('a call that asks');
  await rpc.call('sessions.answer', {
    sessionId: session.sessionId,
    askId: asking.ask.askId,
    answer: { kind: 'allowOnce' },
  });
  await expect(trace.bars(command, 'execution')).toHaveAttribute('data-open', 'true');
  writeFileSync(join(world.workspace.path, 'go'), '');
  await expect(trace.bars(command, 'execution')).not.toHaveAttribute('data-open', 'true', { timeout: 20_000 });
  await expect(command).toContainText('a hook failed');

  // The filter says whether it can be read and what it lets through.
  await trace.filter.fill('verdict:');
  await expect(trace.filter).toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('option', { name: /verdict:ask/ }).click();
  await expect(trace.filter).toHaveValue('verdict:ask ');
  await expect(trace.filter).toHaveAttribute('aria-invalid', 'false');
  await expect(page.getByText('1 of 2', { exact: true })).toBeVisible();
  await expect(trace.row('README.md')).toHaveCount(0);
  await trace.filter.fill('verdict:ask hook:fail >100ms -is:denied');
  await expect(page.getByText('1 of 2', { exact: true })).toBeVisible();

  // One call: its steps, why, its hooks, what came out.
  await command.click();
  await expect(trace.details.getByRole('heading', { name: 'Permission' })).toBeVisible();
  await expect(trace.details).toContainText('waiting for you');
  await trace.tab('Why');
  await expect(trace.details.getByRole('tree', { name: 'Why' })).toContainText('you');
  await expect(trace.details.getByRole('button', { name: 'Make a rule…' })).toBeVisible();
  await trace.tab('Hooks');
  await trace.details.getByRole('button', { name: 'What it was told and what it said' }).click();
  await expect(trace.details).toContainText('looked');
  await expect(trace.details).toContainText('exit 1');
  await look(page, {
    state: 'trace-call',
    small: { width: 1000, height: 600 },
  });
  await trace.tab('Output');
  await expect(trace.details).toContainText('What the model received');

  // What fits the filter, without what must not leave.
  await page.getByRole('button', { name: 'Export…' }).click();
  await trace.dialog.getByRole('button', { name: 'Preview…' }).click();
  await expect(trace.dialog).toContainText('api key');
  await look(page, { state: 'trace-export', within: '[role=dialog]' });
  const own = await trace.saved();
  expect(own.name).toMatch(/^trace-.*\.json$/);
  expect(own.text).not.toContain(secret);
  for (const folder of [world.home, world.workspace.path]) expect(own.text).not.toContain(folder);
  const document = JSON.parse(own.text);
  expect(document.calls).toHaveLength(1);
  expect(document.calls[0]).toMatchObject({ tool: 'Bash', status: 'succeeded', verdict: 'ask' });
  expect(document.calls[0].steps.map(({ step }: { step: string }) => step)).toContain('permission');

  // Dragging over the axis looks closer, dragging the bars moves along, a double click shows all again.
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await trace.drag({ from: 0.4, to: 0.7 });
  await expect(trace.whole).toBeEnabled();
  const before = await trace.axis.innerHTML();
  await trace.drag({ from: 0.7, to: 0.5, along: command });
  await expect.poll(() => trace.axis.innerHTML()).not.toBe(before);
  await trace.axis.dblclick();
  await expect(trace.whole).toBeDisabled();

  // All calls as spans.
  await page.getByRole('button', { name: 'Export…' }).click();
  await trace.dialog.getByText('OpenTelemetry').click();
  await trace.dialog.getByRole('button', { name: 'Preview…' }).click();
  const spans = JSON.parse((await trace.saved()).text).resourceSpans[0].scopeSpans[0].spans;
  const names: string[] = spans.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['execute_tool Read', 'execute_tool Bash', 'waiting for a person']));
  for (const { spanId, startTimeUnixNano } of spans) {
    expect(spanId).toMatch(/^[0-9a-f]{16}$/);
    expect(startTimeUnixNano).toMatch(/^\d{19}$/);
  }

  // From the call to a test of it.
  await trace.tab('Why');
  await trace.details.getByRole('button', { name: 'Make a test…' }).click();
  await expect(page.getByRole('button', { name: 'Make this a test' })).toBeEnabled();
  await trace.open();

  // And back to where it was asked for.
  await trace.details.getByRole('button', { name: 'Show in the chat' }).click();
  await expect(chat.card(/^Bash/)).toBeVisible();
});

test('finds, sorts, looks closer and opens a call by keyboard alone, coming from the chat', async ({ open, page }) => {
  await open({ answeredBy: 'rehearsal' });
  const chat = new ChatPage(page);
  const trace = new TracePage(page);
  await chat.begin();
  await chat.send('read README.md then read package.json then list `**/*.js` then find TODO in src');
  await expect(chat.card(/^Grep/)).toBeVisible({ timeout: 20_000 });
  await chat.idle();

  // From the card's track to the inspector, and on to the page.
  const track = page.getByRole('button', { name: /^Open trace/ }).last();
  await track.focus();
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Show among all calls' }));
  await page.keyboard.press('Enter');
  await expect(trace.details).toContainText('call 4');
  await expect(trace.row('TODO')).toHaveAttribute('aria-selected', 'true');

  await page.keyboard.press('Control+f');
  await expect(trace.filter).toBeFocused();
  await page.keyboard.type('to');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(trace.filter).toHaveValue('tool:');
  await page.keyboard.type('Re');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(trace.filter).toHaveValue('tool:Read ');
  await page.keyboard.press('Enter');
  await expect(trace.calls).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await expect(trace.details).toContainText('call 2');
  await page.keyboard.press('Escape');
  await expect(trace.details).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(trace.details).toContainText('call 2');

  const { whole } = trace;
  await expect(whole).toBeDisabled();
  await trace.calls.press('+');
  await trace.calls.press('ArrowRight');
  await expect(whole).toBeEnabled();
  await trace.calls.press('0');
  await expect(whole).toBeDisabled();

  await page.keyboard.press('Control+f');
  await page.keyboard.press('Escape');
  await expect(trace.filter).toHaveValue('');
  await tabTo(page, page.getByRole('button', { name: 'List', exact: true }));
  await page.keyboard.press('Enter');
  const byTool = trace.calls.getByRole('columnheader', { name: 'Tool' });
  await tabTo(page, byTool.getByRole('button'));
  await page.keyboard.press('Enter');
  await expect(byTool).toHaveAttribute('aria-sort', 'ascending');
  await expect(trace.calls.getByRole('row')).toContainText(['Tool', 'Glob', 'Grep', 'Read', 'Read']);
  await look(page, { state: 'trace-list' });

  await trace.view('Totals');
  await expect(page.getByRole('table').first()).toContainText('Read');
  await page.getByRole('button', { name: 'All sessions' }).click();
  await expect(page.getByRole('definition').first()).toHaveText('4');
  await look(page, { state: 'trace-totals' });
});
