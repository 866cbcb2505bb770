// Sub-agents: each a conversation of its own with a model, within its session's log, rules and trace.
import type { ModelChoice, SessionEvent } from '#shared/session/events';
import type { SubAgent } from '#shared/session/subAgent';
import type { CommandsInForce } from '../context/commandsInForce';
import type { AgentType } from '../context/definitions';
import { skillText } from '../context/expand';
import type { SessionContexts } from '../context/sessionContexts';
import { noHooks } from '../hooks/hooks';
import { newId } from '../ids';
import type { ModelClient } from '../model/client';
import { ModelFailure } from '../model/client';
import type { PipelineServices } from '../pipeline/services';
import type { SessionServices } from './agent';
import { type AgentLog, createAgentLog } from './agentLog';
import { agentServices, countedAs } from './agentServices';
import { inOrder } from './entry';
import { fire } from './sessionHooks';
import { systemPrompt } from './systemPrompt';
import { runTurn, type TurnOutcome } from './turn';

/** How deep agents may start agents: the session's own are at 1. */
export const deepestAgent = 2;
/** Agents of one session that may run at once. */
export const mostAgents = 10;

export interface SubAgentsOptions {
  readonly services: SessionServices;
  readonly contexts: Pick<SessionContexts, 'system' | 'skill' | 'near'>;
  readonly commands: Pick<CommandsInForce, 'beginAgent' | 'endAgent'>;
  readonly clientFor: (choice: ModelChoice) => ModelClient;
  readonly contextTokens: (choice: ModelChoice) => Promise<number>;
  readonly modelFor: (wish: string, own: ModelChoice) => Promise<ModelChoice>;
  readonly platform: string;
  readonly concurrency: number;
  readonly stopBlockCap: number;
}

export interface AgentStart {
  readonly sessionId: string;
  /** The call that starts it. */
  readonly callId: string;
  readonly type: AgentType;
  readonly prompt: string;
  readonly description: string;
  /** As the call names it; null: as its kind says, else the session's. */
  readonly model: string | null;
  readonly background: boolean;
  /** Where it works: a worktree that was made for it; null: where its parent does. */
  readonly folder: string | null;
  /** It judges for a hook: it knows its own instructions alone, its calls fire no hooks and ask nobody. */
  readonly judges?: true;
  readonly signal: AbortSignal;
  onProgress(text: string): void;
}

export interface AgentEnd {
  readonly agent: SubAgent;
  /** Its last text; empty when it wrote none. */
  readonly text: string;
  readonly calls: number;
}

interface Running {
  readonly start: AgentStart;
  readonly services: PipelineServices;
}

export class SubAgents {
  /** By session and agent id. */
  private readonly running = new Map<string, Running>();

  constructor(private readonly options: () => SubAgentsOptions) {}

  /** Why a call may start no further agent, for the model; null when it may. */
  refusal(sessionId: string, callId: string): string | null {
    const { sessions } = this.options().services;
    const { agents } = sessions.state(sessionId);
    if (this.depth(sessionId, callId) >= deepestAgent)
      return `Agents can be nested at most ${deepestAgent} deep. Do this part of the work yourself.`;
    const busy = Object.values(agents).filter(({ status }) => status === 'running').length;
    return busy < mostAgents ? null : `${mostAgents} agents are running already. Wait until one has ended.`;
  }

  /** Whether an agent runs in this process. */
  runs(sessionId: string, agentId: string): boolean {
    return this.running.has(`${sessionId} ${agentId}`);
  }

  /**
   * Runs an agent to its end. Never rejects for what a model, tool or person does; an abort ends its calls and then it. The
   * log holds all that it did.
   */
  async run(start: AgentStart): Promise<AgentEnd> {
    const options = this.options();
    const { sessionId, callId, type, signal } = start;
    const { sessions } = options.services;
    const state = sessions.state(sessionId);
    const parent = state.calls[callId]?.agentId ?? null;
    const agentId = `a${Object.keys(state.agents).length + 1}`;
    const wish = start.model ?? type.model;
    // Announced before anything can wait, so that two that start at once have two names.
    const begun: SubAgent = {
      agentId,
      callId,
      parent,
      type: type.name,
      description: start.description,
      model: state.model.id,
      background: start.background,
      status: 'running',
      startedAt: options.services.now(),
      endedAt: null,
      note: '',
    };
    const record = (agent: SubAgent): SubAgent => {
      if (sessions.exists(sessionId)) sessions.append(sessionId, { type: 'agent.changed', agent });
      return agent;
    };
    record(begun);
    const above =
      (parent === null ? undefined : this.running.get(`${sessionId} ${parent}`)?.services) ?? options.services;
    const log = createAgentLog({
      sessions,
      parent: above.sessions,
      sessionId,
      agentId,
      name: type.name,
      folder: start.folder,
      mode: type.mode,
      onProgress: start.onProgress,
    });
    const made = agentServices({
      parent: above,
      folder: start.folder,
      sessions: log,
      sessionId,
      agentId,
      agentType: type.name,
      tools: type.tools,
      withoutTools: type.withoutTools,
      mayStartAgents: this.depth(sessionId, callId) + 1 < deepestAgent,
      hasHooks: () => type.hooks !== undefined,
    });
    const services = start.judges === true ? { ...made, hooks: noHooks, canAsk: () => false } : made;
    this.running.set(`${sessionId} ${agentId}`, { start, services });
    if (type.hooks !== undefined)
      options.commands.beginAgent(sessionId, agentId, { hooks: type.hooks, file: type.file });
    let outcome: TurnOutcome = 'failed';
    let agent = begun;
    let problem = '';
    try {
      const model = wish === null ? state.model : await options.modelFor(wish, state.model);
      if (model.id !== begun.model) agent = record({ ...begun, model: model.id });
      outcome = await this.turn({ options, start, agent, model, services });
    } catch (error) {
      problem =
        error instanceof ModelFailure ? `${error.message} ${error.next}` : 'It ended because of a fault in Gatehouse.';
      if (!(error instanceof ModelFailure)) options.services.log.error('a sub-agent failed', error);
    } finally {
      options.commands.endAgent(sessionId, agentId);
      options.services.engine.closeSession(countedAs(sessionId, agentId));
      this.running.delete(`${sessionId} ${agentId}`);
    }
    const text = lastText(log, sessionId);
    const calls = Object.values(sessions.state(sessionId).calls).filter((call) => call.agentId === agentId).length;
    const status = signal.aborted || outcome === 'stopped' ? 'stopped' : outcome === 'done' ? 'completed' : 'failed';
    const note = signal.aborted || outcome === 'done' ? '' : problem || log.lastNotice;
    return { agent: record({ ...agent, status, endedAt: options.services.now(), note }), text, calls };
  }

  private async turn(about: {
    readonly options: SubAgentsOptions;
    readonly start: AgentStart;
    readonly agent: SubAgent;
    readonly model: ModelChoice;
    readonly services: PipelineServices;
  }): Promise<TurnOutcome> {
    const { options, start, agent, model, services } = about;
    const { sessionId, type, signal } = start;
    const { folder, createdAt } = services.sessions.state(sessionId);
    const append = (body: SessionEvent['body']): void => services.sessions.append(sessionId, body);
    const hooked = { services, sessionId, signal };
    append({ type: 'message.sent', messageId: newId('m'), text: start.prompt });
    for (const name of type.skills) {
      const skill = await options.contexts.skill(sessionId, name);
      if (skill !== undefined)
        append({ type: 'context.added', from: `skill ${name}`, text: skillText({ skill, args: '', sessionId }) });
    }
    const { agentId } = agent;
    const started = await fire(hooked, { name: 'SubagentStart', agentId, agentType: type.name });
    for (const text of started.context) append({ type: 'context.added', from: 'SubagentStart hook', text });
    if (signal.aborted) return 'stopped';
    const role = type.prompt || 'Do the task that the next message gives you, and report what came of it.';
    const system =
      start.judges === true
        ? role
        : systemPrompt({
            folder,
            platform: options.platform,
            day: new Date(createdAt).toISOString().slice(0, 10),
            sections: (await options.contexts.system(sessionId)).text,
            role,
          });
    return await runTurn({
      services,
      sessionId,
      client: options.clientFor(model),
      model: model.id,
      system,
      concurrency: options.concurrency,
      signal,
      contextTokens: () => options.contextTokens(model),
      ...(start.judges === true
        ? {}
        : { memoryNear: (paths: readonly string[]) => options.contexts.near({ sessionId, agentId, paths }) }),
      stopBlockCap: options.stopBlockCap,
      ...(type.maxTurns === null ? {} : { maxMessages: type.maxTurns }),
    });
  }

  /** How many agents stand between a call and the session. */
  private depth(sessionId: string, callId: string): number {
    const { calls, agents } = this.options().services.sessions.state(sessionId);
    let depth = 0;
    for (let at = calls[callId]?.agentId; at !== undefined; at = agents[at]?.parent ?? undefined) depth += 1;
    return depth;
  }
}

function lastText(log: AgentLog, sessionId: string): string {
  const last = log
    .conversation(sessionId)
    .shown()
    .entries.findLast((entry) => entry.kind === 'assistant');
  if (last === undefined || last.kind !== 'assistant') return '';
  return inOrder(last)
    .flatMap(([, { block }]) => (block.type === 'text' ? [block.text] : []))
    .join('\n')
    .trim();
}
