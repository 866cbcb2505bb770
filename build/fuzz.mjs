// `npm run fuzz -- [minutes] [seed] [target]`: inputs as hostile or broken other sides may send them, without end, into all
// that reads them. Whatever comes: no crash, no hang, no decision that is more permissive than on the clean form.
import { fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { dist, programs } from './entries.mjs';
import { bundleTargets } from './fuzz/targets.mjs';

const executor = join(dist, programs.find((program) => program.name === 'executor').output);
const childFile = fileURLToPath(new URL('fuzz/child.mjs', import.meta.url));
/** Processor time without a word after which an input hangs, in seconds; where it cannot be told, time as such. */
const silentSeconds = 30;
const lookMs = 1_000;
const ticksPerSecond = 100;

/** Seconds of processor time of a process so far; null where the system does not tell. */
function processorSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  } catch {
    return null;
  }
}

/** Plays one file of targets: {finds, counts}; `hung` tells that it said nothing any more. */
async function play({ file, seed, milliseconds, only, trace = null }) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-fuzz-'));
  const traced = trace === null ? 'ignore' : openSync(trace, 'w');
  const options = { file, place: { folder, executor }, seed, milliseconds, only, trace };
  const child = fork(childFile, [JSON.stringify(options)], {
    cwd: folder,
    // What is driven finds no program by its name, whatever text it takes for a command.
    env: { PATH: folder, HOME: folder, LANG: 'C.UTF-8' },
    execArgv: ['--enable-source-maps'],
    stdio: ['ignore', 'inherit', 'inherit', traced, 'ipc'],
  });
  const finds = [];
  const counts = [];
  let at = { target: '', seed };
  let heard = { at: performance.now(), used: 0 };
  let hung = false;
  child.on('message', (message) => {
    heard = { at: performance.now(), used: processorSeconds(child.pid) ?? 0 };
    if (message.type === 'found') finds.push(message);
    else if (message.type === 'done') counts.push(message);
    else if (message.type !== 'alive') at = message;
  });
  const watch = setInterval(() => {
    const used = processorSeconds(child.pid);
    const silent = used === null ? (performance.now() - heard.at) / 1_000 : used - heard.used;
    if (silent < silentSeconds) return;
    hung = true;
    child.kill('SIGKILL');
  }, lookMs);
  const end = await new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })));
  clearInterval(watch);
  if (trace !== null) closeSync(traced);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  if (!hung && finds.length === 0 && end.code !== 0)
    finds.push({ ...at, input: '(see the trace)', error: `the process ended with ${end.code ?? end.signal}` });
  return { finds, counts, hung, at };
}

/** The find of a process that hung: plays the same inputs again and looks which one was the last. */
async function hangOf({ file, at }) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-fuzz-trace-'));
  const trace = join(folder, 'inputs');
  try {
    await play({ file, seed: at.seed, milliseconds: 0, only: at.target, trace });
    const input = readFileSync(trace, 'utf8').split('\0').at(-2) ?? '(none)';
    return {
      ...at,
      input: input.slice(0, 20_000),
      error: `it hangs: ${silentSeconds} s of processor time without an end`,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Plays all targets for so many minutes: {finds, counts}. */
async function fuzz({ minutes, seed, only, log }) {
  const files = await bundleTargets();
  const finds = [];
  const counts = [];
  for (const { name, file } of files) {
    if (only !== null && !only.startsWith(name)) continue;
    const share = only === null ? files.length : 1;
    const played = await play({
      file,
      seed,
      milliseconds: (minutes * 60_000) / share,
      only: only === null || only === name ? null : only.slice(name.length + 1),
    });
    const own = played.hung ? [await hangOf({ file, at: played.at })] : played.finds;
    finds.push(...own.map((find) => ({ ...find, target: `${name}/${find.target}` })));
    for (const { target, runs } of played.counts) {
      counts.push(runs);
      log(`${`${name}/${target}`.padEnd(44)} ${runs} inputs`);
    }
  }
  return { finds, inputs: counts.reduce((sum, one) => sum + one, 0) };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [minutes = '20', seed = String(randomInt(1, 2 ** 31)), only = null] = process.argv.slice(2);
  if (!(Number(minutes) > 0) || !/^\d+$/.test(seed)) {
    console.error('npm run fuzz -- [minutes] [seed] [target]: minutes is a number above 0, seed a whole number.');
    process.exit(3);
  }
  if (!existsSync(executor)) {
    console.error('The program is not built. Run npm run build first.');
    process.exit(1);
  }
  // Whatever else the machine does comes first.
  setPriority(constants.priority.PRIORITY_LOW);
  const { finds, inputs } = await fuzz({ minutes: Number(minutes), seed: Number(seed), only, log: console.log });
  for (const find of finds)
    console.error(
      `\n${find.target}: ${find.error}\n  with ${find.input}\n  again: npm run fuzz -- 0.1 ${find.seed} ${find.target}`,
    );
  console.log(`${inputs} inputs; seed ${seed}`);
  console.log(finds.length === 0 ? 'fuzz: nothing to object to' : `fuzz: ${finds.length} to mend`);
  process.exitCode = finds.length === 0 ? 0 : 1;
}
