// Composition root: ports in, connections accepted, everything ended on dispose.
import { dirname, join } from 'node:path';
import { RpcError } from '#shared/rpc/errors';
import type { Transport } from '#shared/rpc/transport';
import type { SandboxState } from '#shared/session/ask';
import type { ModelChoice } from '#shared/session/events';
import { Agent, defaultStopBlockCap, type SessionServices, untitled } from './agent/agent';
import { connectAgents } from './agent/connectAgents';
import { concurrencyFrom, positiveFrom } from './agent/scheduler';
import { changeHandlers } from './api/changeHandlers';
import { commandHandlers } from './api/commandHandlers';
import { fileHandlers } from './api/fileHandlers';
import { historyHandlers } from './api/historyHandlers';
import { hookHandlers } from './api/hookHandlers';
import { hostHandlers } from './api/hostHandlers';
import { mcpHandlers } from './api/mcpHandlers';
import { networkHandlers } from './api/networkHandlers';
import { Pages } from './api/pages';
import { permissionHandlers } from './api/permissionHandlers';
import { policyHandlers } from './api/policyHandlers';
import { resultHandlers } from './api/resultHandlers';
import { ruleHandlers } from './api/ruleHandlers';
import { sandboxHandlers } from './api/sandboxHandlers';
import { searchHandlers } from './api/searchHandlers';
import type { ApiServices } from './api/services';
import { sessionHandlers } from './api/sessionHandlers';
import { settingsHandlers } from './api/settingsHandlers';
import { toolHandlers } from './api/toolHandlers';
import { traceHandlers } from './api/traceHandlers';
import { transcriptHandlers } from './api/transcriptHandlers';
import { ChangeLog } from './changes/changeLog';
import { isReadOnlyCall } from './changes/connectChanges';
import { createChanges } from './changes/createChanges';
import { createScheduler } from './cron/createScheduler';
import { createExecutorClient } from './executor/client';
import { OutputHub } from './executor/outputHub';
import { programsInPath } from './executor/programsInPath';
import { ExecutorSupervisor } from './executor/supervisor';
import { createHistory } from './history/createHistory';
import { createReplayer } from './history/worker/replayer';
import { connectHooks } from './hooks/connectHooks';
import { connectHookVariables } from './hooks/connectHookVariables';
import { createMcpServers } from './mcp/createMcpServers';
import { holdCallsUntil } from './model/firstCalls';
import { limitMessages } from './model/messageLimit';
import { Models } from './model/models';
import { NetworkAsks } from './network/networkAsks';
import { Asks } from './permissions/asks';
import { createModelClassifier, whyNoModel } from './permissions/modelClassifier';
import { createPermissionEngine } from './permissions/permissionEngine';
import { isReadOnlyCommand } from './permissions/readOnlyCommand';
import { loadSecondParser } from './permissions/shell/treeSitter';
import { createFolderTrust } from './permissions/trust';
import { createPolicy } from './policy/createPolicy';
import { createPastUsage } from './policy/lint/pastUsage';
import type { CorePorts } from './ports';
import { PreferenceStore } from './preferences';
import { ResultsBrowser } from './results/browser/resultsBrowser';
import { createResultStore } from './results/createResultStore';
import { keepResultsTidy } from './results/keepTidy';
import { resultsOf } from './results/names';
import { createSandbox } from './sandbox/createSandbox';
import { createReading } from './search/createReading';
import { Branching } from './sessions/branching';
import { openDatabase } from './sessions/database';
import { emptyTrash } from './sessions/emptyTrash';
import { SessionService } from './sessions/service';
import { SessionStore } from './sessions/store';
import { createSettingsWriter } from './settings/settingsWriter';
import { mayGoOnInBackground } from './tasks/backgroundable';
import { TaskRegistry } from './tasks/taskRegistry';
import { bashLimits } from './tools/bash/limits';
import { builtInTools } from './tools/builtInTools';
import { connectCode } from './tools/connectCode';
import { connectSelf } from './tools/connectSelf';
import { CountedTotals } from './tools/countedTotals';
import { SessionTools } from './tools/sessionTools';
import { toolWishes } from './tools/toolWishes';
import { connectWeb } from './tools/webFetch/connectWeb';

export interface Core {
  /** Serves one page until its transport closes. */
  accept(transport: Transport): void;
  /** Stops turns, ends the executor with all it started, closes the database. */
  dispose(): Promise<void>;
}

/** Opens the data folder and puts everything together. Throws DatabaseRefused when the folder cannot be used. */
export async function createCore(ports: CorePorts): Promise<Core> {
  const { log, paths } = ports;
  const interactive = ports.headless === undefined;
  const now = (): number => performance.timeOrigin + performance.now();

  // sessions
  const opened = openDatabase({
    folder: paths.data,
    nativeBinding: ports.sqliteBinding,
    use: interactive ? 'alone' : 'beside',
  });
  const store = new SessionStore(opened.database, (sessionId, seq) => log.warn('event left out', { sessionId, seq }));
  const sessions = new SessionService(store, now);
  const preferences = new PreferenceStore(store);
  if (interactive) sessions.repairInterrupted((sessionId) => !opened.claims.heldElsewhere(sessionId));

  // results
  const results = createResultStore({
    folder: join(paths.data, 'projects'),
    workingFolder: (sessionId) => (sessions.exists(sessionId) ? sessions.state(sessionId).folder : null),
    log,
  });
  if (interactive) void keepResultsTidy({ paths, log });

  // executor
  const supervisor = new ExecutorSupervisor({ launch: () => ports.launchExecutor(), log });
  const outputs = new OutputHub();
  const executor = createExecutorClient({ supervisor, outputs, outputFolder: results.folder });
  const sandboxState = (network: boolean): SandboxState => {
    const { available, kind, reason } = supervisor.sandbox;
    return { active: available, kind, reason, network };
  };

  // permissions
  const models = new Models(ports, () => preferences.get());
  const trust = createFolderTrust(store);
  const engine = createPermissionEngine({
    paths,
    platform: ports.host.platform,
    allowBypass: ports.host.allowBypass,
    runsAsRoot: ports.host.runsAsRoot,
    flagSettings: ports.host.permissions.flagSettings,
    serverFiles: (ports.host.mcp?.sources ?? []).flatMap((source) => ('file' in source ? [source.file] : [])),
    extraSources: [ports.host.permissions.cliArg],
    trust,
    resultFolder: (sessionId) => results.sessionFolder(sessionId),
    commandSandbox: (sessionId) => sandbox.forDecision(sessionId),
    whyNoClassifier: (sessionId) =>
      whyNoModel({
        hasServer: models.connected(),
        model: sessionId !== null && sessions.exists(sessionId) ? sessions.state(sessionId).model : null,
      }),
    log,
  });
  const classifier = createModelClassifier({
    clientFor: (choice) => models.clientFor(choice),
    offered: async () => (await models.list()).models,
  });
  const asks = new Asks(sessions, engine, (what, error) => log.error(what, error));

  const sandbox = createSandbox({
    noListed: () => supervisor.sandbox.noListed,
    machine: sandboxState,
    sessions,
    engine,
    paths,
    variables: ports.environment.variables,
  });

  const networkAsks = new NetworkAsks({
    sessions,
    engine,
    domains: (sessionId) => sandbox.domains(sessionId),
    canAsk: () => interactive,
  });

  // MCP
  const mcp = createMcpServers({
    paths,
    host: ports.host,
    variables: ports.environment.variables,
    launch: ports.host.mcp ?? { sources: [], strict: false },
    sessions: {
      exists: (sessionId) => sessions.exists(sessionId),
      folder: (sessionId) => sessions.state(sessionId).folder,
      notice: (sessionId, told) => void sessions.append(sessionId, { type: 'notice', level: 'warning', ...told }),
    },
    engine,
    trust,
    memory: store,
    secrets: ports.signIns ?? null,
    interactive,
    backups: join(paths.data, 'backups'),
    log,
    now,
  });

  // turns
  const agents = connectAgents({
    paths,
    sessions,
    engine,
    models,
    isTrusted: (folder) => trust.isTrusted(folder),
    stillTrusted: (folder, defined) => trust.checkDefinitions(folder, defined),
    turns: () => turns,
    log,
  });
  const modelOf = (sessionId: string) => sessions.state(sessionId).model;
  const builtIn = builtInTools({
    web: connectWeb({ models, modelOf, variables: ports.environment.variables, now }),
    mcp,
    agents: agents.tools,
    self: connectSelf({
      sessions,
      asks,
      preferences,
      services: () => pipeline,
      onPreferences: () => announceSettings(),
      tellPages: (notification) => {
        pages.everywhere('session.notification', notification);
        // A run without a page is a connection, too, but nobody looks at it.
        return interactive ? pages.count : 0;
      },
      scheduler: () => scheduler,
      isInPath: programsInPath({ path: ports.environment.variables.PATH, platform: ports.host.platform }),
      now,
    }),
    code: connectCode({
      ports,
      preferences,
      supervisor,
      sessions,
      workingFolders: (sessionId) => engine.workingFolders(sessionId),
    }),
    isReadOnlyCommand,
    mayGoOnInBackground,
    limits: bashLimits(ports.environment.bash),
    workingFolders: (sessionId) => engine.workingFolders(sessionId),
  });
  const tools = new SessionTools({
    tools: builtIn,
    mcpTools: (sessionId) => mcp.tools(sessionId),
    sessions,
    engine,
    wishes: (sessionId) =>
      toolWishes(ports, {
        preferences: preferences.get(),
        contextTokens: models.knownContextTokens(modelOf(sessionId)),
      }),
  });
  const tasks = new TaskRegistry({ sessions, now, log });
  const registry = (sessionId: string) => tools.registry(sessionId);
  const hooks = connectHooks({
    ports,
    sessions,
    engine,
    results,
    models,
    registry,
    now,
    callMcpTool: mcp.callTool,
    commandHooks: (sessionId, agentId) => agents.commands.hooks(sessionId, agentId),
    runAgent: agents.runHookAgent,
  });
  const hookVariables = connectHookVariables({ ports, sessions });
  const changes = createChanges({
    sessions,
    changeLog: new ChangeLog(opened.database),
    resultFolder: (sessionId) => results.sessionFolder(sessionId),
    heldElsewhere: (sessionId) => opened.claims.heldElsewhere(sessionId),
    isReadOnly: (sessionId, call) => isReadOnlyCall(registry(sessionId), call),
    protectedPaths: [paths.data, paths.managedSettings, join(paths.claudeConfig, 'projects'), ...paths.privateFiles],
    log,
    now,
  });
  const pipeline: SessionServices = {
    sessions,
    engine,
    asks,
    classifier,
    hooks,
    results,
    tasks: (sessionId, callId) => tasks.forCall(sessionId, callId),
    log,
    canAsk: () => interactive,
    // A run can be taken up again; on the page there is somebody to ask instead.
    ...(interactive ? {} : { deferCall: () => true }),
    now,
    home: paths.home,
    registry,
    serverNotes: (sessionId) => mcp.notes(sessionId),
    fileStates: (sessionId) => tools.fileStates(sessionId),
    inspector: () => executor.inspector(),
    executorFor: (grant, { sessionId, signal, policy }) =>
      changes.recording(
        executor.handleFor(grant, {
          signal,
          policy,
          hosts: (text) => networkAsks.forCommand({ sessionId, callId: grant.callId, text }),
          variables: async () => {
            const given = await hookVariables(sessionId);
            return grant.runs === 'outside' ? given : sandbox.withoutDenied(sessionId, given);
          },
        }),
        { sessionId, callId: grant.callId },
      ),
    sandboxPolicy: (sessionId) => sandbox.policy(sessionId),
    sandboxState: (sessionId) => sandbox.state(sessionId),
  };
  // The page shows the sandbox's state from the start, so the probe must have run; without a page only calls wait for it.
  let disposing = false;
  const executorUp = supervisor.start().catch((error: unknown) => {
    if (!disposing) log.error('the executor did not start', error);
  });
  // The engine loads the parser as well and tells of a failure; whether calls may overlap is judged without waiting for it.
  const ready = Promise.all([executorUp, loadSecondParser().catch(() => undefined)]);
  if (interactive) await ready;
  const turns = {
    services: pipeline,
    clientFor: (choice: ModelChoice) => {
      const client = holdCallsUntil(models.clientFor(choice), ready);
      const most = ports.headless?.maxMessages ?? null;
      return most === null ? client : limitMessages(client, most);
    },
    platform: ports.host.platform,
    concurrency: concurrencyFrom(ports.environment.maxToolConcurrency),
    contextTokens: (choice: ModelChoice) => models.contextTokens(choice),
    stopBlockCap: positiveFrom(ports.environment.stopHookBlockCap, defaultStopBlockCap),
  };
  const { contexts, commands, modelFor, subAgents } = agents;
  const agent = new Agent({ ...turns, contexts, commands, modelFor });

  // What was granted for a turn ends with it, and calls are counted within it.
  sessions.listen({
    onEvent(sessionId, { body }) {
      if (body.type === 'turn.started') engine.startTurn(sessionId);
      if (body.type === 'turn.finished') engine.endTurn(sessionId);
    },
    onLive: () => undefined,
    onListChange: () => undefined,
  });

  // pages
  const pages = new Pages({ sessions, engine });
  mcp.onChange((folder) => pages.everywhere('mcp.changed', { folder }));
  engine.editor.onSteps((view) => pages.everywhere('rules.steps', view));
  supervisor.onState((state) => pages.everywhere('host.executor', state));
  supervisor.onSandbox(() => pages.everywhere('host.sandbox', sandboxState(false)));

  const branching = new Branching({ store, sessions, resultsRoot: results.folder, untitled, now });
  const reading = createReading({
    places: {
      claudeConfig: paths.claudeConfig,
      data: paths.data,
      home: paths.home,
      nativeBinding: ports.sqliteBinding,
    },
    threadFile: ports.searchThread ?? null,
    listener: {
      onState: (state) => pages.everywhere('search.state', state),
      onTranscripts: () => pages.everywhere('transcripts.changed', {}),
    },
    log,
  });
  const services: ApiServices = {
    ports,
    opened,
    sessions,
    branching,
    reading,
    agent,
    asks,
    networkAsks,
    engine,
    models,
    preferences,
    outputs,
    tasks,
    subAgents,
    supervisor,
    executor,
    sandboxState,
  };
  const announceSettings = (): void => {
    pages.everywhere('settings.changed', { preferences: preferences.get(), key: ports.secrets.state() });
    classifier.forget();
    pages.announceAllModes();
  };
  const scheduler = interactive
    ? createScheduler({ database: opened.database, sessions, engine, agent, log, now })
    : null;
  const history = createHistory({
    claudeConfig: paths.claudeConfig,
    nativeBinding: ports.sqliteBinding,
    place: { ...paths, platform: ports.host.platform },
    threadFile: ports.historyThread ?? null,
    createReplayer,
    drafts: engine.drafts,
    folderOf(sessionId) {
      if (!sessions.exists(sessionId)) throw new RpcError('notFound', 'This session no longer exists.');
      return sessions.state(sessionId).folder;
    },
    onState: (state) => pages.announceHistory(state),
    log,
    now: () => Date.now(),
  });
  const pastUsage = createPastUsage({ history, now });
  const policy = createPolicy({
    drafts: engine.drafts,
    paths,
    platform: ports.host.platform,
    writer: createSettingsWriter({ backups: join(paths.data, 'backups') }),
    tools: (sessionId) => [...builtIn, ...mcp.tools(sessionId)],
    servers: (sessionId) => mcp.servers(sessionId).map((server) => server.name),
    files: (session) => engine.settings(session).files,
    usage: (sessionId) => pastUsage.of(sessionId),
  });
  const resultsBrowser = new ResultsBrowser({
    paths,
    folder: results.folder,
    database: opened.database,
    sessions: () => sessions.list(),
    threadFile: ports.resultsThread ?? null,
    revealFile: ports.revealFile ?? null,
    onChange: () => pages.everywhere('results.changed', {}),
    log,
    now: () => Date.now(),
  });
  sessions.listen({
    onEvent: (_sessionId, { body }) => resultsBrowser.take(body),
    onLive: () => undefined,
    onListChange: () => undefined,
  });
  const handlers = {
    ...hostHandlers(services),
    ...sessionHandlers(services),
    ...permissionHandlers(services),
    ...networkHandlers({ networkAsks }),
    ...settingsHandlers(services, announceSettings),
    ...mcpHandlers({ mcp }),
    ...toolHandlers(services, { registry, counted: new CountedTotals() }),
    ...commandHandlers({ sessions, contexts }),
    ...ruleHandlers({ data: paths.data, sessions, engine }),
    ...policyHandlers({ policy, sessions }),
    ...historyHandlers(services, history),
    ...resultHandlers({ results: resultsBrowser }),
    ...traceHandlers({
      database: opened.database,
      sessions: store,
      home: paths.home,
      version: ports.host.version,
      now,
    }),
    ...changeHandlers(changes),
    ...searchHandlers(services),
    ...hookHandlers({ ports, sessions, engine, hooks, registry, database: opened.database }),
    ...fileHandlers(services),
    ...transcriptHandlers(services),
    ...sandboxHandlers({ sessions, engine, sandbox }),
  };

  scheduler?.start();
  if (interactive)
    void emptyTrash({
      store,
      now: now(),
      removeFiles: (session) => resultsBrowser.removeSession(dirname(resultsOf(results.folder, session))),
      stopped: () => disposing,
      log,
    });
  return {
    accept: (transport) =>
      pages.accept(transport, { handlers, onBug: (method, error) => log.error(`${method} failed`, error) }),
    async dispose() {
      disposing = true;
      scheduler?.dispose();
      await agent.dispose();
      asks.dispose();
      networkAsks.dispose();
      await hooks.dispose();
      await tasks.dispose();
      contexts.dispose();
      pastUsage.dispose();
      await history.dispose();
      await reading.dispose();
      await resultsBrowser.dispose();
      await mcp.dispose();
      await engine.dispose();
      await supervisor.dispose();
      await changes.dispose();
      outputs.dispose();
      opened.close();
    },
  };
}
