// How remarks are put together.
import type { LintFinding, LintKind } from '#shared/api/rules';
import { describeRule, type RuleRef } from '#shared/permissions/decision';
import type { RuleEdit } from '#shared/permissions/ruleEdits';
import { ruleSources } from '#shared/permissions/sources';
import { visibleText } from '../../tools/visibleText';
import { isOpen } from './world';

export type Severity = LintFinding['severity'];
export type Fix = NonNullable<LintFinding['fix']>;

/** `Bash(git push *) · project, line 21`, nothing hidden in it and not too long. */
export function named(rule: RuleRef): string {
  const shown = describeRule({ ...rule, text: '' });
  const text = visibleText(rule.text);
  return `${text.length > 120 ? `${text.slice(0, 119)}…` : text}${shown}`;
}

/** Takes the rule out. Of allow rules that is always safe. */
export function removal(rule: RuleRef, label = 'Remove the rule', safe = rule.behavior === 'allow'): Fix | null {
  if (!isOpen(rule.source)) return null;
  return { label, edits: [{ type: 'remove', rule }], safe };
}

/**
 * Writes another text in its place. Where the source cannot be written, the text is added to the person's own settings.
 * `safe` is for the caller to know: it depends on what the rule did before.
 */
export function rewriting(rule: RuleRef, text: string, safe: boolean): Fix {
  if (isOpen(rule.source))
    return {
      label: `Write ${visibleText(text)}`,
      edits: [{ type: 'change', rule, behavior: rule.behavior, text }],
      safe,
    };
  const add: RuleEdit = { type: 'add', source: 'userSettings', behavior: rule.behavior, text };
  return {
    label: `Add ${visibleText(text)} to your own settings`,
    edits: [add],
    // Beside what stands there, another refusal only restricts.
    safe: rule.behavior !== 'allow' && !/\(!/.test(text),
  };
}

/** Why a rule of this source is not changed here; empty where it can be. */
export function lockedNote(rule: RuleRef): string {
  if (isOpen(rule.source)) return '';
  const { label, where } = ruleSources[rule.source];
  return ` Rules of the source “${label}” are not changed here: they come from ${rule.file ?? where}.`;
}

/** A remark on a rule. What cannot be changed gets told why, instead of a fix. */
export function onRule(options: {
  readonly kind: LintKind;
  readonly severity: Severity;
  readonly rule: RuleRef;
  readonly message: string;
  readonly other?: RuleRef;
  readonly fix?: Fix | null;
}): LintFinding {
  const { kind, severity, rule, message, other = null, fix = null } = options;
  return {
    kind,
    severity,
    rule,
    file: rule.file ?? null,
    line: rule.line ?? null,
    message: `${message}${fix === null ? lockedNote(rule) : ''}`,
    other,
    fix,
  };
}

/** A remark on a file as a whole or a place in it. */
export function onFile(options: {
  readonly kind: LintKind;
  readonly severity: Severity;
  readonly file: string | null;
  readonly line?: number | null;
  readonly message: string;
}): LintFinding {
  const { kind, severity, file, line = null, message } = options;
  return { kind, severity, rule: null, file, line, message, other: null, fix: null };
}
