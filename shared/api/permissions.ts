import { z } from 'zod';
import { Behavior, RuleRef } from '../permissions/decision';
import { PermissionMode } from '../permissions/modes';
import { RuleSource, SavableSource } from '../permissions/sources';
import { call } from '../rpc/contract';

const sessionId = z.string();

/**
 * A settings file's state. `broken`: it does not parse, its last good rules stay in force. `ignored`: a policy file that
 * others than the administrator could have written; nothing of it counts.
 */
export const RuleFile = z.strictObject({
  source: RuleSource,
  path: z.string(),
  state: z.enum(['absent', 'read', 'broken', 'unreadable', 'ignored']),
  /** Place of the fault, counted from 1. */
  line: z.number().int().positive().optional(),
  column: z.number().int().positive().optional(),
  /** In words: what is wrong and what to do. Empty when all is well. */
  problem: z.string(),
});
export type RuleFile = z.infer<typeof RuleFile>;

/** A rule that is not in force as written, and what to write instead. */
export const RuleWarning = z.strictObject({ rule: RuleRef, problem: z.string(), instead: z.string().optional() });
export type RuleWarning = z.infer<typeof RuleWarning>;

/**
 * Something that a folder's own settings would do beside rules and directories. `mode`: the mode that sessions start in.
 * `sandbox`: an opening in the sandbox. `switch`: a switch that takes something from the person. `unused`: what has no
 * effect here, trusted or not.
 */
export const Brought = z.strictObject({
  kind: z.enum(['hook', 'mode', 'sandbox', 'switch', 'unused']),
  text: z.string(),
  source: RuleSource,
  line: z.number().int().positive().nullable(),
  /** It came after the folder was trusted. */
  fresh: z.boolean(),
});
export type Brought = z.infer<typeof Brought>;

/** What of a repository's own settings waits until the person trusts the folder. Its deny and ask rules never wait. */
export const TrustView = z.strictObject({
  folder: z.string(),
  trusted: z.boolean(),
  /** Allow rules that do not count yet; empty when trusted. */
  waitingRules: z.array(RuleRef),
  /** Additional folders that do not count yet, as written; empty when trusted. */
  waitingDirectories: z.array(z.string()),
  /** What else would take effect; empty when trusted. */
  waitingMore: z.array(Brought),
  /** It was trusted, and what it brings has grown since: until somebody looks at it nothing of it counts. */
  changed: z.boolean(),
  /** Of `changed`: the rules and directories that came since, as written, and files of commands, skills and agents. */
  freshTexts: z.array(z.string()),
});
export type TrustView = z.infer<typeof TrustView>;

/** A pattern that was denied so often that it is denied without asking. `until` is epoch milliseconds. */
export const DenialBlock = z.strictObject({
  /** `Bash(git push)` or a tool's name. */
  pattern: z.string(),
  count: z.number().int().positive(),
  until: z.number(),
});
export type DenialBlock = z.infer<typeof DenialBlock>;

/** A session's rule that ends before the session does. */
export const ExpiringRule = z.strictObject({
  text: z.string(),
  /** Epoch milliseconds; null = when the running turn ends. */
  until: z.number().nullable(),
});
export type ExpiringRule = z.infer<typeof ExpiringRule>;

export const RulesView = z.strictObject({
  rules: z.array(RuleRef),
  files: z.array(RuleFile),
  warnings: z.array(RuleWarning),
  /** Modes that may be chosen here, with the reason where one may not. */
  modes: z.array(z.strictObject({ mode: PermissionMode, available: z.boolean(), reason: z.string() })),
  folders: z.array(z.string()),
  trust: TrustView,
  denials: z.array(DenialBlock),
  expiring: z.array(ExpiringRule),
  /** True when the administrator lets only policy rules count; then nothing can be saved. */
  managedOnly: z.boolean(),
});
export type RulesView = z.infer<typeof RulesView>;

/** A rule that a person wants in one of the places that can be written. */
const wantedRule = z.strictObject({
  sessionId,
  rule: z.string().min(1).max(2_000),
  behavior: Behavior,
  source: SavableSource,
});

export const permissionCalls = {
  /** Rules, files and warnings in force for a session. */
  'permissions.rules': call(z.strictObject({ sessionId }), RulesView),
  /** What adding a rule would do: why it cannot be added, and the change to the file as text lines (null: no file). */
  'permissions.previewRule': call(
    wantedRule,
    z.strictObject({
      problems: z.array(z.string()),
      file: z.string().nullable(),
      addedLines: z.array(z.strictObject({ line: z.number().int().positive(), text: z.string() })),
    }),
  ),
  /** Adds a rule by the person's hand. `refused` with the reason when it cannot be added. */
  'permissions.addRule': call(wantedRule, z.strictObject({})),
  /** Takes back a rule that was saved from an ask. `conflict` when the file has changed so that it is no longer there. */
  'permissions.removeRule': call(z.strictObject({ sessionId, rule: RuleRef }), z.strictObject({})),
  /** Trusts the session's folder, so that its own allow rules and directories count, or takes that back. */
  'permissions.trust': call(z.strictObject({ sessionId, trusted: z.boolean() }), z.strictObject({})),
  /** Lets a pattern ask again that was denied too often. `conflict` when it is not blocked any more. */
  'permissions.liftDenial': call(z.strictObject({ sessionId, pattern: z.string() }), z.strictObject({})),
};

export const permissionEvents = {
  'permissions.changed': z.strictObject({ sessionId, view: RulesView }),
};
