// The bench with sub-agents, skills and the list of tasks; kinds of agents and skills are what the test says.
import { CommandsInForce } from '../../context/commandsInForce';
import type { AgentType, Skill } from '../../context/definitions';
import { type Bench, bench, echoTool } from '../../testing/bench';
import { createAgentTool } from '../../tools/agent/agent';
import { createSkillTool } from '../../tools/skill/skill';
import type { AnyTool } from '../../tools/tool';
import { SubAgents } from '../subAgents';

const usual: AgentType = {
  name: 'general-purpose',
  description: 'Does what it is told.',
  prompt: 'Work and report.',
  tools: null,
  withoutTools: [],
  model: null,
  mode: null,
  maxTurns: null,
  background: false,
  isolation: null,
  skills: [],
  hooks: undefined,
  file: null,
  source: 'builtIn',
};

const plain: Skill = {
  kind: 'skill',
  name: 'plain',
  description: '',
  whenToUse: '',
  argumentHint: '',
  argumentNames: [],
  allow: [],
  deny: [],
  model: null,
  hooks: undefined,
  forPerson: true,
  forModel: true,
  fork: false,
  agent: null,
  body: 'Be plain.',
  file: '/folder/.claude/skills/plain/SKILL.md',
  source: 'project',
};

export const agentType = (change: Partial<AgentType>): AgentType => ({ ...usual, ...change });
export const skillNamed = (change: Partial<Skill>): Skill => ({ ...plain, ...change });

export interface AgentBench extends Bench {
  readonly subAgents: SubAgents;
  readonly commands: CommandsInForce;
}

export function agentBench(
  options: Parameters<typeof bench>[0] & {
    readonly types?: readonly AgentType[];
    readonly skills?: readonly Skill[];
  } = {},
): AgentBench {
  const { types = [], skills = [], tools = [echoTool({})], ...rest } = options;
  const made: { bench?: Bench } = {};
  const b = (): Bench => {
    if (made.bench === undefined) throw new Error('the bench is not there yet');
    return made.bench;
  };
  const commands = new CommandsInForce({
    setCommandRules: (id, rules) => b().services.engine.setCommandRules(id, rules),
  });
  const find = (name: string) => Promise.resolve(skills.find((skill) => skill.name === name));
  const subAgents = new SubAgents(() => ({
    services: b().services,
    contexts: {
      system: () => Promise.resolve({ text: '', problems: [], waiting: [], fresh: false }),
      skill: (_sessionId, name) => find(name),
      near: () => Promise.resolve([]),
    },
    commands,
    clientFor: b().clientFor,
    contextTokens: () => Promise.resolve(200_000),
    modelFor: (wish) => Promise.resolve({ id: wish, label: wish, scripted: false }),
    platform: 'linux',
    concurrency: 10,
    stopBlockCap: 8,
  }));
  const agentTools: readonly AnyTool[] = [
    createAgentTool({
      types: () => Promise.resolve([usual, ...types]),
      refusal: (sessionId, callId) => subAgents.refusal(sessionId, callId),
      run: (start) => subAgents.run(start),
      worktrees: { whyNot: () => '', prepare: () => Promise.resolve() },
    }),
    createSkillTool({
      skills: () => Promise.resolve(skills),
      commands,
      byAgent: (sessionId, callId) => b().sessions.state(sessionId).calls[callId]?.agentId !== undefined,
    }),
  ];
  made.bench = bench({
    ...rest,
    tools: [...tools, ...agentTools],
    agent: {
      contexts: {
        system: () => Promise.resolve({ text: '', problems: [], waiting: [], fresh: false }),
        skill: (_sessionId, name) => find(name),
        near: () => Promise.resolve([]),
      },
      commands,
    },
  });
  return { ...b(), subAgents, commands };
}
