// The headless run against a floor client of thirty lines, in the same interleaved rounds, both asking a scripted server
// on loopback.
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dist, programs } from '../entries.mjs';
import { table } from './measure.mjs';
import { startScriptedServer } from './scriptedServer.mjs';

const cli = join(dist, programs.find((program) => program.name === 'cli').output);
const floor = fileURLToPath(new URL('./floorClient.mjs', import.meta.url));
const bigOutput = 50_000_000;
const bigCommand = `yes 0123456789abcdef0123456789abcdef0123456789abcde | head -c ${bigOutput}`;
const sleeps = Array.from({ length: 10 }, (_, at) => 200 + at * 10);

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
/** The number keeps calls apart: one that comes again and again is put before a person. */
const bash = (command, number = 0) => ({ name: 'Bash', input: { command, description: `Bench ${number}` } });
const read = (folder, at) => ({ name: 'Read', input: { file_path: join(folder, `file${at}.txt`) } });

/** A field of /proc/<pid>/status in bytes; NaN where there is none. */
function memory(pid, field) {
  try {
    const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(
      readFileSync(`/proc/${pid}/status`, 'utf8'),
    )?.[1];
    return Number(kilobytes) * 1024;
  } catch {
    return Number.NaN;
  }
}

/** The executor: the child of the engine's process. */
function childOf(pid) {
  try {
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    return child === undefined ? null : Number(child);
  } catch {
    return null;
  }
}

function bytesBelow(folder) {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((largest, entry) => Math.max(largest, statSync(join(entry.parentPath ?? entry.path, entry.name)).size), 0);
}

/** A home, a data folder and a project with files of 4 KB. */
function createWorld() {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const folder = join(root, 'project');
  for (const path of [folder, join(root, 'home/.claude'), join(root, 'blind')]) mkdirSync(path, { recursive: true });
  const line = `${'x'.repeat(63)}\n`;
  for (let at = 0; at < 50; at += 1) writeFileSync(join(folder, `file${at}.txt`), line.repeat(64));
  // A bubblewrap that cannot confine anything: the probe finds no sandbox.
  writeFileSync(join(root, 'blind/bwrap'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  return { root, folder, home: join(root, 'home'), data: join(root, 'data') };
}

function manyRules(count) {
  const allow = Array.from({ length: count }, (_, at) => `Bash(tool${at} sub${at}:*)`);
  return JSON.stringify({ permissions: { allow } });
}

/**
 * Runs one client through a scenario `{answer, settings?, sandbox?}`; resolves to its figures: `start` ms from spawn to
 * the first request, `gaps` ms from the end of an answer to the next request, `memory` bytes, the last request's size.
 */
async function play({ server, world, scenario, kind }) {
  let child;
  const peaks = { idle: Number.NaN, engine: Number.NaN, executor: Number.NaN };
  server.begin((number, body) => {
    const executor = childOf(child.pid);
    peaks.engine = memory(child.pid, 'VmHWM');
    if (executor !== null) peaks.executor = memory(executor, 'VmHWM');
    // After the first call both have loaded what a call needs.
    if (number === 1) peaks.idle = peaks.engine + peaks.executor;
    return scenario.answer(number, body);
  });
  const blind = scenario.sandbox === false ? `${join(world.root, 'blind')}:` : '';
  const env = {
    PATH: `${blind}${process.env.PATH}`,
    LANG: 'C.UTF-8',
    HOME: world.home,
    GATEHOUSE_DATA_DIR: world.data,
    ANTHROPIC_API_KEY: 'sk-bench-0000000000',
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_MODEL: 'bench',
  };
  const settings = scenario.settings ?? JSON.stringify({ permissions: { allow: ['Bash(yes:*)', 'Bash(head:*)'] } });
  const args =
    kind === 'floor'
      ? [floor, server.url, world.folder]
      : [cli, 'run', '-p', 'Begin.', '--output', 'text', '--settings', settings, '--cwd', world.folder];
  const spawnedAt = performance.timeOrigin + performance.now();
  child = spawn(process.execPath, args, { cwd: world.folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  const requests = server.requests();
  if (code !== 0 || requests.length < 2 || said.includes('was denied'))
    throw new Error(`${kind} ended with ${code}: ${said}`);
  const gaps = requests.slice(1).map((request, at) => request.arrivedAt - requests[at].answeredAt);
  const results = requests.at(-1).body.messages.at(-1).content;
  return {
    start: requests[0].arrivedAt - spawnedAt,
    gaps,
    peaks,
    toModel: Buffer.byteLength(JSON.stringify(results)),
    onDisk: kind === 'floor' ? 0 : bytesBelow(join(world.data, 'projects')),
  };
}

const repeat = (turns, calls) => (number) => (number < turns ? { calls: calls(number) } : { text: 'Done.' });

function scenariosOf({ folder }) {
  const trueTurns = repeat(50, (number) => [bash('true', number)]);
  return {
    trueTurn: { answer: trueTurns },
    readTurn: { answer: repeat(50, (number) => [read(folder, number)]) },
    tenReads: { answer: repeat(8, () => Array.from({ length: 10 }, (_, at) => read(folder, at))) },
    // After a first turn, as the gaps of the other rows: a first call also waits for the executor.
    tenSleeps: {
      answer: repeat(2, (number) => (number === 0 ? [bash('true')] : sleeps.map((ms) => bash(`sleep ${ms / 1000}`)))),
    },
    big: { answer: repeat(2, (number) => [bash(number === 0 ? 'true' : bigCommand)]) },
    noSandbox: { answer: trueTurns, sandbox: false, onlyOurs: true },
    oneRule: { answer: trueTurns, settings: manyRules(1), onlyOurs: true },
    manyRules: { answer: trueTurns, settings: manyRules(1_750), onlyOurs: true },
  };
}

async function measure({ server, rounds }) {
  const found = new Map();
  const world = createWorld();
  try {
    for (let round = 0; round < rounds; round += 1)
      for (const [name, scenario] of Object.entries(scenariosOf(world)))
        for (const kind of scenario.onlyOurs ? ['ours'] : ['floor', 'ours']) {
          rmSync(world.data, { recursive: true, force: true });
          const one = await play({ server, world, scenario, kind });
          found.set(`${name} ${kind}`, [...(found.get(`${name} ${kind}`) ?? []), one]);
        }
  } finally {
    rmSync(world.root, { recursive: true, force: true });
  }
  return (name, kind = 'ours') => found.get(`${name} ${kind}`) ?? [];
}

const ms = (value) => value.toFixed(1);
const mb = (value) => (value / 1e6).toFixed(0);

function rowsOf(of) {
  const gap = (name, kind) => median(of(name, kind).flatMap((one) => one.gaps));
  const secondGap = (name, kind) => median(of(name, kind).map((one) => one.gaps[1]));
  const start = (name, kind) => median(of(name, kind).map((one) => one.start));
  const compare = (label, a, b, most) => ({
    cells: [label, ms(b), ms(a), `${(a / b).toFixed(2)}x`, `≤ ${most}x`],
    met: a / b <= most,
  });
  const plain = (label, text, target, met) => ({ cells: [label, '', text, '', target], met });
  const big = of('big');
  const overIdle = median(big.map(({ peaks }) => peaks.engine + peaks.executor - peaks.idle));
  const longest = Math.max(...sleeps);
  const starts = ['trueTurn', 'readTurn', 'tenReads', 'tenSleeps', 'big'];
  const allStarts = (kind) => median(starts.flatMap((name) => of(name, kind).map((one) => one.start)));
  const sandboxCost = gap('trueTurn', 'ours') - gap('noSandbox', 'ours');
  const rulesCost = gap('manyRules', 'ours') - gap('oneRule', 'ours');
  const rulesStart = start('manyRules', 'ours') - start('oneRule', 'ours');
  return [
    compare('start to first request, ms', allStarts('ours'), allStarts('floor'), 2.1),
    compare('one `true` a turn, 50 turns, ms', gap('trueTurn', 'ours'), gap('trueTurn', 'floor'), 3),
    compare('one 4 KB Read a turn, ms', gap('readTurn', 'ours'), gap('readTurn', 'floor'), 3.3),
    compare('10 Reads in one turn, ms', gap('tenReads', 'ours'), gap('tenReads', 'floor'), 3.2),
    {
      cells: [
        `ten sleeps, the longest ${longest} ms, ms`,
        ms(secondGap('tenSleeps', 'floor')),
        ms(secondGap('tenSleeps', 'ours')),
        `${(secondGap('tenSleeps', 'ours') / longest).toFixed(2)}x the longest`,
        '≤ 1.35x',
      ],
      met: secondGap('tenSleeps', 'ours') / longest <= 1.35,
    },
    {
      cells: [
        '50,000,000 bytes printed, ms',
        ms(secondGap('big', 'floor')),
        ms(secondGap('big', 'ours')),
        `${(secondGap('big', 'ours') / secondGap('big', 'floor')).toFixed(2)}x`,
        '',
      ],
      met: true,
    },
    plain(
      '… bytes on disk',
      median(big.map((one) => one.onDisk)).toLocaleString('en'),
      bigOutput.toLocaleString('en'),
      big.every((one) => one.onDisk === bigOutput),
    ),
    plain(
      '… bytes to the model',
      median(big.map((one) => one.toModel)).toLocaleString('en'),
      '≤ 6,656',
      big.every((one) => one.toModel <= 2_560 + 4_096),
    ),
    plain('… memory over idle, both processes, MB', mb(overIdle), '≤ 30', overIdle <= 30e6),
    plain('sandbox on against off, ms a call', ms(sandboxCost), '≤ +20', sandboxCost <= 20),
    plain('1,750 rules against 1, ms a call', rulesCost.toFixed(2), '< 0.5', rulesCost < 0.5),
    plain('… ms at the start', ms(rulesStart), '≤ +20', rulesStart <= 20),
    {
      cells: [
        'peak memory over 50 turns, MB',
        mb(median(of('trueTurn', 'floor').map((one) => one.peaks.engine))),
        mb(median(of('trueTurn').map((one) => one.peaks.engine))),
        `executor ${mb(median(of('trueTurn').map((one) => one.peaks.executor)))}`,
        '≤ 160',
      ],
      met: median(of('trueTurn').map((one) => one.peaks.engine)) <= 160e6,
    },
  ];
}

/** Measures and prints. `rounds` of all scenarios, floor and ours in turns. */
export async function benchPipeline({ rounds = 5 } = {}) {
  if (!existsSync(cli) || !existsSync(join(dist, 'executor.mjs')))
    throw new Error('The program is not built. Run npm run build first.');
  const server = await startScriptedServer();
  try {
    const of = await measure({ server, rounds });
    const rows = rowsOf(of);
    console.log(
      `\nThe headless run against a client without permissions, storage or sandbox; medians of ${rounds} rounds on ${availableParallelism()} cores, Node ${process.version}.\n`,
    );
    console.log(table([['', 'floor', 'ours', 'ratio', 'target'], ...rows.map((row) => row.cells)]));
    const missed = rows.filter((row) => !row.met).map((row) => row.cells[0].replace(/, ms$/, ''));
    console.log(missed.length === 0 ? '\nAll targets met.' : `\nMissed: ${missed.join('; ')}.`);
  } finally {
    await server.close();
  }
}
