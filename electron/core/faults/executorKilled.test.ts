// The executor is killed in each of the seven steps of a call: one result, nothing left alive, the next call is normal.
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import type { SessionEventBody } from '#shared/session/events';
import { type StepName, stepNames } from '#shared/session/toolCall';
import { type CoreWorld, disposeBuilt, modelText, startWorld, type TestSession } from './testing/coreWorld';

let world: CoreWorld;
let session: TestSession;

const slowly = [{ hooks: [{ type: 'command', command: 'sleep 0.2' }] }];

beforeEach(async () => {
  world = await startWorld({
    settings: {
      permissions: { allow: ['Bash', 'Edit', 'Read'] },
      hooks: { PreToolUse: slowly, PostToolUse: slowly, PostToolUseFailure: slowly },
    },
  });
  session = await world.session();
}, 60_000);
afterEach(async () => {
  const faults = [world.model.faults, world.errors, world.logFaults(), world.processes()];
  await world.dispose();
  expect(faults).toEqual([[], [], [], []]);
});
afterAll(disposeBuilt);

/** Whether an event shows that a call has come to this step: the one before has ended. */
function begins(step: StepName, body: SessionEventBody): boolean {
  const before = stepNames[stepNames.indexOf(step) - 1];
  if (before === undefined) return body.type === 'call.created';
  return body.type === 'call.stepEnded' && body.trace.step === before;
}

it.each(stepNames)(
  'in step %s',
  async (step) => {
    const file = world.write('project/file.txt', 'one\n');
    await session.turn({ calls: [{ name: 'Read', input: { file_path: file } }] });
    for (const call of [
      { name: 'Bash', input: { command: 'echo begun; sleep 0.3; echo ended' } },
      { name: 'Edit', input: { file_path: file, old_string: 'one', new_string: 'two' } },
    ]) {
      let killed = 0;
      void session.until((body) => {
        if (killed > 0 || !begins(step, body)) return false;
        killed += 1;
        world.killExecutor();
        return true;
      });
      const [made, ...more] = await session.turn({ calls: [call] });
      expect([killed, more]).toEqual([1, []]);
      if (step === 'postHook') expect(made?.status).toBe('succeeded');
      else if (made?.status !== 'succeeded') {
        expect([made?.status, made !== undefined && 'failure' in made && made.failure]).toEqual(['failed', 'executor']);
        expect(modelText(made)).toMatch(/executor/);
      }
    }
    const [next] = await session.turn({ calls: [{ name: 'Bash', input: { command: 'echo next' } }] });
    expect([next?.status, modelText(next)]).toEqual(['succeeded', 'next']);
  },
  90_000,
);

it('while its command runs: what had started is ended, and the model hears that part of it may be done', async () => {
  const running = session.until((body) => body.type === 'call.started');
  const ended = session.until((body) => body.type === 'turn.finished');
  await session.send({ calls: [{ name: 'Bash', input: { command: "trap '' TERM; setsid sleep 300 & sleep 300" } }] });
  await running;
  await expect.poll(() => world.processes().filter((line) => line.includes('sleep 300')).length).toBeGreaterThan(1);
  world.killExecutor();
  await ended;
  const [call] = session.calls();
  expect([call?.status, modelText(call)]).toEqual(['failed', expect.stringMatching(/executor/)]);
  await expect.poll(() => world.processes(), { timeout: 30_000 }).toEqual([]);
}, 60_000);
