// One file of targets in a process of its own: `child.mjs <options as JSON>`. Tells the parent what it does, so that even a
// process that hangs or dies leaves behind which inputs it was at.
import { writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { createRandom } from '../soak/random.mjs';

/** Processor time that one input may take, in milliseconds, the collection of garbage included. */
const boundMs = 3_000;
/** Turns of the event loop, a tick apart, after which an input that waits for nothing is stuck. */
const mostTicks = 600;
const tickMs = 100;
const runsAtOnce = 50;
/** For making a find smaller, beside the time given. */
const shrinkMs = 15_000;

const { file, place, seed, milliseconds, only, trace } = JSON.parse(process.argv[2]);
const tell = (message) => process.send?.(message);
const shown = (value) => inspect(value, { depth: 20, maxStringLength: 1_500, maxArrayLength: 200, breakLength: 120 });

let now = { target: '', seed: 0, input: undefined };
let toldAt = 0;

function found(error, input = now.input) {
  tell({
    type: 'found',
    target: now.target,
    seed: now.seed,
    input: shown(input),
    error: error?.stack ?? String(error),
  });
}

for (const name of ['uncaughtException', 'unhandledRejection'])
  process.on(name, (error) => {
    found(error);
    process.exit(1);
  });

/** Runs a check within its bounds. Throws what it throws. */
async function around(input, run) {
  now.input = input;
  if (trace !== null) writeSync(3, `${shown(input)}\0`);
  if (performance.now() - toldAt > 500) {
    toldAt = performance.now();
    tell({ type: 'alive' });
  }
  const before = process.cpuUsage();
  const running = run();
  if (running instanceof Promise) await withinTicks(running);
  const { user, system } = process.cpuUsage(before);
  const tookMs = (user + system) / 1_000;
  if (tookMs > boundMs) throw new Error(`it took ${Math.round(tookMs)} ms of processor time, at most ${boundMs}`);
}

async function withinTicks(running) {
  let timer;
  let ticks = 0;
  const stuck = new Promise((_resolve, reject) => {
    timer = setInterval(() => {
      ticks += 1;
      if (ticks > mostTicks) reject(new Error(`it was not done after ${ticks} turns of the event loop`));
    }, tickMs);
  });
  try {
    await Promise.race([running, stuck]);
  } finally {
    clearInterval(timer);
  }
}

/** True when there was a find. */
async function playTarget(target, budget) {
  const until = performance.now() + budget;
  const random = createRandom(seed);
  let runs = 0;
  now = { target: target.name, seed, input: undefined };
  tell({ type: 'target', target: target.name, seed });
  for (const row of target.corpus) {
    try {
      await around(row, () => target.again(row));
    } catch (error) {
      found(error, row);
      return true;
    }
    runs += 1;
  }
  let batch = seed;
  do {
    now.seed = batch;
    tell({ type: 'batch', target: target.name, seed: batch });
    const result = await fc.check(target.property(around), {
      seed: batch,
      numRuns: runsAtOnce,
      interruptAfterTimeLimit: Math.max(0, until - performance.now()) + shrinkMs,
    });
    runs += result.numRuns;
    if (result.failed) {
      found(result.errorInstance, result.counterexample?.[0]);
      return true;
    }
    batch = 1 + random.below(2 ** 31 - 1);
  } while (performance.now() < until);
  tell({ type: 'done', target: target.name, runs });
  return false;
}

const { open } = await import(pathToFileURL(file).href);
const world = await open(place);
const targets = world.targets.filter((target) => only === null || only === target.name);
let bad = false;
for (const target of targets) bad = (await playTarget(target, milliseconds / targets.length)) || bad;
await world.dispose?.();
process.exitCode = bad ? 1 : 0;
process.disconnect?.();
