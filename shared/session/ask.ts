// A question that only a person can answer: may this run, or which option.
import { z } from 'zod';
import { DecisionReason, PartVerdict } from '../permissions/decision';
import { PermissionMode } from '../permissions/modes';
import { SavableSource } from '../permissions/sources';
import { WhyTree } from '../permissions/why';
import { View } from '../tools/presentation';

/** One set of rules that would let the call through next time. */
export const Suggestion = z.strictObject({
  rules: z.array(z.string()).min(1).max(5),
  /** What else it would cover, in words: "any npm test command". */
  covers: z.string(),
});
export type Suggestion = z.infer<typeof Suggestion>;

export const SandboxState = z.strictObject({
  active: z.boolean(),
  /** "bubblewrap" or "none". */
  kind: z.string(),
  network: z.boolean(),
  /** Why it is off, and what would turn it on; empty when active. */
  reason: z.string(),
  /**
   * Only in asks, and only where there is a sandbox: this command would run outside of it (`active` is false then), because
   * the model wants it to, or because a pattern of `sandbox.excludedCommands` says so (`reason` names it).
   */
  outside: z.enum(['wanted', 'excluded']).optional(),
});
export type SandboxState = z.infer<typeof SandboxState>;

export const PermissionAsk = z.strictObject({
  kind: z.literal('permission'),
  askId: z.string(),
  /** "Bash wants to run 2 commands". */
  title: z.string(),
  toolName: z.string(),
  /** The whole input, nothing cut off. */
  input: z.json(),
  view: View,
  cwd: z.string(),
  mode: PermissionMode,
  /** Approving it takes the session to one of these modes, as the answer says; left out: it changes no mode. */
  modes: z.array(PermissionMode).optional(),
  /** Why it asks. */
  reason: DecisionReason,
  parts: z.array(PartVerdict),
  /** What lies behind the question; absent in older logs. */
  why: WhyTree.optional(),
  paths: z.array(z.strictObject({ given: z.string(), real: z.string(), access: z.enum(['read', 'write']) })),
  hosts: z.array(z.string()),
  /** A plain warning when the call destroys something. */
  warning: z.string().optional(),
  /** What the classifier makes of it, as a phrase that can follow "the classifier:"; absent when it took no part. */
  classifier: z.string().optional(),
  sandbox: SandboxState,
  /** Name of the sub-agent that asks; null for the session itself. */
  agent: z.string().nullable(),
  /** Narrow to broad; empty when nothing may be saved, and then `noSuggestions` says why. */
  suggestions: z.array(Suggestion),
  noSuggestions: z.string().optional(),
});
export type PermissionAsk = z.infer<typeof PermissionAsk>;

export const Question = z.strictObject({
  question: z.string(),
  header: z.string(),
  multiSelect: z.boolean(),
  options: z.array(z.strictObject({ label: z.string(), description: z.string(), preview: z.string().optional() })),
});
export type Question = z.infer<typeof Question>;

export const QuestionAsk = z.strictObject({
  kind: z.literal('question'),
  askId: z.string(),
  questions: z.array(Question).min(1).max(4),
});
export type QuestionAsk = z.infer<typeof QuestionAsk>;

export const Ask = z.discriminatedUnion('kind', [PermissionAsk, QuestionAsk]);
export type Ask = z.infer<typeof Ask>;

/** How long a rule saved for this session counts. */
export const RuleLifetime = z.enum(['session', 'hour', 'quarterHour', 'turn']);
export type RuleLifetime = z.infer<typeof RuleLifetime>;

export const AskAnswer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('deny'), words: z.string().max(2_000).optional() }),
  /** `mode`: one of the ask's `modes`. */
  z.strictObject({ kind: z.literal('allowOnce'), mode: PermissionMode.optional() }),
  z.strictObject({
    kind: z.literal('allowAlways'),
    rules: z.array(z.string().min(1).max(1_000)).min(1).max(5),
    source: SavableSource,
    /** Only for the session's own rules; left out: until the session ends. */
    lifetime: RuleLifetime.optional(),
  }),
  /** Question text → chosen labels (or the person's own words). */
  z.strictObject({ kind: z.literal('answers'), answers: z.record(z.string(), z.array(z.string())) }),
]);
export type AskAnswer = z.infer<typeof AskAnswer>;
