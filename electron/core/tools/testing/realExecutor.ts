// For tests: tools run against the real executor, built from source into a temp folder and forked from there.
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import type { ResultBlock } from '#shared/session/events';
import type { View } from '#shared/tools/presentation';
import { createExecutorClient, type ExecutorClient } from '../../executor/client';
import { launchEnvironment } from '../../executor/launchEnvironment';
import { OutputHub } from '../../executor/outputHub';
import { resolveReal } from '../../executor/realPath';
import { ExecutorSupervisor } from '../../executor/supervisor';
import { mintGrant } from '../../permissions/grant';
import type { ExecutorProcess } from '../../ports';
import { FileStates } from '../fileStates';
import { formatInputError } from '../inputError';
import { type AnyTool, type CallContext, type CallPlace, ToolFailure } from '../tool';
import { noTasks } from './noTasks';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** What came of a call: the model's blocks, the card, or why it did not run. */
export type Outcome =
  | { readonly kind: 'succeeded'; readonly blocks: readonly ResultBlock[]; readonly view: View; readonly note: string }
  | { readonly kind: 'failed' | 'rejected' | 'invalid'; readonly text: string };

export interface RealExecutor {
  /** A working folder of its own, links resolved. */
  readonly folder: string;
  readonly fileStates: FileStates;
  /** Takes a call through input, validation and execution; everything that it asks for is allowed. */
  call(tool: AnyTool, input: unknown): Promise<Outcome>;
  /** The same, but the disk may change between validation and execution. */
  callWith(tool: AnyTool, input: unknown, between: () => Promise<void>): Promise<Outcome>;
  dispose(): Promise<void>;
}

/** Builds and starts an executor and makes a folder to work in. */
export async function startRealExecutor(): Promise<RealExecutor> {
  const built = await buildExecutor();
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'gatehouse-tools-')));
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const supervisor = new ExecutorSupervisor({ launch: () => launch(join(built, 'executor.mjs')), log });
  const outputs = new OutputHub();
  const client = createExecutorClient({ supervisor, outputs });
  const fileStates = new FileStates();
  const place: CallPlace = { sessionId: 's', callId: 'c', folder, cwd: folder, home: join(folder, 'home') };
  const callWith: RealExecutor['callWith'] = (tool, input, between) =>
    runCall({ tool, input, between, client, place, fileStates });
  return {
    folder,
    fileStates,
    call: (tool, input) => callWith(tool, input, () => Promise.resolve()),
    callWith,
    async dispose() {
      await supervisor.dispose();
      outputs.dispose();
      await rm(folder, { recursive: true, force: true });
      await rm(built, { recursive: true, force: true });
    },
  };
}

async function runCall(options: {
  readonly tool: AnyTool;
  readonly input: unknown;
  readonly between: () => Promise<void>;
  readonly client: ExecutorClient;
  readonly place: CallPlace;
  readonly fileStates: FileStates;
}): Promise<Outcome> {
  const { tool, client, place, fileStates } = options;
  const parsed = tool.inputSchema().safeParse(options.input);
  if (!parsed.success) return { kind: 'invalid', text: formatInputError(parsed.error, options.input) };
  const input = parsed.data;
  const inspect = client.inspector();
  const validation = await tool.validateInput(input, { ...place, fileStates, inspect });
  if (validation.verdict === 'reject') return { kind: 'rejected', text: validation.message };
  await options.between();

  const facts = tool.facts(input, place);
  const paths = facts.map((fact) => (fact.kind === 'path' ? fact.path : place.cwd));
  const realPaths = new Map(await Promise.all(paths.map(async (path) => [path, await resolveReal(path)] as const)));
  const decision = { behavior: 'allow' as const, reason: { type: 'noPermissionNeeded' as const }, parts: [] };
  const grant = mintGrant({ decision, callId: place.callId, facts, realPaths });
  const policy = { enabled: false, network: true, writable: [], hidden: [] };
  const { signal } = new AbortController();
  const context: CallContext = {
    ...place,
    fileStates,
    inspect,
    signal,
    executor: client.handleFor(grant, { signal, policy }),
    askPerson: () => Promise.resolve({ answered: false, words: '' }),
    setTodos: () => undefined,
    setCwd: () => undefined,
    tasks: noTasks,
    outputFile: () => Promise.resolve(null),
    onProgress: () => undefined,
  };
  try {
    const output = await tool.call(input, context);
    const { view, note } = tool.renderResult(output, input, place);
    return { kind: 'succeeded', blocks: tool.mapResult(output, input), view, note };
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    return { kind: 'failed', text: error.message };
  }
}

async function buildExecutor(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-tools-executor-'));
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: object };
  const external = new Set([
    ...Object.keys(manifest.dependencies),
    ...builtinModules,
    ...builtinModules.map((name) => `node:${name}`),
  ]);
  const bundle = await rolldown({
    cwd: root,
    input: join(root, 'executor/main.ts'),
    platform: 'node',
    external: (id) => external.has(id),
  });
  await bundle.write({ file: join(folder, 'executor.mjs'), format: 'esm', codeSplitting: false });
  await bundle.close();
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

function launch(modulePath: string): ExecutorProcess {
  const child = fork(modulePath, [], {
    env: launchEnvironment(process.env),
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return {
    pid: child.pid,
    transport: transportOf(child),
    onExit(listener) {
      const heard = (code: number | null, signal: string | null) => listener({ code, signal });
      child.once('exit', heard);
      return () => child.off('exit', heard);
    },
    kill: (force) => {
      child.kill(force ? 'SIGKILL' : 'SIGTERM');
    },
  };
}

function transportOf(child: ChildProcess): ExecutorProcess['transport'] {
  return {
    send: (message) => {
      if (child.connected) child.send(message as object, () => undefined);
    },
    onMessage(listener) {
      child.on('message', listener);
      return () => child.off('message', listener);
    },
    onClose(listener) {
      const heard = () => listener('the executor process ended');
      child.once('disconnect', heard);
      return () => child.off('disconnect', heard);
    },
    close: () => {
      if (child.connected) child.disconnect();
    },
  };
}
