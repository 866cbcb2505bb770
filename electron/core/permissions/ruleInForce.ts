// Whether a rule is in force where it stands.
import { examineRule, parameterOf, type RuleProblem } from '#shared/permissions/deadRules';
import type { RuleRef } from '#shared/permissions/decision';
import { parseRule } from '#shared/permissions/rule';

/** Rules on a parameter of a server's tool: refused in files, good in deny and ask on the command line. */
function isServerParameter({ text, behavior, source }: RuleRef): boolean {
  if (source !== 'cliArg' || behavior === 'allow' || !text.startsWith('mcp__')) return false;
  const parsed = parseRule(text);
  return parsed.ok && !parsed.value.tool.includes('*') && parameterOf(parsed.value) !== null;
}

/** What is wrong with a rule in its source; null when it does what it says. */
export function ruleProblem(ref: RuleRef): RuleProblem | null {
  return isServerParameter(ref) ? null : examineRule(ref.text, ref.behavior);
}
