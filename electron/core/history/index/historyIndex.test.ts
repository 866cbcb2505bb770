import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HistoryState } from '#shared/api/history';
import type { CallScope } from '../pastCalls';
import { callId, callLine, resultLine, TranscriptFolder } from '../testing/transcripts';
import { HistoryIndex } from './historyIndex';

let folder: TranscriptFolder;
let index: HistoryIndex;
let states: HistoryState[];

const open = (): HistoryIndex =>
  new HistoryIndex({
    claudeConfig: folder.claudeConfig,
    data: folder.data,
    nativeBinding: undefined,
    onState: (state) => states.push(state),
    now: () => performance.now(),
  });

beforeEach(() => {
  folder = new TranscriptFolder();
  states = [];
  index = open();
});
afterEach(async () => {
  await index.dispose();
  folder.dispose();
});

const everywhere: CallScope = { folder: null, since: 0 };
const calls = (scope = everywhere) => [...index.calls.calls(scope)];
/** Ids without what they have in common, oldest first. */
const names = (scope = everywhere) =>
  calls(scope)
    .map(({ id }) => id.replace('toolu_sample_00_', ''))
    .reverse();
const made = (name: string, second: number, more = {}) =>
  callLine({ id: callId(name), input: { command: `echo ${name}` } }, { second, ...more });

describe('reading', () => {
  it('finds sessions and sub-agents, and says what became of calls', async () => {
    folder.write('-srv-app/s1.jsonl', [
      '{"type":"user","cwd":"/srv/app","permissionMode":"default","message":{"content":"hi"}}',
      made('a', 1),
      resultLine({ id: callId('a') }),
      made('b', 2, { cwd: '/srv/app/src' }),
      resultLine({ id: callId('b'), content: 'Permission to use Bash has been denied.', isError: true }),
    ]);
    folder.write('-srv-app/s1/subagents/agent-1.jsonl', [made('c', 3, { cwd: '/srv/tree' })]);
    folder.write('-srv-app/s1/subagents/other.jsonl', [made('x', 3)]);
    folder.write('-srv-app/s1/tool-results/agent-1.jsonl', [made('x', 3)]);
    await index.read(0);
    const common = { origin: 'claudeCode', session: 's1', project: '/srv/app', tool: 'Bash' };
    expect(calls()).toMatchObject([
      { ...common, id: callId('c'), cwd: '/srv/tree', isSubagent: true, mode: null, outcome: 'unknown' },
      { ...common, id: callId('b'), cwd: '/srv/app/src', isSubagent: false, mode: 'default', outcome: 'refused' },
      { ...common, id: callId('a'), cwd: '/srv/app', isSubagent: false, mode: 'default', outcome: 'ran' },
    ]);
    expect(index.state).toEqual({
      phase: 'idle',
      files: 2,
      filesDone: 2,
      bytes: expect.any(Number),
      bytesDone: index.state.bytes,
      calls: 3,
      sessions: 1,
      skipped: 0,
      problem: '',
      folder: join(folder.claudeConfig, 'projects'),
    });
    expect(states.at(-1)).toEqual(index.state);
  });

  it('gives calls of a folder and below it, and not older than wished', async () => {
    folder.write('-srv/s1.jsonl', [
      made('a', 1, { cwd: '/srv/app' }),
      made('b', 2, { cwd: '/srv/app/src' }),
      made('c', 3, { cwd: '/srv/apple' }),
      made('d', 4, { cwd: '/srv' }),
    ]);
    await index.read(0);
    expect(names({ folder: '/srv/app', since: 0 })).toEqual(['a', 'b']);
    expect(names({ folder: '/', since: 0 })).toEqual(['a', 'b', 'c', 'd']);
    expect(names({ folder: null, since: Date.UTC(2026, 8, 1, 12, 0, 3) })).toEqual(['c', 'd']);
    expect(index.calls.find(callId('b'))).toMatchObject({ input: { command: 'echo b' }, title: 'echo b' });
    expect(index.calls.find('none')).toBe(null);
  });

  it('knows a call that a fork copied once, with what the copy says of its end', async () => {
    folder.write('-srv-app/s1.jsonl', [made('a', 1), made('b', 2)]);
    folder.write('-srv-app/s2.jsonl', [
      made('a', 1, { session: 's2' }),
      made('b', 2, { session: 's2' }),
      resultLine({ id: callId('b') }, { session: 's2' }),
      made('c', 3, { session: 's2' }),
    ]);
    await index.read(0);
    expect(names()).toEqual(['a', 'b', 'c']);
    expect(index.calls.find(callId('b'))?.outcome).toBe('ran');
    // What one of them brought stays as long as the other has it.
    for (const gone of ['s1', 's2']) {
      const text = readFileSync(folder.path(`-srv-app/${gone}.jsonl`));
      rmSync(folder.path(`-srv-app/${gone}.jsonl`));
      await index.read(0);
      expect(names()).toEqual(gone === 's1' ? ['a', 'b', 'c'] : ['a', 'b']);
      writeFileSync(folder.path(`-srv-app/${gone}.jsonl`), text);
      await index.read(0);
      expect(names()).toEqual(['a', 'b', 'c']);
    }
  });

  it('counts what is damaged and goes on', async () => {
    folder.write('-srv-app/s1.jsonl', [made('a', 1), made('b', 2).slice(0, 50), '\0\0\0', '', made('c', 3)]);
    folder.append('-srv-app/s1.jsonl', `${'x'.repeat(9 * 1024 * 1024)}\n${made('d', 4)}\n`);
    await index.read(0);
    expect(names()).toEqual(['a', 'c', 'd']);
    expect(index.state.skipped).toBe(3);
  });

  it('reads no file twice that has not changed', async () => {
    folder.write('-srv-app/s1.jsonl', [made('a', 1)]);
    await index.read(0);
    const { version } = index.calls;
    await index.dispose();
    index = open();
    const told = states.length;
    await index.read(0);
    expect(states.slice(told).map(({ phase }) => phase)).toEqual(['idle']);
    expect([names(), index.calls.version, version]).toEqual([['a'], 0, 2]);
  });
});

describe('a file that changes', () => {
  const file = '-srv-app/s1.jsonl';
  const others: Record<string, [() => void, string[]]> = {
    'grows by whole lines': [() => folder.append(file, `${made('c', 3)}\n`), ['a', 'b', 'c']],
    'grows by half a line': [() => folder.append(file, made('c', 3).slice(0, 80)), ['a', 'b']],
    'grows by a line without its end': [() => folder.append(file, made('c', 3)), ['a', 'b', 'c']],
    'is cut': [() => truncateSync(folder.path(file), made('a', 1).length + 1), ['a']],
    'is emptied': [() => truncateSync(folder.path(file), 0), []],
    vanishes: [() => rmSync(folder.path(file)), []],
    'vanishes with its folder': [() => rmSync(folder.path('-srv-app'), { recursive: true }), []],
    'is replaced by another': [
      () => {
        writeFileSync(`${folder.path(file)}.new`, `${made('x', 7)}\n${made('y', 8)}\n${made('z', 9)}\n`);
        renameSync(`${folder.path(file)}.new`, folder.path(file));
      },
      ['x', 'y', 'z'],
    ],
    'is written anew, longer': [
      () => writeFileSync(folder.path(file), `${made('x', 7)}\n${made('y', 8)}\n${made('z', 9)}\n`),
      ['x', 'y', 'z'],
    ],
    'is written anew, as long as before': [
      () => {
        writeFileSync(folder.path(file), `${made('x', 1)}\n${made('y', 2)}\n`);
        utimesSync(folder.path(file), 1, 1);
      },
      ['x', 'y'],
    ],
  };
  it.each(Object.entries(others))('%s', async (_name, [change, expected]) => {
    folder.write(file, [made('a', 1), made('b', 2)]);
    await index.read(0);
    expect(names()).toEqual(['a', 'b']);
    change();
    await index.read(0);
    expect(names()).toEqual(expected);
    expect(index.state).toMatchObject({ calls: expected.length, sessions: expected.length > 0 ? 1 : 0, skipped: 0 });
  });

  it('has half a line completed', async () => {
    folder.write(file, [made('a', 1)]);
    const line = `${made('b', 2)}\n${resultLine({ id: callId('b') })}\n`;
    for (const part of [line.slice(0, 30), line.slice(30, 400), line.slice(400)]) {
      folder.append(file, part);
      await index.read(0);
    }
    expect(calls()).toMatchObject([{ id: callId('b'), outcome: 'ran' }, { id: callId('a') }]);
    expect(index.state.skipped).toBe(0);
  });
});

describe('what is not a transcript', () => {
  it('links lead nowhere, and nothing is written', async () => {
    const outside = join(folder.root, 'outside');
    mkdirSync(join(outside, 's1/subagents'), { recursive: true });
    for (const name of ['s1.jsonl', 's1/subagents/agent-1.jsonl'])
      writeFileSync(join(outside, name), `${made('x', 1)}\n`);
    folder.write('-srv-app/s1.jsonl', [made('a', 1)]);
    folder.write('-srv-app/notes.txt', [made('x', 1)]);
    symlinkSync(outside, folder.path('-srv-linked'));
    symlinkSync(join(outside, 's1.jsonl'), folder.path('-srv-app/s2.jsonl'));
    mkdirSync(folder.path('-srv-app/s3'));
    symlinkSync(join(outside, 's1/subagents'), folder.path('-srv-app/s3/subagents'));
    symlinkSync(join(outside, 's1'), folder.path('-srv-app/s4'));
    execFileSync('mkfifo', [folder.path('-srv-app/s5.jsonl')]);
    const before = statSync(folder.path('-srv-app/s1.jsonl'));
    chmodSync(folder.path('-srv-app/s1.jsonl'), 0o400);
    await index.read(0);
    expect(names()).toEqual(['a']);
    expect(index.state).toMatchObject({ files: 1, problem: '' });
    const after = statSync(folder.path('-srv-app/s1.jsonl'));
    expect([after.mtimeMs, after.size]).toEqual([before.mtimeMs, before.size]);
  });

  it('a folder that is not there has no calls', async () => {
    rmSync(folder.claudeConfig, { recursive: true });
    await index.read(0);
    expect(index.state).toMatchObject({ phase: 'idle', files: 0, calls: 0, problem: '' });
  });

  it('a folder elsewhere is read where the person’s own link leads', async () => {
    folder.write('-srv-app/s1.jsonl', [made('a', 1)]);
    renameSync(folder.claudeConfig, join(folder.root, 'kept'));
    symlinkSync(join(folder.root, 'kept'), folder.claudeConfig);
    await index.read(0);
    expect(names()).toEqual(['a']);
  });
});

describe('the file of the index', () => {
  const file = () => join(folder.data, 'history.sqlite');

  it('is nobody else’s to read', async () => {
    folder.write('-srv-app/s1.jsonl', [made('a', 1)]);
    await index.read(0);
    const own = readdirSync(folder.data).filter((name) => name.startsWith('history.sqlite'));
    expect(own).toContain('history.sqlite');
    expect(own.map((name) => statSync(join(folder.data, name)).mode & 0o777)).toEqual(own.map(() => 0o600));
  });

  const broken: Record<string, () => void> = {
    'of another version': () => {
      const database = new Database(file());
      database.pragma('user_version = 99');
      database.close();
    },
    'no database': () => writeFileSync(file(), 'x'.repeat(10_000)),
    'damaged in the middle': () => {
      const bytes = readFileSync(file());
      bytes.fill(0xaa, 4_096);
      writeFileSync(file(), bytes);
    },
    gone: () => rmSync(file()),
  };
  it.each(Object.entries(broken))('is made anew when it is %s', async (_name, damage) => {
    folder.write('-srv-app/s1.jsonl', [made('a', 1), made('b', 2)]);
    await index.read(0);
    await index.dispose();
    expect(existsSync(`${file()}-wal`)).toBe(false);
    damage();
    index = open();
    await index.read(0);
    expect(names()).toEqual(['a', 'b']);
    expect(index.state).toMatchObject({ phase: 'idle', problem: '' });
  });

  it('that cannot be written is said, and tried again', async () => {
    rmSync(folder.data, { recursive: true });
    writeFileSync(folder.data, '');
    await index.read(0);
    expect(index.state).toMatchObject({
      phase: 'failed',
      problem: expect.stringMatching(/^Past calls cannot be indexed: .+ then look again\.$/),
    });
    rmSync(folder.data);
    folder.write('-srv-app/s1.jsonl', [made('a', 1)]);
    await index.read(0);
    expect([index.state.phase, names()]).toEqual(['idle', ['a']]);
  });
});

it('can be paused and goes on where it stood', async () => {
  // Hard links are files of their own name; one of some size keeps the reading busy for several stretches.
  const first = folder.write(
    '-srv-app/s0.jsonl',
    Array.from({ length: 3_000 }, (_, at) => made(`c${at}`, at)),
  );
  for (let copy = 1; copy < 4; copy += 1) linkSync(first, folder.path(`-srv-app/s${copy}.jsonl`));
  index.pause(true);
  const reading = index.read(0);
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(index.state).toMatchObject({ phase: 'paused' });
  expect(index.state.filesDone).toBeLessThan(4);
  appendFileSync(first, `${made('late', 5)}\n`);
  index.pause(false);
  await reading;
  expect(index.state).toMatchObject({ phase: 'idle', filesDone: 4 });
  await index.read(0);
  expect(index.state.calls).toBe(3_001);
});

it('finds in invented transcripts of every kind exactly what was written', async () => {
  const make = fileURLToPath(new URL('../../../../build/samples.mjs', import.meta.url));
  const written = JSON.parse(
    execFileSync(process.execPath, [make, folder.claudeConfig, '--calls', '1500', '--seed', '7'], { encoding: 'utf8' }),
  );
  await index.read(0);
  const found = calls();
  expect(index.state).toMatchObject({
    calls: written.calls,
    sessions: written.sessions,
    files: written.files,
    bytes: written.bytes,
    bytesDone: written.bytes,
    skipped: written.damaged,
  });
  expect(found.filter(({ outcome }) => outcome === 'refused')).toHaveLength(written.refused);
  expect(found.filter(({ isSubagent }) => isSubagent)).toHaveLength(written.subagentCalls);
  expect([...found].sort((a, b) => b.at - a.at)).toEqual(found);
});
