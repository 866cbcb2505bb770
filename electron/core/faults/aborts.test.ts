// Stops at random moments. After each: valid pairing, one result for each call, no command left, no event lost.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionEventBody } from '#shared/session/events';
import { pairingFaults } from '../agent/testing/pairingFaults';
import { type Hooks, noHookOutcome } from '../hooks/hooks';
import { ask, type Bench, bench, deny, message } from '../testing/bench';
import { createBashTool } from '../tools/bash/bash';
import { type CoreWorld, disposeBuilt, startWorld } from './testing/coreWorld';
import { seeded } from './testing/seeded';
import { standInExecutor } from './testing/standInExecutor';

const runs = 1_000;
/** A turn that has not ended by itself after so many turns of the event loop hangs on purpose. */
const patience = 40;

/** What the bench has for everything but commands. */
const nothing = bench().services.executorFor;
const allow = { behavior: 'allow' as const, reason: { type: 'readOnly' as const, detail: '' }, parts: [] };
const commands = ['quick', 'slow', 'hang', 'fail', 'lost'];

/** Hooks that take their time, change nothing, change the input, or refuse. */
function randomHooks(pick: (limit: number) => number): Hooks {
  return {
    listens: () => true,
    async fire(event, _place, signal) {
      for (let wait = pick(4); wait > 0 && !signal.aborted; wait -= 1) await new Promise(setImmediate);
      if (event.name !== 'PreToolUse' && event.name !== 'PostToolUse') return noHookOutcome;
      if (pick(10) === 0) throw new Error('a hook broke');
      return noHookOutcome;
    },
    dispose: () => Promise.resolve(),
  };
}

/** What is wrong after a turn of the bench, in words. */
function faultsOf(b: Bench): readonly string[] {
  const stored = b.sessions.eventsSince(b.sessionId, 0);
  const created: string[] = [];
  const finished: string[] = [];
  for (const { body } of stored) {
    if (body.type === 'call.created') created.push(body.callId);
    if (body.type === 'call.finished') finished.push(body.callId);
  }
  return [
    // Where no write fails, nothing may be left for the turn's end to tidy up.
    ...stored.flatMap(({ body }) =>
      body.type === 'call.finished' && body.note === 'its result could not be written down'
        ? [`${body.callId} was ended by its turn`]
        : [],
    ),
    ...stored.flatMap(({ seq }, at) => (seq === at + 1 ? [] : [`event ${seq} stands at ${at + 1}`])),
    ...(created.sort().join() === finished.sort().join() ? [] : [`calls ${created} ended as ${finished}`]),
    ...b.requests.flatMap(({ messages }, at) => pairingFaults(messages).map((fault) => `request ${at}: ${fault}`)),
    ...pairingFaults(b.sessions.conversation(b.sessionId).messages()),
    // The first event came before the bench listened.
    ...(b.events.length === stored.length - 1 ? [] : [`${b.events.length} of ${stored.length} events were published`]),
  ];
}

/** One session whose turn is stopped after a random number of events, and its next turn. Counts in `ends` how calls ended. */
async function run(seed: number, ends: Map<string, number>): Promise<readonly string[]> {
  const random = seeded(seed);
  const executor = standInExecutor();
  const bash = createBashTool({ isReadOnlyCommand: (command) => command !== 'fail', mayGoOnInBackground: () => false });
  const call = () => ({
    call: random.of(['Bash', 'Bash', 'Bash', 'Bash', 'Unknown']),
    input: random.of<object>([{ command: random.of(commands) }, { command: random.of(commands) }, { command: 7 }]),
  });
  const play = () => message({ text: 'I will.' }, ...Array.from({ length: random.below(6) }, call));
  const b = bench({
    tools: [bash],
    plays: Array.from({ length: 3 }, play),
    guarded: true,
    ...(random.below(2) === 0 ? { hooks: randomHooks((limit) => random.below(limit)) } : {}),
    services: {
      executorFor: (grant, about) => ({
        ...nothing(grant, about),
        start: (command) => executor.start(command, about.signal),
      }),
    },
  });
  b.setDecision(() => random.of([allow, allow, allow, allow, ask, deny]));
  const stopAt = 2 + random.below(80);
  let stopping: Promise<void> | null = null;
  const stop = (): void => {
    stopping ??= b.agent.stop(b.sessionId);
  };
  let count = 0;
  let over = false;
  b.sessions.listen({
    onEvent: () => {
      count += 1;
      if (count === stopAt) queueMicrotask(stop);
    },
    onLive: () => undefined,
    onListChange: () => undefined,
  });
  const ended = b
    .until((body) => body.type === 'turn.finished')
    .then(() => {
      over = true;
    });
  b.agent.send(b.sessionId, 'go');
  for (let quiet = 0, seen = count; !over && quiet < patience; quiet = count === seen ? quiet + 1 : 0) {
    seen = count;
    await new Promise(setImmediate);
  }
  stop();
  await ended;
  await stopping;
  const left = executor.running();
  const again = b.until((body) => body.type === 'turn.finished');
  const before = b.requests.length;
  b.agent.send(b.sessionId, 'again');
  // Whatever the model does now, its request was valid; a call of it that hangs or asks is stopped.
  while (b.requests.length === before) await new Promise(setImmediate);
  await b.agent.stop(b.sessionId);
  await again;
  await b.agent.dispose();
  for (const { status } of b.calls()) ends.set(status, (ends.get(status) ?? 0) + 1);
  return [...faultsOf(b), ...(left + executor.running() === 0 ? [] : [`${left}, ${executor.running()} commands left`])];
}

describe('stopped at random moments', () => {
  it(`${runs} turns with commands, hooks, asks and faults: nothing is lost, doubled or left`, async () => {
    const faults: string[] = [];
    const ends = new Map<string, number>();
    let startedWith = 0;
    for (let seed = 1; seed <= runs && faults.length < 5; seed += 1) {
      if (seed === 200) {
        globalThis.gc?.();
        startedWith = process.memoryUsage().heapUsed;
      }
      faults.push(...(await run(seed, ends)).map((fault) => `seed ${seed}: ${fault}`));
    }
    globalThis.gc?.();
    expect(faults).toEqual([]);
    // All ways to end have been taken, and often.
    for (const status of ['succeeded', 'failed', 'denied', 'interrupted']) {
      expect([status, (ends.get(status) ?? 0) > runs / 20]).toEqual([status, true]);
    }
    expect((process.memoryUsage().heapUsed - startedWith) / 2 ** 20).toBeLessThan(200);
  }, 300_000);
});

describe('stopped at random moments with the real executor', () => {
  let world: CoreWorld;
  beforeAll(async () => {
    world = await startWorld();
  }, 60_000);
  afterAll(async () => {
    await world.dispose();
    await disposeBuilt();
  });

  it('40 turns: nothing is lost, doubled or left, and memory is bounded', async () => {
    const shell = [
      'sleep 300',
      'echo quick',
      'yes | head -c 3000000',
      "trap '' TERM; sleep 300",
      'sleep 300 & sleep 300 & wait',
      'exit 3',
      'kill -9 $$',
      'setsid sleep 300',
    ];
    for (let seed = 1; seed <= 40; seed += 1) {
      const random = seeded(seed);
      const session = await world.session();
      world.write('project/file.txt', 'one\n');
      const calls = () =>
        Array.from({ length: 1 + random.below(5) }, () =>
          random.of([
            { name: 'Bash', input: { command: random.of(shell) } },
            { name: 'Bash', input: { command: `${random.of(shell)} # ${random.below(1_000)}` } },
            { name: 'Bash', input: { command: 'sleep 300', timeout: 1_000 } },
            { name: 'Read', input: { file_path: `${world.folder}/file.txt` } },
            { name: 'Grep', input: { pattern: 'one' } },
          ]),
        );
      const stopAt = 5 + random.below(60);
      let count = 0;
      let stopped: Promise<void> | null = null;
      const stop = (): void => {
        stopped ??= session.stop();
      };
      const counted = (body: SessionEventBody): boolean => {
        count += 1;
        if (count === stopAt || body.type === 'call.asked') stop();
        return body.type === 'turn.finished';
      };
      const ended = session.until(counted);
      await session.send({ calls: calls() }, { calls: calls() });
      // A call that hangs before that many events keeps the turn until it is stopped from here.
      const late = setTimeout(stop, 500);
      await ended;
      clearTimeout(late);
      await stopped;
      expect([seed, world.processes()]).toEqual([seed, []]);
      expect([seed, world.logFaults()]).toEqual([seed, []]);
      await session.turn('I see.');
      expect([seed, world.model.faults, world.errors]).toEqual([seed, [], []]);
    }
    expect(process.memoryUsage().rss / 2 ** 20).toBeLessThan(900);
  }, 240_000);
});
