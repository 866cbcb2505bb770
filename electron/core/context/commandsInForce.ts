// What running commands, skills and agents bring along: rules for the turn, and hooks.
import type { CommandHooks } from '../hooks/hookSettings';
import type { PermissionEngine } from '../permissions/engine';
import type { Skill } from './definitions';

interface InForce {
  readonly allow: Set<string>;
  readonly deny: Set<string>;
  readonly hooks: CommandHooks[];
}

export class CommandsInForce {
  private readonly sessions = new Map<string, InForce>();
  private readonly agents = new Map<string, CommandHooks>();

  constructor(private readonly engine: Pick<PermissionEngine, 'setCommandRules'>) {}

  /**
   * Puts a command's or skill's rules and hooks in force until the session's turn ends, beside those of others.
   * `byAgent`: a sub-agent loaded it; then it only restricts, because the rules count for the whole session.
   */
  begin(started: {
    readonly sessionId: string;
    readonly skill: Pick<Skill, 'allow' | 'deny' | 'hooks' | 'file'>;
    readonly byAgent: boolean;
  }): void {
    const { sessionId, byAgent } = started;
    const { allow, deny, hooks, file } = started.skill;
    const inForce = this.sessions.get(sessionId) ?? { allow: new Set(), deny: new Set(), hooks: [] };
    this.sessions.set(sessionId, inForce);
    if (!byAgent) for (const rule of allow) inForce.allow.add(rule);
    for (const rule of deny) inForce.deny.add(rule);
    if (hooks !== undefined && !inForce.hooks.some((known) => known.file === file)) inForce.hooks.push({ hooks, file });
    if (inForce.allow.size > 0 || inForce.deny.size > 0)
      this.engine.setCommandRules(sessionId, { allow: [...inForce.allow], deny: [...inForce.deny] });
  }

  /** Ends what counted for the turn. The engine ends its rules itself. */
  endTurn(sessionId: string): void {
    this.sessions.delete(sessionId);
  }

  /** Hooks of an agent's own file count for its events, as long as it runs. */
  beginAgent(sessionId: string, agentId: string, hooks: CommandHooks): void {
    this.agents.set(`${sessionId} ${agentId}`, { ...hooks, hooks: withSubagentStop(hooks.hooks) });
  }

  endAgent(sessionId: string, agentId: string): void {
    this.agents.delete(`${sessionId} ${agentId}`);
  }

  /** All hooks that count for an event of the session, or of one of its sub-agents. */
  hooks(sessionId: string, agentId?: string): CommandHooks | null {
    const own = agentId === undefined ? undefined : this.agents.get(`${sessionId} ${agentId}`);
    const all = [...(this.sessions.get(sessionId)?.hooks ?? []), ...(own === undefined ? [] : [own])];
    const [first] = all;
    if (first === undefined || all.length === 1) return first ?? null;
    return { hooks: merged(all.map(({ hooks }) => hooks)), file: all.map(({ file }) => file ?? '').join(', ') };
  }
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The end of an agent is an event of its own. */
function withSubagentStop(hooks: unknown): unknown {
  if (!isFields(hooks) || !Object.hasOwn(hooks, 'Stop')) return hooks;
  const { Stop: stop, ...others } = hooks;
  return merged([others, { SubagentStop: stop }]);
}

/** Lists of the same event one after the other; a part that is no set of lists is kept for whoever names the mistake. */
function merged(parts: readonly unknown[]): unknown {
  const lists = new Map<string, unknown[]>();
  for (const part of parts) {
    if (!isFields(part)) return part;
    for (const [event, list] of Object.entries(part)) {
      const known = lists.get(event) ?? [];
      lists.set(event, [...known, ...(Array.isArray(list) ? (list as unknown[]) : [list])]);
    }
  }
  return Object.fromEntries(lists);
}
