// Memory, commands, skills and sub-agents put together with the services of a core.
import type { ModelChoice } from '#shared/session/events';
import { lookingTools } from '../context/builtInAgents';
import { chooseModel } from '../context/chooseModel';
import { CommandsInForce } from '../context/commandsInForce';
import type { AgentType } from '../context/definitions';
import { SessionContexts } from '../context/sessionContexts';
import type { RunHookAgent } from '../hooks/modelHandler';
import type { Models } from '../model/models';
import type { PermissionEngine } from '../permissions/engine';
import type { CorePorts, Log } from '../ports';
import type { SessionService } from '../sessions/service';
import type { AgentOptions } from '../tools/agent/agent';
import type { SkillOptions } from '../tools/skill/skill';
import type { TaskItems } from '../tools/taskItems';
import { SubAgents, type SubAgentsOptions } from './subAgents';

export interface Agents {
  readonly contexts: SessionContexts;
  readonly commands: CommandsInForce;
  readonly subAgents: SubAgents;
  readonly modelFor: (wish: string, own: ModelChoice) => Promise<ModelChoice>;
  /** For hooks of the type `agent`. */
  readonly runHookAgent: RunHookAgent;
  /** What the tools need. */
  readonly tools: {
    readonly agent: Omit<AgentOptions, 'worktrees'>;
    readonly skill: SkillOptions;
    readonly items: TaskItems;
  };
}

/** `turns` is asked once an agent starts, when everything is there. */
export function connectAgents(services: {
  readonly paths: CorePorts['paths'];
  readonly sessions: SessionService;
  readonly engine: PermissionEngine;
  readonly models: Pick<Models, 'list'>;
  readonly isTrusted: (folder: string) => boolean;
  readonly stillTrusted: (folder: string, defined: Readonly<Record<string, string>>) => boolean;
  readonly turns: () => Omit<SubAgentsOptions, 'contexts' | 'commands' | 'modelFor'>;
  readonly log: Log;
}): Agents {
  const { paths, sessions, engine, models, isTrusted, stillTrusted, turns, log } = services;
  const { home, claudeConfig, managedSettings, data, privateFiles } = paths;
  const hidden = [data, ...privateFiles];
  const contexts = new SessionContexts({
    paths: { home, claudeConfig, managedSettings, hidden },
    sessions,
    isTrusted,
    stillTrusted,
    log,
  });
  const commands = new CommandsInForce(engine);
  const modelFor = (wish: string, own: ModelChoice) => chooseModel(wish, own, async () => (await models.list()).models);
  const subAgents = new SubAgents(() => ({ ...turns(), contexts, commands, modelFor }));
  return {
    contexts,
    commands,
    subAgents,
    modelFor,
    runHookAgent: async ({ system, prompt, model, place, maxTurns, signal }) => {
      const { agent, text } = await subAgents.run({
        sessionId: place.sessionId,
        callId: place.callId ?? '',
        type: judge(system, maxTurns),
        prompt,
        description: 'judges for a hook',
        model,
        background: false,
        folder: null,
        judges: true,
        signal,
        onProgress: () => undefined,
      });
      if (agent.status !== 'completed') throw new Error(agent.note || 'it was stopped');
      return text;
    },
    tools: {
      agent: {
        types: async (sessionId) => (await contexts.definitions(sessionId)).agents,
        refusal: (sessionId, callId) => subAgents.refusal(sessionId, callId),
        run: (start) => subAgents.run(start),
      },
      skill: {
        skills: async (sessionId) => (await contexts.definitions(sessionId)).skills,
        commands,
        byAgent: (sessionId, callId) => sessions.state(sessionId).calls[callId]?.agentId !== undefined,
      },
      items: {
        list: (sessionId) => sessions.state(sessionId).todos,
        replace: (sessionId, items) => void sessions.append(sessionId, { type: 'todos.changed', todos: [...items] }),
      },
    },
  };
}

/** Only looks, and asks nobody. */
function judge(system: string, maxTurns: number): AgentType {
  return {
    name: 'hook',
    description: '',
    prompt: system,
    tools: lookingTools,
    withoutTools: [],
    model: null,
    mode: 'dontAsk',
    maxTurns,
    background: false,
    isolation: null,
    skills: [],
    hooks: undefined,
    file: null,
    source: 'builtIn',
  };
}
