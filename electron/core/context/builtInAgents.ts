import type { AgentType } from './definitions';
import explore from './explore.prompt.md';
import general from './general.prompt.md';

const base: Omit<AgentType, 'name' | 'description' | 'prompt' | 'tools'> = {
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

/** Tools that only look. */
export const lookingTools = ['Read', 'Glob', 'Grep', 'ListDirectory', 'LSP', 'GetDiagnostics', 'ToolSearch'];

/** The agents that are there without any file. */
export const builtInAgents: readonly AgentType[] = [
  {
    ...base,
    name: 'Explore',
    description: 'Looks through code and answers a question about it. Cannot change anything.',
    prompt: explore.trim(),
    tools: lookingTools,
  },
  {
    ...base,
    name: 'general-purpose',
    description: 'Works on a task of several steps with all tools.',
    prompt: general.trim(),
    tools: null,
  },
];

/** What agents get that nobody named. */
export const usualAgent = 'general-purpose';
