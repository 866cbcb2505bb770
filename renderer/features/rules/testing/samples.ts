// Rules and what is known of them, for tests.
import type { RuleFile, RulesView } from '#shared/api/permissions';
import type { DraftedRule, DraftView, LintFinding } from '#shared/api/rules';
import type { Behavior, RuleRef } from '#shared/permissions/ruleRef';
import type { RuleSource } from '#shared/permissions/sources';
import { noRules } from '../../../testing/fakeCore';

export const paths: Readonly<Partial<Record<RuleSource, string>>> = {
  userSettings: '/home/ada/.claude/settings.json',
  projectSettings: '/srv/app/.claude/settings.json',
  localSettings: '/srv/app/.claude/settings.local.json',
  policySettings: '/etc/claude-code/managed-settings.json',
};

/** `allow Bash(ls) user 3`: behavior, text, source and line. */
export function ref(behavior: Behavior, text: string, source: RuleSource, line?: number): RuleRef {
  const file = paths[source];
  return { text, behavior, source, ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) };
}

export function drafted(rule: RuleRef, more: Partial<DraftedRule> = {}): DraftedRule {
  return { rule, state: 'same', held: '', ...more };
}

export function previewOf(rules: readonly DraftedRule[], more: Partial<DraftView> = {}): DraftView {
  return { rules: [...rules], files: [], problems: [], ...more };
}

export function finding(rule: RuleRef, more: Partial<LintFinding> = {}): LintFinding {
  return {
    kind: 'overBroad',
    severity: 'warning',
    rule,
    file: rule.file ?? null,
    line: rule.line ?? null,
    message: 'It matches very much.',
    other: null,
    fix: null,
    ...more,
  };
}

export function file(source: 'userSettings' | 'projectSettings' | 'localSettings', more: Partial<RuleFile> = {}) {
  return { source, path: paths[source] ?? '', state: 'read', problem: '', ...more } satisfies RuleFile;
}

export const view: RulesView = {
  ...noRules,
  files: [file('userSettings'), file('projectSettings'), file('localSettings', { state: 'absent' })],
};
