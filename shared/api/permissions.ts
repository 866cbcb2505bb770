import { z } from 'zod';
import { RuleRef } from '../permissions/decision';
import { PermissionMode } from '../permissions/modes';
import { RuleSource } from '../permissions/sources';
import { call } from '../rpc/contract';

const sessionId = z.string();

/** A settings file's state. `broken`: it does not parse, its last good rules stay in force. */
export const RuleFile = z.strictObject({
  source: RuleSource,
  path: z.string(),
  state: z.enum(['absent', 'read', 'broken', 'unreadable']),
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

export const RulesView = z.strictObject({
  rules: z.array(RuleRef),
  files: z.array(RuleFile),
  warnings: z.array(RuleWarning),
  /** Modes that may be chosen here, with the reason where one may not. */
  modes: z.array(z.strictObject({ mode: PermissionMode, available: z.boolean(), reason: z.string() })),
  folders: z.array(z.string()),
});
export type RulesView = z.infer<typeof RulesView>;

export const permissionCalls = {
  /** Rules, files and warnings in force for a session. */
  'permissions.rules': call(z.strictObject({ sessionId }), RulesView),
  /** Takes back a rule that was saved from an ask. `conflict` when the file has changed so that it is no longer there. */
  'permissions.removeRule': call(z.strictObject({ sessionId, rule: RuleRef }), z.strictObject({})),
};

export const permissionEvents = {
  'permissions.changed': z.strictObject({ sessionId, view: RulesView }),
};
