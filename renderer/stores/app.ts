// What the page knows of the program as a whole: connection, host, models, preferences, sessions, and where it is.
import { create } from 'zustand';
import type { ExecutorState } from '#shared/api/host';
import type { SessionSummary } from '#shared/api/sessions';
import type { KeyState, Preferences } from '#shared/api/settings';
import type { SandboxState } from '#shared/session/ask';
import type { ModelChoice } from '#shared/session/events';
import { host } from '../host/client';
import type { Hello, LinkState } from '../host/hostLink';
import { reportFailure, useToasts } from './toasts';

/** `lost`: `retryAt` (epoch ms) is null while a try is under way (`trying`) or when none will be made. */
export type Connection =
  | { readonly status: 'connecting' }
  | { readonly status: 'open' }
  | { readonly status: 'lost'; readonly reason: string; readonly retryAt: number | null; readonly trying: boolean };

export type Page = 'chat' | 'search' | 'rules' | 'results' | 'trace' | 'hooks' | 'tools' | 'settings';

interface AppFacts {
  readonly connection: Connection;
  /** null before the first greeting; kept while the connection is lost. */
  readonly hello: Hello | null;
  readonly sandbox: SandboxState | null;
  readonly executor: ExecutorState | null;
  readonly preferences: Preferences | null;
  readonly key: KeyState | null;
  readonly models: readonly ModelChoice[];
  /** By model id: how many tokens a request may have, as far as it is known. */
  readonly windows: Readonly<Record<string, number>>;
  /** Why the server's model list is missing; empty when all is well. */
  readonly modelsProblem: string;
  /** null until the list has come. Last changed first. */
  readonly sessions: readonly SessionSummary[] | null;
  readonly page: Page;
  readonly activeSessionId: string | null;
}

interface AppStore extends AppFacts {
  go(page: Page): void;
  /** Makes a session the active one and shows the chat; null shows the empty state. */
  openSession(sessionId: string | null): void;
  /** Starts a session on a folder and opens it. Resolves to an error text, or null when it worked. */
  createSession(folder: string): Promise<string | null>;
  renameSession(sessionId: string, title: string): Promise<boolean>;
  /** Takes a session out of the list and offers to take that back. */
  deleteSession(sessionId: string): Promise<boolean>;
  markSession(sessionId: string, marks: { pinned?: boolean; archived?: boolean }): Promise<boolean>;
  /** Opens a new session that begins with all up to a message. Resolves to the text to send anew; null: it failed. */
  branchSession(sessionId: string, messageId: string): Promise<{ sessionId: string; text: string } | null>;
  /** Starts summing up the session's older part for the model; how it went is told in the session. */
  compactSession(sessionId: string): Promise<boolean>;
  /** Changes some preferences. Failures are shown as a toast. */
  setPreferences(change: Partial<Preferences>): Promise<boolean>;
  /** Keeps (or removes, null) the API key. Resolves to an error text, or null when it worked. */
  setApiKey(key: string | null, remember: boolean): Promise<string | null>;
  loadModels(): Promise<void>;
  retryConnection(): void;
}

const initial: AppFacts = {
  connection: { status: 'connecting' },
  hello: null,
  sandbox: null,
  executor: null,
  preferences: null,
  key: null,
  models: [],
  modelsProblem: '',
  windows: {},
  sessions: null,
  page: 'chat',
  activeSessionId: null,
};

export const useApp = create<AppStore>()((set, get) => ({
  ...initial,
  go: (page) => set({ page }),
  openSession: (sessionId) => set({ activeSessionId: sessionId, page: 'chat' }),
  async createSession(folder) {
    try {
      const { sessionId } = await host().call('sessions.create', { folder });
      get().openSession(sessionId);
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  },
  renameSession: (sessionId, title) =>
    attempt('The session was not renamed.', () => host().call('sessions.rename', { sessionId, title })),
  async deleteSession(sessionId) {
    const { activeSessionId, sessions } = get();
    const title = sessions?.find((session) => session.sessionId === sessionId)?.title ?? '';
    const done = await attempt('The session was not deleted.', () => host().call('sessions.delete', { sessionId }));
    if (!done) return false;
    const wasOpen = activeSessionId === sessionId;
    if (wasOpen) set({ activeSessionId: null });
    useToasts.getState().show({
      level: 'info',
      title: 'Session deleted.',
      text: title,
      action: {
        label: 'Undo',
        run: () =>
          void attempt('The session was not brought back.', async () => {
            await host().call('sessions.undelete', { sessionId });
            if (wasOpen && get().activeSessionId === null) get().openSession(sessionId);
          }),
      },
    });
    return true;
  },
  markSession: (sessionId, marks) =>
    attempt('The session was not changed.', () => host().call('sessions.mark', { sessionId, ...marks })),
  async branchSession(sessionId, messageId) {
    try {
      const branch = await host().call('sessions.branch', { sessionId, messageId });
      get().openSession(branch.sessionId);
      return branch;
    } catch (error) {
      reportFailure('No branch was made.', error);
      return null;
    }
  },
  compactSession: (sessionId) =>
    attempt('The conversation was not compacted.', () => host().call('sessions.compact', { sessionId })),
  setPreferences: (change) =>
    attempt('The setting was not changed.', async () => {
      const { preferences } = await host().call('settings.setPreferences', change);
      set({ preferences });
      if (change.baseUrl !== undefined) await get().loadModels();
    }),
  async setApiKey(key, remember) {
    try {
      set({ key: (await host().call('settings.setApiKey', { key, remember })).key });
      await get().loadModels();
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  },
  async loadModels() {
    await attempt('The list of models could not be loaded.', async () => {
      const { models, problem, windows } = await host().call('models.list', {});
      set({ models, modelsProblem: problem, windows });
    });
  },
  retryConnection: () => host().retryNow(),
}));

async function attempt(failure: string, action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    reportFailure(failure, error);
    return false;
  }
}

/** Keeps the store in step with the link. Call once after `createHost`, before `start`. */
export function followHost(): void {
  const link = host();
  link.onState((state) => followLink(state));
  link.on('host.sandbox', (sandbox) => useApp.setState({ sandbox }));
  link.on('host.executor', (executor) => useApp.setState({ executor }));
  link.on('sessions.changed', ({ sessions }) => takeSessions(sessions));
  link.on('settings.changed', ({ preferences, key }) => useApp.setState({ preferences, key }));
}

function followLink(state: LinkState): void {
  switch (state.status) {
    case 'connecting': {
      const before = useApp.getState().connection;
      useApp.setState({
        connection: before.status === 'lost' ? { ...before, retryAt: null, trying: true } : { status: 'connecting' },
      });
      return;
    }
    case 'lost':
      useApp.setState({
        connection: { status: 'lost', reason: state.reason, retryAt: state.retryAt, trying: false },
      });
      return;
    case 'open':
      useApp.setState({
        connection: { status: 'open' },
        hello: state.hello,
        sandbox: state.hello.sandbox,
        executor: state.hello.executor,
      });
      void loadAll();
  }
}

async function loadAll(): Promise<void> {
  await Promise.all([
    attempt('The list of sessions could not be loaded.', async () =>
      takeSessions((await host().call('sessions.list', {})).sessions),
    ),
    attempt('The settings could not be loaded.', async () => useApp.setState(await host().call('settings.get', {}))),
    useApp.getState().loadModels(),
  ]);
}

function takeSessions(sessions: readonly SessionSummary[]): void {
  const { activeSessionId, sessions: before } = useApp.getState();
  // Only a session that was in the list can have been deleted elsewhere; a new one may not have arrived in it yet.
  const known = before?.some((session) => session.sessionId === activeSessionId) ?? false;
  const gone = known && !sessions.some((session) => session.sessionId === activeSessionId);
  useApp.setState(gone ? { sessions, activeSessionId: null } : { sessions });
}

/** How many sessions wait for the person. */
export function waitingCount(sessions: readonly SessionSummary[] | null): number {
  return (sessions ?? []).filter((session) => session.activity === 'waiting').length;
}
