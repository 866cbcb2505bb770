import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildExecutor, processesWith, shellOperation, startExecutor, testToken, until } from './testing/startExecutor';

let built: Awaited<ReturnType<typeof buildExecutor>>;
const env = { PATH: process.env.PATH, HOME: tmpdir() };

beforeAll(async () => {
  built = await buildExecutor();
}, 60_000);
afterAll(() => built.dispose());

test('an executor whose host is gone ends what runs, and itself', async () => {
  const executor = await startExecutor(built.modulePath, env);
  const operation = shellOperation("trap '' TERM; setsid sleep 81554 & while :; do sleep 81554; done");
  executor.rpc.call('shell.run', { grant: testToken(executor.grantKey, operation), operation }).catch(() => undefined);
  const running = () => processesWith('81554').filter((pid) => pid !== process.pid);
  await until('the command runs', () => running().length > 1);
  const gone = new Promise((resolve) => executor.process.once('exit', resolve));
  executor.process.disconnect();
  await gone;
  expect(running()).toEqual([]);
});

test.each([
  ['a plain command', '81551', 'sleep 81551'],
  [
    'a session of its own that is deaf to signals',
    '81552',
    'setsid bash -c "trap \'\' TERM HUP; while :; do sleep 81552; done"',
  ],
  ['children without the mark', '81553', 'for i in 1 2; do env -i sleep 81553 & done; wait'],
])('the next executor ends what a killed one left: %s', async (_, mark, command) => {
  const running = () => processesWith(mark).filter((pid) => pid !== process.pid);
  const first = await startExecutor(built.modulePath, env);
  const other = await startExecutor(built.modulePath, env);
  const operation = shellOperation(command);
  first.rpc.call('shell.run', { grant: testToken(first.grantKey, operation), operation }).catch(() => undefined);
  const beside = shellOperation('sleep 81559');
  other.rpc.call('shell.run', { grant: testToken(other.grantKey, beside), operation: beside }).catch(() => undefined);
  await until('the commands run', () => running().length > 0 && processesWith('81559').length > 0);
  const gone = new Promise((resolve) => first.process.once('exit', resolve));
  first.process.kill('SIGKILL');
  await gone;
  const next = await startExecutor(built.modulePath, env);
  try {
    await until('nothing of it is left', () => running().length === 0);
    // What belongs to a living executor is left alone.
    expect(processesWith('81559')).not.toEqual([]);
  } finally {
    await Promise.all([next.stop(), other.stop()]);
  }
});
