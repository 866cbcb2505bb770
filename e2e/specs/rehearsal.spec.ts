// Without a key: the rehearsal model does a real job, and nothing is lost when the program is killed in the middle.
import { rmSync } from 'node:fs';
import { expectNoProcessLeft } from '../fixtures/app';
import { until } from '../fixtures/gate';
import { processesWith } from '../fixtures/processes';
import { connectRpc } from '../fixtures/rpcClient';
import { connectionLost, expect, test } from '../fixtures/test';
import { ChatPage } from '../pages/chatPage';

test('reads, runs, edits: asks appear and are answered, output streams, the file changes', async ({
  open,
  page,
  world,
}) => {
  const { rpc } = await open({ answeredBy: 'rehearsal' });
  const chat = new ChatPage(page);
  await chat.begin();
  world.workspace.write('hold', '');
  await expect(page.getByText(/scripted/i).first()).toBeVisible();
  await chat.send('read package.json then run `npm test` then replace foo with bar in src/x.js');

  await expect(chat.card(/^Read, package\.json, .*(done|succeeded)/i)).toBeVisible();
  await expect(chat.ask).toContainText('npm test');
  await chat.answer('Allow once');
  await expect(chat.liveOutput).toContainText('ok 1 - check 1');
  rmSync(world.workspace.at('hold'));
  await expect(chat.card(/^Bash, npm test/)).toBeVisible();

  await expect(chat.ask).toContainText('src/x.js');
  await expect(chat.ask).toContainText("export const greeting = 'bar';");
  expect(world.workspace.read('src/x.js')).toBe("export const greeting = 'foo';\n");
  await chat.answer('Allow once');

  await expect(chat.conversation).toContainText('All 3 steps are done');
  await chat.idle();
  expect(world.workspace.read('src/x.js')).toBe("export const greeting = 'bar';\n");
  const calls = await rpc.calls();
  expect(calls.map((call) => `${call.name} ${call.status}`)).toEqual([
    'Read succeeded',
    'Bash succeeded',
    'Read succeeded',
    'Edit succeeded',
  ]);
  for (const call of calls) {
    expect(call.steps.map((trace) => trace.step)).toEqual([
      'lookup',
      'input',
      'validation',
      'preHook',
      'permission',
      'execution',
      'postHook',
    ]);
  }
});

test('killed in the middle of a command: the session is there, the call is marked, no process is left', async ({
  open,
  launch,
  page,
  context,
  world,
  allowedConsoleErrors,
}) => {
  allowedConsoleErrors.push(connectionLost);
  const { app } = await open({ answeredBy: 'rehearsal' });
  const chat = new ChatPage(page);
  await chat.begin();
  await chat.send('run `echo started; node -e "setTimeout(() => {}, 120000)"; touch finished`');
  await chat.answer('Allow once');
  await expect(chat.liveOutput).toContainText('started');
  await until('the command to run', () =>
    processesWith(world.root).some((info) => info.command.includes('setTimeout')),
  );

  await app.kill();
  await expectNoProcessLeft(world);
  await expect(page.getByText(/connection/i).first()).toBeVisible();

  const again = await launch({ answeredBy: 'rehearsal', folder: world.workspace.path });
  await page.goto(again.url);
  await expect(chat.card(/^Bash, .*interrupted/)).toBeVisible();
  const rpc = await connectRpc(again, context);
  try {
    const state = await rpc.state();
    expect(state.turn).toBeNull();
    expect(Object.values(state.calls).map((call) => call.status)).toEqual(['interrupted']);
  } finally {
    rpc.close();
  }
  // The session goes on: its history has a result for the broken call.
  await chat.send('read README.md');
  await expect(chat.conversation).toContainText('README.md: 3 lines');
});

test('words are explained, a question is asked, a plan is put up', async ({ open, page }) => {
  const { rpc } = await open({ answeredBy: 'rehearsal' });
  const chat = new ChatPage(page);
  await chat.begin();
  await chat.send('hello');
  await expect(chat.conversation).toContainText('not intelligent');
  await chat.send('plan look around; make the change');
  await expect(chat.conversation).toContainText('the list is up, 2 tasks');
  expect((await rpc.state()).todos.map((todo) => `${todo.status} ${todo.content}`)).toEqual([
    'in_progress look around',
    'pending make the change',
  ]);
  await chat.send('ask me which colour: blue or red');
  await chat.choose('red');
  await expect(chat.conversation).toContainText(/your answer: .*red/);
});

test('a stopped count keeps what was said and the next message works', async ({ open, page }) => {
  const { rpc } = await open({ answeredBy: 'rehearsal' });
  const chat = new ChatPage(page);
  await chat.begin();
  await chat.send('count to 3000');
  await expect(chat.conversation).toContainText('1 2 3 4 5');
  await chat.stop();
  const stopped = await rpc.stateWhen('the turn to stop', (state) => state.turn === null);
  expect(stopped.items.length).toBeGreaterThan(0);
  await chat.send('read README.md');
  await expect(chat.conversation).toContainText('README.md: 3 lines');
});
