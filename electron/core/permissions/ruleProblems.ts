// What stands against rules that somebody wants to save as allow rules.
import { examineRule } from '#shared/permissions/deadRules';
import type { Behavior } from '#shared/permissions/decision';
import { parseRule } from '#shared/permissions/rule';
import { holdsCredential } from './credentials';

interface Problem {
  readonly text: string;
  /** Such a rule is never saved; others are saved and warned about. */
  readonly fatal: boolean;
}

function problemOf(rule: string): Problem | null {
  const parsed = parseRule(rule);
  if (!parsed.ok) return { text: `“${rule}”: ${parsed.error}`, fatal: true };
  if (/[\n\r]/.test(rule)) return { text: `“${rule}”: a rule must be one line.`, fatal: true };
  if (holdsCredential(rule)) return { text: 'A rule must not hold what looks like a key or password.', fatal: true };
  const found = examineRule(rule, 'allow');
  if (found === null) return null;
  const instead = found.instead === undefined ? '' : ` Write ${found.instead}.`;
  return { text: `“${rule}”: ${found.problem}${instead}`, fatal: !found.inForce };
}

/** Everything that is wrong or doubtful, in words. */
export function ruleProblems(rules: readonly string[]): readonly string[] {
  return rules.flatMap((rule) => problemOf(rule)?.text ?? []);
}

/** Only what forbids saving. */
export function fatalProblems(rules: readonly string[]): readonly string[] {
  return rules.flatMap((rule) => {
    const problem = problemOf(rule);
    return problem?.fatal === true ? [problem.text] : [];
  });
}

/** Only what forbids saving a rule of any kind: one that restricts may be of a form that would be dead as an allow rule. */
export function savingProblems(rules: readonly string[], behavior: Behavior): readonly string[] {
  if (behavior === 'allow') return fatalProblems(rules);
  return rules.flatMap((rule) => {
    const parsed = parseRule(rule);
    if (!parsed.ok) return [`“${rule}”: ${parsed.error}`];
    return /[\n\r]/.test(rule) ? [`“${rule}”: a rule must be one line.`] : [];
  });
}
