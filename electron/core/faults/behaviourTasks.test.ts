// What people have reported of background tasks, each played through the whole core with its real executor.
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import type { BackgroundTask } from '#shared/session/backgroundTask';
import { type CoreWorld, disposeBuilt, startWorld, type TestSession } from './testing/coreWorld';

let world: CoreWorld;
let session: TestSession;

beforeEach(async () => {
  world = await startWorld();
  session = await world.session();
}, 60_000);
afterEach(async () => {
  expect([world.model.faults, world.errors, world.logFaults()]).toEqual([[], [], []]);
  await world.dispose();
});
afterAll(disposeBuilt);

const background = (command: string) => ({ name: 'Bash', input: { command, run_in_background: true } });
const task = (): BackgroundTask | undefined => session.state().tasks.b1;
const states = () => session.events.flatMap(({ body }) => (body.type === 'task.changed' ? [body.task.status] : []));
const output = () => {
  try {
    return readFileSync(task()?.outputFile ?? '', 'utf8');
  } catch {
    return '';
  }
};

async function isFree(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

it('is stopped at the cap of its output, and person and model are told', async () => {
  await session.turn({
    calls: [background('yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')],
  });
  await expect.poll(() => task()?.status, { timeout: 90_000 }).toBe('stopped');
  expect(task()?.note).toBe('output reached 64 MiB');
  expect(statSync(task()?.outputFile ?? '').size).toBeLessThanOrEqual(64 * 2 ** 20);
  expect(world.processes()).toEqual([]);
  const notices = session.events.flatMap(({ body }) => (body.type === 'notice' ? [body.text] : []));
  expect(notices).toEqual([expect.stringContaining('Background task b1')]);
  await session.turn('I see.');
  expect(JSON.stringify(world.model.requests.at(-1)?.at(-1))).toContain('output reached 64 MiB');
}, 120_000);

it('frees both its ports when it is stopped, and is stopped once', async () => {
  const listen = (name: string) =>
    `node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => console.log("${name} " + s.address().port))'`;
  await session.turn({ calls: [background(`trap '' TERM; setsid ${listen('one')} & ${listen('two')} & wait`)] });
  await expect.poll(output, { timeout: 30_000 }).toMatch(/one \d+/);
  await expect.poll(output, { timeout: 30_000 }).toMatch(/two \d+/);
  const ports = [...output().matchAll(/(?:one|two) (\d+)/g)].map(([, port]) => Number(port));
  const stop = () => world.client().call('tasks.stop', { sessionId: session.id, taskId: 'b1' });
  await Promise.all([stop(), stop()]);
  expect([ports.length, await Promise.all(ports.map(isFree)), world.processes()]).toEqual([2, [true, true], []]);
  expect(states()).toEqual(['running', 'stopped']);
}, 90_000);

it('is ended with all it started before its bookkeeping closes, when the program is quit', async () => {
  await session.turn({
    calls: [background("trap '' TERM HUP; setsid sleep 300 & echo ready; while :; do sleep 1; done")],
  });
  await expect.poll(() => task()?.status).toBe('running');
  await world.offline((database) => {
    expect(world.processes()).toEqual([]);
    const last = database
      .prepare<[], { body: string }>(
        `select body from events where json_extract(body, '$.type') = 'task.changed' order by seq desc limit 1`,
      )
      .get();
    expect(JSON.parse(last?.body ?? '{}')).toMatchObject({ task: { status: 'stopped' } });
  });
}, 60_000);

it('is ended, and said to have ended, when the executor is lost', async () => {
  await session.turn({ calls: [background('setsid bash -c "trap \'\' TERM HUP; while :; do sleep 1; done"')] });
  await expect.poll(() => world.processes().length, { timeout: 20_000 }).toBeGreaterThan(0);
  world.killExecutor();
  await expect.poll(() => task()?.status, { timeout: 30_000 }).toBe('failed');
  await expect.poll(() => world.processes(), { timeout: 30_000 }).toEqual([]);
  expect(states()).toEqual(['running', 'failed']);
}, 90_000);
