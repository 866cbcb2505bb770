// A real command in the sandbox, from its wish to reach a host to the answer that the model gets.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { NetworkAnswer } from '#shared/session/networkAsk';
import { activityOf } from '#shared/session/state';
import { type CoreWorld, disposeBuilt, modelText, startWorld, type TestSession } from '../faults/testing/coreWorld';

const settings = { permissions: { allow: ['Bash'] } };
const site = createServer((_message, answer) => answer.end('from outside'));
let world: CoreWorld;
let session: TestSession;
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  port = (site.address() as AddressInfo).port;
  world = await startWorld({ settings });
}, 60_000);
beforeEach(async () => {
  world.settings(settings);
  session = await world.session();
});
afterAll(async () => {
  site.close();
  await world.dispose();
  await disposeBuilt();
});

const fetching = () => ({
  calls: [{ name: 'Bash', input: { command: `curl -sS --noproxy '' http://127.0.0.1:${port}/` } }],
});

/** Runs a command that fetches, answers what it asks, and gives what the model got. */
async function fetchAndAnswer(answer: NetworkAnswer) {
  const finished = session.until((body) => body.type === 'turn.finished');
  await session.send(fetching());
  const asked = await session.until((body) => body.type === 'network.asked');
  if (asked.type !== 'network.asked') throw new Error('nothing was asked');
  const waiting = activityOf(session.state());
  const answered = await world
    .client()
    .call('network.answer', { sessionId: session.id, askId: asked.ask.askId, answer });
  await finished;
  return { ask: asked.ask, waiting, answered, text: modelText(session.calls().at(-1)) };
}

test('a host is asked about while its command waits; allowed once, it is asked about again by the next', async () => {
  const first = await fetchAndAnswer({ kind: 'allowOnce' });
  expect(first).toMatchObject({
    waiting: 'waiting',
    ask: { host: '127.0.0.1', port, command: fetching().calls[0]?.input.command, agent: null },
    answered: { saved: null, settled: [] },
    text: 'from outside',
  });
  const second = await fetchAndAnswer({ kind: 'deny' });
  expect(second.text).toContain(`127.0.0.1:${port}: The person did not allow this command to reach 127.0.0.1.`);
  expect(session.state().networkAsks).toEqual([]);
});

test('allowed for the session, it asks no more', async () => {
  expect((await fetchAndAnswer({ kind: 'allowSession' })).text).toBe('from outside');
  expect((await session.turn(fetching())).map(modelText).at(-1)).toBe('from outside');
});

test('allowed for good, it stands in the settings, counts in other sessions, and can be undone', async () => {
  const first = await fetchAndAnswer({ kind: 'allowAlways', pattern: `127.0.0.1:${port}`, source: 'userSettings' });
  expect(first.text).toBe('from outside');
  const file = first.answered.saved?.where ?? '';
  const stands = () => readFileSync(file, 'utf8').includes(`"127.0.0.1:${port}"`);
  expect(stands()).toBe(true);
  session = await world.session();
  expect((await session.turn(fetching())).map(modelText).at(-1)).toBe('from outside');
  expect(await world.client().call('sandbox.view', { sessionId: session.id })).toMatchObject({
    network: { reach: 'asks', problem: '', allowed: [{ text: `127.0.0.1:${port}` }] },
  });
  await world.client().call('rules.undo', { step: first.answered.saved?.step ?? '' });
  expect(stands()).toBe(false);
});

test('denied by a list, it is not asked about, and the model hears of the list', async () => {
  world.settings({ ...settings, sandbox: { network: { deniedDomains: ['127.0.0.1'] } } });
  expect((await session.turn(fetching())).map(modelText).at(-1)).toContain(
    '127.0.0.1 is denied by “127.0.0.1” in sandbox.network.deniedDomains',
  );
});

test('a turn that is stopped withdraws its question', async () => {
  await session.send(fetching());
  await session.until((body) => body.type === 'network.asked');
  await session.stop();
  expect(session.state().networkAsks).toEqual([]);
});
