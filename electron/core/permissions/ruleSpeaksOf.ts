// Whether a rule speaks of a call: the condition of a hook. In doubt it does, for the hook may be a gate.
import { isBare, parseRule } from '#shared/permissions/rule';
import type { CallFacts } from './callFacts';
import { mayHideCommands } from './powerShellRule';
import { matchesCall, matchesHostRule, type RuleSet, stopsCommand, stopsFile } from './rules';

/** Tools whose own path rules are not in force; a condition with one of them means that tool and an Edit path. */
const editTools: ReadonlySet<string> = new Set(['Write', 'MultiEdit', 'NotebookEdit']);

/** More than a command's name, a star behind it not counted. */
function isLongerThanName(content: string): boolean {
  return /\s/.test(content.replace(/(:\*|\s+\*)$/, '').trim());
}

/**
 * Whether `text` speaks of the call, one of its commands, files or hosts. `compile` makes a set with this rule alone,
 * as a deny rule, which looks through more than any other.
 */
export function ruleSpeaksOf(text: string, facts: CallFacts, compile: (rule: string) => RuleSet): boolean {
  const parsed = parseRule(text);
  if (!parsed.ok) return true;
  const { tool, content } = parsed.value;
  if (content !== null && !isBare(parsed.value) && editTools.has(tool))
    return tool === facts.toolName && ruleSpeaksOf(`Edit(${content})`, facts, compile);

  const rules = compile(text);
  const [rule] = rules.deny;
  // Not in force as a rule: it still names a tool.
  if (rule === undefined) return tool === facts.toolName;
  if (matchesCall(rule, facts)) return true;
  if (rule.kind === 'text') return rule.tool === facts.toolName && mayHideCommands(facts.shellText ?? '');
  if (rule.kind === 'command' && facts.shellText !== null) {
    if (facts.shellProblems.length > 0) return true;
    if (content !== null && isLongerThanName(content) && /[$`]/.test(facts.shellText)) return true;
    if (facts.commands.some((command) => stopsCommand(rule, command))) return true;
    return [...facts.loose, facts.shellText].some((line) => rule.pattern.matches(line));
  }
  if (rule.kind === 'path')
    return facts.files.some((file) => file.unknown !== null || stopsFile(rule, file, facts, rules));
  return rule.kind === 'host' && facts.hosts.some((host) => matchesHostRule(rule, host, facts));
}
