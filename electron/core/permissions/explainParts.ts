// Which parts of a call a rule speaks of. The order of questions is that of the decision.
import type { RuleRef } from '#shared/permissions/decision';
import type { ParsedRule } from '#shared/permissions/rule';
import type { NearMissKind } from '#shared/permissions/why';
import type { CallFacts } from './callFacts';
import { finderOf, type Subject } from './ruleIndex';
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

const keys = new WeakMap<RuleRef, string>();

/** The same for a rule and its copies; different for rules in different places. */
export function ruleKey(ref: RuleRef): string {
  const known = keys.get(ref);
  if (known !== undefined) return known;
  const key = JSON.stringify([ref.text, ref.behavior, ref.source, ref.file, ref.line]);
  keys.set(ref, key);
  return key;
}

export function sameRule(a: RuleRef, b: RuleRef): boolean {
  return a === b || ruleKey(a) === ruleKey(b);
}

/** All by which deny and ask rules may know the call. */
function stopSubject(facts: CallFacts): Subject {
  return {
    // A refusal of all reading stops changes too.
    tools: [facts.toolName, 'Read'],
    commands: [...facts.commands.flatMap((command) => command.denyForms), ...facts.loose],
    line: facts.shellText,
    paths: [...new Set(facts.files.flatMap((file) => file.spellings))],
    hosts: facts.hosts,
  };
}

/** All by which allow rules may know some of the call. */
function allowSubject(facts: CallFacts): Subject {
  return {
    tools: [facts.toolName],
    commands: facts.commands.flatMap((command) => [
      ...command.exactForms,
      ...command.starForms.map((form) => form.text),
    ]),
    line: facts.shellText,
    paths: [...new Set(facts.files.flatMap((file) => [...file.spellings, file.real]))],
    hosts: facts.hosts,
  };
}

/** Keeps what was made of a call's facts as long as they are kept. */
function keptFor(make: (facts: CallFacts) => Subject): (facts: CallFacts) => Subject {
  const kept = new WeakMap<CallFacts, Subject>();
  return (facts) => {
    const known = kept.get(facts);
    if (known !== undefined) return known;
    const made = make(facts);
    kept.set(facts, made);
    return made;
  };
}

const stopSubjectOf = keptFor(stopSubject);
const allowSubjectOf = keptFor(allowSubject);

/** Rules of a deny or ask list that may stop the call, in its order. */
export function mayStop(list: readonly CompiledRule[], facts: CallFacts): readonly CompiledRule[] {
  return list.length === 0 ? list : finderOf(list)(stopSubjectOf(facts));
}

/** Rules of the allow list that may cover some of the call, in its order. */
export function mayAllow(list: readonly CompiledRule[], facts: CallFacts): readonly CompiledRule[] {
  return list.length === 0 ? list : finderOf(list)(allowSubjectOf(facts));
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
