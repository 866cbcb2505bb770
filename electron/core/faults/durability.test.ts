// A program that is killed while it writes has kept all that it had promised, and has left nothing torn: events, settings,
// results, contents of files. GATEHOUSE_KILLS sets how often it is killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { openDatabase } from '../sessions/database';
import { SessionStore } from '../sessions/store';
import { seeded } from './testing/seeded';

const kills = Number(process.env.GATEHOUSE_KILLS ?? 24);
/** A folder is written in by so many programs, one after the other. */
const perFolder = 10;

let base: string;
let program: string;

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'gatehouse-durable-'));
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const bundle = await rolldown({
    input: fileURLToPath(new URL('testing/durableWriter.ts', import.meta.url)),
    platform: 'node',
    resolve: { alias: { '#shared': join(root, 'shared') }, mainFields: ['module', 'main'] },
    external: ['better-sqlite3'],
    logLevel: 'silent',
  });
  // Beside the packages, so that the compiled one is found.
  program = join(base, 'writer.mjs');
  const sqlite = createRequire(import.meta.url).resolve('better-sqlite3');
  await bundle.write({
    file: program,
    format: 'esm',
    codeSplitting: false,
    paths: { 'better-sqlite3': sqlite },
  });
  await bundle.close();
}, 60_000);
afterAll(() => rmSync(base, { recursive: true, force: true }));

interface Place {
  readonly data: string;
  readonly settings: string;
  sessionId: string;
  /** What was promised in this folder. */
  readonly rules: Set<string>;
  readonly results: Set<string>;
  readonly contents: Set<string>;
  lastEvent: number;
}

function place(name: string): Place {
  const data = join(base, name);
  mkdirSync(data, { recursive: true });
  return {
    data,
    settings: join(data, 'settings.json'),
    sessionId: '',
    rules: new Set(),
    results: new Set(),
    contents: new Set(),
    lastEvent: 0,
  };
}

function hear(text: string, at: Place): void {
  // A line that is cut off was not promised.
  for (const line of text.slice(0, text.lastIndexOf('\n') + 1).split('\n')) {
    const [kind, ...rest] = line.split(' ');
    const what = rest.join(' ');
    if (kind === 'session') at.sessionId = what;
    if (kind === 'event') at.lastEvent = Math.max(at.lastEvent, Number(what));
    if (kind === 'rule') at.rules.add(what);
    if (kind === 'result') at.results.add(what);
    if (kind === 'content') at.contents.add(what);
  }
}

/** Starts a writer; `said` gives all that it has said. */
function start(at: Place, seed: number): { readonly child: ChildProcess; said(): string; faults(): string } {
  const child = spawn(process.execPath, [program, at.data, at.settings, at.sessionId, String(seed)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let faults = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    faults += chunk.toString();
  });
  return { child, said: () => said, faults: () => faults };
}

const Settings = z.object({ permissions: z.object({ allow: z.array(z.string()) }) });

/** None where it was killed before it made the folder. */
const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);

/** Everything that was promised is there; nothing is torn. */
function check(at: Place): void {
  const { database, close } = openDatabase({ folder: at.data, nativeBinding: undefined, use: 'beside' });
  try {
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    const damaged: number[] = [];
    const events = new SessionStore(database, (_, seq) => damaged.push(seq)).events(at.sessionId, 0);
    expect(damaged).toEqual([]);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.length).toBeGreaterThanOrEqual(at.lastEvent);
  } finally {
    close();
  }
  const rules = existsSync(at.settings)
    ? Settings.parse(JSON.parse(readFileSync(at.settings, 'utf8'))).permissions.allow
    : [];
  expect([...at.rules].filter((rule) => !rules.includes(rule))).toEqual([]);
  const results = namesIn(join(at.data, 'results')).filter((name) => name.endsWith('.txt'));
  expect([...at.results].filter((name) => !results.includes(name))).toEqual([]);
  for (const name of results) expect(readFileSync(join(at.data, 'results', name), 'utf8')).toMatch(/^y+\.$/);
  const contents = namesIn(join(at.data, 'history')).filter((name) => /^[0-9a-f]{64}$/.test(name));
  expect([...at.contents].filter((hash) => !contents.includes(hash))).toEqual([]);
  for (const hash of contents) {
    const bytes = readFileSync(join(at.data, 'history', hash));
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(hash);
  }
}

async function untilHeard(writer: ReturnType<typeof start>, many: number): Promise<void> {
  await expect
    .poll(() => writer.faults() !== '' || writer.said().split('\n').length > many, { timeout: 60_000, interval: 2 })
    .toBe(true);
  expect(writer.faults()).toBe('');
}

it(`keeps its promises when it is killed at any moment, ${kills} times`, async () => {
  const lanes = Array.from({ length: 2 }, async (_, lane) => {
    for (let at = 0; at < kills / 2; at += perFolder) {
      const here = place(`killed-${lane}-${at}`);
      for (let kill = at; kill < Math.min(at + perFolder, kills / 2); kill += 1) {
        const seed = lane * 100_000 + kill + 1;
        const random = seeded(seed);
        const writer = start(here, seed);
        await untilHeard(writer, 1 + random.below(12));
        await pause(random.below(15));
        writer.child.kill('SIGKILL');
        await once(writer.child, 'close');
        hear(writer.said(), here);
        // A lock that its holder left behind is waited for; here its time is over.
        if (existsSync(`${here.settings}.lock`)) utimesSync(`${here.settings}.lock`, new Date(0), new Date(0));
        check(here);
      }
      rmSync(here.data, { recursive: true, force: true });
    }
  });
  await Promise.all(lanes);
}, 600_000);

it('opens what is on the disk at any moment, also where the end of the log has not come to it', async () => {
  const here = place('copied');
  const writer = start(here, 77);
  const random = seeded(77);
  try {
    for (let copy = 0; copy < 12; copy += 1) {
      await untilHeard(writer, 20 * (copy + 1));
      writer.child.kill('SIGSTOP');
      hear(writer.said(), here);
      const there = place(`copy-${copy}`);
      for (const name of ['gatehouse.db', 'gatehouse.db-wal'])
        if (existsSync(join(here.data, name))) copyFileSync(join(here.data, name), join(there.data, name));
      writer.child.kill('SIGCONT');
      const log = join(there.data, 'gatehouse.db-wal');
      const size = readFileSync(log).length;
      const cut = copy % 2 === 1;
      if (cut) truncateSync(log, random.below(size));
      const { database, close } = openDatabase({ folder: there.data, nativeBinding: undefined, use: 'beside' });
      const damaged: number[] = [];
      const events = new SessionStore(database, (_, seq) => damaged.push(seq)).events(here.sessionId, 0);
      close();
      expect(damaged).toEqual([]);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      if (!cut) expect(events.length).toBeGreaterThanOrEqual(here.lastEvent);
    }
  } finally {
    writer.child.kill('SIGKILL');
    await once(writer.child, 'close');
  }
}, 120_000);
