// The whole way: core client → supervisor → real executor process → bash, and back.

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { OperationOf, SandboxPolicy } from '#shared/api/executor';
import { createExecutorClient, type ExecutorClient, mintToken } from '../core/executor/client';
import { GrantError } from '../core/executor/coverage';
import { OutputHub } from '../core/executor/outputHub';
import { ExecutorSupervisor } from '../core/executor/supervisor';
import { type Grant, mintGrant } from '../core/permissions/grant';
import type { Log } from '../core/ports';
import type { CallFact } from '../core/tools/tool';
import { forkExecutor } from './forkExecutor';

const log: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const policy: SandboxPolicy = { enabled: false, network: 'open', writable: [], hidden: [] };

/** What a host may find in its environment, under names that somebody or nobody has thought of. */
const secrets = Object.fromEntries(
  ['ANTHROPIC_AUTH_TOKEN', 'AWS_SECRET_ACCESS_KEY', 'GITHUB_TOKEN', 'DB_PASS', 'NODE_OPTIONS_OF_MINE'].map((name) => [
    name,
    randomBytes(16).toString('hex'),
  ]),
);

let folder: string;
let modulePath: string;
let pids: number[];
let supervisor: ExecutorSupervisor;
let outputs: OutputHub;
let client: ExecutorClient;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-fork-')));
  modulePath = join(folder, 'executor.mjs');
  execFileSync(process.execPath, [
    fileURLToPath(new URL('../../executor/testing/build.mjs', import.meta.url)),
    modulePath,
  ]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(() => {
  pids = [];
  outputs = new OutputHub();
  supervisor = new ExecutorSupervisor({
    launch: () => {
      const env = { PATH: process.env.PATH, HOME: folder, ANTHROPIC_API_KEY: 'sk-secret', ...secrets };
      const started = forkExecutor({ modulePath, env });
      pids.push(started.pid ?? 0);
      return started;
    },
    log,
    timing: { backOff: 10 },
  });
  client = createExecutorClient({ supervisor, outputs });
});
afterEach(() => supervisor.dispose());

function grant(...facts: CallFact[]): Grant {
  const paths = facts.flatMap((fact) => (fact.kind === 'path' ? [fact.path] : []));
  return mintGrant({
    decision: { behavior: 'allow', reason: { type: 'readOnly', detail: 'test' }, parts: [] },
    callId: 'call',
    facts,
    realPaths: new Map(paths.map((path) => [path, path])),
  });
}

const handle = (facts: CallFact[], signal = new AbortController().signal) =>
  client.handleFor(grant(...facts), { signal, policy });
const shell = async (command: string, signal?: AbortSignal) => {
  const granted = handle([{ kind: 'command', command, cwd: folder }], signal);
  const running = await granted.start({ command, cwd: folder, timeoutMs: 100_000, outputFile: null });
  return { result: await running.ended, capture: running.capture };
};

/** Processes of this test alone: its folder is the home of all that it starts. */
function running(text: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return (
          Number.isInteger(pid) &&
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(text) &&
          readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`HOME=${folder}`)
        );
      } catch {
        return false;
      }
    });
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 8_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('Waited in vain.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('an output file may only be made in the folder of results', async () => {
  const command = 'seq 1 20000';
  const facts: CallFact[] = [{ kind: 'command', command, cwd: folder }];
  const start = async (outputFile: string, outputFolder: string | undefined) => {
    const own = createExecutorClient({ supervisor, outputs, ...(outputFolder === undefined ? {} : { outputFolder }) });
    const granted = own.handleFor(grant(...facts), { signal: new AbortController().signal, policy });
    const running = await granted.start({ command, cwd: folder, timeoutMs: 100_000, outputFile });
    await running.ended;
    return running.capture.outcome.written;
  };
  const results = join(folder, 'results');
  mkdirSync(results);
  for (const file of [join(folder, 'x'), results, `${results}/../x`, join(`${results}2`, 'x')])
    await expect(start(file, results)).rejects.toThrow(GrantError);
  await expect(start(join(results, 'x'), undefined)).rejects.toThrow(GrantError);
  expect(await start(join(results, 'x'), results)).toEqual({ file: join(results, 'x'), bytes: 108_894 });
});

test('a command runs, its output is captured and can be watched', async () => {
  const going = shell('printf "\\033[31mred\\033[0m\\n"; env');
  const { result, capture } = await going;
  expect(result).toMatchObject({ kind: 'exit', exitCode: 0, outputChars: capture.totalChars });
  expect(capture.terminal().text).toContain('\u001b[31mred');
  expect(capture.plain(10_000)).toMatch(/^red\n/);
  expect(capture.plain(10_000)).not.toMatch(/sk-secret|API_KEY|NODE_/);
  expect(outputs.attach('call', () => undefined)).toMatchObject({
    from: 0,
    ended: true,
    tail: capture.terminal().text,
  });
});

test('files are read and changed within the grant and not beyond', async () => {
  const path = join(folder, 'file');
  writeFileSync(path, 'one\n');
  const executor = handle([{ kind: 'path', access: 'write', path }]);
  const seen = await executor.run({ op: 'file.read', path, firstLine: 1, maxLines: 10, maxBytes: 1_000 });
  if (seen.kind !== 'text') throw new Error('not read');
  const edit: OperationOf<'file.edit'> = {
    op: 'file.edit',
    path,
    edits: [{ oldString: 'one', newString: 'two', replaceAll: false }],
    hash: seen.hash,
    dryRun: false,
  };
  expect(await client.inspector().preview(edit)).toMatchObject({ kind: 'changed', added: 1 });
  expect(readFileSync(path, 'utf8')).toBe('one\n');
  expect(await executor.run(edit)).toMatchObject({ kind: 'changed' });
  expect(readFileSync(path, 'utf8')).toBe('two\n');
  await expect(executor.run({ op: 'file.stat', path: `${path}x` })).rejects.toThrow(GrantError);
  await expect(executor.start({ command: 'true', cwd: folder, timeoutMs: 1_000, outputFile: null })).rejects.toThrow(
    GrantError,
  );
  expect(await client.inspector().stat(path)).toMatchObject({
    kind: 'stat',
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test('the executor itself refuses what was not granted', async () => {
  const { rpc, grantKey } = await supervisor.connection();
  const operation: OperationOf<'file.stat'> = { op: 'file.stat', path: folder };
  const token = mintToken(grantKey, operation);
  const stat = (params: { grant: typeof token; operation: typeof operation }) => rpc.call('file.stat', params);
  expect(await stat({ grant: token, operation })).toMatchObject({ kind: 'stat' });
  await expect(stat({ grant: token, operation })).rejects.toMatchObject({ code: 'refused' });
  const fresh = mintToken(grantKey, operation);
  await expect(stat({ grant: fresh, operation: { ...operation, path: '/' } })).rejects.toMatchObject({
    code: 'refused',
  });
  await expect(stat({ grant: mintToken('00'.repeat(32), operation), operation })).rejects.toMatchObject({
    code: 'refused',
  });
  await expect(rpc.call('executor.start', { grantKey })).rejects.toMatchObject({ code: 'refused' });
});

test('a path that has come to lead elsewhere after the last look of the core is refused by the executor', async () => {
  const [sub, outside] = [join(folder, 'sub'), join(folder, 'outside')];
  for (const each of [sub, outside]) mkdirSync(each);
  writeFileSync(join(outside, 'file'), 'outside\n');
  // The core sees the way as it was.
  client = createExecutorClient({ supervisor, outputs, realPath: (path) => Promise.resolve(path) });
  const path = join(sub, 'file');
  const executor = handle([{ kind: 'path', access: 'write', path }]);
  const write = (expect: OperationOf<'file.write'>['expect']) =>
    executor.run({ op: 'file.write', path, content: 'inside\n', expect, dryRun: false });
  expect(await write('absent')).toMatchObject({ kind: 'changed' });
  rmSync(sub, { recursive: true });
  symlinkSync(outside, sub);
  const { hash } = await client
    .inspector()
    .stat(path)
    .then((seen) => (seen.kind === 'stat' ? seen : { hash: '' }));
  expect(await write({ hash })).toMatchObject({ kind: 'failure', reason: 'changed' });
  const read = { op: 'file.read', path, firstLine: 1, maxLines: 10, maxBytes: 1_000 } as const;
  expect(await executor.run(read)).toMatchObject({ kind: 'failure', reason: 'changed' });
  expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('outside\n');
});

test.skipIf(process.platform !== 'linux')(
  'environment, arguments and memory of the executor hold no secret of the host',
  async () => {
    await shell('env >/dev/null');
    const pid = pids[0] ?? 0;
    const texts = [folder, 'sk-secret', ...Object.keys(secrets), ...Object.values(secrets)];
    const places = [...['environ', 'cmdline'].map((name) => readFileSync(`/proc/${pid}/${name}`)), ...memoryOf(pid)];
    const found = texts.filter((text) =>
      [Buffer.from(text, 'latin1'), Buffer.from(text, 'utf16le')].some((form) =>
        places.some((bytes) => bytes.includes(form)),
      ),
    );
    // That its own folder is found shows that this finds what there is.
    expect(found).toEqual([folder]);
  },
);

/** All that a process can write. */
function memoryOf(pid: number): Buffer[] {
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  try {
    return [...readFileSync(`/proc/${pid}/maps`, 'utf8').matchAll(/^([0-9a-f]+)-([0-9a-f]+) rw/gm)].flatMap(
      ([, from = '0', to = '0']) => {
        const start = Number.parseInt(from, 16);
        const bytes = Buffer.alloc(Number.parseInt(to, 16) - start);
        try {
          return [bytes.subarray(0, readSync(memory, bytes, 0, bytes.length, start))];
        } catch {
          // Set aside by the kernel for itself.
          return [];
        }
      },
    );
  } finally {
    closeSync(memory);
  }
}

test('kill -9 of the executor: the call fails with its output, the next one works, nothing is left', async () => {
  const going = shell('echo begun; setsid sleep 631 & sleep 631').catch((error: unknown) => error);
  await until(() => running('sleep 631').length >= 2);
  await until(() => (outputs.attach('call', () => undefined)?.tail ?? '') !== '');
  process.kill(pids[0] ?? 0, 'SIGKILL');
  expect(await going).toMatchObject({
    name: 'ToolFailure',
    kind: 'executor',
    message: expect.stringMatching(
      /signal SIGKILL.*check what was done before trying again\.\nOutput until then:\nbegun/,
    ),
    view: { kind: 'terminal', output: 'begun\r\n' },
  });
  const { capture } = await shell('echo again');
  expect(capture.plain(100)).toBe('again\n');
  expect(pids.length).toBe(2);
  await until(() => running('sleep 631').length === 0);
});

test('when the core goes away the executor ends with all it started', async () => {
  const going = shell('setsid sleep 632 & sleep 632').catch((error: unknown) => error);
  await until(() => running('sleep 632').length >= 2);
  const { rpc } = await supervisor.connection();
  rpc.close('as if the core had died');
  expect(await going).toMatchObject({ kind: 'executor' });
  await until(() => running('sleep 632').length === 0);
});

test('dispose ends a running command and waits', async () => {
  const going = shell('sleep 633').catch((error: Error) => error);
  await until(() => running('sleep 633').length >= 1);
  await supervisor.dispose();
  expect(running('sleep 633')).toEqual([]);
  expect(running(modulePath)).toEqual([]);
  const end = await going;
  // The last answer may or may not have left the process before its end.
  if (end instanceof Error) expect(end).toMatchObject({ kind: 'executor' });
  else expect(end).toMatchObject({ result: { aborted: true } });
});

test('abort', async () => {
  const abort = new AbortController();
  const going = shell('echo begun; sleep 634', abort.signal);
  await until(() => running('sleep 634').length >= 1);
  abort.abort();
  expect((await going).result).toMatchObject({ kind: 'exit', aborted: true });
  const search = handle([{ kind: 'path', access: 'read', path: folder }], AbortSignal.abort());
  await expect(search.run({ op: 'search.glob', root: folder, pattern: '*', limit: 1 })).rejects.toMatchObject({
    kind: 'aborted',
  });
});

test('100 MB of output leave the core bounded and every viewer current', async () => {
  const before = process.memoryUsage().rss;
  let received = 0;
  let gaps = 0;
  let expected = 0;
  const going = shell("yes '0123456789 0123456789 0123456789' | head -c 100000000");
  await until(() => outputs.attach('call', () => undefined) !== undefined);
  const attachment = outputs.attach('call', ({ from, text }) => {
    received += text.length;
    if (from !== expected) gaps += 1;
    expected = from + text.length;
    // A viewer that draws slowly acknowledges late.
    setTimeout(() => attachment?.acknowledge(expected), 30);
  });
  expected = (attachment?.from ?? 0) + (attachment?.tail.length ?? 0);
  const { result, capture } = await going;
  expect(result).toMatchObject({ exitCode: 0 });
  expect(capture.totalChars).toBeGreaterThan(100_000_000);
  await until(() => expected === capture.totalChars);
  expect(gaps).toBeGreaterThan(0);
  expect(received).toBeLessThan(capture.totalChars);
  expect((process.memoryUsage().rss - before) / 1_000_000).toBeLessThan(300);
}, 120_000);

test('a module that does not exist', async () => {
  const missing = forkExecutor({ modulePath: join(folder, 'none.mjs'), env: {} });
  const how = await new Promise((resolve) => missing.onExit(resolve));
  expect(how).toEqual({ code: 1, signal: null });
});
