// Commands, skills and agents: Markdown files with a head, of the person and of the project.
import { createHash } from 'node:crypto';
import { basename, dirname, join, relative, sep } from 'node:path';
import { splitFrontMatter, splitOutside } from './frontMatter';
import { markdownIn, textsIn } from './memory';
import { type ContextPlace, isOwnConfig, projectFolders } from './places';
import { listFolder, readTextFile, realOr } from './textFile';

export interface Skill {
  readonly kind: 'command' | 'skill';
  readonly name: string;
  readonly description: string;
  readonly whenToUse: string;
  readonly argumentHint: string;
  /** Names of positional arguments: `$name` stands for them. */
  readonly argumentNames: readonly string[];
  /** Rules in force while it runs. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** As the file names it; null: the session's. */
  readonly model: string | null;
  /** Value of `hooks`; undefined: none. */
  readonly hooks: unknown;
  readonly forPerson: boolean;
  readonly forModel: boolean;
  /** Runs in an agent of its own. */
  readonly fork: boolean;
  readonly agent: string | null;
  readonly body: string;
  readonly file: string;
  readonly source: 'user' | 'project';
}

export interface AgentType {
  readonly name: string;
  readonly description: string;
  /** Its instructions. */
  readonly prompt: string;
  /** Names of its tools; null: all that its caller has. */
  readonly tools: readonly string[] | null;
  readonly withoutTools: readonly string[];
  readonly model: string | null;
  /** A stricter mode than the session's; null: the session's. */
  readonly mode: 'plan' | 'dontAsk' | null;
  readonly maxTurns: number | null;
  readonly background: boolean;
  readonly isolation: 'worktree' | null;
  readonly skills: readonly string[];
  readonly hooks: unknown;
  readonly file: string | null;
  readonly source: 'builtIn' | 'user' | 'project';
}

export interface Definitions {
  readonly skills: readonly Skill[];
  readonly agents: readonly AgentType[];
  readonly waiting: readonly string[];
  readonly problems: readonly string[];
}

const nameShape = /^[A-Za-z0-9][A-Za-z0-9_:.-]{0,79}$/;
/** Longest description that anybody is shown, in characters. */
const maxDescription = 1_024;

/** Reads the definitions that count for a session's folder anew; a project's count over the person's own. */
export async function readDefinitions(place: ContextPlace): Promise<Definitions> {
  const reading = new DefinitionReading();
  const folders = await projectFolders(place);
  const root = await realOr(folders[0] ?? place.folder);
  // The innermost counts most.
  for (const folder of [...folders].reverse()) {
    if (await isOwnConfig(folder, place.paths)) continue;
    const base = join(folder, '.claude');
    if (place.trusted) await reading.folder(base, 'project', [root]);
    else reading.waiting.push(...(await filesIn(base)).map(({ file }) => file));
  }
  await reading.folder(place.paths.claudeConfig, 'user', null);
  return {
    skills: [...reading.skills.values()].sort(byName),
    agents: [...reading.agents.values()].sort(byName),
    waiting: reading.waiting,
    problems: reading.problems,
  };
}

const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1);

interface Found {
  readonly kind: 'command' | 'skill' | 'agent';
  readonly file: string;
  /** What it is called unless it says otherwise. */
  readonly name: string;
}

async function filesIn(base: string): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const { name, kind } of await listFolder(join(base, 'skills')))
    if (kind !== 'file') found.push({ kind: 'skill', name, file: join(base, 'skills', name, 'SKILL.md') });
  const commands = join(base, 'commands');
  for (const file of await markdownIn(commands))
    found.push({ kind: 'command', name: relative(commands, file).slice(0, -3).split(sep).join(':'), file });
  for (const file of await markdownIn(join(base, 'agents')))
    found.push({ kind: 'agent', name: basename(file, '.md'), file });
  return found;
}

class DefinitionReading {
  readonly skills = new Map<string, Skill>();
  readonly agents = new Map<string, AgentType>();
  readonly waiting: string[] = [];
  readonly problems: string[] = [];

  async folder(base: string, source: 'user' | 'project', within: readonly string[] | null): Promise<void> {
    for (const found of await filesIn(base)) {
      const read = await readTextFile(found.file, within);
      if (read.ok) this.take(found, read.value.text, source);
      else if (read.error !== 'absent') this.problems.push(`${found.file} was left out: ${read.error}.`);
    }
  }

  private take(found: Found, text: string, source: 'user' | 'project'): void {
    const { file } = found;
    const { fields, body, problem } = splitFrontMatter(text);
    // A head that nobody can read may hold limits; what it belongs to must not run without them.
    if (problem !== '') return void this.problems.push(`${file} was left out: ${problem}.`);
    // A command is called what its file is called, wherever it lies.
    const name = found.kind === 'command' ? found.name : (textOf(fields.name) ?? found.name);
    if (!nameShape.test(name)) return void this.problems.push(`${file} was left out: its name is not usable.`);
    if (found.kind === 'agent') {
      if (!this.agents.has(name)) this.agents.set(name, this.agentOf({ name, fields, body, file, source }));
    } else if (!this.skills.has(name)) {
      const { kind } = found;
      this.skills.set(name, skillOf({ name, fields, body, file, source, kind }));
    }
  }

  private agentOf(about: About): AgentType {
    const { name, fields, body, file, source } = about;
    const mode = textOf(fields.permissionMode);
    if (mode !== null && mode !== 'plan' && mode !== 'dontAsk' && mode !== 'default')
      this.problems.push(
        `${file}: permissionMode ${mode} was left out: an agent can only be stricter than its session.`,
      );
    return {
      name,
      description: described(fields, body),
      prompt: body.trim(),
      tools: fields.tools === undefined || fields.tools === '*' ? null : toolList(fields.tools),
      withoutTools: toolList(fields.disallowedTools ?? fields['disallowed-tools']),
      model: modelIn(fields),
      mode: mode === 'plan' || mode === 'dontAsk' ? mode : null,
      maxTurns: typeof fields.maxTurns === 'number' && fields.maxTurns >= 1 ? Math.floor(fields.maxTurns) : null,
      background: fields.background === true,
      isolation: fields.isolation === 'worktree' ? 'worktree' : null,
      skills: textsIn(fields.skills),
      hooks: fields.hooks,
      file,
      source,
    };
  }
}

interface About {
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly file: string;
  readonly source: 'user' | 'project';
}

function skillOf(about: About & { readonly kind: 'command' | 'skill' }): Skill {
  const { name, kind, fields, body, file, source } = about;
  return {
    kind,
    name,
    description: described(fields, body),
    whenToUse: (textOf(fields.when_to_use) ?? '').slice(0, maxDescription),
    argumentHint: textOf(fields['argument-hint']) ?? hintOf(fields['argument-hint']),
    argumentNames: textsIn(fields.arguments).flatMap((one) => one.split(/\s+/)),
    allow: toolList(fields['allowed-tools']),
    deny: toolList(fields['disallowed-tools']),
    model: modelIn(fields),
    hooks: fields.hooks,
    forPerson: fields['user-invocable'] !== false,
    forModel: fields['disable-model-invocation'] !== true,
    fork: fields.context === 'fork',
    agent: textOf(fields.agent),
    body: body.trim(),
    file,
    source,
  };
}

/** `[file]` reads as a list of one; it is meant as written. */
function hintOf(value: unknown): string {
  return Array.isArray(value) ? value.map((one) => `[${String(one)}]`).join(' ') : '';
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

function modelIn(fields: Readonly<Record<string, unknown>>): string | null {
  const model = textOf(fields.model);
  return model === 'inherit' ? null : model;
}

function described(fields: Readonly<Record<string, unknown>>, body: string): string {
  const text = textOf(fields.description) ?? body.split('\n').find((line) => line.trim() !== '') ?? '';
  return text
    .replace(/^#+\s*/, '')
    .trim()
    .slice(0, maxDescription);
}

/** `Bash(git add:*), Read` or the same as a list: names and rules of tools. */
export function toolList(value: unknown): readonly string[] {
  if (typeof value === 'string') return splitOutside(value, /[\s,]/);
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) => (typeof one === 'string' ? splitOutside(one, /,/) : []));
}

/**
 * What a project's definitions may do by themselves: by file, a name of the rules and hooks that it brings. Texts, which
 * only tell the model something, have no part in it.
 */
export function powersOf({ skills, agents }: Pick<Definitions, 'skills' | 'agents'>): Readonly<Record<string, string>> {
  const powers: Record<string, string> = {};
  const note = (file: string | null, brought: readonly unknown[]): void => {
    if (file === null) return;
    const content = JSON.stringify([file, ...brought]);
    powers[file] = createHash('sha256').update(content).digest('base64').slice(0, 22);
  };
  for (const { source, file, allow, hooks } of skills)
    if (source === 'project' && (allow.length > 0 || hooks !== undefined)) note(file, [allow, hooks ?? null]);
  for (const { source, file, hooks } of agents) if (source === 'project' && hooks !== undefined) note(file, [hooks]);
  return powers;
}

/** The folder that a skill's own files lie in. */
export function folderOf(skill: Pick<Skill, 'file'>): string {
  return dirname(skill.file);
}
