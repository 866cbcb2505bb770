// Rules made ready for matching, and what each kind matches.

import { parameterOf } from '#shared/permissions/deadRules';
import type { RuleRef } from '#shared/permissions/decision';
import { isBare, parseRule } from '#shared/permissions/rule';
import { starPattern } from '#shared/util/starPattern';
import type { CallFacts, CommandFact, FileFact } from './callFacts';
import type { CompiledRule, NameTest, RuleSet } from './compiledRule';
import { type CommandPattern, compileCommand } from './matchCommand';
import { matchesHost } from './matchHost';
import { compilePath, matchesPath } from './matchPath';
import { matchesName } from './paths';
import { compilePowerShell } from './powerShellRule';
import { exceptionsOf } from './ruleIndex';
import { ruleProblem } from './ruleInForce';
import { commandKeys } from './ruleKeys';

export type { CompiledRule, RuleSet } from './compiledRule';

function toolNames(tool: string): NameTest {
  if (tool === 'Bash') return /^(Bash|Monitor)$/;
  if (tool === 'Task' || tool === 'Agent') return /^(Task|Agent)$/;
  // A server's name covers its tools.
  const isServer = /^mcp__(?:(?!__).)+$/.test(tool);
  if (!tool.includes('*')) return { test: (name) => name === tool || (isServer && name.startsWith(`${tool}__`)) };
  const [whole, within] = [starPattern(tool), starPattern(`${tool}__*`)];
  return isServer ? { test: (name) => whole.test(name) || within.test(name) } : whole;
}

/** Makes a rule ready; null when it is not in force as written. */
export function compileRule(options: {
  readonly ref: RuleRef;
  readonly group: string;
  readonly order: number;
  readonly sourceFolders: readonly string[];
  readonly ignoreCase: boolean;
}): CompiledRule | null {
  const { ref, group, order, sourceFolders, ignoreCase } = options;
  if (ruleProblem(ref)?.inForce === false) return null;
  const parsed = parseRule(ref.text);
  if (!parsed.ok) return null;
  const rule = parsed.value;
  const base = { ref, group, order, sourceFolders };
  const { tool, content } = rule;
  if (isBare(rule) || content === null) return { ...base, kind: 'tool', tool, names: toolNames(tool) };
  const parameter = parameterOf(rule);
  if (parameter !== null && tool !== 'Read' && tool !== 'Edit') {
    const value = starPattern(parameter.value.trim());
    return { ...base, kind: 'parameter', tool: tool === 'Task' ? 'Agent' : tool, param: parameter.param, value };
  }
  switch (tool) {
    case 'Bash':
    case 'Monitor':
      return { ...base, kind: 'command', pattern: compileCommand(content) };
    case 'Read':
    case 'Edit':
      return {
        ...base,
        kind: 'path',
        tool,
        pattern: compilePath({ text: content, strict: ref.behavior === 'allow', ignoreCase }),
      };
    case 'WebFetch':
      return { ...base, kind: 'host', host: content.slice('domain:'.length) };
    case 'Agent':
    case 'Task':
      return { ...base, kind: 'name', tool: 'Agent', name: content, prefix: false };
    case 'Skill': {
      const prefix = content.endsWith(' *');
      const name = (prefix ? content.slice(0, -2) : content).replace(/^\//, '');
      return { ...base, kind: 'name', tool: 'Skill', name, prefix };
    }
    case 'PowerShell':
      return { ...base, kind: 'text', tool, matches: compilePowerShell(content) };
    default:
      // What the brackets mean is not known: the rule stops every call of the tool. In allow it is not in force.
      return { ...base, kind: 'tool', tool, names: toolNames(tool) };
  }
}

function nameOf(facts: CallFacts): string | null {
  const field = facts.toolName === 'Skill' ? ['skill', 'name', 'command'] : ['subagent_type', 'agent', 'name'];
  for (const key of field) {
    const value = Object.hasOwn(facts.input, key) ? facts.input[key] : undefined;
    if (typeof value === 'string') return value.replace(/^\//, '');
  }
  return null;
}

/** Whether a rule speaks of the call as a whole: its tool, a parameter, the agent or skill. */
export function matchesCall(rule: CompiledRule, facts: CallFacts): boolean {
  switch (rule.kind) {
    case 'tool':
      return rule.names.test(facts.toolName);
    case 'parameter': {
      const tool = facts.toolName === 'Task' ? 'Agent' : facts.toolName;
      if (rule.tool !== tool || !Object.hasOwn(facts.input, rule.param)) return false;
      const value = facts.input[rule.param];
      const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
      return isScalar && rule.value.test(String(value));
    }
    case 'name': {
      if (rule.tool !== (facts.toolName === 'Task' ? 'Agent' : facts.toolName)) return false;
      const name = nameOf(facts);
      return name !== null && (name === rule.name || (rule.prefix && name.startsWith(`${rule.name} `)));
    }
    case 'text': {
      const { command } = facts.input;
      return rule.tool === facts.toolName && typeof command === 'string' && rule.matches(command);
    }
    case 'command':
    case 'path':
    case 'host':
      return false;
  }
}

/** Whether a command named by a file pattern (`n?de x`) may be one that the rule knows. */
function mayBe(pattern: CommandPattern, glob: string, command: CommandFact): boolean {
  const { word, head } = commandKeys(pattern);
  if (word === null) {
    const fixed = glob.slice(0, glob.search(/[*?[]/));
    return head !== '' && (fixed.startsWith(head) || head.startsWith(fixed));
  }
  if (!matchesName(word, glob)) return false;
  return command.denyForms.some((form) => pattern.matches(form.replace(/^\S+/, () => word)));
}

/**
 * Whether a file pattern among the words may become a word that the rule names: `git pus?` is a push where a file is
 * called so. A pattern that begins with a wildcard is not taken for an option or a hidden file.
 */
function mayBecome(pattern: CommandPattern, command: CommandFact): boolean {
  const words = command.patterned;
  if (words === null) return false;
  const wanted = pattern.head.split(/[ \t\n]+/);
  // The last word before a star may go on.
  if (!pattern.exact && !pattern.endsAtWord) wanted.pop();
  let changed = false;
  const become = words.map(({ value, glob }, index) => {
    const word = wanted[index];
    if (!glob || word === undefined || word === '') return value;
    if (/^[*?[]/.test(value) && /^[-.]/.test(word)) return value;
    if (!matchesName(word, value)) return value;
    changed = true;
    return word;
  });
  return changed && pattern.matches(become.join(' '));
}

/** Deny and ask: whether the rule knows the command under any of its forms. */
export function stopsCommand(rule: CompiledRule, command: CommandFact): boolean {
  if (rule.kind !== 'command') return false;
  if (command.denyForms.some((form) => rule.pattern.matches(form))) return true;
  if (command.nameGlob !== null && mayBe(rule.pattern, command.nameGlob, command)) return true;
  return mayBecome(rule.pattern, command);
}

/** Allow: whether the rule covers the command. */
export function allowsCommand(rule: CompiledRule, command: CommandFact): boolean {
  if (rule.kind !== 'command' || command.nested || command.never !== null) return false;
  const { pattern } = rule;
  if (pattern.exact) return command.exactForms.some((form) => pattern.matches(form));
  if (command.exactOnly !== null) return false;
  return command.starForms.some(
    (form) => (form.beyond === 0 || pattern.head.length > form.beyond) && pattern.matches(form.text),
  );
}

/** Whether a path rule speaks of this access. Read refusals stop changes too; an allowed edit may be read. */
function speaksOf(rule: CompiledRule & { readonly kind: 'path' }, file: FileFact, toolName: string): boolean {
  if (rule.ref.behavior === 'allow') return rule.tool === 'Edit' || file.access === 'read';
  if (rule.tool === 'Edit') return file.access === 'write';
  return file.access === 'read' || toolName !== 'NotebookEdit';
}

function matchesSpelling(rule: CompiledRule & { readonly kind: 'path' }, path: string, rules: RuleSet): boolean {
  const current = rule.ref.behavior === 'allow' ? rules.allowFolders : rules.denyFolders;
  const anchors = { home: rules.homeFolders, source: rule.sourceFolders, current };
  return matchesPath({
    pattern: rule.pattern,
    anchors,
    path,
    ignoreCase: rules.ignoreCase || rule.ref.behavior !== 'allow',
  });
}

/** Deny and ask: any spelling of the file is enough. A later `!` pattern of the same list makes an exception. */
export function stopsFile(rule: CompiledRule, file: FileFact, facts: CallFacts, rules: RuleSet): boolean {
  if (rule.kind === 'tool') {
    // A refusal of all reading is a refusal of all changes.
    return rule.ref.behavior === 'deny' && rule.names.test('Read') && !facts.isMcp;
  }
  if (rule.kind !== 'path' || rule.pattern.negated || !speaksOf(rule, file, facts.toolName)) return false;
  const exceptions = exceptionsOf(rules[rule.ref.behavior]);
  return file.spellings.some((path) => {
    if (!matchesSpelling(rule, path, rules)) return false;
    return !exceptions.some(
      (other) =>
        other.group === rule.group &&
        other.order > rule.order &&
        other.tool === rule.tool &&
        matchesSpelling(other, path, rules) &&
        matchesSpelling(other, file.real, rules),
    );
  });
}

/** Allow: the file as given and as it really is must both match. */
export function allowsFile(rule: CompiledRule, file: FileFact, facts: CallFacts, rules: RuleSet): boolean {
  if (file.unknown !== null || file.nested) return false;
  if (rule.kind === 'tool') return file.from === 'tool' && rule.names.test(facts.toolName);
  if (rule.kind !== 'path' || rule.pattern.negated || !speaksOf(rule, file, facts.toolName)) return false;
  const [given] = file.spellings;
  return given !== undefined && matchesSpelling(rule, given, rules) && matchesSpelling(rule, file.real, rules);
}

/** Whether a rule speaks of the host. */
export function matchesHostRule(rule: CompiledRule, host: string, facts: CallFacts): boolean {
  return rule.kind === 'host' && facts.toolName === 'WebFetch' && matchesHost(rule.host, host);
}
