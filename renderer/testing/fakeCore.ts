// A core for tests: speaks the real contract over linked pairs, records calls, can go away and come back.
import { type AppContract, appContract } from '#shared/api/app';
import type { HistoryState } from '#shared/api/history';
import type { HooksView } from '#shared/api/hooks';
import type { McpView } from '#shared/api/mcp';
import type { RulesView } from '#shared/api/permissions';
import type { StepsView } from '#shared/api/rules';
import type { SandboxView } from '#shared/api/sandbox';
import type { SessionSummary } from '#shared/api/sessions';
import type { KeyState, Preferences } from '#shared/api/settings';
import type { ToolFigures } from '#shared/api/tools';
import type { TraceTotals } from '#shared/api/trace';
import type { EventName, EventPayload, Handlers } from '#shared/rpc/contract';
import { RpcError } from '#shared/rpc/errors';
import { createLinkedPair } from '#shared/rpc/linkedPair';
import { type Served, serve } from '#shared/rpc/peer';
import type { Transport } from '#shared/rpc/transport';
import type { ModelChoice, SessionEvent, SessionEventBody } from '#shared/session/events';
import { reduce } from '#shared/session/reduce';
import { emptyState, type SessionState } from '#shared/session/state';
import { createHost } from '../host/client';
import type { Hello, HostLink } from '../host/hostLink';

export type FakeHandlers = Handlers<AppContract, object>;

export const rehearsal: ModelChoice = { id: 'rehearsal', label: 'Rehearsal model', scripted: true };

export const hello: Hello = {
  protocol: 1,
  version: '0.1.0',
  hostLabel: 'test',
  platform: 'linux',
  capabilities: [],
  home: '/home/ada',
  startFolder: null,
  sandbox: { active: true, kind: 'bubblewrap', network: false, reason: '' },
  executor: { status: 'ready', detail: '' },
};

export const preferences: Preferences = {
  theme: 'system',
  baseUrl: '',
  model: '',
  armDelayMs: 600,
  sendWith: 'enter',
  density: 'normal',
  notify: { waiting: true, ended: true, failed: true },
  shortcuts: {},
  prices: {},
  toolDeferral: 'auto',
  toolSet: 'all',
  features: {},
  lspServers: {},
};

export const noKey: KeyState = {
  source: 'none',
  hint: '',
  protection: 'The key is written to a file that only you can read.',
  canStore: true,
};

export const noRules: RulesView = {
  rules: [],
  files: [],
  warnings: [],
  modes: [],
  folders: [],
  trust: {
    folder: '/srv/app',
    trusted: false,
    waitingRules: [],
    waitingDirectories: [],
    waitingMore: [],
    changed: false,
    freshTexts: [],
  },
  denials: [],
  expiring: [],
  managedOnly: false,
};

export const noServers: McpView = { folder: '/srv/app', servers: [], problems: [] };

export const noHooks: HooksView = {
  hooks: [],
  files: [],
  events: [],
  folder: '/srv/app',
  trusted: true,
  disabledBy: null,
  managedOnly: false,
  problems: [],
};

const byDefault = { kind: 'default' } as const;
const builtIn = { kind: 'builtIn' } as const;

/** A session in a sandbox of which no setting speaks. */
export const sandboxView: SandboxView = {
  state: { active: true, kind: 'bubblewrap', network: false, reason: '' },
  enabled: { on: true, from: byDefault },
  failIfUnavailable: { on: false, from: byDefault },
  autoAllow: { on: false, from: byDefault },
  allowOutside: { on: true, from: byDefault },
  network: {
    reach: 'off',
    problem: '',
    allowed: [],
    denied: [],
    unixSockets: { on: false, from: byDefault },
  },
  writable: [{ text: '/srv/app', from: { kind: 'session' } }],
  readOnly: [{ text: '/srv/app/.git/hooks', from: builtIn }],
  hidden: [{ text: '/home/ada/.ssh', from: builtIn }],
  readable: [],
  excluded: [],
  limits: {},
  ignored: [],
};

export const noFigures: ToolFigures = {
  totals: { withDeferral: 0, withoutDeferral: 0, source: 'estimated' },
  estimate: 'Four characters are taken as one token.',
  policy: 'Tools are deferred when they need it.',
  loadedBy: 'gatehouse',
};

/** A session as the list shows it. */
export function summary(part: Partial<SessionSummary> & { readonly sessionId: string }): SessionSummary {
  return {
    title: part.sessionId,
    folder: '/srv/app',
    createdAt: 1,
    updatedAt: 1,
    activity: 'idle',
    pinned: false,
    archived: false,
    origin: null,
    ...part,
  };
}

/** Bodies as stored events, numbered after `afterSeq`, one millisecond apart. */
export function eventsOf(bodies: readonly SessionEventBody[], afterSeq = 0): SessionEvent[] {
  return bodies.map((body, index) => ({ seq: afterSeq + index + 1, at: afterSeq + index + 1, body }));
}

/** The state after some events. */
export function stateAfter(events: readonly SessionEvent[]): SessionState {
  return events.reduce(reduce, emptyState());
}

export interface FakeCore {
  readonly link: HostLink;
  /** Calls in order, without `hello`. */
  readonly calls: { readonly method: string; readonly params: unknown }[];
  /** Answers may be replaced while it runs. */
  answers: Partial<FakeHandlers>;
  emit<N extends EventName<AppContract>>(name: N, payload: EventPayload<AppContract, N>): void;
  /** Closes the connection; while it is away new ones close at once. */
  goAway(reason: string): void;
  comeBack(): void;
}

/** Makes the page's host link lead to a fake core. The link still has to be started. */
export function createFakeCore(answers: Partial<FakeHandlers> = {}): FakeCore {
  let away = false;
  let served: Served<AppContract> | undefined;
  const core: FakeCore = {
    link: createHost(open),
    calls: [],
    answers,
    emit: (name, payload) => served?.emit(name, payload),
    goAway(reason) {
      away = true;
      served?.close(reason);
    },
    comeBack() {
      away = false;
    },
  };

  function open(): Transport {
    const [page, server] = createLinkedPair();
    if (away) {
      queueMicrotask(() => server.close('nobody answers'));
      return page;
    }
    const watched: Transport = {
      ...{ send: server.send.bind(server), onClose: server.onClose.bind(server), close: server.close.bind(server) },
      onMessage: (listener) =>
        server.onMessage((message) => {
          record(core, message);
          listener(message);
        }),
    };
    served = serve({
      contract: appContract,
      transport: watched,
      handlers: presentHandlers(core),
      context: {},
      onBug: (method, error) => {
        throw new Error(`${method}: ${String(error)}`);
      },
    });
    return page;
  }

  return core;
}

/** Looks each handler up when it is called, so that replaced answers count at once. */
function presentHandlers(core: FakeCore): FakeHandlers {
  return new Proxy(defaultHandlers, {
    get: (handlers, name) => Reflect.get({ ...handlers, ...core.answers }, name) as unknown,
  });
}

function record(core: FakeCore, message: unknown): void {
  const { type, method, params } = message as { type: string; method: string; params: unknown };
  if (type === 'req' && method !== 'hello') core.calls.push({ method, params });
}

function unknownHere(): never {
  throw new RpcError('refused', 'This test has no answer for that.');
}

const nothing = () => ({});
const servers = () => ({ view: noServers });

const noSteps: StepsView = { undo: null, redo: null, recent: [] };
const noHistory: HistoryState = {
  phase: 'idle',
  files: 0,
  filesDone: 0,
  bytes: 0,
  bytesDone: 0,
  calls: 0,
  sessions: 0,
  skipped: 0,
  problem: '',
  folder: '/home/p/.claude/projects',
};

export const noTotals: TraceTotals = {
  calls: 0,
  sessions: 0,
  runningMs: 0,
  waitedMs: 0,
  prompts: 0,
  promptsPerHour: 0,
  medianAnswerMs: null,
  hastyAnswers: 0,
  byTool: [],
  byCause: [],
};

const defaultHandlers: FakeHandlers = {
  hello: () => hello,
  'host.browse': unknownHere,
  'commands.list': () => ({ commands: [], waiting: [], problems: [] }),
  'host.pickFolder': () => ({ path: null }),
  'host.openExternal': nothing,
  'sessions.list': () => ({ sessions: [] }),
  'sessions.create': () => ({ sessionId: 'new' }),
  'sessions.rename': nothing,
  'sessions.delete': nothing,
  'sessions.subscribe': () => ({ kind: 'snapshot', state: emptyState(), live: [] }),
  'sessions.unsubscribe': nothing,
  'sessions.items': unknownHere,
  'sessions.call': unknownHere,
  'sessions.send': () => ({ messageId: 'm', queued: false }),
  'sessions.unqueue': nothing,
  'sessions.stop': nothing,
  'sessions.compact': nothing,
  'sessions.takeUp': () => ({ taken: false }),
  'tasks.stop': nothing,
  'sessions.answer': () => ({ saved: null }),
  'sessions.previewRule': unknownHere,
  'sessions.setMode': nothing,
  'sessions.setModel': nothing,
  'sessions.setNetwork': nothing,
  'sessions.attachOutput': unknownHere,
  'sessions.ackOutput': nothing,
  'sessions.detachOutput': nothing,
  'permissions.rules': () => noRules,
  'permissions.previewRule': () => ({ problems: [], file: null, addedLines: [] }),
  'permissions.addRule': nothing,
  'permissions.removeRule': nothing,
  'network.answer': () => ({ saved: null, settled: [] }),
  'permissions.trust': nothing,
  'permissions.liftDenial': nothing,
  'settings.get': () => ({ preferences, key: noKey }),
  'settings.setPreferences': (change) => ({ preferences: { ...preferences, ...withoutUndefined(change) } }),
  'settings.setApiKey': () => ({ key: noKey }),
  'settings.testConnection': () => ({ ok: true, message: '' }),
  'models.list': () => ({ models: [rehearsal], problem: '', windows: {} }),
  'tools.list': () => ({ tools: [], figures: noFigures }),
  'tools.run': () => ({ callId: 'call' }),
  'mcp.list': servers,
  'mcp.settled': () => ({ servers: [] }),
  'mcp.approve': servers,
  'mcp.reject': servers,
  'mcp.restart': servers,
  'mcp.enable': servers,
  'mcp.disable': servers,
  'mcp.confirmTools': servers,
  'mcp.definition': unknownHere,
  'mcp.add': servers,
  'mcp.edit': servers,
  'mcp.remove': servers,
  'mcp.test': unknownHere,
  'mcp.authorize': () => ({ url: '' }),
  'mcp.signOut': servers,
  'mcp.stderr': () => ({ text: '', droppedChars: 0 }),
  'mcp.resources': () => ({ resources: [] }),
  'mcp.prompts': () => ({ prompts: [] }),
  'mcp.prompt': unknownHere,
  'rules.policy': () => ({ files: [], scalars: [], directories: [] }),
  'rules.preview': () => ({ rules: [], files: [], problems: [] }),
  'rules.save': unknownHere,
  'rules.steps': () => noSteps,
  'rules.undo': unknownHere,
  'rules.redo': unknownHere,
  'rules.file': unknownHere,
  'rules.checkText': () => ({ problems: [] }),
  'rules.writeFile': unknownHere,
  'rules.repair': unknownHere,
  'rules.notes': () => ({ notes: {} }),
  'rules.setNote': () => ({ notes: {} }),
  'rules.lint': () => ({ findings: [] }),
  'rules.try': unknownHere,
  'rules.tests': () => ({ file: '', problem: '', results: [] }),
  'rules.setTests': unknownHere,
  'history.state': () => noHistory,
  'history.pause': () => noHistory,
  'history.calls': () => ({ calls: [], inAll: 0 }),
  'history.usage': () => ({ usage: [] }),
  'history.replay': unknownHere,
  'history.exportReplay': unknownHere,
  'history.explain': unknownHere,
  'history.reach': unknownHere,
  'history.suggest': () => ({ suggestions: [], asked: 0 }),
  'sessions.undelete': nothing,
  'sessions.mark': nothing,
  'sessions.branch': () => ({ sessionId: 'branch', text: '' }),
  'sessions.find': () => ({ places: [], total: 0, truncated: false }),
  'sessions.export': unknownHere,
  'results.list': () => ({
    files: [],
    retentionDays: 30,
    folder: '/home/p/.local/share/gatehouse/projects',
    limitChars: 20_000,
  }),
  'results.open': unknownHere,
  'results.close': nothing,
  'results.rows': unknownHere,
  'results.rowOfLine': () => ({ row: 0 }),
  'results.line': unknownHere,
  'results.search': unknownHere,
  'results.stopSearch': nothing,
  'results.matches': () => ({ matches: [] }),
  'results.matchesIn': () => ({ matches: [], first: 0 }),
  'results.matchingLines': () => ({ rows: [] }),
  'results.bytes': unknownHere,
  'results.image': unknownHere,
  'results.json': unknownHere,
  'results.jsonText': unknownHere,
  'results.table': unknownHere,
  'results.diff': unknownHere,
  'results.keep': nothing,
  'results.cleanUpPreview': () => ({ ids: [], bytes: 0, spared: 0, oldest: null }),
  'results.cleanUp': () => ({ batch: null, left: 0, problem: '' }),
  'results.trash': () => ({ batches: [] }),
  'results.restore': () => ({ restored: 0, left: 0 }),
  'results.saveCopy': unknownHere,
  'results.reveal': nothing,
  'trace.rows': () => ({ seq: 0, rows: [], hooks: [] }),
  'trace.call': unknownHere,
  'trace.totals': () => noTotals,
  'trace.export': unknownHere,
  'changes.list': () => ({ entries: [], notCovered: [] }),
  'changes.diff': unknownHere,
  'changes.preview': () => ({ files: [] }),
  'changes.restore': unknownHere,
  'search.find': () => ({
    hits: [],
    total: 0,
    conversations: 0,
    state: { phase: 'idle', done: 0, conversations: 0, problem: '' },
  }),
  'transcripts.list': () => ({ transcripts: [], truncated: false }),
  'transcripts.open': unknownHere,
  'transcripts.items': unknownHere,
  'transcripts.find': () => ({ places: [], total: 0, truncated: false }),
  'transcripts.call': unknownHere,
  'hooks.list': () => noHooks,
  'hooks.runs': () => ({ runs: [], more: false }),
  'hooks.preview': unknownHere,
  'hooks.save': unknownHere,
  'hooks.try': unknownHere,
  'files.read': unknownHere,
  'sandbox.view': () => sandboxView,
  'transcripts.continue': () => ({ sessionId: 'continued' }),
};

function withoutUndefined(values: object): Partial<Preferences> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
