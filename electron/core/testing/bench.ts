// A core without processes: real sessions, pipeline, asks and agent over an engine, tools and a model that tests steer.
import { z } from 'zod';
import type { Decision } from '#shared/permissions/decision';
import type { SessionEvent } from '#shared/session/events';
import type { ToolCall } from '#shared/session/toolCall';
import { Agent, type AgentOptions, type SessionServices } from '../agent/agent';
import { type Hooks, noHooks } from '../hooks/hooks';
import type { FinishedBlock, ModelClient, ModelEvent, ModelRequest } from '../model/client';
import { Asks } from '../permissions/asks';
import type { ModelClassifier } from '../permissions/classifier';
import { trustedFolder } from '../permissions/combineSources';
import type { Evaluation, PermissionEngine, PermissionRequest } from '../permissions/engine';
import { SessionGuards } from '../permissions/sessionGuards';
import type { PipelineServices } from '../pipeline/services';
import type { Log } from '../ports';
import { openDatabase } from '../sessions/database';
import { SessionService } from '../sessions/service';
import { SessionStore } from '../sessions/store';
import { TaskRegistry } from '../tasks/taskRegistry';
import { buildTool } from '../tools/buildTool';
import { FileStates } from '../tools/fileStates';
import { createRegistry } from '../tools/registry';
import type { AnyTool, CallContext } from '../tools/tool';
import { headTailResults } from './headTailResults';

const model = { id: 'test', label: 'Test', scripted: false };
export const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };

const allow: Decision = { behavior: 'allow', reason: { type: 'readOnly', detail: 'test' }, parts: [] };
export const ask: Decision = { behavior: 'ask', reason: { type: 'noRule', detail: 'no rule' }, parts: [] };
export const deny: Decision = {
  behavior: 'deny',
  reason: { type: 'rule', rule: { text: 'Echo', behavior: 'deny', source: 'userSettings', file: '/u.json', line: 3 } },
  parts: [],
};

export interface Bench {
  readonly sessions: SessionService;
  readonly agent: Agent;
  readonly asks: Asks;
  readonly sessionId: string;
  readonly services: SessionServices;
  readonly clientFor: () => ModelClient;
  readonly events: SessionEvent[];
  /** Every request the model got. */
  readonly requests: ModelRequest[];
  readonly logged: unknown[];
  /** What the engine answers from now on; a change settles waiting asks as an edited file would. */
  setDecision(decide: (request: PermissionRequest) => Decision): void;
  calls(): ToolCall[];
  /** Resolves when an event fits. */
  until(fits: (event: SessionEvent['body']) => boolean): Promise<SessionEvent['body']>;
}

/** Plays one list of events per request; a function gets the request and its own gate to wait on. */
export type Play = (request: ModelRequest) => AsyncIterable<ModelEvent>;

/** A message of text and calls, whole. */
export function message(...blocks: ({ text: string } | { call: string; input: object; cutOff?: true })[]): Play {
  return async function* () {
    let index = 0;
    let calls = 0;
    for (const block of blocks) {
      await Promise.resolve();
      if ('text' in block) {
        yield { type: 'delta', index, kind: 'text', text: block.text };
        yield { type: 'block', index, block: { type: 'text', text: block.text }, cutOff: false };
      } else {
        const input = block.input as Extract<FinishedBlock['block'], { type: 'tool_use' }>['input'];
        const use = { type: 'tool_use' as const, id: `u${index}`, name: block.call, input };
        yield { type: 'block', index, block: use, cutOff: block.cutOff ?? false };
        calls += 1;
      }
      index += 1;
    }
    yield { type: 'finished', stopReason: calls > 0 ? 'tool_use' : 'end_turn', usage };
  };
}

/** A tool called Echo (read-only, overlapping) or Change (alone) whose work is `run`. */
export function echoTool(options: {
  readonly name?: string;
  readonly safe?: boolean;
  readonly block?: boolean;
  readonly run?: (text: string, context: CallContext) => Promise<string>;
}): AnyTool {
  const run = options.run ?? ((text: string) => Promise.resolve(text));
  return buildTool<{ text: string }, string>({
    name: options.name ?? 'Echo',
    prompt: 'Echoes.',
    aliases: options.name === undefined ? ['OldEcho'] : [],
    icon: 'tool',
    inputSchema: () => z.strictObject({ text: z.string() }),
    isConcurrencySafe: () => options.safe ?? true,
    interruptBehavior: () => (options.block === true ? 'block' : 'cancel'),
    facts: () => [],
    call: (input, context) => run(input.text, context),
    mapResult: (output) => [{ type: 'text', text: output }],
    getToolUseSummary: (input) => input.text,
    getActivityDescription: () => 'Echoing',
    renderUse: (input) => ({ kind: 'text', text: input.text }),
    renderResult: (output) => ({ view: { kind: 'text', text: output }, note: 'echoed' }),
  });
}

/** Puts the bench together with one session in `/folder`. */
export function bench(
  options: {
    readonly tools?: AnyTool[];
    readonly plays?: Play[];
    /** Replaces parts of the engine. */
    readonly engine?: Partial<PermissionEngine>;
    readonly classifier?: ModelClassifier;
    readonly hooks?: Hooks;
    /** Whether somebody answers asks; left out: yes. */
    readonly canAsk?: boolean;
    /** Replaces parts of what the pipeline uses. */
    readonly services?: Partial<Omit<PipelineServices, 'sessions'>>;
    /** Tokens of the model's context window. */
    readonly contextTokens?: number;
    /** Memory, commands and skills for the agent. */
    readonly agent?: Pick<AgentOptions, 'contexts' | 'commands' | 'modelFor'>;
    /** What the model's client can do beside streaming. */
    readonly client?: Pick<ModelClient, 'bringsTools' | 'countTokens'>;
    /** Counts denials and repeated calls as the real engine does. */
    readonly guarded?: true;
  } = {},
): Bench {
  const logged: unknown[] = [];
  const log: Log = {
    info: () => undefined,
    warn: (text) => logged.push(text),
    error: (_text, error) => logged.push(error),
  };
  const { database } = openDatabase({ folder: ':memory:', nativeBinding: undefined });
  const store = new SessionStore(database, () => undefined);
  const sessions = new SessionService(store, () => performance.timeOrigin + performance.now());
  let decide: (request: PermissionRequest) => Decision = () => allow;
  const changes = new Set<(sessionId: string) => void>();
  const engine = {
    ...fakeEngine((request) => decide(request), changes),
    ...(options.guarded === true ? guardedEngine((request) => decide(request), changes) : {}),
    ...options.engine,
  };
  const asks = new Asks(sessions, engine, (_what, error) => logged.push(error));
  const registry = createRegistry({ tools: options.tools ?? [echoTool({})] });
  const states = new FileStates();
  const none = () => Promise.reject(new Error('no executor on the bench'));
  const tasks = new TaskRegistry({ sessions, now: () => Date.now(), log });
  const services: SessionServices = {
    sessions,
    engine,
    asks,
    hooks: options.hooks ?? noHooks,
    results: headTailResults('/results'),
    tasks: (id, callId) => tasks.forCall(id, callId),
    ...(options.classifier === undefined ? {} : { classifier: options.classifier }),
    log,
    canAsk: () => options.canAsk ?? true,
    now: () => performance.timeOrigin + performance.now(),
    home: '/home/u',
    registry: () => registry,
    fileStates: () => states,
    inspector: () => ({ stat: none, preview: none }),
    executorFor: () => ({
      mayReachPrivate: () => false,
      startCode: none,
      askLanguageServer: none,
      run: none,
      start: none,
    }),
    sandboxPolicy: () => ({ enabled: false, network: 'off', writable: [], hidden: [] }),
    sandboxState: () => ({ active: false, kind: 'none', network: false, reason: 'bench' }),
    ...options.services,
  };
  const requests: ModelRequest[] = [];
  const plays = [...(options.plays ?? [])];
  const client: ModelClient = {
    ...options.client,
    scripted: false,
    listModels: () => Promise.resolve([]),
    stream: (request) => {
      requests.push(request);
      const play = plays.shift() ?? message({ text: 'Done.' });
      return play(request);
    },
  };
  const agent = new Agent({
    services,
    ...options.agent,
    clientFor: () => client,
    contextTokens: () => Promise.resolve(options.contextTokens ?? 200_000),
    platform: 'linux',
    concurrency: 10,
    stopBlockCap: 8,
  });
  const sessionId = sessions.create({ folder: '/folder', title: 'New session', mode: 'default', model });
  const events: SessionEvent[] = [];
  const waiters = new Set<(body: SessionEvent['body']) => void>();
  sessions.listen({
    onEvent: (_id, event) => {
      events.push(event);
      for (const waiter of [...waiters]) waiter(event.body);
    },
    onLive: () => undefined,
    onListChange: () => undefined,
  });
  return {
    sessions,
    agent,
    asks,
    sessionId,
    services,
    clientFor: () => client,
    events,
    requests,
    logged,
    setDecision(next) {
      decide = next;
      for (const listener of changes) listener(sessionId);
    },
    calls: () => Object.values(sessions.state(sessionId).calls),
    until: (fits) =>
      new Promise((resolve) => {
        const waiter = (body: SessionEvent['body']): void => {
          if (!fits(body)) return;
          waiters.delete(waiter);
          resolve(body);
        };
        waiters.add(waiter);
      }),
  };
}

/** The guards of the real engine around a decision of the test. */
function guardedEngine(
  decide: (request: PermissionRequest) => Decision,
  changes: Set<(sessionId: string) => void>,
): Partial<PermissionEngine> {
  const guards = new SessionGuards(() => Date.now());
  return {
    evaluate: (request, { sessionId, mode, repeats = 1 }) => {
      const pattern = request.toolName;
      const decision = guards.apply({ sessionId, decision: decide(request), mode, pattern, repeats });
      return Promise.resolve({ decision, paths: [], hosts: [], suggestions: [], pattern });
    },
    countCall: (sessionId, call) => guards.countCall(sessionId, call),
    recordAllow: (sessionId) => guards.personAllowed(sessionId),
    recordClassifier: (sessionId, blocked) => guards.recordClassifier(sessionId, blocked),
    recordDenial(sessionId, pattern) {
      const block = guards.recordDenial(sessionId, pattern);
      if (block !== null) for (const listener of changes) listener(sessionId);
      return block;
    },
  };
}

/** Nobody edits rules here. */
const noEditing: Pick<PermissionEngine, 'drafts' | 'editor'> = {
  drafts: { drafted: refused, sourcesFor: refused },
  editor: {
    save: refused,
    writeText: refused,
    editFile: refused,
    steps: refused,
    undo: refused,
    redo: refused,
    onSteps: () => () => undefined,
  },
};

function refused(): never {
  throw new Error('Rules are not edited in this bench.');
}

function fakeEngine(
  decide: (request: PermissionRequest) => Decision,
  changes: Set<(sessionId: string) => void>,
): PermissionEngine {
  const evaluation = (request: PermissionRequest): Evaluation => {
    const own = request.own.behavior;
    const decision = own === 'deny' ? deny : decide(request);
    return { decision, paths: [], hosts: [], suggestions: [], pattern: request.toolName };
  };
  return {
    openSession: () => Promise.resolve(),
    consider: (_, change) => Promise.resolve(change.accepted()),
    closeSession: () => undefined,
    evaluate: (request) => Promise.resolve(evaluation(request)),
    preview: ({ rules }) => {
      const bad = rules.some((rule) => rule.startsWith('!'));
      return Promise.resolve({
        problems: [],
        wouldRun: !bad,
        stillBecause: bad ? 'An ask rule in user settings matches.' : '',
        file: null,
        addedLines: [],
      });
    },
    saveRules: ({ rules }) =>
      Promise.resolve({ ok: true, value: { where: `memory: ${rules.join()}`, file: null, step: '1' } }),
    ...noEditing,
    policy: () => ({ files: [], scalars: [], directories: [] }),
    evaluateWith: (request) => Promise.resolve({ decision: evaluation(request).decision, warning: '' }),
    removeRule: () => Promise.resolve({ ok: true, value: null }),
    applyUpdates: () => Promise.resolve([]),
    previewAdded: () => Promise.resolve({ problems: [], file: null, addedLines: [] }),
    setTrust: () => undefined,
    setCommandRules: () => undefined,
    startTurn: () => undefined,
    endTurn: () => undefined,
    countCall: () => 1,
    recordDenial: () => null,
    recordAllow: () => undefined,
    liftDenial: () => false,
    classify: () =>
      Promise.resolve({
        effect: { effect: 'unknown', why: 'a bench' },
        descriptions: { allow: [], deny: [] },
        mode: 'default',
        open: true,
        problem: '',
      }),
    recordClassifier: () => false,
    settings: () => ({ version: 1, files: [] }),
    speaksOf: () => Promise.resolve(true),
    inForce: () => [],
    workingFolders: () => ['/folder'],
    view: () => ({
      rules: [],
      files: [],
      warnings: [],
      modes: [],
      folders: ['/folder'],
      trust: trustedFolder('/folder'),
      denials: [],
      expiring: [],
      managedOnly: false,
    }),
    startingMode: () => 'default',
    modeAvailable: () => ({ available: true, reason: '' }),
    onChange: (listener) => {
      changes.add(listener);
      return () => changes.delete(listener);
    },
    dispose: () => Promise.resolve(),
  };
}
