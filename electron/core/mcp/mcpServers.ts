// What the rest of the core asks of MCP servers.
import type {
  EditableMcpScope,
  McpPrompt,
  McpResource,
  McpServerConfig,
  McpServerView,
  McpView,
} from '#shared/api/mcp';
import type { ResultBlock } from '#shared/session/events';
import type { Result } from '#shared/util/result';
import type { CallMcpTool } from '../hooks/mcpHandler';
import type { AnyTool } from '../tools/tool';

/** Names a server: its folder and `scope/name` there. */
export interface ServerPlace {
  readonly folder: string;
  readonly id: string;
}

/** What a server says to the model beside its tools. */
export interface ServerNotes {
  readonly server: string;
  /** Cleaned, at most 2 KB; empty when it says nothing. */
  readonly instructions: string;
}

export interface McpServers {
  /**
   * Tools of the connected servers of a session's folder, sorted by name; the same objects until something changes.
   * Starts the folder's servers on first use and does not wait for them.
   */
  tools(sessionId: string): readonly AnyTool[];
  /** Notes of the connected servers of a session's folder, sorted by server. */
  notes(sessionId: string): readonly ServerNotes[];
  /** Servers as they are now, for a session's folder. */
  servers(sessionId: string): readonly McpServerView[];
  /**
   * Waits until none of the servers is connecting or restarting any more, at most `waitMs`. `names` empty: all. An abort
   * ends the wait.
   */
  settled(options: {
    readonly sessionId: string;
    readonly names: readonly string[];
    readonly waitMs: number;
    readonly signal: AbortSignal;
  }): Promise<readonly McpServerView[]>;
  /** Resources of the connected servers, or of one. Rejects with ToolFailure when there is no such server. */
  resources(sessionId: string, server?: string, signal?: AbortSignal): Promise<readonly McpResource[]>;
  readResource(
    sessionId: string,
    resource: { readonly server: string; readonly uri: string },
    signal?: AbortSignal,
  ): Promise<readonly ResultBlock[]>;
  prompts(sessionId: string, server?: string, signal?: AbortSignal): Promise<readonly McpPrompt[]>;
  /** Calls a tool of a connected server for a hook, without a person. */
  readonly callTool: CallMcpTool;

  // for pages; each by folder. Errors are for people.
  view(folder: string): Promise<McpView>;
  /** `hash` names the configuration that the person saw. */
  approve(server: ServerPlace & { readonly hash: string }): Promise<Result<null>>;
  reject(server: ServerPlace): Promise<Result<null>>;
  restart(server: ServerPlace): Promise<Result<null>>;
  setEnabled(server: ServerPlace, to: 'on' | 'off'): Promise<Result<null>>;
  /** With `hash` only what still is the definition that the person has seen. */
  confirmTools(server: ServerPlace, tools: readonly string[], hash?: string): Promise<Result<null>>;
  /** The accepted definition of a tool (null: not known any more) and the present one, to compare. */
  definition(
    server: ServerPlace,
    tool: string,
  ): Result<{ readonly before: string | null; readonly now: string; readonly hash: string }>;
  add(entry: {
    readonly folder: string;
    readonly scope: EditableMcpScope;
    readonly name: string;
    readonly config: McpServerConfig;
  }): Promise<Result<null>>;
  edit(server: ServerPlace, config: McpServerConfig): Promise<Result<null>>;
  remove(server: ServerPlace): Promise<Result<null>>;
  test(options: {
    readonly folder: string;
    readonly config: McpServerConfig;
  }): Promise<{ readonly ok: boolean; readonly message: string; readonly tools: string[]; readonly stderr: string }>;
  authorize(server: ServerPlace): Promise<Result<{ readonly url: string }>>;
  signOut(server: ServerPlace): Promise<Result<null>>;
  stderr(server: ServerPlace): Result<{ readonly text: string; readonly droppedChars: number }>;
  folderResources(folder: string): Promise<readonly McpResource[]>;
  folderPrompts(folder: string): Promise<readonly McpPrompt[]>;
  prompt(
    server: ServerPlace,
    prompt: { readonly name: string; readonly arguments: Readonly<Record<string, string>> },
  ): Promise<Result<string>>;

  /** Fires after servers of a folder changed. Returns its unsubscribe. */
  onChange(listener: (folder: string) => void): () => void;
  /** Ends all servers with everything that they started. */
  dispose(): Promise<void>;
}
