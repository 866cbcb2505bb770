// The disk is full, read-only or locked while a turn works: the turn may fail, the program and the session go on.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { pairingFaults } from '../agent/testing/pairingFaults';
import { SessionStore } from '../sessions/store';
import { bench, echoTool, message } from '../testing/bench';
import { type CoreWorld, disposeBuilt, modelText, startWorld } from './testing/coreWorld';
import { seeded } from './testing/seeded';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(disposeBuilt);

async function open(): Promise<CoreWorld> {
  const world = await startWorld();
  closing.push(() => world.dispose());
  return world;
}

const bash = (command: string) => ({ calls: [{ name: 'Bash', input: { command } }] });

/** Mounts a file system of so many bytes on a folder, or says why that is not possible. */
function mountSmall(folder: string, bytes: number): string {
  if (process.platform !== 'linux') return 'only Linux has a file system in memory that can be mounted';
  if (process.getuid?.() !== 0) return 'only root may mount a small file system';
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch (error) {
    return `this system does not let a file system be mounted (${String(error).split('\n')[0]})`;
  }
  closing.push(() => execFileSync('umount', ['-l', folder], { stdio: 'pipe' }));
  return '';
}

/** What the model gets of a result whose file could not be written: both ends, and that the middle is lost. */
const withoutFile = /^1\n2\n3\n.*\n\d*99999\n\d*00000\n\n.*could not be kept in a file/s;

describe('results', () => {
  it('on a disk that becomes full: head, tail and the reason; nothing half is left; later results are kept', async (context) => {
    const world = await open();
    const results = join(world.data, 'projects');
    const why = mountSmall(results, 1_048_576);
    context.skip(why !== '', why);
    const session = await world.session();
    const [full] = await session.turn(bash('seq 1 1000000'));
    expect([full?.status, modelText(full)]).toEqual(['succeeded', expect.stringMatching(withoutFile)]);
    expect(modelText(full)).toMatch(/disk is full|ENOSPC/);
    expect(full !== undefined && 'persisted' in full ? full.persisted : undefined).toBeUndefined();
    const left = readdirSync(results, { recursive: true, encoding: 'utf8' }).map((path) => join(results, path));
    expect(left.filter((path) => statSync(path).isFile())).toEqual([]);
    const [fits] = await session.turn(bash('seq 1 100000'));
    expect(fits !== undefined && 'persisted' in fits ? fits.persisted : undefined).toMatchObject({ bytes: 588_895 });
    const [background] = await session.turn({
      calls: [{ name: 'Bash', input: { command: 'seq 1 1000000; sleep 300', run_in_background: true } }],
    });
    expect(background?.status).toBe('succeeded');
    await expect.poll(() => session.state().tasks.b1?.status).toBe('running');
    await world.client().call('tasks.stop', { sessionId: session.id, taskId: 'b1' });
    expect([world.processes(), world.model.faults, world.logFaults()]).toEqual([[], [], []]);
  }, 60_000);

  it('in a folder that cannot be written: head, tail and the reason', async () => {
    const world = await open();
    const results = join(world.data, 'projects');
    rmSync(results, { recursive: true, force: true });
    if (process.getuid?.() === 0) writeFileSync(results, 'root may write into every folder, but not into a file');
    else {
      mkdirSync(results);
      chmodSync(results, 0o500);
    }
    const session = await world.session();
    const [call] = await session.turn(bash('seq 1 1000000'));
    expect([call?.status, modelText(call)]).toEqual(['succeeded', expect.stringMatching(withoutFile)]);
    const [failed] = await session.turn(bash('seq 1 1000000; exit 3'));
    expect([failed?.status, modelText(failed)]).toEqual([
      'failed',
      expect.stringMatching(/^Exit code 3\..*could not be kept in a file/s),
    ]);
    expect([world.processes(), world.model.faults, world.logFaults(), world.errors]).toEqual([[], [], [], []]);
    if (existsSync(results) && statSync(results).isDirectory()) chmodSync(results, 0o700);
  }, 60_000);
});

describe('the log of sessions', () => {
  it('locked by another process for longer than it is waited for: the session goes on when the lock is gone', async () => {
    const world = await open();
    const session = await world.session();
    await session.turn(bash('echo before'));
    const holder = spawn(
      process.execPath,
      [
        '-e',
        `const database = new (require('better-sqlite3'))(process.argv[1]);
         database.exec('begin immediate');
         process.stdout.write('locked');
         process.stdin.on('end', () => process.exit(0)).resume();`,
        join(world.data, 'gatehouse.db'),
      ],
      { cwd: fileURLToPath(new URL('../../..', import.meta.url)), stdio: ['pipe', 'pipe', 'inherit'] },
    );
    closing.push(() => holder.kill('SIGKILL'));
    const started = session.until((body) => body.type === 'call.started');
    await session.send(bash('sleep 1; echo during'));
    await started;
    await new Promise((resolve) => holder.stdout.once('data', resolve));
    await expect
      .poll(() => JSON.stringify(world.errors), { timeout: 90_000 })
      .toContain('a turn could not be recorded');
    const gone = new Promise((resolve) => holder.once('exit', resolve));
    holder.stdin.end();
    await gone;
    const [after] = await session.turn(bash('echo after'));
    expect([after?.status, modelText(after)]).toEqual(['succeeded', 'after']);
    expect([world.processes(), world.model.faults, world.logFaults()]).toEqual([[], [], []]);
    expect(session.calls().map(({ status }) => status)).toEqual(['succeeded', 'interrupted', 'succeeded']);
    expect(modelText(session.calls()[1])).toContain('could not be written down');
  }, 150_000);

  it('that cannot be written at random moments: after it each call has one end, nothing is lost or doubled', async () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const random = seeded(seed);
      const calls = () =>
        Array.from({ length: 1 + random.below(4) }, () => ({
          call: random.of(['Echo', 'Change', 'Unknown']),
          input: random.of<object>([{ text: 'a' }, { text: 'b' }, { wrong: 1 }]),
        }));
      const b = bench({
        tools: [echoTool({}), echoTool({ name: 'Change', safe: false })],
        plays: [message(...calls()), message(...calls())],
      });
      const from = random.below(50);
      const until = from + 1 + random.below(random.of([2, 5, 100]));
      let writes = 0;
      const append = Reflect.get(SessionStore.prototype, 'append');
      const broken = vi.spyOn(SessionStore.prototype, 'append').mockImplementation(function (
        this: SessionStore,
        ...given
      ) {
        const at = writes;
        writes += 1;
        if (at >= from && at < until)
          throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
        append.apply(this, given);
      });
      try {
        b.agent.send(b.sessionId, 'go');
      } catch (error) {
        expect(error).toMatchObject({ code: 'SQLITE_FULL' });
      }
      for (let quiet = 0; quiet < 1_000 && b.agent.running(b.sessionId); quiet += 1) await new Promise(setImmediate);
      expect([seed, b.agent.running(b.sessionId)]).toEqual([seed, false]);
      broken.mockRestore();
      const ended = b.until((body) => body.type === 'turn.finished');
      b.agent.send(b.sessionId, 'again');
      let body = await ended;
      // The turn that could not be written is ended in the log first.
      while (body.type === 'turn.finished' && body.outcome === 'interrupted')
        body = await b.until((next) => next.type === 'turn.finished');
      expect([seed, body]).toMatchObject([seed, { outcome: 'done' }]);
      const stored = b.sessions.eventsSince(b.sessionId, 0);
      const ids = (type: 'call.created' | 'call.finished') =>
        stored.flatMap(({ body: each }) => (each.type === type && 'callId' in each ? [each.callId] : [])).sort();
      expect([seed, ids('call.finished')]).toEqual([seed, ids('call.created')]);
      expect([seed, stored.map(({ seq }) => seq)]).toEqual([seed, stored.map((_, at) => at + 1)]);
      for (const request of b.requests) expect([seed, pairingFaults(request.messages)]).toEqual([seed, []]);
      expect([seed, pairingFaults(b.sessions.conversation(b.sessionId).messages())]).toEqual([seed, []]);
      await b.agent.dispose();
    }
  }, 120_000);
});

it('500 calls in one message: each has its one result, in order, and memory is bounded', async () => {
  const world = await open();
  const session = await world.session();
  const before = process.memoryUsage().rss;
  const commands = Array.from({ length: 500 }, (_, at) => `echo ${at}${at % 50 === 0 ? '; seq 1 30000' : ''}`);
  const calls = await session.turn({
    calls: commands.map((command) => ({ name: 'Bash', input: { command, description: 'Count' } })),
  });
  expect(calls.map(({ status }) => status)).toEqual(Array(500).fill('succeeded'));
  const last = world.model.requests.at(-1)?.at(-1)?.content;
  const sent = Array.isArray(last)
    ? last.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []))
    : [];
  expect(sent).toEqual(commands.map((_, at) => expect.stringMatching(new RegExp(`_${at}$`))));
  expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(400);
  expect([world.processes(), world.model.faults, world.logFaults(), world.errors]).toEqual([[], [], [], []]);
}, 180_000);
