// Rules that look right and do nothing, or less than they seem to: named, with the working form beside them.
import type { Behavior } from './decision';
import { formatRule, type ParsedRule, parseRule } from './rule';

/** What is wrong with a rule. `inForce` false: it never matches anything. */
export interface RuleProblem {
  readonly problem: string;
  readonly inForce: boolean;
  readonly instead?: string;
}

/** Tools that a rule may name. Names with `_` or `*` are never called unknown, they may belong to a server. */
export const knownTools: ReadonlySet<string> = new Set(
  (
    'Bash PowerShell Monitor REPL Read Write Edit MultiEdit NotebookEdit Glob Grep ListDirectory WebFetch WebSearch ' +
    'AskUserQuestion EnterPlanMode ExitPlanMode TodoWrite SendNotification Agent Task Skill TaskCreate TaskGet ' +
    'TaskUpdate TaskListItems TaskOutput TaskStop TaskList BashOutput KillShell EnterWorktree ExitWorktree ' +
    'ListMcpResources ReadMcpResource ListMcpPrompts WaitForMcpServers ToolSearch LSP GetDiagnostics CronCreate ' +
    'CronList CronDelete GetConfig SetConfig Cd'
  ).split(' '),
);

/** The tool whose name is written so, but for upper and lower case; undefined where there is none or nothing is wrong. */
export function otherCase(tool: string): string | undefined {
  if (knownTools.has(tool)) return undefined;
  return [...knownTools].find((known) => known.toLowerCase() === tool.toLowerCase());
}

/** Path rules are kept under these two names alone. */
const pathRuleOwner: ReadonlyMap<string, 'Edit' | 'Read'> = new Map([
  ['Write', 'Edit'],
  ['MultiEdit', 'Edit'],
  ['NotebookEdit', 'Edit'],
  ['Glob', 'Read'],
  ['Grep', 'Read'],
  ['ListDirectory', 'Read'],
  ['LSP', 'Read'],
]);

/** The field that a tool's own rule form already covers; a parameter rule on it is ignored. */
export const mainFields: ReadonlySet<string> = new Set(['command', 'file_path', 'path', 'notebook_path', 'url']);

const bashParameters: ReadonlySet<string> = new Set(['timeout', 'description', 'run_in_background']);

/** `param` and `value` when the content is a parameter rule of the tool, else null. */
export function parameterOf(rule: ParsedRule): { readonly param: string; readonly value: string } | null {
  if (rule.content === null) return null;
  const found = /^([A-Za-z_][A-Za-z0-9_]*)\s*:\s*([\s\S]*)$/.exec(rule.content);
  const param = found?.[1];
  const value = found?.[2];
  if (param === undefined || value === undefined) return null;
  // One letter is a drive, save with servers, whose fields have any name.
  if (param.length === 1 && !rule.tool.startsWith('mcp__')) return null;
  // An address is taken for a host that is written wrongly, not for a parameter called https.
  if (rule.tool === 'WebFetch' && (param === 'domain' || value.startsWith('//'))) return null;
  const isShell = rule.tool === 'Bash' || rule.tool === 'Monitor' || rule.tool === 'PowerShell';
  if (isShell && (value === '*' || !(bashParameters.has(param) || mainFields.has(param)))) return null;
  return { param, value };
}

function dead(problem: string, instead?: string): RuleProblem {
  return instead === undefined ? { problem, inForce: false } : { problem, inForce: false, instead };
}

function shellProblem(rule: ParsedRule, content: string): RuleProblem | null {
  const as = (text: string) => formatRule({ tool: rule.tool, content: text });
  if (content.trim() === '') return dead('The brackets hold nothing but blanks.', rule.tool);
  if (content.trim() !== content)
    return dead('A blank at the edge of the command matches nothing.', as(content.trim()));
  if (content === ':*') return dead('The prefix is empty.', rule.tool);
  if (content.endsWith(':*')) {
    const prefix = content.slice(0, -2);
    if (prefix !== prefix.trim()) return dead('A blank before :* matches nothing.', as(`${prefix.trim()}:*`));
    if (prefix.includes('*'))
      return dead('With :* at the end, a star before it is read as the character itself.', as(`${prefix} *`));
    return null;
  }
  if (/\S:\*\s/.test(content))
    return dead(':* counts only at the very end.', as(content.replaceAll(':*', ' *').replace(/\s+/g, ' ')));
  if (content.includes(':* ')) return dead(':* counts only at the very end.', as(content.replaceAll(':*', '*')));
  if (content.includes('?') && !/[=&/]/.test(content))
    return {
      problem: 'A question mark is the character itself, not a wildcard.',
      inForce: true,
      instead: as(content.replaceAll('?', '*')),
    };
  return null;
}

function pathProblem(rule: ParsedRule, content: string, behavior: Behavior): RuleProblem | null {
  const as = (text: string) => formatRule({ tool: rule.tool, content: text });
  if (content.startsWith('!') && behavior !== 'deny') return dead('An exception (!) counts only in deny.');
  if (content.startsWith('#') && behavior === 'allow')
    return dead('A leading # never matches in allow.', as(`./${content}`));
  if (/\{[^}]*,[^}]*\}/.test(content)) return dead('Braces are not alternatives here; write one rule for each.');
  if (content.startsWith('$HOME')) return dead('Variables are not filled in.', as(`~${content.slice(5)}`));
  if (/\$[A-Za-z{]/.test(content)) return dead('Variables are not filled in.');
  if (content.split('/').includes('..')) return dead('A pattern with .. matches nothing; write the path it leads to.');
  if (/^[A-Za-z]:[\\/]/.test(content)) {
    const drive = content.charAt(0).toLowerCase();
    return dead(
      'Windows paths are written with a drive folder.',
      as(`//${drive}/${content.slice(3).replaceAll('\\', '/')}`),
    );
  }
  if (/^\/(home|Users|etc|usr|var|tmp|opt|srv|root|mnt|private)\//.test(content))
    return {
      problem: 'One leading slash starts at the folder of the rule’s source, not at the root of the file system.',
      inForce: true,
      instead: as(`/${content}`),
    };
  return null;
}

function hostProblem(rule: ParsedRule, content: string): RuleProblem | null {
  const as = (text: string) => formatRule({ tool: rule.tool, content: text });
  if (!content.startsWith('domain:')) {
    const host = content.replace(/^[a-z]+:\/\//i, '').replace(/[/:].*$/, '');
    return dead('A host is written after domain:', as(`domain:${host}`));
  }
  const host = content.slice('domain:'.length);
  if (/^\[[\da-f:.]+\]$/i.test(host)) return null;
  const plain = host.replace(/^[a-z]+:\/\//i, '').replace(/[/:].*$/, '');
  if (plain !== host) return dead('Only the host name counts, without scheme, port or path.', as(`domain:${plain}`));
  if (host === '' || host === '**') return dead('No host has this name.', as('domain:*'));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything outside ASCII must be written as xn--
  if (/[^\x00-\x7f]/.test(host)) return dead('Write the host in its xn-- form.');
  return null;
}

function nameProblem(rule: ParsedRule, behavior: Behavior): RuleProblem | null {
  const { tool, content } = rule;
  if (tool.startsWith('mcp__')) {
    if (content !== null && content !== '*') return dead('Rules for MCP tools take no brackets here.', tool);
    if (tool.endsWith('__')) return dead('A server’s rule has no underscores at its end.', tool.replace(/_+$/, ''));
    if (behavior === 'allow' && tool.includes('*') && !/^mcp__[^*]+?__/.test(tool))
      return dead('In allow a star may stand only after the server’s name (mcp__server__*).');
    return null;
  }
  if (tool.includes('*')) return behavior === 'allow' ? dead('A tool name in allow may not hold a star.') : null;
  if (knownTools.has(tool) || tool.includes('_')) return null;
  const sameLetters = otherCase(tool);
  if (sameLetters !== undefined)
    return dead(`Tool names count upper and lower case: ${sameLetters}.`, formatRule({ tool: sameLetters, content }));
  return { problem: `No tool is called ${tool}.`, inForce: true };
}

function namedThingProblem(rule: ParsedRule, content: string): RuleProblem | null {
  if (parameterOf(rule) !== null) return null;
  const trimmed = content.trim();
  if (trimmed !== content)
    return dead('Blanks around the name match nothing.', formatRule({ ...rule, content: trimmed }));
  if (rule.tool === 'Skill' && content.endsWith(' *')) return null;
  if (content.includes('*')) {
    const instead = rule.tool === 'Skill' ? `Skill(${content.replace(/\s*\*+$/, '')} *)` : undefined;
    return dead('A star inside the name matches nothing.', instead);
  }
  return null;
}

/** Brackets behind a tool that has no rules of its own form. A refusal is taken for all of its calls. */
function unknownContentProblem(tool: string, behavior: Behavior): RuleProblem {
  if (behavior === 'allow') return dead(`Rules for ${tool} take nothing in brackets; this allows nothing.`);
  return {
    problem: `Rules for ${tool} take nothing in brackets; this stops every call.`,
    inForce: true,
    instead: tool,
  };
}

function parameterProblem(rule: ParsedRule, behavior: Behavior): RuleProblem | null {
  const parameter = parameterOf(rule);
  if (parameter === null) return null;
  if (mainFields.has(parameter.param))
    return dead(
      `${parameter.param} is what the rule is about already; write it without the name.`,
      formatRule({ tool: rule.tool, content: parameter.value }),
    );
  return behavior === 'allow' ? dead('Rules on a parameter count only in deny and ask.') : null;
}

/** Tools that run whatever they are given. */
const runners: ReadonlySet<string> = new Set(['Bash', 'PowerShell', 'Monitor', 'REPL']);

/** Whether a rule meets every call of a tool that runs whatever it is given. */
function isWholeRunner(text: string): boolean {
  const parsed = parseRule(text);
  if (!parsed.ok || !runners.has(parsed.value.tool)) return false;
  const content = parsed.value.content;
  return content === null || content.replaceAll('*', '').trim() === '';
}

/**
 * Looks a rule over. Null: it does what it says. Otherwise the problem in words and, where there is one, the form
 * that works. Nothing is proposed that would allow every command.
 */
export function examineRule(text: string, behavior: Behavior): RuleProblem | null {
  const found = problemOf(text, behavior);
  if (behavior !== 'allow' || found?.instead === undefined || !isWholeRunner(found.instead)) return found;
  return { problem: found.problem, inForce: found.inForce };
}

function problemOf(text: string, behavior: Behavior): RuleProblem | null {
  const parsed = parseRule(text);
  if (!parsed.ok) {
    const trimmed = text.trim();
    return trimmed !== text && parseRule(trimmed).ok
      ? dead('Blanks around a rule make it match nothing.', trimmed)
      : dead(parsed.error);
  }
  const rule = parsed.value;
  const { tool, content } = rule;
  const named = nameProblem(rule, behavior);
  if (named !== null || tool.startsWith('mcp__') || tool.includes('*')) return named;
  if (content === null || content === '*') return null;
  if (content === '') return dead('The brackets are empty.', tool);
  const parameter = parameterProblem(rule, behavior);
  if (parameter !== null) return parameter;
  const owner = pathRuleOwner.get(tool);
  if (owner !== undefined && parameterOf(rule) === null)
    return dead(`Paths of ${tool} are governed by ${owner} rules.`, formatRule({ tool: owner, content }));
  switch (tool) {
    case 'PowerShell':
      if (behavior === 'allow')
        return dead('No parser here understands PowerShell, so each command is put to you whatever a rule allows.');
      return shellProblem(rule, content);
    case 'Bash':
    case 'Monitor':
      return shellProblem(rule, content);
    case 'Read':
    case 'Edit':
    case 'Cd':
      return parameterOf(rule) === null ? pathProblem(rule, content, behavior) : null;
    case 'WebFetch':
      return parameterOf(rule) === null ? hostProblem(rule, content) : null;
    case 'WebSearch':
      return parameterOf(rule) === null ? dead('WebSearch takes no content.', 'WebSearch') : null;
    case 'Agent':
    case 'Task':
    case 'Skill':
      return namedThingProblem(rule, content);
    default:
      return parameterOf(rule) === null ? unknownContentProblem(tool, behavior) : null;
  }
}
