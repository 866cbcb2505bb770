// `npm run soak -- [minutes] [seed]`: turns without end through the headless run, against a scripted server that asks for
// random calls, hooks that get in between, and aborts at random moments. Whatever happens: every request is validly
// paired, nothing is left running, every call has one result in the log, memory stays bounded.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import Database from 'better-sqlite3';
import { startScriptedServer } from './bench/scriptedServer.mjs';
import { dist, programs } from './entries.mjs';
import { pairingFaults } from './soak/pairing.mjs';
import { createRandom } from './soak/random.mjs';

const cli = join(dist, programs.find((program) => program.name === 'cli').output);
/** Engine and executor together may need so much at their peak, whatever the turns do. */
const mostMegabytes = 420;
/** A run that takes longer hangs. */
const longestRunMs = 90_000;

const settings = (hook) => ({
  permissions: {
    allow: ['Bash(true:*)', 'Bash(yes:*)', 'Bash(head:*)', 'Bash(seq:*)', 'Bash(false:*)', 'Edit(./**)'],
    deny: ['Bash(date:*)'],
  },
  hooks: {
    PreToolUse: [{ matcher: 'Bash|Write', hooks: [{ type: 'command', command: hook, timeout: 5 }] }],
    PostToolUse: [
      { matcher: 'Read', hooks: [{ type: 'command', command: 'cat >/dev/null; echo looked', timeout: 5 }] },
    ],
  },
});

/** Gets in between in every way: says nothing, blocks, changes the input, prints garbage, fails, dawdles. */
const hookScript = `#!/bin/sh
input=$(cat)
case $(( $(od -An -N1 -tu1 /dev/urandom) % 12 )) in
  0) echo "not now" >&2; exit 2 ;;
  1) echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}' ;;
  2) echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"echo changed"}}}' ;;
  3) echo '{"broken' ;;
  4) exit 7 ;;
  5) sleep 0.2 ;;
  6) head -c 200000 /dev/zero | tr '\\\\0' x ;;
  *) ;;
esac
`;

/** One call that a model might make, good or bad. */
function randomCall(random, folder) {
  const file = join(folder, `file${random.below(20)}.txt`);
  const commands = [
    'true',
    'false',
    'date',
    'echo hello',
    `sleep 0.${random.below(4)}`,
    `seq 1 ${random.below(50_000)}`,
    `yes y | head -c ${random.below(2_000_000)}`,
    'sleep 30 & echo left behind',
    `cat ${file}`,
    'kill -9 $$',
    'exit 3',
    'echo "unfinished',
  ];
  const calls = [
    () => ({ name: 'Bash', input: { command: random.of(commands), description: 'Soak' } }),
    () => ({ name: 'Bash', input: { command: 'sleep 20', run_in_background: true, description: 'Soak' } }),
    () => ({ name: 'Read', input: { file_path: file } }),
    () => ({ name: 'Read', input: { file_path: join(folder, 'missing.txt') } }),
    () => ({ name: 'Write', input: { file_path: file, content: `${random.below(1_000)}\n` } }),
    () => ({ name: 'Edit', input: { file_path: file, old_string: '1', new_string: '2', replace_all: true } }),
    () => ({ name: 'Glob', input: { pattern: '*.txt' } }),
    () => ({ name: 'Grep', input: { pattern: String(random.below(10)) } }),
    () => ({ name: 'NoSuchTool', input: {} }),
    () => ({ name: 'Bash', input: { command: 7 } }),
  ];
  return random.of(calls)();
}

function createWorld() {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-soak-'));
  const folder = join(root, 'project');
  for (const path of [folder, join(root, 'home/.claude')]) mkdirSync(path, { recursive: true });
  for (let at = 0; at < 20; at += 1) writeFileSync(join(folder, `file${at}.txt`), `${at}\n`.repeat(50));
  const hook = join(root, 'hook.sh');
  writeFileSync(hook, hookScript, { mode: 0o755 });
  writeFileSync(join(root, 'home/.claude/settings.json'), JSON.stringify(settings(hook)));
  return { root, folder, home: join(root, 'home'), data: join(root, 'data') };
}

/** Processes that carry the world's name in their environment, command line or folder: pid → command line. */
function processesOf(marker) {
  const read = (path) => {
    try {
      return readFileSync(path, 'latin1');
    } catch {
      return '';
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => !/\) [ZX] /.test(read(`/proc/${pid}/stat`)))
    .filter((pid) => `${read(`/proc/${pid}/environ`)}${read(`/proc/${pid}/cmdline`)}`.includes(marker))
    .map((pid) => `${pid} ${read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')}`);
}

/** Memory in use by a process and its children now, in megabytes. */
function megabytesOf(pid) {
  const read = (path) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return '';
    }
  };
  const own = Number(/^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
  const children = read(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean);
  return own + children.reduce((sum, child) => sum + megabytesOf(child), 0);
}

/** Starts one run; now and then it is stopped at a random moment. Resolves to {code, said, peak, stopped}. */
async function playRun({ world, server, random, number }) {
  const env = {
    PATH: process.env.PATH,
    LANG: 'C.UTF-8',
    HOME: world.home,
    GATEHOUSE_DATA_DIR: world.data,
    ANTHROPIC_API_KEY: 'sk-soak-0000000000',
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_MODEL: 'soak',
  };
  const goesOn = number > 0 && random.below(2) === 0 ? ['--continue'] : [];
  const args = [cli, 'run', '-p', `Turn ${number}.`, '--output', 'json', ...goesOn];
  const child = spawn(process.execPath, args, { cwd: world.folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { out: '', err: '' };
  for (const [name, stream] of [
    ['out', child.stdout],
    ['err', child.stderr],
  ])
    stream.on('data', (chunk) => {
      said[name] = (said[name] + chunk).slice(-100_000);
    });
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, megabytesOf(child.pid));
  }, 100);
  const stopped = random.below(3) === 0 ? random.of(['SIGINT', 'SIGTERM', 'SIGKILL']) : null;
  const stop = stopped === null ? undefined : setTimeout(() => child.kill(stopped), random.below(4_000));
  const hang = setTimeout(() => child.kill('SIGKILL'), longestRunMs);
  const startedAt = performance.now();
  const end = await new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })));
  clearInterval(watch);
  clearTimeout(stop);
  clearTimeout(hang);
  return { ...end, ...said, peak, stopped, hung: performance.now() - startedAt >= longestRunMs };
}

/** Calls of the log without exactly one end, in sessions whose turn has ended. */
function loggedFaults(data) {
  const database = new Database(join(data, 'gatehouse.db'), { readonly: true });
  try {
    const open = new Map();
    const faults = [];
    for (const { session_id: session, body } of database
      .prepare('select session_id, body from events order by session_id, seq')
      .iterate()) {
      const event = JSON.parse(body);
      if (event.type === 'call.created') open.set(event.callId, { session, ends: 0 });
      if (event.type !== 'call.finished') continue;
      const call = open.get(event.callId);
      if (call === undefined) faults.push(`${session}: ${event.callId} ended without having begun`);
      else if (++call.ends > 1) faults.push(`${session}: ${event.callId} has ${call.ends} ends`);
    }
    const running = new Set(
      database
        .prepare('select id from sessions where running = 1')
        .all()
        .map((row) => row.id),
    );
    for (const [callId, { session, ends }] of open)
      if (ends === 0 && !running.has(session)) faults.push(`${session}: ${callId} has no end`);
    return faults;
  } finally {
    database.close();
  }
}

/** What is wrong with how one run ended, in words. */
async function faultsOf({ world, run, bodies }) {
  const faults = bodies.flatMap((body, at) => pairingFaults(body.messages).map((fault) => `request ${at}: ${fault}`));
  if (run.hung) faults.push('the run did not end');
  const fine = run.stopped === null ? run.code === 0 || run.code === 1 : true;
  if (!fine) faults.push(`the run ended with ${run.code ?? run.signal}: ${run.err.slice(-2_000)}`);
  if (/\bfault in Gatehouse\b|^\S+ error /m.test(run.err)) faults.push(`the log has a fault: ${run.err.slice(-2_000)}`);
  if (run.peak > mostMegabytes) faults.push(`${Math.round(run.peak)} MB in use, at most ${mostMegabytes}`);
  for (let waited = 0; waited < 10_000 && processesOf(world.root).length > 0; waited += 100) await delay(100);
  faults.push(...processesOf(world.root).map((row) => `left running: ${row}`));
  return [...faults, ...loggedFaults(world.data)];
}

/** Runs for so many minutes; resolves to the faults found, each with the run that it came with. */
export async function soak({ minutes, seed, log }) {
  const random = createRandom(seed);
  const world = createWorld();
  const server = await startScriptedServer();
  const until = performance.now() + minutes * 60_000;
  let runs = 0;
  let calls = 0;
  let aborted = 0;
  let peak = 0;
  try {
    while (performance.now() < until) {
      const turns = random.below(6);
      server.begin((number) => {
        if (number >= turns) return { text: 'Done.' };
        const count = random.below(20) === 0 ? 100 : 1 + random.below(6);
        calls += count;
        return { calls: Array.from({ length: count }, () => randomCall(random, world.folder)) };
      });
      const run = await playRun({ world, server, random, number: runs });
      const faults = await faultsOf({ world, run, bodies: server.requests().map((request) => request.body) });
      runs += 1;
      peak = Math.max(peak, run.peak);
      if (run.stopped !== null) aborted += 1;
      if (faults.length > 0)
        return { runs, calls, aborted, peak, faults: faults.map((fault) => `run ${runs}: ${fault}`) };
      if (runs % 20 === 0) log(`${runs} runs, ${calls} calls, ${aborted} stopped, ${Math.round(peak)} MB`);
    }
    return { runs, calls, aborted, peak, faults: [] };
  } finally {
    await server.close();
    rmSync(world.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [minutes = '10', seed = String(randomInt(1, 2 ** 31))] = process.argv.slice(2);
  if (!(Number(minutes) > 0) || !/^\d+$/.test(seed)) {
    console.error('npm run soak -- [minutes] [seed]: minutes is a number above 0, seed a whole number.');
    process.exit(3);
  }
  if (!existsSync(cli)) {
    console.error('The program is not built. Run npm run build first.');
    process.exit(1);
  }
  const { faults, runs, calls, aborted, peak } = await soak({
    minutes: Number(minutes),
    seed: Number(seed),
    log: console.log,
  });
  for (const fault of faults) console.error(fault);
  console.log(`${runs} runs, ${calls} calls, ${aborted} stopped, at most ${Math.round(peak)} MB; seed ${seed}`);
  console.log(faults.length === 0 ? 'soak: nothing to object to' : `soak: ${faults.length} to mend`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
