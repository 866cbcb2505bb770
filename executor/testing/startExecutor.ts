// For tests: the real executor, built from source into a temp folder, started as the loopback host starts it.

import { type ChildProcess, execFile, fork } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  executorContract,
  type GrantToken,
  type Operation,
  type OperationOf,
  type SandboxPolicy,
  type ShellResult,
} from '#shared/api/executor';
import { CancelSource } from '#shared/rpc/cancel';
import { type Connected, connect } from '#shared/rpc/peer';
import type { Transport } from '#shared/rpc/transport';
import { canonicalJson } from '#shared/util/canonicalJson';

const builder = fileURLToPath(new URL('build.mjs', import.meta.url));

/** Builds the executor for one test file. Each builds its own, so that parallel files cannot disturb one another. */
export async function buildExecutor(): Promise<{ readonly modulePath: string; dispose(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-executor-'));
  await promisify(execFile)(process.execPath, [builder, join(folder, 'executor.mjs')]);
  return {
    modulePath: join(folder, 'executor.mjs'),
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}

export interface TestExecutor {
  readonly process: ChildProcess;
  readonly rpc: Connected<typeof executorContract>;
  readonly grantKey: string;
  readonly sandbox: { readonly available: boolean; readonly reason: string; readonly noListed: string };
  /** Runs a command and gathers its output, acknowledging every piece. */
  run(command: string, how?: RunOptions): Promise<Ran>;
  /** Ends the process and waits. */
  stop(): Promise<void>;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly timeoutMs?: number;
  readonly sandbox?: SandboxPolicy;
  readonly cancel?: CancelSource;
  readonly onText?: (text: string) => void;
  readonly output?: OperationOf<'shell.run'>['output'];
  readonly variables?: Readonly<Record<string, string>>;
}

export interface Ran {
  readonly result: ShellResult;
  readonly output: string;
}

const unconfined: SandboxPolicy = { enabled: false, network: 'open', writable: [], hidden: [] };

/** Starts a built executor and gives it its key. `env` is passed as it is. */
export async function startExecutor(modulePath: string, env: NodeJS.ProcessEnv): Promise<TestExecutor> {
  const child = fork(modulePath, [], { env, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const rpc = connect(executorContract, childTransport(child));
  const grantKey = randomBytes(32).toString('hex');
  const { sandbox } = await rpc.call('executor.start', { grantKey });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    process: child,
    rpc,
    grantKey,
    sandbox,
    run: (command, how = {}) => runCommand({ rpc, grantKey }, command, how),
    async stop() {
      child.kill('SIGTERM');
      await gone;
    },
  };
}

/** A token as the core mints it; `change` makes a bad one. */
export function testToken(
  grantKey: string,
  operation: Operation,
  change: { readonly expiresAt?: number } = {},
): GrantToken {
  const nonce = randomBytes(8).toString('hex');
  const expiresAt = change.expiresAt ?? Date.now() + 30_000;
  const mac = createHmac('sha256', Buffer.from(grantKey, 'hex'))
    .update(canonicalJson({ nonce, expiresAt, operation }))
    .digest('hex');
  return { nonce, expiresAt, mac };
}

/** A shell operation with usual values. */
export function shellOperation(command: string, how: RunOptions = {}): OperationOf<'shell.run'> {
  return {
    op: 'shell.run',
    streamId: randomBytes(8).toString('hex'),
    command,
    cwd: how.cwd ?? tmpdir(),
    timeoutMs: how.timeoutMs ?? 15_000,
    columns: 120,
    sandbox: how.sandbox ?? unconfined,
    ...(how.output === undefined ? {} : { output: how.output }),
    ...(how.variables === undefined ? {} : { variables: { ...how.variables } }),
  };
}

async function runCommand(
  executor: Pick<TestExecutor, 'rpc' | 'grantKey'>,
  command: string,
  how: RunOptions,
): Promise<Ran> {
  const { rpc, grantKey } = executor;
  const operation = shellOperation(command, how);
  const pieces: string[] = [];
  const stop = rpc.on('shell.data', ({ streamId, text }) => {
    if (streamId !== operation.streamId) return;
    if (how.onText === undefined) pieces.push(text);
    else how.onText(text);
    rpc.call('shell.ack', { streamId, chars: text.length }).catch(() => undefined);
  });
  try {
    const params = { grant: testToken(grantKey, operation), operation };
    const result = await rpc.call('shell.run', params, { signal: how.cancel ?? new CancelSource() });
    if (result.kind === 'failure') throw new Error(result.message);
    return { result, output: pieces.join('') };
  } finally {
    stop();
  }
}

function childTransport(child: ChildProcess): Transport {
  return {
    send: (message) => {
      if (child.connected) child.send(message as object, () => undefined);
    },
    onMessage(listener) {
      child.on('message', listener);
      return () => child.off('message', listener);
    },
    onClose(listener) {
      child.once('disconnect', () => listener('disconnected'));
      return () => undefined;
    },
    close: () => {
      if (child.connected) child.disconnect();
    },
  };
}

/** Numbers of the living processes that have a text in their command line. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && commandLine(pid).includes(text));
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** Waits until a condition holds; rejects after `ms`. */
export async function until(what: string, holds: () => boolean, ms = 5_000): Promise<void> {
  const deadline = Date.now() + ms;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`Not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
