// The outcome of the permission step, with all that explains it.
import { z } from 'zod';
import { assertNever } from '../util/assertNever';
import { PermissionMode } from './modes';
import { Behavior, RuleRef } from './ruleRef';
import { ruleSources } from './sources';
import { WhyTree } from './why';

export { Behavior, RuleRef } from './ruleRef';

export const SafetyCheck = z.enum([
  'criticalRemoval',
  'protectedPath',
  'privateFile',
  'privateAddress',
  'repeatedCall',
  'outsideSandbox',
  'noSandbox',
]);
export type SafetyCheck = z.infer<typeof SafetyCheck>;

/** Why a decision came out as it did. */
export const DecisionReason = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('rule'), rule: RuleRef }),
  z.strictObject({ type: z.literal('mode'), mode: PermissionMode }),
  z.strictObject({ type: z.literal('readOnly'), detail: z.string() }),
  z.strictObject({ type: z.literal('noPermissionNeeded') }),
  z.strictObject({ type: z.literal('safety'), check: SafetyCheck, detail: z.string() }),
  z.strictObject({ type: z.literal('tool'), detail: z.string() }),
  z.strictObject({ type: z.literal('hook'), detail: z.string() }),
  z.strictObject({ type: z.literal('classifier'), detail: z.string() }),
  z.strictObject({
    type: z.literal('user'),
    answer: z.enum(['once', 'always', 'deny', 'answered']),
    words: z.string().optional(),
  }),
  z.strictObject({ type: z.literal('noRule'), detail: z.string() }),
  z.strictObject({ type: z.literal('nobodyToAsk'), detail: z.string() }),
  z.strictObject({ type: z.literal('denialLimit'), detail: z.string() }),
]);
export type DecisionReason = z.infer<typeof DecisionReason>;

/** One part of a call (a sub-command, a file, a host) with its own verdict. */
export const PartVerdict = z.strictObject({
  /** The part as written. */
  text: z.string(),
  kind: z.enum(['command', 'read', 'write', 'host', 'tool']),
  behavior: Behavior,
  reason: DecisionReason,
});
export type PartVerdict = z.infer<typeof PartVerdict>;

export const Decision = z.strictObject({
  behavior: Behavior,
  reason: DecisionReason,
  parts: z.array(PartVerdict),
  /** What lies behind it; absent in older logs and where nobody asked for it. */
  why: WhyTree.optional(),
});
export type Decision = z.infer<typeof Decision>;

/** `Bash(git push *) · project settings, line 21`, the rule and its place in words. */
export function describeRule(rule: RuleRef): string {
  const place =
    rule.line === undefined ? ruleSources[rule.source].label : `${ruleSources[rule.source].label}, line ${rule.line}`;
  return `${rule.text} · ${place}`;
}

/** A decision's reason as a phrase that can follow "allowed by", "asks because of" or "denied by". */
export function describeReason(reason: DecisionReason): string {
  switch (reason.type) {
    case 'rule':
      return describeRule(reason.rule);
    case 'mode':
      return `${reason.mode} mode`;
    case 'noPermissionNeeded':
      return 'a tool that needs no permission';
    case 'user':
      return reason.answer === 'always' ? 'you, always' : 'you';
    case 'readOnly':
    case 'safety':
    case 'tool':
    case 'hook':
    case 'classifier':
    case 'noRule':
    case 'nobodyToAsk':
    case 'denialLimit':
      return reason.detail;
    default:
      return assertNever(reason, 'decision reason');
  }
}
