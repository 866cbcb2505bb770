// Everything behind one decision, as data: what the call touches, which rules speak of it and which only nearly do.
import { z } from 'zod';
import { PermissionMode } from './modes';
import { RuleRef } from './ruleRef';

/** A command of a shell line, with what is known of it. */
export const WhyCommand = z.strictObject({
  text: z.string(),
  /** Found inside a wrapper, script or substitution: only deny rules, ask rules and gates look at it. */
  nested: z.boolean(),
  readOnly: z.boolean(),
  /** In words, as it follows "because": why it is harmless, or why not. */
  note: z.string(),
});
export type WhyCommand = z.infer<typeof WhyCommand>;

export const WhyFile = z.strictObject({
  given: z.string(),
  /** Absolute, links followed; null when it cannot be told before the call runs. */
  real: z.string().nullable(),
  access: z.enum(['read', 'write']),
  /** tool: the tool's own path · redirect: behind `<` or `>` · argument: of a command. */
  from: z.enum(['tool', 'redirect', 'argument']),
  inside: z.boolean(),
  /** What is special about it, in words; empty when nothing is. */
  note: z.string(),
});
export type WhyFile = z.infer<typeof WhyFile>;

/**
 * wins: the decision is this rule's · helps: its part of an allowed call is allowed by it · loses: it speaks of the
 * call and something else decides.
 */
export const RuleStanding = z.enum(['wins', 'helps', 'loses']);
export type RuleStanding = z.infer<typeof RuleStanding>;

/** A rule that speaks of the call. */
export const WhyRule = z.strictObject({
  rule: RuleRef,
  standing: RuleStanding,
  /** The parts it speaks of, as written. */
  parts: z.array(z.string()),
  because: z.string(),
});
export type WhyRule = z.infer<typeof WhyRule>;

export const NearMissKind = z.enum([
  'untrusted',
  'dead',
  'case',
  'wordBoundary',
  'moreWords',
  'bareForm',
  'wildcard',
  'otherWords',
  'between',
  'wrapper',
  'blocked',
  'anchor',
  'depth',
  'access',
  'link',
  'exception',
  'unknownFile',
  'host',
  'name',
  'parameter',
]);
export type NearMissKind = z.infer<typeof NearMissKind>;

/** A rule that looks as if it spoke of the call and does not. */
export const NearMiss = z.strictObject({
  rule: RuleRef,
  kind: NearMissKind,
  /** The part it misses, as written. */
  part: z.string(),
  because: z.string(),
  /** A rule that would have meant it. For people to think about, never applied by itself. */
  instead: z.string().optional(),
});
export type NearMiss = z.infer<typeof NearMiss>;

/** A check that stands above allow rules. */
export const WhyGate = z.strictObject({
  check: z.enum([
    ...(['privateFile', 'criticalRemoval', 'privateAddress', 'protectedPath', 'repeatedCall'] as const),
    ...(['outsideSandbox', 'noSandbox'] as const),
  ]),
  detail: z.string(),
  /** Whether the decision is this check's. */
  decides: z.boolean(),
});
export type WhyGate = z.infer<typeof WhyGate>;

/** The why-tree of a decision, beside the decision's own reason and parts. Lists are bounded; `leftOut` says by how much. */
export const WhyTree = z.strictObject({
  tool: z.string(),
  mode: PermissionMode,
  /** What the mode did to this call, in words. */
  modeNote: z.string(),
  commands: z.array(WhyCommand),
  files: z.array(WhyFile),
  hosts: z.array(z.string()),
  /** The winner first. */
  rules: z.array(WhyRule),
  nearMisses: z.array(NearMiss),
  gates: z.array(WhyGate),
  /** Why nothing may allow a shell line as a whole: the two parsers disagree, invisible characters, unfinished text. */
  doubts: z.array(z.string()),
  /** What hooks and the tool itself said, in words. */
  opinions: z.array(z.string()),
  /** Entries of the lists above that were left out for their number. */
  leftOut: z.number().int().nonnegative(),
});
export type WhyTree = z.infer<typeof WhyTree>;
