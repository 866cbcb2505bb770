// The whole core with its real executor, a model on loopback and folders of its own: what a host has, without a host.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { type AppContract, appContract } from '#shared/api/app';
import { protocolVersion } from '#shared/api/host';
import { createLinkedPair } from '#shared/rpc/linkedPair';
import { type Connected, connect } from '#shared/rpc/peer';
import type { Ask, AskAnswer } from '#shared/session/ask';
import { SessionEvent, type SessionEventBody } from '#shared/session/events';
import { reduceInto } from '#shared/session/reduce';
import { emptyState, type SessionState } from '#shared/session/state';
import type { ToolCall } from '#shared/session/toolCall';
import { ApiKey } from '../../apiKey';
import { type Core, createCore } from '../../createCore';
import { hostEnvironment, hostPaths } from '../../hostPaths';
import { takeLaunch } from '../../launchOptions';
import type { CorePorts, ExecutorProcess } from '../../ports';
import { buildExecutor, launch } from '../../tools/testing/realExecutor';
import { type Answer, type ModelServer, startModelServer } from './modelServer';

type Client = Connected<AppContract>;

/** One session as a page sees it. */
export interface TestSession {
  readonly id: string;
  readonly events: readonly SessionEvent[];
  state(): SessionState;
  calls(): readonly ToolCall[];
  /** The first event after this moment that fits. */
  until(fits: (body: SessionEventBody) => boolean): Promise<SessionEventBody>;
  /** Sends a message that the model answers so, allows what asks, and waits for the end of the turn: its calls. */
  turn(...answers: readonly Answer[]): Promise<readonly ToolCall[]>;
  /** Sends the message only. */
  send(...answers: readonly Answer[]): Promise<void>;
  stop(): Promise<void>;
  answer(ask: Ask, answer: AskAnswer): Promise<unknown>;
}

export interface CoreWorld {
  /** Folder of everything, links resolved. */
  readonly root: string;
  readonly folder: string;
  readonly home: string;
  readonly data: string;
  readonly model: ModelServer;
  /** Errors of the log. */
  readonly errors: readonly unknown[];
  client(): Client;
  session(): Promise<TestSession>;
  /** The same session on a core that was started anew. */
  reopen(sessionId: string): Promise<TestSession>;
  write(path: string, content: string | Buffer): string;
  /** Writes the person's settings. */
  settings(value: object): void;
  executorPid(): number | undefined;
  /** Ends the executor as a crash would. */
  killExecutor(): void;
  /** Living processes of this world, without the executor itself: command lines. */
  processes(): readonly string[];
  /** Faults of the log on disk: gaps in the numbers, calls without exactly one end. */
  logFaults(): readonly string[];
  /** Works on the database while no core has it. */
  offline(work: (database: Database.Database) => void): Promise<void>;
  dispose(): Promise<void>;
}

export interface WorldOptions {
  readonly settings?: object;
  readonly environment?: Readonly<Record<string, string>>;
  /** Folder for the data; left out: one of the world's own. */
  readonly data?: string;
}

let built: Promise<string> | undefined;

/** Deletes what was built for the worlds of this test file. */
export async function disposeBuilt(): Promise<void> {
  if (built !== undefined) await rm(await built, { recursive: true, force: true });
  built = undefined;
}

export async function startWorld(options: WorldOptions = {}): Promise<CoreWorld> {
  built ??= buildExecutor();
  const executorFolder = await built;
  const root = await realpath(await mkdtemp(join(tmpdir(), 'gatehouse-faults-')));
  const [folder, home] = [join(root, 'project'), join(root, 'home')];
  const model = await startModelServer();
  const env = {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    HOME: home,
    GATEHOUSE_DATA_DIR: options.data ?? join(root, 'data'),
    ANTHROPIC_API_KEY: 'sk-test-0000',
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_MODEL: 'test',
    ...options.environment,
  };
  const write = (path: string, content: string | Buffer): string => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  const settings = (value: object): void => void write('home/.claude/settings.json', JSON.stringify(value, null, 2));
  mkdirSync(folder, { recursive: true });
  settings(options.settings ?? { permissions: { allow: ['Bash', 'Edit', 'Read'] } });

  let executor: ExecutorProcess | undefined;
  const errors: unknown[] = [];
  const surroundings = { env, home, platform: 'linux' } as const;
  const launched = takeLaunch([], { cwd: folder });
  if (!launched.ok) throw new Error(launched.error);
  const paths = { ...hostPaths(surroundings), managedSettings: join(root, 'policy/managed-settings.json') };
  const ports: CorePorts = {
    host: {
      label: 'test',
      version: '0',
      platform: 'linux',
      capabilities: [],
      runsAsRoot: false,
      ...launched.value.launch,
    },
    paths,
    environment: hostEnvironment(env),
    launchExecutor: () => {
      executor = launch(join(executorFolder, 'executor.mjs'), env);
      return executor;
    },
    secrets: new ApiKey(env.ANTHROPIC_API_KEY, null),
    sqliteBinding: undefined,
    log: { info: () => undefined, warn: () => undefined, error: (what, error) => errors.push([what, error]) },
  };
  const start = async (): Promise<{ readonly core: Core; readonly client: Client }> => {
    const core = await createCore(ports);
    const [near, far] = createLinkedPair();
    core.accept(far);
    const client = connect(appContract, near);
    await client.call('hello', { protocol: protocolVersion });
    return { core, client };
  };
  let running: Awaited<ReturnType<typeof start>> | undefined = await start();
  const client = (): Client => {
    if (running === undefined) throw new Error('the core was stopped');
    return running.client;
  };
  const stop = async (): Promise<void> => {
    const { core } = running ?? {};
    running = undefined;
    await core?.dispose();
  };

  return {
    root,
    folder,
    home,
    data: paths.data,
    model,
    errors,
    client,
    async session() {
      const { sessionId } = await client().call('sessions.create', { folder });
      return await openSession({ client: client(), model, sessionId });
    },
    reopen: (sessionId) => openSession({ client: client(), model, sessionId }),
    write,
    settings,
    executorPid: () => executor?.pid,
    killExecutor: () => executor?.kill(true),
    processes: () =>
      processesOf(root)
        .filter(({ pid }) => pid !== executor?.pid)
        .map(({ line }) => line),
    logFaults: () => logFaults(paths.data),
    async offline(work) {
      await stop();
      const database = new Database(join(paths.data, 'gatehouse.db'));
      try {
        work(database);
      } finally {
        database.close();
      }
      running = await start();
    },
    async dispose() {
      await stop();
      await model.close();
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function openSession(about: {
  readonly client: Client;
  readonly model: ModelServer;
  readonly sessionId: string;
}): Promise<TestSession> {
  const { client, model, sessionId } = about;
  const events: SessionEvent[] = [];
  const state = emptyState();
  const waiters = new Set<(body: SessionEventBody) => void>();
  const take = (event: SessionEvent): void => {
    if (event.seq <= state.seq) return;
    events.push(event);
    reduceInto(state, event);
    for (const waiter of [...waiters]) waiter(event.body);
  };
  const known = await client.call('sessions.subscribe', { sessionId, since: 0 });
  if (known.kind !== 'events') throw new Error('the session could not be read');
  known.events.forEach(take);
  client.on('session.event', ({ sessionId: of, event }) => {
    if (of === sessionId) take(event);
  });
  const until: TestSession['until'] = (fits) =>
    new Promise((resolve) => {
      const waiter = (body: SessionEventBody): void => {
        if (!fits(body)) return;
        waiters.delete(waiter);
        resolve(body);
      };
      waiters.add(waiter);
    });
  const answer: TestSession['answer'] = (ask, given) =>
    client.call('sessions.answer', { sessionId, askId: ask.askId, answer: given });
  const send = async (...answers: readonly Answer[]): Promise<void> => {
    model.play(...answers);
    await client.call('sessions.send', { sessionId, text: 'Go on.' });
  };
  return {
    id: sessionId,
    events,
    state: () => state,
    calls: () => Object.values(state.calls),
    until,
    send,
    async turn(...answers) {
      const before = new Set(Object.keys(state.calls));
      const ended = until((body) => {
        if (body.type === 'call.asked') void answer(body.ask, { kind: 'allowOnce' });
        // A turn that could not be written to its end is ended first.
        return body.type === 'turn.finished' && body.outcome !== 'interrupted';
      });
      await send(...answers);
      await ended;
      return Object.values(state.calls).filter(({ callId }) => !before.has(callId));
    },
    stop: async () => void (await client.call('sessions.stop', { sessionId })),
    answer,
  };
}

/** What a call gave to the model. */
export const modelText = (call: ToolCall | undefined): string =>
  call !== undefined && 'modelText' in call ? call.modelText : `no result: ${call?.status ?? 'no call'}`;

/** Living processes that carry the marker in their environment or command line. */
export function processesOf(marker: string): readonly { readonly pid: number; readonly line: string }[] {
  const read = (path: string): string => {
    try {
      return readFileSync(path, 'latin1');
    } catch {
      return '';
    }
  };
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid)
    .filter((pid) => !/\) [ZX] /.test(read(`/proc/${pid}/stat`)))
    .map((pid) => ({ pid, line: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim() }))
    .filter(({ pid, line }) => `${line}${read(`/proc/${pid}/environ`)}`.includes(marker));
}

/** What is wrong with the stored log of every session: lost numbers, calls that do not have exactly one end. */
function logFaults(data: string): readonly string[] {
  const database = new Database(join(data, 'gatehouse.db'), { readonly: true });
  try {
    const rows = database
      .prepare<[], { session_id: string; seq: number; at: number; body: string }>(
        'select session_id, seq, at, body from events order by session_id, seq',
      )
      .all();
    const faults: string[] = [];
    const last = new Map<string, number>();
    const ends = new Map<string, number>();
    for (const { session_id: session, seq, at, body: text } of rows) {
      if (seq !== (last.get(session) ?? 0) + 1) faults.push(`${session}: ${seq} follows ${last.get(session) ?? 0}`);
      last.set(session, seq);
      const { body } = SessionEvent.parse({ seq, at, body: JSON.parse(text) });
      if (body.type === 'call.created') ends.set(`${session} ${body.callId}`, 0);
      if (body.type !== 'call.finished') continue;
      const call = `${session} ${body.callId}`;
      ends.set(call, (ends.get(call) ?? Number.NaN) + 1);
    }
    for (const [call, count] of ends) if (count !== 1) faults.push(`${call}: ${count} ends`);
    return faults;
  } finally {
    database.close();
  }
}
