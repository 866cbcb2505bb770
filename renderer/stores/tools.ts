// The tools of the active session and the MCP servers of its folder, loaded while somebody looks at them.
import { create } from 'zustand';
import type { McpView } from '#shared/api/mcp';
import type { ToolFigures, ToolView } from '#shared/api/tools';
import { host } from '../host/client';
import { useApp } from './app';
import { useSession } from './session';
import { messageOf, reportFailure } from './toasts';

/** Calls that change a server and answer with the servers as they are then. */
export type ServerChange =
  | 'mcp.approve'
  | 'mcp.reject'
  | 'mcp.restart'
  | 'mcp.enable'
  | 'mcp.disable'
  | 'mcp.confirmTools'
  | 'mcp.remove'
  | 'mcp.signOut';

interface ToolsFacts {
  /** What the lists belong to; null: nothing was asked for yet. */
  readonly sessionId: string | null;
  /** null until they have come. */
  readonly tools: readonly ToolView[] | null;
  readonly figures: ToolFigures | null;
  /** Why the tools could not be loaded; empty when all is well. */
  readonly toolsProblem: string;
  /** null until they have come. */
  readonly servers: McpView | null;
  readonly serversProblem: string;
}

interface ToolsStore extends ToolsFacts {
  /** Loads both lists of the active session again. What was shown stays until the answer has come. */
  reload(): Promise<void>;
  /** Changes a server. A failure becomes a toast that begins with `fact`. True when it was done. */
  change(request: {
    readonly call: ServerChange;
    readonly id: string;
    readonly fact: string;
    /** For `mcp.confirmTools`: which ones, as the server calls them; absent: all that changed. */
    readonly tools?: readonly string[];
    /** What was seen: the definition, as `mcp.definition` told it, or the configuration. */
    readonly hash?: string;
  }): Promise<boolean>;
  /** Shows servers that another call has answered with. */
  takeServers(view: McpView): void;
}

const nothing: ToolsFacts = {
  sessionId: null,
  tools: null,
  figures: null,
  toolsProblem: '',
  servers: null,
  serversProblem: '',
};

export const useTools = create<ToolsStore>()((set, get) => ({
  ...nothing,
  async reload() {
    const { sessionId, status, state } = useSession.getState();
    if (sessionId === null || status !== 'ready') {
      set(nothing);
      return;
    }
    if (get().sessionId !== sessionId) set({ ...nothing, sessionId });
    const mine = () => get().sessionId === sessionId;
    await Promise.all([
      host()
        .call('tools.list', { sessionId })
        .then(
          ({ tools, figures }) => mine() && set({ tools, figures, toolsProblem: '' }),
          (error: unknown) => mine() && set({ toolsProblem: messageOf(error) }),
        ),
      host()
        .call('mcp.list', { folder: state.folder })
        .then(
          ({ view }) => mine() && set({ servers: view, serversProblem: '' }),
          (error: unknown) => mine() && set({ serversProblem: messageOf(error) }),
        ),
    ]);
  },
  async change({ call, id, fact, tools = [], hash }) {
    const { folder } = useSession.getState().state;
    try {
      const { view } = await (() => {
        switch (call) {
          case 'mcp.approve':
            return host().call(call, { folder, id, hash: hash ?? '' });
          case 'mcp.confirmTools':
            return host().call(call, { folder, id, tools: [...tools], ...(hash === undefined ? {} : { hash }) });
          default:
            return host().call(call, { folder, id });
        }
      })();
      get().takeServers(view);
      return true;
    } catch (error) {
      reportFailure(fact, error);
      return false;
    }
  },
  takeServers: (servers) => set({ servers }),
}));

/** Changes come in swarms while servers connect; they are looked at together after this many milliseconds. */
const gatherMs = 120;

/** Keeps the lists as they are in the core, until the returned function is called. */
export function followTools(): () => void {
  const link = host();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let loading = false;
  let again = false;
  const load = async (): Promise<void> => {
    if (loading) {
      again = true;
      return;
    }
    loading = true;
    await useTools.getState().reload();
    loading = false;
    if (again) {
      again = false;
      soon();
    }
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void load(), gatherMs);
  };
  const stops = [
    link.on('mcp.changed', ({ folder }) => {
      if (folder === useSession.getState().state.folder) soon();
    }),
    link.on('permissions.changed', ({ sessionId }) => {
      if (sessionId === useSession.getState().sessionId) soon();
    }),
    link.onState((state) => {
      if (state.status === 'open') soon();
    }),
    useApp.subscribe(({ preferences }, before) => {
      if (preferences !== before.preferences) soon();
    }),
    useSession.subscribe((now, before) => {
      const opened = now.sessionId !== before.sessionId || now.status !== before.status;
      // The end of a turn may leave tools found; another model may load them itself.
      if (
        opened ||
        (now.state.turn === null) !== (before.state.turn === null) ||
        now.state.model !== before.state.model
      )
        soon();
    }),
  ];
  void load();
  return () => {
    clearTimeout(timer);
    again = false;
    for (const stop of stops) stop();
  };
}
