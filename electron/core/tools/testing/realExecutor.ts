// For tests: tools run against the real executor, built from source into a temp folder and forked from there.

import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import type { SandboxPolicy } from '#shared/api/executor';
import type { ResultBlock } from '#shared/session/events';
import type { PersistedResult } from '#shared/session/toolCall';
import type { View } from '#shared/tools/presentation';
import { createExecutorClient, type ExecutorClient } from '../../executor/client';
import { launchEnvironment } from '../../executor/launchEnvironment';
import { OutputHub } from '../../executor/outputHub';
import { resolveReal } from '../../executor/realPath';
import { ExecutorSupervisor } from '../../executor/supervisor';
import { mintGrant } from '../../permissions/grant';
import type { ExecutorProcess } from '../../ports';
import { createResultStore } from '../../results/createResultStore';
import type { ResultStore } from '../../results/resultStore';
import { openDatabase } from '../../sessions/database';
import { SessionService } from '../../sessions/service';
import { SessionStore } from '../../sessions/store';
import { TaskRegistry } from '../../tasks/taskRegistry';
import { FileStates } from '../fileStates';
import { formatInputError } from '../inputError';
import { type AnyTool, type CallContext, type CallPlace, ToolFailure } from '../tool';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** What came of a call: the model's blocks, the card, or why it did not run. */
export type Outcome =
  | {
      readonly kind: 'succeeded';
      readonly blocks: readonly ResultBlock[];
      readonly view: View;
      readonly note: string;
      readonly persisted?: PersistedResult;
    }
  | { readonly kind: 'failed' | 'rejected' | 'invalid'; readonly text: string };

export interface RealExecutor {
  /** A working folder of its own, links resolved. */
  readonly folder: string;
  readonly fileStates: FileStates;
  /** Where results are kept that are too long. */
  readonly results: ResultStore;
  /** The session that the calls belong to; where its next command starts, its tasks and what the model is told are here. */
  readonly sessions: SessionService;
  readonly sessionId: string;
  readonly tasks: TaskRegistry;
  /** The executor's process, to end it as a crash would. */
  killExecutor(): Promise<void>;
  /** Takes a call through input, validation and execution; everything that it asks for is allowed. */
  call(tool: AnyTool, input: unknown, options?: { readonly signal?: AbortSignal }): Promise<Outcome>;
  /** The same, but the disk may change between validation and execution. */
  callWith(tool: AnyTool, input: unknown, between: () => Promise<void>): Promise<Outcome>;
  dispose(): Promise<void>;
}

/** Builds and starts an executor and makes a folder to work in. */
export async function startRealExecutor(): Promise<RealExecutor> {
  const built = await buildExecutor();
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'gatehouse-tools-')));
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  let process: ExecutorProcess | undefined;
  const supervisor = new ExecutorSupervisor({
    launch: () => {
      process = launch(join(built, 'executor.mjs'));
      return process;
    },
    log,
  });
  const outputs = new OutputHub();
  const results = createResultStore({ folder: join(built, 'results'), workingFolder: () => folder, log });
  const client = createExecutorClient({ supervisor, outputs, outputFolder: results.folder });
  const fileStates = new FileStates();
  const { database } = openDatabase({ folder: ':memory:', nativeBinding: undefined });
  const sessions = new SessionService(new SessionStore(database, () => undefined), () => Date.now());
  const model = { id: 'test', label: 'Test', scripted: false };
  const sessionId = sessions.create({ folder, title: 'Tools', mode: 'default', model });
  const tasks = new TaskRegistry({ sessions, now: () => Date.now(), log });
  const world: World = { client, results, sessions, tasks, fileStates };
  let calls = 0;
  const run = (call: Pick<Call, 'tool' | 'input' | 'between' | 'signal'>): Promise<Outcome> => {
    calls += 1;
    const { cwd } = sessions.state(sessionId);
    const callId = `c${calls}`;
    const place: CallPlace = { sessionId, callId, folder, cwd, home: join(folder, 'home') };
    return runCall(world, { ...call, place });
  };
  const { signal: never } = new AbortController();
  return {
    folder,
    fileStates,
    results,
    sessions,
    sessionId,
    tasks,
    async killExecutor() {
      const gone = new Promise((resolve) => process?.onExit(resolve));
      process?.kill(true);
      await gone;
    },
    call: (tool, input, { signal = never } = {}) => run({ tool, input, between: () => Promise.resolve(), signal }),
    callWith: (tool, input, between) => run({ tool, input, between, signal: never }),
    async dispose() {
      await tasks.dispose();
      await supervisor.dispose();
      outputs.dispose();
      await rm(folder, { recursive: true, force: true });
      await rm(built, { recursive: true, force: true });
    },
  };
}

interface World {
  readonly client: ExecutorClient;
  readonly results: ResultStore;
  readonly sessions: SessionService;
  readonly tasks: TaskRegistry;
  readonly fileStates: FileStates;
}

interface Call {
  readonly tool: AnyTool;
  readonly input: unknown;
  readonly between: () => Promise<void>;
  readonly signal: AbortSignal;
  readonly place: CallPlace;
}

async function runCall(world: World, call: Call): Promise<Outcome> {
  const { client, results, sessions, tasks, fileStates } = world;
  const { tool, place, signal } = call;
  const { sessionId, callId } = place;
  const parsed = tool.inputSchema().safeParse(call.input);
  if (!parsed.success) return { kind: 'invalid', text: formatInputError(parsed.error, call.input) };
  const input = parsed.data;
  const inspect = client.inspector();
  const validation = await tool.validateInput(input, { ...place, fileStates, inspect });
  if (validation.verdict === 'reject') return { kind: 'rejected', text: validation.message };
  await call.between();

  const facts = tool.facts(input, place);
  const paths = facts.map((fact) => (fact.kind === 'path' ? fact.path : place.cwd));
  const realPaths = new Map(await Promise.all(paths.map(async (path) => [path, await resolveReal(path)] as const)));
  const decision = { behavior: 'allow' as const, reason: { type: 'noPermissionNeeded' as const }, parts: [] };
  const grant = mintGrant({ decision, callId: place.callId, facts, realPaths });
  const policy: SandboxPolicy = { enabled: false, network: 'open', writable: [], hidden: [] };
  const context: CallContext = {
    ...place,
    fileStates,
    inspect,
    signal,
    executor: client.handleFor(grant, { signal, policy }),
    askPerson: () => Promise.resolve({ answered: false, words: '' }),
    setTodos: () => undefined,
    setCwd: (cwd) => {
      sessions.append(sessionId, { type: 'cwd.changed', cwd });
    },
    tasks: tasks.forCall(sessionId, callId),
    outputFile: () => results.outputFile(sessionId, callId),
    onProgress: () => undefined,
  };
  try {
    const output = await tool.call(input, context);
    const { view, note } = tool.renderResult(output, input, place);
    const written = tool.writtenOutput(output);
    const { content, persisted } = await results.process({
      sessionId,
      toolUseId: callId,
      content: tool.mapResult(output, input),
      maxChars: tool.maxResultSizeChars,
      ...(written === null ? {} : { written }),
    });
    return { kind: 'succeeded', blocks: content, view, note, ...(persisted === undefined ? {} : { persisted }) };
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    return { kind: 'failed', text: error.message };
  }
}

/** Builds the executor from source: the folder that holds `executor.mjs`, for the caller to delete. */
export async function buildExecutor(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-tools-executor-'));
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: object };
  const names = [...Object.keys(manifest.dependencies), ...builtinModules];
  const external = (id: string): boolean =>
    id.startsWith('node:') || names.some((name) => id === name || id.startsWith(`${name}/`));
  const programs = {
    'executor.mjs': 'executor/main.ts',
    'pageWorker.mjs': 'executor/fetch/pageWorker.ts',
    'pdfWorker.mjs': 'executor/pdf/worker.ts',
  };
  for (const [file, source] of Object.entries(programs)) {
    const bundle = await rolldown({
      cwd: root,
      input: join(root, source),
      platform: 'node',
      external,
    });
    await bundle.write({ file: join(folder, file), format: 'esm', codeSplitting: false });
    await bundle.close();
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Starts a built executor. `env` is the host's environment; left out: that of the test. */
export function launch(
  modulePath: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): ExecutorProcess {
  const child = fork(modulePath, [], {
    env: launchEnvironment(env),
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
