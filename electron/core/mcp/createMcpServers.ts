// MCP servers put together with the services of a core.
import type { McpServerConfig } from '#shared/api/mcp';
import { fail, ok, type Result } from '#shared/util/result';
import type { SecretStore } from '../apiKey';
import type { PermissionEngine } from '../permissions/engine';
import type { FolderTrust, TrustMemory } from '../permissions/trust';
import type { CorePorts, Log } from '../ports';
import { createSettingsWriter } from '../settings/settingsWriter';
import { ToolFailure } from '../tools/tool';
import { serverName } from './cleanText';
import { configPlaces } from './configFiles';
import { elicit } from './elicitation';
import { expandConfig } from './expand';
import { FolderServers } from './folderServers';
import type { LaunchServers } from './launchServers';
import { limitsFrom, type McpLimits } from './limits';
import type { McpServers, ServerPlace } from './mcpServers';
import { type NamedServer, PromptAnswer, promptsOf, promptText, resourcesOf } from './offers';
import { forbidden, serverPolicy } from './policy';
import type { ConfiguredServer } from './readServers';
import { configHash, createRemembered } from './remembered';
import { blocksOf, ResourceAnswer, resourceBlocks, textOf } from './results';
import type { ServerConnection } from './serverConnection';
import { createTokenStore } from './tokenStore';
import { withKept, withServer } from './writeServers';

export interface McpOptions {
  readonly paths: CorePorts['paths'];
  readonly host: Pick<CorePorts['host'], 'platform' | 'version'>;
  readonly variables: Readonly<Record<string, string>>;
  readonly launch: LaunchServers;
  readonly sessions: {
    exists(sessionId: string): boolean;
    /** Its primary working folder, absolute. */
    folder(sessionId: string): string;
    /** Tells the people who look at it. */
    notice(sessionId: string, notice: { readonly text: string; readonly next: string }): void;
  };
  readonly engine: Pick<PermissionEngine, 'settings' | 'closeSession' | 'onChange'>;
  readonly trust: Pick<FolderTrust, 'isTrusted'>;
  readonly memory: TrustMemory;
  /** Where sign-ins are kept; null: in memory. */
  readonly secrets: Pick<SecretStore, 'read' | 'write'> | null;
  /** Whether servers may ask the person. */
  readonly interactive: boolean;
  /** Folder for copies of files that are changed. */
  readonly backups: string;
  readonly log: Log;
  now(): number;
  readonly limits?: Partial<McpLimits>;
}

/** Folders whose servers run at the same time; the one that was used longest ago ends first. */
const maxFolders = 12;
interface Open {
  readonly servers: FolderServers;
  usedAt: number;
  /** Sessions that have asked for tools here. */
  readonly sessions: Set<string>;
}

/** Opens nothing until a session or a page asks. */
export function createMcpServers(options: McpOptions): McpServers {
  const { paths, host, variables, launch, sessions, engine, trust, log, now } = options;
  const limits = { ...limitsFrom(variables), ...options.limits };
  const remembered = createRemembered(options.memory);
  const tokens = createTokenStore(options.secrets);
  const writer = createSettingsWriter({ backups: options.backups });
  const folders = new Map<string, Open>();
  const listeners = new Set<(folder: string) => void>();
  const ending = new Set<Promise<void>>();
  let disposed = false;

  /** Settings are read through a session of the engine that is nobody's. */
  const reader = (folder: string): string => `mcp:${folder}`;

  const stopListening = engine.onChange((sessionId) => {
    if (!sessionId.startsWith('mcp:')) return;
    folders.get(sessionId.slice('mcp:'.length))?.servers.refresh('force');
  });

  function open(folder: string): Open {
    const known = folders.get(folder);
    if (known !== undefined) {
      known.usedAt = now();
      return known;
    }
    if (folders.size >= maxFolders) {
      const [oldest] = [...folders].sort(([, one], [, other]) => one.usedAt - other.usedAt);
      if (oldest !== undefined) end(oldest[0], oldest[1]);
    }
    const users = new Set<string>();
    const servers = new FolderServers({
      folder,
      paths,
      host,
      variables,
      launch,
      limits,
      remembered,
      tokens,
      log,
      now,
      isTrusted: () => trust.isTrusted(folder),
      settings: () => engine.settings({ sessionId: reader(folder), folder }).files,
      elicit: async (server, params, asker) =>
        options.interactive ? await elicit(server, params, asker) : { action: 'decline' },
      notice(text, next) {
        for (const sessionId of users) if (sessions.exists(sessionId)) sessions.notice(sessionId, { text, next });
      },
      onChange: () => {
        for (const listener of listeners) listener(folder);
      },
    });
    const opened = { servers, usedAt: now(), sessions: users };
    folders.set(folder, opened);
    if (!disposed) servers.refresh('force');
    return opened;
  }

  function end(folder: string, { servers }: Open): void {
    folders.delete(folder);
    engine.closeSession(reader(folder));
    const ended = servers.dispose().finally(() => ending.delete(ended));
    ending.add(ended);
  }

  function ofFolder(folder: string): FolderServers {
    const { servers } = open(folder);
    servers.refresh('look');
    return servers;
  }

  function ofSession(sessionId: string): FolderServers {
    const opened = open(sessions.folder(sessionId));
    opened.sessions.add(sessionId);
    opened.servers.refresh('look');
    return opened.servers;
  }

  /** The server for a change; the error is for people. */
  function found(
    place: ServerPlace,
  ): Result<{ servers: FolderServers } & NonNullable<ReturnType<FolderServers['find']>>> {
    const servers = ofFolder(place.folder);
    const server = servers.find(place.id);
    if (server === null) return fail('There is no such server any more. Look at the list again.');
    return ok({ servers, ...server });
  }

  function chosen(servers: FolderServers, name: string | undefined): readonly NamedServer[] {
    const all = servers.connections().filter(({ connection }) => connection.kind === 'connected');
    if (name === undefined) return [...all].sort((one, other) => (one.name < other.name ? -1 : 1));
    const one = all.find((each) => each.name === name);
    if (one !== undefined) return [one];
    const names = all.map((each) => each.name);
    throw new ToolFailure(
      'mcp',
      `There is no connected MCP server “${serverName(name, 80)}”. Connected: ${names.length === 0 ? 'none' : names.join(', ')}.`,
    );
  }

  /** Writes one server into the file of its scope and looks again. */
  async function change(about: {
    readonly folder: string;
    readonly scope: ConfiguredServer['scope'];
    readonly name: string;
    readonly expect: 'new' | 'there';
    readonly config: McpServerConfig | null;
  }): Promise<Result<null>> {
    const { folder, scope, name, expect, config } = about;
    if (scope !== 'project' && scope !== 'gatehouse')
      return fail(`Servers of the scope ${scope} are not Gatehouse’s to change. Change them where they are written.`);
    const file = configPlaces(paths, folder)[scope];
    const written = await writer.change(file, (text) => withServer(text, name, { config, expect }));
    if (!written.ok) return written;
    // Who writes it here knows what it starts.
    if (scope === 'project' && config !== null) remembered.setAnswer(folder, name, { config, is: 'approved' });
    open(folder).servers.refresh('force');
    return ok(null);
  }

  const isBusy = (kind: ServerConnection['kind']): boolean => kind === 'connecting' || kind === 'restarting';

  return {
    tools: (sessionId) => ofSession(sessionId).tools(),
    notes: (sessionId) =>
      chosen(ofSession(sessionId), undefined).map(({ name, connection }) => ({
        server: name,
        instructions: connection.instructions,
      })),
    servers: (sessionId) => ofSession(sessionId).view().servers,
    async settled({ sessionId, names, waitMs, signal }) {
      const servers = ofSession(sessionId);
      const busy = (): boolean =>
        servers
          .connections()
          .some(({ name, connection }) => (names.length === 0 || names.includes(name)) && isBusy(connection.kind));
      await new Promise<void>((resolve) => {
        const look = (): void => {
          if (!busy() || signal.aborted) done();
        };
        const timer = setTimeout(() => done(), waitMs);
        const done = (): void => {
          clearTimeout(timer);
          listeners.delete(look);
          signal.removeEventListener('abort', done);
          resolve();
        };
        listeners.add(look);
        signal.addEventListener('abort', done);
        look();
      });
      return servers.view().servers.filter(({ name }) => names.length === 0 || names.includes(name));
    },
    resources: async (sessionId, server, signal) =>
      await resourcesOf(chosen(ofSession(sessionId), server), { isNamed: server !== undefined, signal }),
    async readResource(sessionId, { server, uri }, signal) {
      const [one] = chosen(ofSession(sessionId), server);
      if (one === undefined) return [];
      const answer = await one.connection.request({
        method: 'resources/read',
        params: { uri },
        schema: ResourceAnswer,
        timeoutMs: limits.idleMs.network,
        ...(signal === undefined ? {} : { signal }),
      });
      return resourceBlocks(answer.contents);
    },
    prompts: async (sessionId, server, signal) =>
      await promptsOf(chosen(ofSession(sessionId), server), { isNamed: server !== undefined, signal }),
    async callTool({ server, tool, input, place, signal }) {
      const connection = ofSession(place.sessionId).named(server);
      if (connection?.kind !== 'connected') throw new Error(`no MCP server “${server}” is connected`);
      if (!connection.tools.some(({ originalName }) => originalName === tool))
        throw new Error(`the MCP server “${server}” has no tool “${tool}”`);
      const answer = await connection.call({ tool, input, signal, asker: null, onProgress: () => undefined });
      return { text: textOf(blocksOf(answer)), isError: answer.isError === true };
    },

    async view(folder) {
      open(folder).servers.refresh('force');
      return open(folder).servers.view();
    },
    async approve(place) {
      const server = found(place);
      if (!server.ok) return server;
      const { configured, servers } = server.value;
      if (configured.scope !== 'project') return fail('Only servers that came with the folder need approval.');
      if (!trust.isTrusted(place.folder)) return fail('Trust the folder first; then look at the server again.');
      if (configHash(configured.config) !== place.hash) {
        servers.refresh('force');
        return fail('What this server would run has changed since you looked at it. Look at it again, then decide.');
      }
      remembered.setAnswer(place.folder, configured.name, { config: configured.config, is: 'approved' });
      servers.refresh('force');
      return ok(null);
    },
    async reject(place) {
      const server = found(place);
      if (!server.ok) return server;
      const { configured, servers } = server.value;
      if (configured.scope !== 'project')
        return fail('Only servers that came with the folder can be rejected; switch this one off.');
      remembered.setAnswer(place.folder, configured.name, { config: configured.config, is: 'rejected' });
      servers.refresh('force');
      return ok(null);
    },
    async restart(place) {
      const server = found(place);
      if (!server.ok) return server;
      const { running } = server.value;
      if (running === undefined) return fail('It may not run now; the list says why.');
      void running.connection.restart();
      return ok(null);
    },
    async setEnabled(place, to) {
      const server = found(place);
      if (!server.ok) return server;
      remembered.setDisabled(place.folder, server.value.configured.name, to);
      server.value.servers.refresh('force');
      return ok(null);
    },
    async confirmTools(place, tools, hash) {
      const server = found(place);
      if (!server.ok) return server;
      return server.value.servers.confirm(place.id, { tools, hash });
    },
    definition(place, tool) {
      const server = found(place);
      if (!server.ok) return server;
      const definition = server.value.servers.definition(place.id, tool);
      return definition === null ? fail('The server has no such tool now.') : ok(definition);
    },
    add: ({ folder, scope, name, config }) => change({ folder, scope, name, config, expect: 'new' }),
    async edit(place, config) {
      const server = found(place);
      if (!server.ok) return server;
      const { scope, name, config: before } = server.value.configured;
      return await change({ folder: place.folder, scope, name, config: withKept(config, before), expect: 'there' });
    },
    async remove(place) {
      const server = found(place);
      if (!server.ok) return server;
      const { scope, name } = server.value.configured;
      return await change({ folder: place.folder, scope, name, config: null, expect: 'there' });
    },
    async test({ folder, config }) {
      const expanded = expandConfig(config, variables);
      if (!expanded.ok) return { ok: false, message: expanded.error, tools: [], stderr: '' };
      const policy = serverPolicy(engine.settings({ sessionId: reader(folder), folder }).files);
      const refusal = forbidden(policy, '', expanded.value);
      if (refusal !== null) return { ok: false, message: refusal, tools: [], stderr: '' };
      const { testServer } = await import('./testServer');
      return await testServer({ config: expanded.value, folder, host, variables, limits, log, now });
    },
    async authorize(place) {
      const server = found(place);
      if (!server.ok) return server;
      const { running } = server.value;
      const auth = running?.auth ?? null;
      if (auth === null) return fail('Only servers over the network that may run can be signed in to.');
      const started = await auth.authorize();
      return started.ok ? ok({ url: started.value }) : started;
    },
    async signOut(place) {
      const server = found(place);
      if (!server.ok) return server;
      const { running } = server.value;
      running?.auth?.signOut();
      void running?.connection.restart();
      return ok(null);
    },
    stderr(place) {
      const server = found(place);
      if (!server.ok) return server;
      const output = server.value.running?.connection.output;
      return ok({ text: output?.text ?? '', droppedChars: output?.droppedChars ?? 0 });
    },
    folderResources: async (folder) => await resourcesOf(chosen(ofFolder(folder), undefined), { isNamed: false }),
    folderPrompts: async (folder) => await promptsOf(chosen(ofFolder(folder), undefined), { isNamed: false }),
    async prompt(place, { name, arguments: given }) {
      const server = found(place);
      if (!server.ok) return server;
      const connection = server.value.running?.connection;
      if (connection === undefined) return fail('The server does not run.');
      try {
        const answer = await connection.request({
          method: 'prompts/get',
          params: { name, arguments: given },
          schema: PromptAnswer,
        });
        return ok(promptText(answer.messages));
      } catch (error) {
        if (error instanceof ToolFailure) return fail(error.message);
        throw error;
      }
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async dispose() {
      disposed = true;
      stopListening();
      for (const [folder, opened] of folders) end(folder, opened);
      await Promise.all(ending);
    },
  };
}
