// Remarks that a rule's own text is enough for.
import type { LintFinding, LintKind } from '#shared/api/rules';
import { knownTools, otherCase, parameterOf, type RuleProblem } from '#shared/permissions/deadRules';
import type { RuleRef } from '#shared/permissions/decision';
import { formatRule, type ParsedRule, parseRule } from '#shared/permissions/rule';
import { holdsCredential } from '../../permissions/credentials';
import { ruleProblem } from '../../permissions/ruleInForce';
import { hiddenCharacters } from '../../permissions/shell/analyse';
import { closeMatches } from '../../tools/closeMatches';
import { onRule, removal, rewriting, type Severity } from './finding';

/** A refusal that does nothing is worse than a permission that does nothing. */
function deadSeverity(rule: RuleRef): Severity {
  return rule.behavior === 'allow' ? 'warning' : 'error';
}

function kindOfProblem(parsed: ParsedRule | null, problem: RuleProblem): LintKind {
  if (parsed === null) return 'syntax';
  const { tool, content } = parsed;
  if (content === '') return 'syntax';
  if (!tool.includes('*') && (otherCase(tool) !== undefined || (problem.inForce && isUnknown(tool))))
    return 'unknownTool';
  if (content === null) return 'neverConsulted';
  if (content.trim() !== content) return 'syntax';
  if (tool === 'Bash' || tool === 'Monitor' || tool === 'PowerShell') {
    if (content.includes(':*')) return 'misplacedColonStar';
    return problem.inForce ? 'syntax' : 'neverConsulted';
  }
  if (tool === 'Read' || tool === 'Edit' || tool === 'Cd') {
    if (/^[A-Za-z]:[\\/]/.test(content)) return 'platform';
    if (content.startsWith('$') || content.startsWith('/')) return 'wrongAnchor';
  }
  return 'neverConsulted';
}

function isUnknown(tool: string): boolean {
  return !knownTools.has(tool) && !tool.includes('_') && !tool.includes('*');
}

/** Remarks on what is wrong with a rule as written. */
function problemFinding(rule: RuleRef, parsed: ParsedRule | null): LintFinding | null {
  const problem = ruleProblem(rule);
  if (problem === null) return null;
  const kind = kindOfProblem(parsed, problem);
  const dead = problem.inForce
    ? ''
    : ` As it stands, it never ${rule.behavior === 'allow' ? 'allows' : 'stops'} anything.`;
  const severity: Severity = problem.inForce ? 'warning' : deadSeverity(rule);
  const instead = problem.instead ?? (kind === 'unknownTool' && parsed !== null ? meant(parsed) : undefined);
  // A dead refusal brought to life only restricts, but for an exception; a permission brought to life allows.
  const safe = !problem.inForce && rule.behavior !== 'allow' && instead?.includes('(!') !== true;
  const fix =
    instead === undefined
      ? problem.inForce
        ? null
        : removal(rule, 'Remove the rule', true)
      : rewriting(rule, instead, safe);
  const hint = kind === 'unknownTool' && problem.inForce && instead !== undefined ? ` Did you mean ${instead}?` : '';
  return onRule({ kind, severity, rule, message: `${problem.problem}${dead}${hint}`, fix });
}

function meant(rule: ParsedRule): string | undefined {
  const [tool] = closeMatches(rule.tool, [...knownTools], 1);
  return tool === undefined ? undefined : formatRule({ ...rule, tool });
}

const fragment = /^(for|while|until|if|case|do|done|then|else|elif|fi|esac|function)(?=[\s;]|$)|<<-?\s*['"]?\w+/;

function multiLine(rule: RuleRef, parsed: ParsedRule | null): LintFinding | null {
  const lines = /[\n\r]/.test(rule.text);
  const shell = parsed !== null && (parsed.tool === 'Bash' || parsed.tool === 'Monitor');
  const junk = shell && parsed.content !== null && fragment.test(parsed.content);
  if (!lines && !junk) return null;
  const message = lines
    ? 'The rule holds more than one line. Such rules are left over from single calls and hardly ever match again.'
    : 'The rule is a fragment of a shell script. Commands are looked at one by one, so it matches nothing that is run.';
  return onRule({ kind: 'multiLine', severity: 'warning', rule, message, fix: removal(rule) });
}

/** The names of a long path are no key, however long they are together. */
function withoutPaths(text: string): string {
  return text.replace(/(?<=^|[\s(=])(?:~|\.{1,2})?\/[\w.@/-]+/g, (path) => path.replaceAll('/', ' '));
}

function credential(rule: RuleRef): LintFinding | null {
  if (!holdsCredential(withoutPaths(rule.text))) return null;
  return onRule({
    kind: 'credential',
    severity: 'error',
    rule,
    message:
      'The rule holds what looks like a key, token or password. Everybody who can read the file can read it; in a shared file it is in the history as well. Take it out and make the secret invalid.',
    fix: removal(rule),
  });
}

function hidden(rule: RuleRef): LintFinding | null {
  const without = rule.text.replace(hiddenCharacters, '').replace(/\s+/g, ' ').trim();
  if (rule.text.search(hiddenCharacters) === -1) return null;
  const found = [...new Set(rule.text.match(hiddenCharacters) ?? [])]
    .slice(0, 4)
    .map((character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
  return onRule({
    kind: 'invisibleCharacters',
    severity: 'error',
    rule,
    message: `The rule holds characters that cannot be seen (${found.join(', ')}). It does not mean what it looks like.`,
    fix: parseRule(without).ok ? rewriting(rule, without, false) : removal(rule),
  });
}

function slashedExactly(rule: RuleRef, parsed: ParsedRule | null): LintFinding | null {
  if (rule.source !== 'userSettings' || parsed === null || parsed.content === null) return null;
  if (parsed.tool !== 'Read' && parsed.tool !== 'Edit') return null;
  if (parameterOf(parsed) !== null || !/^!?\/(?!\/)/.test(parsed.content)) return null;
  const mark = parsed.content.startsWith('!') ? '!' : '';
  const path = parsed.content.slice(mark.length);
  return onRule({
    kind: 'wrongAnchor',
    severity: 'warning',
    rule,
    message:
      'In user settings one leading slash starts at the folder of those settings, not at the root of the file system and not at the project. A path from the root begins with two slashes, one from the home folder with ~/.',
    fix: rewriting(rule, formatRule({ tool: parsed.tool, content: `${mark}/${path}` }), false),
  });
}

/** All remarks on the text of a rule, the gravest first. Junk and secrets say enough by themselves. */
export function shapeFindings(rule: RuleRef): readonly LintFinding[] {
  const read = parseRule(rule.text);
  const parsed = read.ok ? read.value : null;
  const grave = [credential(rule), hidden(rule), multiLine(rule, parsed)].filter((one) => one !== null);
  if (grave.length > 0) return grave;
  const problem = problemFinding(rule, parsed);
  if (problem !== null) return [problem];
  const anchor = slashedExactly(rule, parsed);
  return anchor === null ? [] : [anchor];
}
