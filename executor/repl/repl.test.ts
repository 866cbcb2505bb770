// JavaScript sessions through the real executor, in its sandbox where there is one.
import { randomBytes } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperationOf, ReplResult, SandboxPolicy } from '#shared/api/executor';
import { CancelSource } from '#shared/rpc/cancel';
import {
  buildExecutor,
  processesWith,
  startExecutor,
  type TestExecutor,
  testToken,
  until,
} from '../testing/startExecutor';

const built = await buildExecutor();
let executor: TestExecutor;
let folder: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'gatehouse-repl-')));
  executor = await startExecutor(built.modulePath, { PATH: process.env.PATH, HOME: folder, TMPDIR: tmpdir() });
}, 60_000);
afterAll(async () => {
  await executor.stop();
  await rm(folder, { recursive: true, force: true });
  await built.dispose();
});

interface How {
  readonly session?: string;
  readonly timeoutMs?: number;
  readonly memoryMiB?: number;
  readonly sandbox?: SandboxPolicy;
  readonly cancel?: CancelSource;
  readonly onText?: (text: string) => void;
}

async function run(code: string, how: How = {}): Promise<{ readonly result: ReplResult; readonly printed: string }> {
  const operation: OperationOf<'repl.run'> = {
    op: 'repl.run',
    streamId: randomBytes(8).toString('hex'),
    session: how.session ?? 'usual',
    code,
    cwd: folder,
    timeoutMs: how.timeoutMs ?? 20_000,
    memoryMiB: how.memoryMiB ?? 512,
    sandbox: how.sandbox ?? { enabled: true, network: 'off', writable: [folder], hidden: [] },
  };
  let terminal = '';
  const stop = executor.rpc.on('shell.data', ({ streamId, text }) => {
    if (streamId !== operation.streamId) return;
    terminal += text;
    how.onText?.(text);
    executor.rpc.call('shell.ack', { streamId, chars: text.length }).catch(() => undefined);
  });
  try {
    const params = { grant: testToken(executor.grantKey, operation), operation };
    const result = await executor.rpc.call('repl.run', params, { signal: how.cancel ?? new CancelSource() });
    if (result.kind === 'failure') throw new Error(result.message);
    return { result, printed: terminal.replaceAll('\r\n', '\n') };
  } finally {
    stop();
  }
}

/** What the code gave: a value, or an error's first line. */
async function value(code: string, how: How = {}): Promise<string | null> {
  const { result } = await run(code, how);
  return result.outcome === 'error' ? `! ${result.text?.split('\n')[0]}` : result.text;
}

describe('a session', () => {
  it.each([
    ['const a = 1; let b = await Promise.resolve(4); a + b', '5'],
    ['a + b', '5'],
    ['const a = "again"; a', 'again'],
    ['function twice(x) { return 2 * x } class Box { constructor(v) { this.v = v } }', null],
    ['new Box(twice(21))', 'Box { v: 42 }'],
    ['_.v', '42'],
    ['{ one: 1, two: [2, 3] }', '{ one: 1, two: [ 2, 3 ] }'],
    ['const { readFileSync } = require("node:fs"); typeof readFileSync', 'function'],
    ['path.basename("/x/y.z")', 'y.z'],
    ['const fs = require("fs"); fs.existsSync("/")', 'true'],
    ['10n ** 20n', '100000000000000000000n'],
    ['-0', '-0'],
    ['Symbol("s")', 'Symbol(s)'],
    ['null', 'null'],
    ['undefined', null],
    ['throw new TypeError("no")', '! TypeError: no'],
    ['await Promise.reject(new Error("later"))', '! Error: later'],
    ['throw 7', '! 7'],
    ['let = 3 4', '! SyntaxError: Unexpected number (line 1, column 9)'],
    ['missing', '! ReferenceError: missing is not defined'],
    ['for (let i = 0; i < 3; i++) i', '2'],
    ['typeof process.env.HOME', 'string'],
  ])('%s', async (code, expected) => {
    expect(await value(code)).toBe(expected);
  });

  it('prints in order, all of it before it answers', async () => {
    const code = 'for (let i = 0; i < 3000; i++) (i % 2 ? console.error : console.log)("line " + i); "end"';
    const { result, printed } = await run(code);
    expect(result).toMatchObject({ outcome: 'value', text: 'end', ended: null, fresh: false });
    expect(printed).toBe(Array.from({ length: 3000 }, (_, i) => `line ${i}\n`).join(''));
  });

  it('streams while it runs', async () => {
    let seen = '';
    const cancel = new CancelSource();
    const running = run('console.log("first"); await new Promise(() => setInterval(() => {}, 1000))', {
      session: 'stream',
      cancel,
      onText: (text) => {
        seen += text;
        if (seen.includes('first')) cancel.cancel();
      },
    });
    expect((await running).result).toMatchObject({ outcome: 'ended', ended: 'aborted' });
  });

  it('has variables of its own', async () => {
    expect(await value('globalThis.mine = 1; mine', { session: 'one' })).toBe('1');
    expect(await value('typeof mine', { session: 'two' })).toBe('undefined');
    expect(await value('mine', { session: 'one' })).toBe('1');
  });

  it('takes calls one after the other', async () => {
    const session = 'queue';
    await run('globalThis.log = []', { session });
    await Promise.all(
      [1, 2, 3].map((n) =>
        run(`log.push("in ${n}"); await new Promise((r) => setTimeout(r, 20)); log.push("out ${n}")`, { session }),
      ),
    );
    expect(await value('log.join(" ")', { session })).toBe('in 1 out 1 in 2 out 2 in 3 out 3');
  });

  it('keeps its variables when a call is called off that waited', async () => {
    const session = 'called off';
    const cancel = new CancelSource();
    const first = run('var kept = 1; await new Promise((r) => setTimeout(r, 300))', { session });
    const second = run('kept = 2', { session, cancel }).catch((error: unknown) => String(error));
    cancel.cancel();
    expect(await second).toContain('Cancelled');
    await first;
    expect(await value('kept', { session })).toBe('1');
  });

  it('survives what fails later', async () => {
    const session = 'later';
    const { printed } = await run(
      'setTimeout(() => { throw new Error("late") }, 1); Promise.reject(new Error("lost")); await new Promise((r) => setTimeout(r, 50)); var kept = 1;',
      { session },
    );
    expect(printed).toMatch(/Uncaught, from code that was still running: Error: late/);
    expect(printed).toMatch(/Error: lost/);
    expect(await value('kept', { session })).toBe('1');
  });

  it('says where syntax is wrong, without frames of its own', async () => {
    const { result } = await run('const ok = 1;\nconst x = = 2;');
    expect(result.text).toBe("SyntaxError: Unexpected token '=' (line 2, column 11)");
    const thrown = await run('function deep() { throw new Error("x") }\ndeep()');
    expect(thrown.result.text).toBe('Error: x\n    at deep (<anonymous>:1:25)\n    at <anonymous>:2:1');
  });

  it('cuts values that are long', async () => {
    const { result } = await run('"x".repeat(1e6)');
    expect(result.text?.length).toBe(20_001);
  });
});

describe('ends', () => {
  it('at its time, with all that it started; the next call begins anew', async () => {
    const session = 'time';
    const token = `gatehouse-repl-${randomBytes(6).toString('hex')}`;
    const code = `var kept = 1; require("child_process").spawn("sleep", ["987"], { argv0: "${token}", stdio: "ignore" }); for (;;) {}`;
    const running = run(code, { session, timeoutMs: 1_500 });
    await until('the child runs', () => processesWith(`${token} 987`).length > 0);
    expect((await running).result).toMatchObject({ outcome: 'ended', ended: 'timeout', text: null });
    expect(processesWith(`${token} 987`)).toEqual([]);
    expect((await run('typeof kept', { session })).result).toMatchObject({ text: 'undefined', fresh: true });
  });

  it('when it holds too much memory', async () => {
    const session = 'memory';
    const heap = await run('const all = []; for (;;) all.push(new Array(1e5).fill(1.5))', { session, memoryMiB: 128 });
    expect(heap.result).toMatchObject({ outcome: 'ended', ended: 'memory' });
    const code = 'const b = []; for (;;) { b.push(Buffer.alloc(2e7, 1)); await new Promise((r) => setTimeout(r, 20)) }';
    const outside = await run(code, { session, memoryMiB: 256 });
    expect(outside.result).toMatchObject({ outcome: 'ended', ended: 'memory' });
  });

  it('when it leaves by itself', async () => {
    const { result, printed } = await run('console.log("bye"); process.exit(3)', { session: 'exit' });
    expect(result).toMatchObject({ outcome: 'ended', ended: 'exit', exitCode: 3 });
    expect(printed).toBe('bye\n');
  });

  it('when it answers with rubbish', async () => {
    const code = 'require("fs").writeSync(3, "{\\"id\\":true}\\n"); await new Promise((r) => setTimeout(r, 1e4))';
    expect((await run(code, { session: 'rubbish' })).result).toMatchObject({ outcome: 'ended', ended: 'badAnswer' });
    const flood = 'const s = "x".repeat(1e5); for (;;) try { require("fs").writeSync(3, s) } catch {}';
    expect((await run(flood, { session: 'rubbish' })).result).toMatchObject({ outcome: 'ended', ended: 'badAnswer' });
  });

  it('with its session', async () => {
    await run('globalThis.x = 1', { session: 'over' });
    await executor.rpc.call('repl.end', { session: 'over' });
    expect((await run('typeof x', { session: 'over' })).result).toMatchObject({ text: 'undefined', fresh: true });
  });

  it('keeps a flood bounded and goes on', async () => {
    const session = 'flood';
    const { result, printed } = await run('for (let i = 0; i < 3e5; i++) console.log("y".repeat(100)); "done"', {
      session,
    });
    expect(result).toMatchObject({ outcome: 'value', text: 'done' });
    expect(printed.length).toBeLessThanOrEqual(3e5 * 101);
    expect(await value('1 + 1', { session })).toBe('2');
  });
});

describe('the sandbox', () => {
  it('is that of commands', async () => {
    if (!executor.sandbox.available) return;
    const session = 'confined';
    const outside = join(tmpdir(), `gatehouse-outside-${randomBytes(4).toString('hex')}`);
    expect((await run('1', { session })).result.sandboxed).toBe(true);
    expect(
      await value(`fs.writeFileSync(${JSON.stringify(join(folder, 'in'))}, "x"); fs.readFileSync("in", "utf8")`, {
        session,
      }),
    ).toBe('x');
    expect(await value('fs.writeFileSync("/etc/gatehouse-test", "x")', { session })).toMatch(
      /^! Error: (EROFS|EACCES)/,
    );
    await value(`fs.writeFileSync(${JSON.stringify(outside)}, "x")`, { session });
    expect(await realpath(outside).catch(() => 'not there')).toBe('not there');
    expect(await value('(await fetch("http://127.0.0.1:65000").catch((e) => e.cause.code))', { session })).toBe(
      'ECONNREFUSED',
    );
    expect(await value('Object.keys(os.networkInterfaces()).filter((n) => n !== "lo")', { session })).toBe('[]');
  });

  it('begins anew when its conditions change', async () => {
    const session = 'conditions';
    await run('globalThis.x = 1', { session });
    const open: SandboxPolicy = { enabled: false, network: 'open', writable: [], hidden: [] };
    expect((await run('typeof x', { session, sandbox: open })).result).toMatchObject({
      text: 'undefined',
      fresh: true,
      sandboxed: false,
    });
  });
});
