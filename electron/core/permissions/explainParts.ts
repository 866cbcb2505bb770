// Which parts of a call a rule speaks of. The order of questions is that of the decision.
import type { RuleRef } from '#shared/permissions/decision';
import type { ParsedRule } from '#shared/permissions/rule';
import type { NearMissKind } from '#shared/permissions/why';
import type { CallFacts } from './callFacts';
import {
  allowsCommand,
  allowsFile,
  type CompiledRule,
  matchesCall,
  matchesHostRule,
  type RuleSet,
  stopsCommand,
  stopsFile,
} from './rules';

/** Parts that a deny or ask rule stops, as written. */
export function stoppedParts(rule: CompiledRule, facts: CallFacts, rules: RuleSet): readonly string[] {
  if (matchesCall(rule, facts)) return [facts.shellText ?? facts.toolName];
  const parts = facts.commands.filter((one) => stopsCommand(rule, one)).map((one) => one.text);
  if (rule.kind === 'command') {
    parts.push(...facts.loose.filter((text) => rule.pattern.matches(text)));
    if (facts.shellText !== null && rule.pattern.exact && rule.pattern.matches(facts.shellText))
      parts.push(facts.shellText);
  }
  parts.push(...facts.files.filter((one) => stopsFile(rule, one, facts, rules)).map((one) => one.given));
  parts.push(...facts.hosts.filter((one) => matchesHostRule(rule, one, facts)));
  return parts;
}

/** Parts that an allow rule would cover, as written. */
export function allowedParts(rule: CompiledRule, facts: CallFacts, rules: RuleSet): readonly string[] {
  if (matchesCall(rule, facts)) return [facts.shellText ?? facts.toolName];
  const whole = facts.shellText;
  if (whole !== null && rule.kind === 'command' && rule.pattern.exact && rule.pattern.matches(whole)) return [whole];
  return [
    ...facts.commands.filter((one) => allowsCommand(rule, one)).map((one) => one.text),
    ...facts.files.filter((one) => !one.personOnly && allowsFile(rule, one, facts, rules)).map((one) => one.given),
    ...facts.hosts.filter((one) => matchesHostRule(rule, one, facts)),
  ];
}

/** A text in the tree is cut behind this many characters. */
const maxPartLength = 300;

export function sameRule(a: RuleRef, b: RuleRef): boolean {
  return (
    a.text === b.text && a.behavior === b.behavior && a.source === b.source && a.file === b.file && a.line === b.line
  );
}

/** A text short enough to stand in a sentence. */
export function short(text: string): string {
  return text.length > maxPartLength ? `${text.slice(0, maxPartLength)}…` : text;
}

/** Why a rule misses, before it is put into the tree. */
export interface Miss {
  readonly kind: NearMissKind;
  readonly part: string;
  readonly because: string;
  readonly instead?: string;
}

/** What the single kinds of rules are compared with. */
export interface NearContext {
  readonly facts: CallFacts;
  readonly rules: RuleSet;
  readonly rule: CompiledRule;
  readonly parsed: ParsedRule;
  /** The rule with another content, made ready; null when that is no rule. */
  changed(content: string, tool?: string): CompiledRule | null;
  /** Parts that a rule of the same list speaks of. */
  speaks(rule: CompiledRule): readonly string[];
}
