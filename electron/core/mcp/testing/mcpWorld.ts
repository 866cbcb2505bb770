// Servers of one folder on a real disk with a real permission engine; sessions are as few as a test needs.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { McpServerView, McpState } from '#shared/api/mcp';
import { createPermissionEngine } from '../../permissions/permissionEngine';
import { createFolderTrust, type TrustMemory } from '../../permissions/trust';
import type { AnyTool, CallContext, QuestionAnswers } from '../../tools/tool';
import { createMcpServers, type McpOptions } from '../createMcpServers';
import type { McpServers } from '../mcpServers';

export const hostileServer = fileURLToPath(new URL('./hostileServer.mjs', import.meta.url));

const require = createRequire(import.meta.url);
const everything = require.resolve('@modelcontextprotocol/server-everything/dist/index.js');
const filesystem = require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js');
const memory = require.resolve('@modelcontextprotocol/server-memory/dist/index.js');

/** The official reference servers, as stdio configurations. */
export const reference = {
  everything: { command: process.execPath, args: [everything, 'stdio'] },
  filesystem: (...folders: string[]) => ({
    command: process.execPath,
    args: [filesystem, ...folders],
  }),
  memory: (file: string) => ({
    command: process.execPath,
    args: [memory],
    env: { MEMORY_FILE_PATH: file },
  }),
  everythingScript: everything,
};

/** A configuration of the hostile server. */
export const hostile = (modes: string, file = '') => ({
  command: process.execPath,
  args: [hostileServer, modes, file],
});

export interface McpWorld {
  readonly base: string;
  readonly folder: string;
  readonly mcp: McpServers;
  /** All that was told to people of the session. */
  readonly notices: string[];
  readonly logged: string[];
  readonly memory: TrustMemory;
  trust(): void;
  /** Writes a file below the world's base. */
  put(path: string, content: unknown): string;
  server(name: string): Promise<McpServerView>;
  /** Waits until a server is in one of the states. */
  until(name: string, ...states: readonly McpState[]): Promise<McpServerView>;
  tool(name: string): AnyTool;
  /** Calls a tool as the pipeline does once it is allowed; the text that the model gets. Throws ToolFailure. */
  call(name: string, input: unknown, options?: Partial<CallContext>): Promise<string>;
  dispose(): Promise<void>;
}

export const sessionId = 's1';

/** A context for a call; only what tools of servers use is there. */
export function callContext(folder: string, more: Partial<CallContext> = {}): CallContext {
  const none = (): never => {
    throw new Error('not in this test');
  };
  return {
    sessionId,
    callId: 'c1',
    folder,
    cwd: folder,
    home: folder,
    signal: new AbortController().signal,
    get executor(): never {
      return none();
    },
    get fileStates(): never {
      return none();
    },
    get tasks(): never {
      return none();
    },
    askPerson: () => Promise.resolve<QuestionAnswers>({ answered: false, words: '' }),
    setTodos: none,
    setCwd: none,
    outputFile: none,
    onProgress: () => undefined,
    ...more,
  };
}

/** Makes the world. `files`: contents by path below its base; `project/` is the folder, `home/` the person's. */
export function mcpWorld(files: Readonly<Record<string, unknown>> = {}, more: Partial<McpOptions> = {}): McpWorld {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-mcp-')));
  const folder = join(base, 'project');
  const put = (path: string, content: unknown): string => {
    const file = join(base, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(base, 'home', '.claude'), { recursive: true });
  for (const [path, content] of Object.entries(files)) put(path, content);

  const kept = new Map<string, string>();
  const memory: TrustMemory = more.memory ?? {
    preference: (key) => {
      const text = kept.get(key);
      return text === undefined ? undefined : JSON.parse(text);
    },
    setPreference: (key, value) => void kept.set(key, JSON.stringify(value)),
  };
  const notices: string[] = [];
  const logged: string[] = [];
  const say = (text: string, facts?: unknown): void => void logged.push(`${text} ${JSON.stringify(facts ?? {})}`);
  const log = { info: say, warn: say, error: say };
  const paths = {
    data: join(base, 'data'),
    home: join(base, 'home'),
    claudeConfig: join(base, 'home', '.claude'),
    managedSettings: join(base, 'etc', 'managed-settings.json'),
    privateFiles: [],
  };
  const folderTrust = createFolderTrust(memory);
  const engine = createPermissionEngine({
    paths,
    platform: 'linux',
    allowBypass: false,
    runsAsRoot: false,
    trust: folderTrust,
    log,
    managedOwner: process.getuid?.() ?? 0,
  });
  const mcp = createMcpServers({
    paths,
    host: { platform: 'linux', version: '1.0.0' },
    variables: { PATH: dirname(process.execPath), HOME: join(base, 'home'), SECRET: 'hidden' },
    launch: { sources: [], strict: false },
    sessions: {
      exists: () => true,
      folder: () => folder,
      notice: (_sessionId, { text }) => void notices.push(text),
    },
    engine,
    trust: folderTrust,
    memory,
    secrets: null,
    interactive: true,
    backups: join(base, 'data', 'backups'),
    log,
    now: () => performance.timeOrigin + performance.now(),
    ...more,
  });
  const server = async (name: string): Promise<McpServerView> => {
    const found = (await mcp.view(folder)).servers.find((one) => one.name === name);
    if (found === undefined) throw new Error(`no server ${name}`);
    return found;
  };
  const tool = (name: string): AnyTool => {
    const found = mcp.tools(sessionId).find((one) => one.name === name);
    if (found === undefined)
      throw new Error(
        `no tool ${name}; there are ${mcp
          .tools(sessionId)
          .map((one) => one.name)
          .join(' ')}`,
      );
    return found;
  };
  return {
    base,
    folder,
    mcp,
    notices,
    logged,
    memory,
    put,
    server,
    tool,
    trust: () => folderTrust.set(folder, true),
    async until(name, ...states) {
      // Only events move this on; a test that waits for what never comes runs into its own timeout.
      for (;;) {
        let changed: () => void = () => undefined;
        const next = new Promise<void>((resolve) => {
          changed = resolve;
        });
        const stop = mcp.onChange(() => changed());
        try {
          const found = mcp.servers(sessionId).find((one) => one.name === name);
          if (found !== undefined && states.includes(found.state)) return found;
          await next;
        } finally {
          stop();
        }
      }
    },
    async call(name, input, options) {
      const found = tool(name);
      const parsed = found.inputSchema().safeParse(input);
      if (!parsed.success) throw parsed.error;
      const output = await found.call(parsed.data, callContext(folder, options));
      return found
        .mapResult(output, parsed.data)
        .map((block) => (block.type === 'image' ? `[${block.mediaType}]` : 'text' in block ? block.text : ''))
        .join('\n');
    },
    async dispose() {
      await mcp.dispose();
      await engine.dispose();
      rmSync(base, { recursive: true, force: true });
    },
  };
}
