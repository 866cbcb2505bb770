// What calls of a sub-agent run with: the session's pipeline, rules and results, fewer tools, its own view of files.
import { join } from 'node:path';
import type { SandboxPolicy } from '#shared/api/executor';
import type { HookEvent, Hooks } from '../hooks/hooks';
import { noHookOutcome } from '../hooks/hooks';
import type { PermissionEngine } from '../permissions/engine';
import type { PipelineServices } from '../pipeline/services';
import { diskView } from '../sandbox/diskView';
import { protectedIn, worktreesOf } from '../sandbox/protectedPlaces';
import type { SessionLog } from '../sessions/service';
import { FileStates } from '../tools/fileStates';
import { createLoading } from '../tools/loading';
import type { ToolRegistry } from '../tools/registry';
import type { AnyTool } from '../tools/tool';

/** Tools that speak for the session itself: with its person, about its plan, its mode and its settings. */
const sessionsOwn: ReadonlySet<string> = new Set([
  ...['AskUserQuestion', 'TodoWrite', 'EnterPlanMode', 'ExitPlanMode', 'EnterWorktree', 'ExitWorktree'],
  ...['SetConfig', 'CronCreate', 'CronDelete', 'SendNotification'],
]);

export interface AgentServicesOptions {
  readonly parent: PipelineServices;
  readonly sessions: SessionLog;
  readonly sessionId: string;
  readonly agentId: string;
  readonly agentType: string;
  /** Its own worktree; null: it works where its parent does. */
  readonly folder: string | null;
  /** Names of tools it may have; null: all that the parent has. */
  readonly tools: readonly string[] | null;
  readonly withoutTools: readonly string[];
  /** Whether it may start agents itself. */
  readonly mayStartAgents: boolean;
  /** Whether its own file has hooks for an event, and the name it is listened for by. */
  hasHooks(): boolean;
}

/** Everything that the parent is denied is denied here too: rules, denials and mode are the session's. */
export function agentServices(options: AgentServicesOptions): PipelineServices {
  const { parent, sessions, agentId, agentType } = options;
  const fileStates = new FileStates();
  return {
    ...parent,
    sessions,
    agent: { agentId, agentType },
    engine: agentEngine(parent.engine, agentId),
    hooks: agentHooks(options),
    sandboxPolicy: (id) => agentSandbox(parent.sandboxPolicy(id), { id, ...options }),
    registry: (sessionId) => agentRegistry(parent.registry(sessionId), (tool) => mayHave(tool, options)),
    fileStates: () => fileStates,
  };
}

/** With a worktree of its own it writes there and no longer into the parent's checkout. */
function agentSandbox(
  policy: SandboxPolicy,
  { id, parent, folder }: Pick<AgentServicesOptions, 'parent' | 'folder'> & { readonly id: string },
): SandboxPolicy {
  if (folder === null) return policy;
  const main = parent.sessions.state(id).folder;
  const others = policy.writable.filter((path) => path !== main && path !== worktreesOf(main));
  return {
    ...policy,
    // Its commits go into the repository that both checkouts share.
    writable: [folder, join(main, '.git'), ...others],
    readOnly: [...(policy.readOnly ?? []), ...protectedIn(folder, { home: parent.home, exists: diskView.exists })],
  };
}

/** A rule that names a tool stands for the tool: `Bash(git *)` gives Bash, and what it may run the rules decide. */
function mayHave(tool: AnyTool, { tools, withoutTools, mayStartAgents }: AgentServicesOptions): boolean {
  const isNamed = (names: readonly string[]) => names.some((name) => stands(name.replace(/\(.*$/s, ''), tool));
  if (sessionsOwn.has(tool.name) || isNamed(withoutTools.filter((name) => !name.includes('(')))) return false;
  if (tool.name === 'Agent' && !mayStartAgents) return false;
  return tools === null || isNamed(tools);
}

function stands(name: string, tool: AnyTool): boolean {
  if (name === tool.name || tool.aliases.includes(name)) return true;
  if (tool.mcpInfo === null) return false;
  const server = `mcp__${tool.mcpInfo.serverName}`;
  return name === server || name === `${server}__*` || name === `${server}__${tool.mcpInfo.toolName}`;
}

function agentRegistry(base: ToolRegistry, has: (tool: AnyTool) => boolean): ToolRegistry {
  const tools = base.tools.filter(has);
  const names = new Set(tools.map((tool) => tool.name));
  return {
    ...base,
    tools,
    // What it may use is loaded where it has no way to search.
    loading: (found) => createLoading({ tools, policy: base.policy, found }),
    find(name) {
      const found = base.find(name);
      if (!found.found || names.has(found.tool.name)) return found;
      const message = `The tool ${found.tool.name} is not among this agent's tools: ${[...names].join(', ')}. Use one of them, or say in your report what is left to do.`;
      return { found: false, message, closeMatches: [] };
    },
    toolDefinitions: () => base.toolDefinitions().filter((definition) => names.has(definition.name)),
  };
}

/** Repeated calls are counted for each agent: what two of them do is no circle. */
function agentEngine(engine: PermissionEngine, agentId: string): PermissionEngine {
  const own = (sessionId: string) => countedAs(sessionId, agentId);
  return {
    ...engine,
    countCall: (sessionId, call) => engine.countCall(own(sessionId), call),
    recordAllow(sessionId) {
      engine.recordAllow(sessionId);
      engine.recordAllow(own(sessionId));
    },
  };
}

/** Under this name the engine keeps what it counts for an agent alone. */
export function countedAs(sessionId: string, agentId: string): string {
  return `${sessionId} ${agentId}`;
}

function agentHooks({ parent, agentId, agentType, hasHooks }: AgentServicesOptions): Hooks {
  const { hooks } = parent;
  const agent = { agentId, agentType };
  return {
    listens(sessionId, name, matched) {
      if (isSessionsOwn(name)) return false;
      return (
        hasHooks() ||
        hooks.listens(sessionId, name === 'Stop' ? 'SubagentStop' : name, name === 'Stop' ? agentType : matched)
      );
    },
    fire(event, place, signal) {
      if (isSessionsOwn(event.name)) return Promise.resolve(noHookOutcome);
      const told: HookEvent = event.name === 'Stop' ? { ...event, name: 'SubagentStop', ...agent } : event;
      // Hooks lie in the checkout that the person trusts, whatever an agent does to its own.
      const { folder } = parent.sessions.state(place.sessionId);
      return hooks.fire(told, { ...place, folder, agent }, signal);
    },
    dispose: () => Promise.resolve(),
  };
}

/** Events of the session's turns, which an agent's are not. */
function isSessionsOwn(name: HookEvent['name']): boolean {
  return name === 'StopFailure' || name === 'SessionStart' || name === 'SessionEnd' || name === 'UserPromptSubmit';
}
