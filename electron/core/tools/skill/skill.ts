import { z } from 'zod';
import type { CommandsInForce } from '../../context/commandsInForce';
import type { Skill } from '../../context/definitions';
import { skillText } from '../../context/expand';
import { buildTool } from '../buildTool';
import { rejection } from '../changeTarget';
import { closeMatches } from '../closeMatches';
import { ToolFailure } from '../tool';
import { counted, oneLine } from '../wording';
import prompt from './skill.prompt.md';

const inputSchema = () =>
  z.strictObject({
    skill: z
      .string()
      .refine((name) => bare(name) !== '', 'expected the name of a skill')
      .describe('Name of the skill or command, as listed: "release-notes".'),
    args: z.string().optional().describe('What it is to work on, as one would type it behind its name.'),
  });

export type SkillInput = z.infer<ReturnType<typeof inputSchema>>;

export interface SkillOutput {
  readonly skill: Skill;
  readonly text: string;
}

export interface SkillOptions {
  readonly skills: (sessionId: string) => Promise<readonly Skill[]>;
  readonly commands: Pick<CommandsInForce, 'begin'>;
  /** Whether a call is a sub-agent's. */
  readonly byAgent: (sessionId: string, callId: string) => boolean;
}

/** Loads the text of a skill, and puts its rules in force for the turn. */
export function createSkillTool({ skills, commands, byAgent }: SkillOptions) {
  const find = async (sessionId: string, name: string) =>
    (await skills(sessionId)).find((skill) => skill.name === bare(name));
  return buildTool<SkillInput, SkillOutput>({
    name: 'Skill',
    aliases: ['SlashCommand'],
    searchHint: 'load a skill or command, instructions for a kind of work',
    prompt,
    icon: 'tool',
    inputSchema,
    facts: () => [],
    async validateInput(input, { sessionId }) {
      const known = (await skills(sessionId)).filter((skill) => skill.forModel);
      const skill = await find(sessionId, input.skill);
      if (skill?.forModel === true) return { verdict: 'ok', view: { kind: 'markdown', text: shown(skill) } };
      if (skill !== undefined)
        return rejection('notForModel', `Only the person may use ${skill.name}. Tell them to type /${skill.name}.`);
      const names = known.map(({ name }) => name);
      const close = closeMatches(bare(input.skill), names);
      const meant =
        close.length > 0
          ? `Did you mean ${close.join(' or ')}?`
          : names.length === 0
            ? 'There are none in this session.'
            : `There are: ${names.join(', ')}.`;
      return rejection('unknownSkill', `There is no skill called ${oneLine(input.skill, 80)}. ${meant}`);
    },
    observableInput: (input) => ({ ...input, skill: bare(input.skill) }),
    toAutoClassifierInput: (input) => `${bare(input.skill)} ${input.args ?? ''}`,
    maxResultSizeChars: 100_000,
    async call(input, { sessionId, callId }) {
      const skill = await find(sessionId, input.skill);
      if (skill === undefined) throw new ToolFailure('notFound', `The skill ${bare(input.skill)} is gone.`);
      commands.begin({ sessionId, skill, byAgent: byAgent(sessionId, callId) });
      return { skill, text: skillText({ skill, args: input.args ?? '', sessionId }) };
    },
    mapResult: ({ text }) => [{ type: 'text', text }],
    getToolUseSummary: (input) => oneLine(`${bare(input.skill)} ${input.args ?? ''}`.trim(), 120),
    getActivityDescription: (input) => `Loading the skill ${bare(input.skill)}`,
    extractSearchText: ({ text }) => text,
    renderUse: (input) => ({ kind: 'text', text: `${bare(input.skill)} ${input.args ?? ''}`.trim() }),
    renderResult: ({ skill, text }) => ({ view: { kind: 'markdown', text }, note: noteOf(skill) }),
  });
}

const bare = (name: string) => name.trim().replace(/^\//, '');

/** What a person must know who is asked: the rules come first. */
function shown({ allow, deny, hooks, body }: Skill): string {
  const list = (rules: readonly string[]) => rules.map((rule) => `\`${rule.replaceAll('`', '')}\``).join(', ');
  return [
    ...(allow.length === 0 ? [] : [`Runs without asking until the turn ends: ${list(allow)}`]),
    ...(deny.length === 0 ? [] : [`Is denied until the turn ends: ${list(deny)}`]),
    ...(hooks === undefined ? [] : ['Brings hooks: commands that run with your rights.']),
    body,
  ].join('\n\n');
}

function noteOf({ allow, deny }: Skill): string {
  const rules = [
    ...(allow.length === 0 ? [] : [`allows ${counted(allow.length, 'rule')}`]),
    ...(deny.length === 0 ? [] : [`denies ${counted(deny.length, 'rule')}`]),
  ];
  return rules.length === 0 ? 'loaded' : `loaded, ${rules.join(', ')} for this turn`;
}
