// Looking into large result files: how soon the first page comes, what memory it takes, and how fast they are indexed and
// searched, beside a plain read of the file and ripgrep in the same run.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { rgPath } from '@vscode/ripgrep';
import { bundleSources, importSources } from './bundle.mjs';
import { table } from './measure.mjs';

const megabyte = 1_048_576;
const rounds = 3;
const view = 'bench';

/** What must be reached, as the table names it. */
const targets = { firstPageMs: 300, memoryMb: 80, searchRatio: 0.4 };

/** Lines as builds print them: about 100 bytes, no two alike. */
function writeLines(file, bytes) {
  const words = 'resolve transform chunk layers server request cache token error warning parse render'.split(' ');
  let seed = 7;
  const random = (below) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const lines = Array.from({ length: 160_000 }, (_, at) => {
    const said = Array.from({ length: 6 + random(9) }, () => words[random(words.length)]).join(' ');
    const rare = at % 40_000 === 17 ? ' Unexpected token in harbour' : '';
    return `2026-05-30T09:${String(at % 60).padStart(2, '0')}:12 [${at}] ${said} ${random(1e6)} ms${rare}`;
  });
  writeBlocks(file, Buffer.from(`${lines.join('\n')}\n`), bytes);
}

const writeOneLine = (file, bytes) =>
  writeBlocks(file, Buffer.from('{"id":1234567,"name":"harbour"},'.repeat(30_000)), bytes);

function writeBlocks(file, block, bytes) {
  const descriptor = openSync(file, 'w');
  for (let left = bytes; left > 0; left -= block.length) writeSync(descriptor, block, 0, Math.min(left, block.length));
  closeSync(descriptor);
}

/** Milliseconds of a plain read of the whole file. */
function readAll(file) {
  const started = performance.now();
  const descriptor = openSync(file, 'r');
  const buffer = Buffer.allocUnsafeSlow(megabyte);
  while (readSync(descriptor, buffer) > 0);
  closeSync(descriptor);
  return performance.now() - started;
}

function ripgrep(file, { text, regex, caseSensitive }) {
  const started = performance.now();
  const how = [...(regex ? [] : ['-F']), ...(caseSensitive ? [] : ['-i'])];
  let found = '0';
  try {
    found = execFileSync(rgPath, ['--count-matches', '--no-config', ...how, '--', text, file], { encoding: 'utf8' });
  } catch (error) {
    if (error.status !== 1) throw error;
  }
  return { ms: performance.now() - started, matches: Number(found) };
}

/** One file looked into from start to end. */
class Look {
  events = [];
  peak = 0;

  constructor({ ResultsThread, program }) {
    this.thread = new ResultsThread({
      file: program,
      onEvent: (event) => this.events.push(event),
      onBreakdown: (why) => {
        throw new Error(why);
      },
    });
    globalThis.gc?.();
    this.before = process.memoryUsage.rss();
    this.timer = setInterval(() => this.weigh(), 10);
  }

  weigh() {
    this.peak = Math.max(this.peak, process.memoryUsage.rss() - this.before);
  }

  async until(fits) {
    for (;;) {
      const found = this.events.find(fits);
      if (found !== undefined) return found;
      await delay(2);
    }
  }

  /** Waits until the thread is there, as the list of results starts it. Milliseconds. */
  async ready() {
    const started = performance.now();
    await this.thread.ask('close', { view });
    return performance.now() - started;
  }

  /** Milliseconds to the first page. */
  async open(file) {
    const started = performance.now();
    const { rows } = await this.thread.ask('open', { view, place: { file } });
    if (rows.length === 0) throw new Error('the first page is empty');
    return performance.now() - started;
  }

  async indexed() {
    const { index } = await this.until((event) => event.kind === 'indexed' && event.index.done);
    return index;
  }

  /** Milliseconds to the end of a search and what it told. */
  async search(query) {
    this.events.length = 0;
    const started = performance.now();
    const { searchId } = await this.thread.ask('results.search', { view, query });
    const { state } = await this.until((event) => event.kind === 'searching' && event.state.done);
    const ms = performance.now() - started;
    if (state.problem !== '') throw new Error(state.problem);
    await this.thread.ask('results.matches', { view, searchId, from: 0, count: 100 });
    return { ms, state };
  }

  /** Milliseconds of the slowest of some jumps through the file. */
  async jumps(rows) {
    let slowest = 0;
    for (let at = 0; at < 50; at += 1) {
      const started = performance.now();
      await this.thread.ask('results.rows', { view, from: Math.floor((rows / 50) * at), count: 100 });
      slowest = Math.max(slowest, performance.now() - started);
    }
    return slowest;
  }

  async end() {
    this.weigh();
    clearInterval(this.timer);
    await this.thread.dispose();
    return this.peak / 1e6;
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const rounded = (value, unit) =>
  `${value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 })} ${unit}`;
const judged = (reached) => (reached ? 'met' : 'MISSED');

async function lookInto(file, { what, tools, queries }) {
  const rows = [];
  const all = { start: [], first: [], index: [], raw: [], memory: [], jump: [] };
  for (let round = 0; round < rounds; round += 1) {
    all.raw.push(readAll(file));
    const look = new Look(tools);
    all.start.push(await look.ready());
    const started = performance.now();
    all.first.push(await look.open(file));
    const index = await look.indexed();
    all.index.push(performance.now() - started);
    all.jump.push(await look.jumps(index.rows));
    all.memory.push(await look.end());
  }
  const first = median(all.first);
  const memory = Math.max(...all.memory);
  const raw = median(all.raw);
  const index = median(all.index);
  rows.push(
    [
      `${what}: first page`,
      rounded(first, 'ms'),
      '',
      '',
      `≤ ${targets.firstPageMs} ms`,
      judged(first <= targets.firstPageMs),
    ],
    [`${what}: the thread’s start before that`, rounded(median(all.start), 'ms'), '', '', '', ''],
    [
      `${what}: memory growth with its index`,
      rounded(memory, 'MB'),
      '',
      '',
      `≤ ${targets.memoryMb} MB`,
      judged(memory <= targets.memoryMb),
    ],
    [`${what}: index, beside a plain read`, rounded(index, 'ms'), rounded(raw, 'ms'), (raw / index).toFixed(2), '', ''],
    [`${what}: slowest of 50 jumps of 100 rows`, rounded(median(all.jump), 'ms'), '', '', '', ''],
  );

  for (const query of queries) {
    const ours = [];
    const theirs = [];
    const grown = [];
    for (let round = 0; round < rounds; round += 1) {
      const look = new Look(tools);
      await look.open(file);
      await look.indexed();
      const { ms, state } = await look.search(query);
      grown.push(await look.end());
      const other = ripgrep(file, query);
      if (state.matches !== other.matches)
        throw new Error(`“${query.text}” has ${state.matches} matches here and ${other.matches} there`);
      ours.push(ms);
      theirs.push(other.ms);
    }
    const ratio = median(theirs) / median(ours);
    const kind = `${query.regex ? 'expression' : 'text'}${query.caseSensitive ? '' : ' in any case'}`;
    const growth = Math.max(...grown);
    rows.push([
      `${what}: ${kind} “${query.text}”, beside ripgrep`,
      rounded(median(ours), 'ms'),
      rounded(median(theirs), 'ms'),
      ratio.toFixed(2),
      `≥ ${targets.searchRatio}`,
      judged(ratio >= targets.searchRatio),
    ]);
    rows.push([
      '   memory growth with that',
      rounded(growth, 'MB'),
      '',
      '',
      `≤ ${targets.memoryMb} MB`,
      judged(growth <= targets.memoryMb),
    ]);
  }
  return rows;
}

/** Prints the table. Files are made on the spot and deleted again; it takes 1.5 GB of room for a while. */
export async function benchResults() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-results-'));
  try {
    const program = await bundleSources({
      name: 'resultsWorker',
      sources: ['electron/core/results/worker/resultsWorker.ts'],
    });
    const { ResultsThread } = await importSources({
      name: 'resultsThread',
      sources: ['electron/core/results/worker/resultsThread.ts'],
    });
    const tools = { ResultsThread, program };
    const lines = join(folder, 'lines.txt');
    const oneLine = join(folder, 'oneLine.txt');
    writeLines(lines, 1_024 * megabyte);
    writeOneLine(oneLine, 500 * megabyte);
    const literal = { regex: false, caseSensitive: true };
    const expression = { regex: true, caseSensitive: true };
    const rows = [
      ...(await lookInto(lines, {
        what: '1 GB of lines',
        tools,
        queries: [
          { ...literal, text: 'Unexpected token in harbour' },
          { ...literal, text: 'nowhere to be found' },
          { ...literal, text: 'warning error cache' },
          { ...literal, caseSensitive: false, text: 'UNEXPECTED TOKEN' },
          { ...expression, text: 'Unexpected \\w+ in h' },
          { ...expression, text: 'token .*cache \\d{6} ms$' },
        ],
      })),
      ...(await lookInto(oneLine, {
        what: `${statSync(oneLine).size / megabyte} MB in one line`,
        tools,
        queries: [
          { ...literal, text: 'nowhere to be found' },
          { ...expression, text: '"id":9\\d+' },
        ],
      })),
    ];
    console.log(table([['results', 'ours', 'floor', 'ratio', 'target', ''], ...rows]));
    if (rows.some((row) => row.includes('MISSED'))) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
