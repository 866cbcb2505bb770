// Whatever hooks say and make of a call: what a deny rule names never runs, and what an ask rule names runs only after a
// person's yes, for the model's input as for the hook's.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PermissionMode } from '#shared/permissions/modes';
import type { HookOutcome } from '../hooks/hooks';
import { fakeHooks } from './testing/fakeHooks';
import { notingShell, type RuledBench, ruledBench } from './testing/ruledBench';

const commands = ['make all', 'curl x', 'git push', 'ls', 'rm -rf build', 'git push && curl x', 'echo a > out'];
const denied = /curl/;
const askedFor = /git push/;

const behavior = fc.constantFrom('allow', 'ask', 'deny', 'defer' as const);
const input = fc.oneof(
  fc.constantFrom(...commands).map((command) => ({ command })),
  fc.constantFrom({ command: '' }, { cmd: 'curl x' }, null, 5, ['curl x']),
);
const seldom = fc.oneof(
  { weight: 9, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constant({ reason: 'r', hook: 'h' }) },
);
const outcome = fc.record({
  opinion: fc.option(
    behavior.map((one) => ({ behavior: one, reason: 'r', hook: 'h' })),
    { freq: 3 },
  ),
  updatedInput: fc.option(
    input.map((value) => ({ value, hook: 'h' })),
    { freq: 2 },
  ),
  block: seldom,
  stop: seldom,
  interrupt: fc.boolean(),
});
const mode = fc.constantFrom<PermissionMode>('default', 'acceptEdits', 'plan', 'bypassPermissions', 'dontAsk', 'auto');

interface World extends RuledBench {
  /** What hooks answer from now on. */
  pre: Partial<HookOutcome>;
  request: Partial<HookOutcome>;
  canAsk: boolean;
  yes: boolean;
}

let world: World;

beforeAll(async () => {
  const ran: string[] = [];
  const hooks = fakeHooks({});
  const made = await ruledBench({
    allow: ['Bash(make *)', 'Bash(git *)'],
    ask: ['Bash(git push *)', 'Bash(git push)'],
    deny: ['Bash(curl *)'],
    tools: [notingShell(ran, { toAutoClassifierInput: ({ command }) => command })],
    classifier: { classify: () => Promise.resolve({ behavior: 'allow', confidence: 'high', reason: 'fine' }) },
    answer: { kind: 'deny', words: 'no' },
    hooks: {
      ...hooks,
      listens: (_sessionId, name) => name === 'PreToolUse' || name === 'PermissionRequest',
      fire: async (event, place, signal) => {
        const outcome = await hooks.fire(event, place, signal);
        return { ...outcome, ...(event.name === 'PreToolUse' ? world.pre : world.request) };
      },
    },
    services: { canAsk: () => world.canAsk },
  });
  world = Object.assign(made, { ran, pre: {}, request: {}, canAsk: true, yes: false });
});
afterAll(async () => {
  await world.dispose();
});

test('a deny or ask rule on either input keeps a call from running without a person', async () => {
  let ranSome = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...commands),
      outcome,
      outcome,
      mode,
      fc.boolean(),
      async (command, pre, request, inMode, canAsk) => {
        Object.assign(world, { pre, request, canAsk });
        world.ran.length = 0;
        const { call } = await world.run({ input: { command }, mode: inMode });
        const finished = world.bench.events.filter(
          ({ body }) => body.type === 'call.finished' && body.callId === call.callId,
        );
        expect(finished).toHaveLength(1);
        expect(world.ran.length).toBe(call.status === 'succeeded' ? 1 : 0);
        for (const run of world.ran) {
          ranSome += 1;
          // The person of this world says no to everything.
          expect([command, run].filter((one) => denied.test(one) || askedFor.test(one))).toEqual([]);
          expect(pre.block ?? pre.stop).toBeNull();
          expect(pre.opinion?.behavior).not.toBe('deny');
        }
      },
    ),
    { numRuns: 400, seed: 7, interruptAfterTimeLimit: 20_000 },
  );
  // The test would be empty if nothing ever ran.
  expect(ranSome).toBeGreaterThan(20);
}, 60_000);

test('with a person’s yes what an ask rule names runs, what a deny rule names does not', async () => {
  const ran: string[] = [];
  const w = await ruledBench({ ask: ['Bash(git push)'], deny: ['Bash(curl *)'], tools: [notingShell(ran)] });
  await w.run({ input: { command: 'git push' } });
  await w.run({ input: { command: 'git push && curl x' } });
  await w.dispose();
  expect(ran).toEqual(['git push']);
});
