// The servers of one folder: what is configured, what may run, what runs, and the tools of all that do.
import { join } from 'node:path';
import type { ElicitRequestParams, ElicitResult } from '@modelcontextprotocol/client';
import type { McpScope, McpServerConfig, McpServerView, McpState, McpView } from '#shared/api/mcp';
import { fail, ok, type Result } from '#shared/util/result';
import type { SettingsInForce } from '../permissions/settingsInForce';
import { cameWithFolder } from '../permissions/trust';
import type { CorePorts, Log } from '../ports';
import type { AnyTool } from '../tools/tool';
import { createServerAuth, type ServerAuth } from './auth';
import { serverName } from './cleanText';
import { configSignature, type FolderConfig, readFolderConfig } from './configFiles';
import { expandConfig, onlyRefers } from './expand';
import type { LaunchServers } from './launchServers';
import type { McpLimits } from './limits';
import type { ListedTool } from './listedTools';
import { mcpTool } from './mcpTool';
import { serverKeys, type ToolName, toolNames } from './names';
import { forbidden, serverPolicy, settingsApproval } from './policy';
import type { ConfiguredServer } from './readServers';
import { configHash, type Remembered } from './remembered';
import { type Asker, ServerConnection } from './serverConnection';
import type { TokenStore } from './tokenStore';

export interface FolderOptions {
  readonly folder: string;
  readonly paths: CorePorts['paths'];
  readonly host: Pick<CorePorts['host'], 'platform' | 'version'>;
  readonly variables: Readonly<Record<string, string>>;
  readonly launch: LaunchServers;
  readonly limits: McpLimits;
  readonly remembered: Remembered;
  readonly tokens: TokenStore;
  readonly log: Log;
  now(): number;
  isTrusted(): boolean;
  /** The settings files that count in this folder, as they are now. */
  settings(): readonly SettingsInForce[];
  elicit(server: string, params: ElicitRequestParams, asker: Asker): Promise<ElicitResult>;
  /** Something for the people who work in this folder. */
  notice(text: string, next: string): void;
  onChange(): void;
}

/** Whether a configured server may run, and if not, what it is then. */
type Verdict =
  | { readonly kind: 'runs'; readonly config: McpServerConfig }
  | {
      readonly kind: 'waits';
      readonly state: Extract<McpState, 'disabled' | 'needsApproval' | 'failed'>;
      readonly reason: string;
      readonly needs: McpServerView['needs'];
      /** A server that only waits for a word leaves its name to others. */
      readonly yields: boolean;
    };

interface Running {
  /** Of the configuration as it is used. */
  readonly hash: string;
  readonly connection: ServerConnection;
  readonly auth: ServerAuth | null;
  /** Original names of tools whose definition is not the approved one. */
  readonly changed: Set<string>;
}

interface Entry {
  readonly id: string;
  readonly configured: ConfiguredServer;
  readonly verdict: Verdict;
}

/** Files are looked at again after so long, in milliseconds. */
const lookMs = 250;

/** Whose servers keep a name that several would get: what came with a folder comes last. */
const nameRank: readonly McpScope[] = ['managed', 'flag', 'user', 'gatehouse', 'local', 'project'];

const idOf = ({ scope, name }: Pick<ConfiguredServer, 'scope' | 'name'>): string => `${scope}/${name}`;

export class FolderServers {
  private entries: readonly Entry[] = [];
  private problems: readonly string[] = [];
  private readonly running = new Map<string, Running>();
  private signature = '';
  private lookedAt = Number.NEGATIVE_INFINITY;
  private pool: readonly AnyTool[] | null = null;
  private readonly names = new Map<string, ReadonlyMap<string, ToolName>>();
  private readonly made = new WeakMap<ListedTool, { readonly key: string; readonly tool: AnyTool }>();
  private readonly leaving = new Set<Promise<void>>();
  private readonly signInProblems = new Map<string, string>();
  private disposed = false;

  constructor(private readonly options: FolderOptions) {}

  /** Looks at the files when they may have changed, or at everything with `force`. */
  refresh(how: 'look' | 'force'): void {
    if (this.disposed) return;
    const { paths, folder, launch, now } = this.options;
    const at = now();
    if (how === 'look' && at - this.lookedAt < lookMs) return;
    this.lookedAt = at;
    const signature = configSignature({ paths, folder, launch });
    if (how === 'look' && signature === this.signature) return;
    this.signature = signature;
    this.reconcile(readFolderConfig({ paths, folder, launch }));
  }

  private reconcile(config: FolderConfig): void {
    const before = JSON.stringify(this.entries);
    const judge = config.servers.length === 0 ? null : this.judge(config);
    const taken = new Set<string>();
    this.entries = config.servers.map((configured): Entry => {
      const verdict = judge?.(configured) ?? hidden;
      const shadowed = taken.has(configured.name);
      if (verdict.kind === 'runs' || !verdict.yields) taken.add(configured.name);
      return { id: idOf(configured), configured, verdict: shadowed ? hidden : verdict };
    });
    this.problems = config.problems;
    this.adjust();
    if (JSON.stringify(this.entries) !== before) this.changed();
  }

  /** Ends what may not run any more and starts what may. */
  private adjust(): void {
    const wanted = new Map(
      this.entries.flatMap(({ id, verdict }) => (verdict.kind === 'runs' ? [[id, verdict.config] as const] : [])),
    );
    for (const [id, { hash, connection, auth }] of this.running) {
      const config = wanted.get(id);
      if (config !== undefined && configHash(config) + String(config.timeout) === hash) continue;
      this.running.delete(id);
      auth?.dispose();
      const left = connection.dispose().finally(() => this.leaving.delete(left));
      this.leaving.add(left);
    }
    for (const { id, configured } of this.entries) {
      const config = wanted.get(id);
      if (config !== undefined && !this.running.has(id)) this.start(id, configured, config);
    }
  }

  private start(id: string, configured: ConfiguredServer, config: McpServerConfig): void {
    const { folder, host, variables, limits, tokens, log, now } = this.options;
    const { name } = configured;
    const changed = new Set<string>();
    const auth =
      config.type === 'stdio'
        ? null
        : createServerAuth({
            url: config.url,
            tokens,
            log,
            onSignedIn: () => {
              this.signInProblems.delete(id);
              void this.running.get(id)?.connection.restart();
            },
            onFailed: (why) => {
              this.signInProblems.set(id, why);
              this.changed();
            },
          });
    const connection = new ServerConnection({
      name,
      config,
      folder,
      host,
      variables,
      limits,
      auth,
      log,
      now,
      elicit: (params, asker) => this.options.elicit(name, params, asker),
      onTools: (tools) => this.comparePins(configured, tools, changed),
      onChange: () => this.changed(),
    });
    this.running.set(id, { hash: configHash(config) + String(config.timeout), connection, auth, changed });
  }

  /** What every server's fate hangs on, read once for all of them. */
  private judge({ person }: FolderConfig): (server: ConfiguredServer) => Verdict {
    const { folder, paths, host, remembered, variables } = this.options;
    const files = this.options.settings();
    const policy = serverPolicy(files);
    const userFile = join(paths.claudeConfig, 'settings.json');
    const ignoreCase = host.platform === 'win32' || host.platform === 'darwin';
    const approval = settingsApproval(
      files,
      ({ source, path }) => path !== null && cameWithFolder({ source, path, userFile, ignoreCase }),
    );
    const trusted = this.options.isTrusted();
    return ({ name, scope, config }) => {
      const off = (reason: string): Verdict => ({
        kind: 'waits',
        state: 'disabled',
        reason,
        needs: null,
        yields: false,
      });
      if (remembered.isDisabled(folder, name)) return off('Switched off here.');
      const expanded = expandConfig(config, variables);
      const refusal = forbidden(policy, name, expanded.ok ? expanded.value : config);
      if (refusal !== null) return off(refusal);
      if (person.disabled.includes(name) || (scope === 'project' && approval.disabled.has(name)))
        return off('Switched off by the settings (disabledMcpjsonServers).');
      if (scope === 'project') {
        const answer = remembered.answer(folder, name, config);
        if (answer === 'rejected') return { ...off('You rejected it.'), needs: 'approval', yields: true };
        const approved =
          answer === 'approved' || approval.all || approval.enabled.has(name) || person.enabled.includes(name);
        const waits = (needs: 'trust' | 'approval' | 'changed', reason: string): Verdict => ({
          kind: 'waits',
          state: 'needsApproval',
          reason,
          needs,
          yields: true,
        });
        if (!trusted) return waits('trust', 'It came with the folder, which you do not trust yet.');
        if (answer === 'changed' && !approval.all)
          return waits('changed', 'What it would start has changed since you approved it. Look at it again.');
        if (!approved)
          return waits('approval', 'It came with the folder. Look at what it would start, then approve it.');
      }
      const problem = expanded.ok ? addressProblem(expanded.value) : expanded.error;
      if (problem !== null) return { kind: 'waits', state: 'failed', reason: problem, needs: null, yields: false };
      return { kind: 'runs', config: expanded.ok ? expanded.value : config };
    };
  }

  private pinKey({ scope, name }: ConfiguredServer): string {
    return scope === 'project' || scope === 'local' ? `${scope}:${this.options.folder}:${name}` : `${scope}:${name}`;
  }

  /** New definitions are remembered, others compared with what was seen first. */
  private comparePins(configured: ConfiguredServer, tools: readonly ListedTool[], changed: Set<string>): void {
    const { remembered } = this.options;
    const key = this.pinKey(configured);
    const pins = remembered.pins(key);
    const fresh = new Map<string, string>();
    const texts = new Map<string, string>();
    const news: string[] = [];
    for (const { originalName, hash, definition } of tools) {
      const pinned = pins.get(originalName);
      if (pinned === undefined) {
        fresh.set(originalName, hash);
        texts.set(originalName, definition);
      }
      if (pinned === undefined || pinned === hash) changed.delete(originalName);
      else if (!changed.has(originalName)) {
        changed.add(originalName);
        news.push(originalName);
      }
    }
    if (fresh.size > 0) {
      remembered.pin(key, fresh);
      remembered.keepDefinitions(key, texts);
    }
    if (news.length === 0) return;
    const names = news.slice(0, 5).map((name) => serverName(name, 80));
    const more = news.length > names.length ? ` and ${news.length - names.length} more` : '';
    this.options.notice(
      `The MCP server ${configured.name} has changed what its tools are: ${names.join(', ')}${more}. Rules that allow them wait.`,
      'Look at the new definitions on the Tools & MCP page and confirm them there.',
    );
  }

  /** The accepted definition of a tool and the present one; null: there is no such tool now. */
  definition(id: string, tool: string): { before: string | null; now: string; hash: string } | null {
    const found = this.find(id);
    const listed = found?.running?.connection.tools.find(({ originalName }) => originalName === tool);
    if (found === null || listed === undefined) return null;
    const before = this.options.remembered.definition(this.pinKey(found.configured), tool);
    return { before, now: listed.definition, hash: listed.hash };
  }

  /**
   * Accepts the present definitions of changed tools; all of them when `tools` is empty. With `hash` only what still is
   * the definition that the person has seen.
   */
  confirm(id: string, { tools, hash: seen }: { tools: readonly string[]; hash?: string | undefined }): Result<null> {
    const found = this.find(id);
    if (found?.running === undefined) return fail('The server does not run.');
    const { configured, running } = found;
    const { remembered } = this.options;
    const wanted = running.connection.tools.filter(
      ({ originalName }) => running.changed.has(originalName) && (tools.length === 0 || tools.includes(originalName)),
    );
    if (seen !== undefined && wanted.some(({ hash }) => hash !== seen))
      return fail('The definition has changed again meanwhile. Look at it once more.');
    const key = this.pinKey(configured);
    remembered.pin(key, new Map(wanted.map(({ originalName, hash }) => [originalName, hash])));
    remembered.keepDefinitions(key, new Map(wanted.map((tool) => [tool.originalName, tool.definition])));
    for (const { originalName } of wanted) running.changed.delete(originalName);
    this.changed();
    return ok(null);
  }

  find(id: string): { readonly configured: ConfiguredServer; readonly running: Running | undefined } | null {
    const entry = this.entries.find((one) => one.id === id);
    return entry === undefined ? null : { configured: entry.configured, running: this.running.get(id) };
  }

  /** Running servers by name; the names are unique among them. */
  named(name: string): ServerConnection | undefined {
    const entry = this.entries.find(({ configured, verdict }) => configured.name === name && verdict.kind === 'runs');
    return entry === undefined ? undefined : this.running.get(entry.id)?.connection;
  }

  connections(): readonly { readonly name: string; readonly connection: ServerConnection }[] {
    return this.entries.flatMap(({ id, configured }) => {
      const running = this.running.get(id);
      return running === undefined ? [] : [{ name: configured.name, connection: running.connection }];
    });
  }

  /** Tools of all connected servers, sorted by name; the same until something changes. */
  tools(): readonly AnyTool[] {
    this.pool ??= this.makePool();
    return this.pool;
  }

  private makePool(): readonly AnyTool[] {
    const order = ({ configured }: Entry): number => nameRank.indexOf(configured.scope);
    const active = this.entries
      .filter(({ verdict }) => verdict.kind === 'runs')
      .sort((one, other) => order(one) - order(other) || (one.id < other.id ? -1 : 1));
    const keys = serverKeys(active.map(({ configured }) => configured.name));
    const pool = new Map<string, AnyTool>();
    this.names.clear();
    for (const { id, configured } of active) {
      const running = this.running.get(id);
      const key = keys.get(configured.name);
      if (running === undefined || key === undefined) continue;
      const names = toolNames(
        key,
        running.connection.tools.map((tool) => tool.originalName),
      );
      this.names.set(id, names);
      for (const tool of running.connection.tools) {
        const name = names.get(tool.originalName);
        if (name !== undefined && !pool.has(name.name))
          pool.set(name.name, this.toolOf({ tool, name, running, configured }));
      }
    }
    return [...pool.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  private toolOf(about: {
    readonly tool: ListedTool;
    readonly name: ToolName;
    readonly running: Running;
    readonly configured: ConfiguredServer;
  }): AnyTool {
    const { tool, name, running, configured } = about;
    const known = this.made.get(tool);
    if (known !== undefined && known.key === name.ruleName) return known.tool;
    const made = mcpTool({
      serverName: configured.name,
      tool,
      name,
      alwaysLoad: tool.alwaysLoad || configured.config.alwaysLoad === true,
      resultChars: this.options.limits.resultChars,
      connection: running.connection,
      isChanged: () => running.changed.has(tool.originalName),
    });
    this.made.set(tool, { key: name.ruleName, tool: made });
    return made;
  }

  view(): McpView {
    this.tools();
    return {
      folder: this.options.folder,
      servers: this.entries.map((entry) => this.viewOf(entry)),
      problems: [...this.problems],
    };
  }

  private viewOf({ id, configured, verdict }: Entry): McpServerView {
    const { name, scope, file, config } = configured;
    const running = this.running.get(id);
    const connection = running?.connection;
    const names = this.names.get(id);
    const state = verdict.kind === 'waits' ? verdict.state : (connection?.kind ?? 'connecting');
    const reasons = verdict.kind === 'waits' ? [verdict.reason] : [connection?.reason ?? ''];
    const signIn = this.signInProblems.get(id);
    if (signIn !== undefined && state === 'needsAuth') reasons.push(signIn);
    return {
      id,
      name,
      scope,
      file,
      editable: scope === 'project' || scope === 'gatehouse',
      config: withoutSecrets(config),
      configHash: configHash(config),
      target: targetOf(config),
      state,
      reason: reasons.join(' ').trim(),
      needs: verdict.kind === 'waits' ? verdict.needs : null,
      version: connection?.version ?? '',
      instructions: connection?.instructions ?? '',
      tools: (connection?.tools ?? []).map((tool) => ({
        name: names?.get(tool.originalName)?.name ?? '',
        originalName: tool.originalName,
        ruleName: names?.get(tool.originalName)?.ruleName ?? '',
        description: tool.description,
        hints: tool.hints,
        alwaysLoad: tool.alwaysLoad || config.alwaysLoad === true,
        changed: running?.changed.has(tool.originalName) ?? false,
      })),
      problems: [...(connection?.problems ?? [])],
      resources: connection?.offers('resources') ?? false,
      prompts: connection?.offers('prompts') ?? false,
      connectedAt: connection?.connectedAt ?? null,
      signedIn: running?.auth?.signedIn ?? false,
    };
  }

  private changed(): void {
    this.pool = null;
    if (!this.disposed) this.options.onChange();
  }

  async dispose(): Promise<void> {
    this.disposed = true;
    const all = [...this.running.values()];
    this.running.clear();
    this.entries = [];
    for (const { auth } of all) auth?.dispose();
    await Promise.all([...all.map(({ connection }) => connection.dispose()), ...this.leaving]);
  }
}

const hidden: Verdict = {
  kind: 'waits',
  state: 'disabled',
  reason: 'Another server of the same name is used.',
  needs: null,
  yields: true,
};

function addressProblem(config: McpServerConfig): string | null {
  if (config.type === 'stdio') return null;
  const url = URL.parse(config.url);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return 'Its url is no http or https address. Mend it in the file.';
  return null;
}

function withoutSecrets(config: McpServerConfig): McpServerConfig {
  const shown = (texts: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, onlyRefers(text) ? text : '']));
  if (config.type === 'stdio') return { ...config, env: shown(config.env) };
  return { ...config, headers: shown(config.headers) };
}

/** What would be started or reached, in one line. */
export function targetOf(config: McpServerConfig): string {
  if (config.type !== 'stdio') {
    const helper = config.headersHelper === undefined ? '' : ` (headers by: ${config.headersHelper})`;
    return serverName(`${config.url}${helper}`, 500);
  }
  const words = [config.command, ...config.args].map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word),
  );
  return serverName(words.join(' '), 500);
}
