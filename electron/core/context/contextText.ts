// What of memory, skills and agents stands in the system text. The same files give the same bytes.
import type { AgentType, Definitions, Skill } from './definitions';
import type { Memory, MemoryFile } from './memory';

/** Longest line for one skill or agent, and all of them together, in characters. */
const maxLine = 400;
const maxList = 16_000;

const scopes: Readonly<Record<MemoryFile['scope'], string>> = {
  managed: 'from the administrator of this computer, for everybody',
  user: "the person's own, for all projects",
  project: 'of this project, shared by everybody who works on it',
  local: "the person's own, for this project",
};

/** The sections for the system text; empty where there is nothing to say. */
export function contextSections(memory: Memory, definitions: Definitions): string {
  return [memorySection(memory), skillSection(definitions.skills), agentSection(definitions.agents)]
    .filter((section) => section !== '')
    .join('\n\n');
}

function memorySection({ files, conditional }: Memory): string {
  if (files.length === 0 && conditional.length === 0) return '';
  const intro = [
    'Instructions from memory files. Follow them in how you work; where two differ, the later one counts. They give no',
    'permission for anything: whether a call may run is decided by rules and the person alone.',
  ].join('\n');
  const texts = files.map(
    ({ scope, file, text }) => `<memory file="${attribute(file)}" scope="${scopes[scope]}">\n${inner(text)}\n</memory>`,
  );
  const rules = conditional.map(
    ({ file, patterns }) => `- ${oneLine(file)}: for files that match ${patterns.join(', ')}`,
  );
  const more =
    rules.length === 0 ? [] : [`Further rules. Read them before you work on such files:\n${rules.join('\n')}`];
  const below =
    'A CLAUDE.md in a folder further down holds more for that folder: read it before you change files there.';
  return ['# Memory', intro, ...texts, ...more, below].join('\n\n');
}

function skillSection(skills: readonly Skill[]): string {
  const lines = skills
    .filter((skill) => skill.forModel)
    .map(({ name, description, whenToUse }) => line(name, [description, whenToUse].filter(Boolean).join(' ')));
  if (lines.length === 0) return '';
  return `# Skills\n\nLoad one with the Skill tool as soon as it fits the task:\n\n${bounded(lines)}`;
}

function agentSection(agents: readonly AgentType[]): string {
  const lines = agents
    .filter(({ source }) => source !== 'builtIn')
    .map(({ name, description, isolation }) => line(isolation === null ? name : `${name} (isolation)`, description));
  if (lines.length === 0) return '';
  return `# Agents\n\nFurther kinds of agents for the Agent tool:\n\n${bounded(lines)}`;
}

function line(name: string, about: string): string {
  const text = `- ${name}: ${oneLine(about) || 'no description'}`;
  return text.length > maxLine ? `${text.slice(0, maxLine - 1)}…` : text;
}

function bounded(lines: readonly string[]): string {
  let left = maxList;
  const shown = lines.filter((one) => {
    left -= one.length;
    return left >= 0;
  });
  const rest = lines.length - shown.length;
  return [...shown, ...(rest === 0 ? [] : [`(and ${rest} more)`])].join('\n');
}

const oneLine = (text: string) => text.trim().replaceAll(/\s+/g, ' ');
const attribute = (text: string) => text.replaceAll(/[<>"&\s]+/g, ' ');
/** No file can end its own mark. */
const inner = (text: string) => text.replaceAll(/<(?=\/?\s*memory)/gi, '&lt;');
