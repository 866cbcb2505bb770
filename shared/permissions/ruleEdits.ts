// Changes to permission rules as data: staged on the page, tried out, replayed, and written as one step.
import { z } from 'zod';
import { RuleLifetime } from '../session/ask';
import { PermissionMode } from './modes';
import { Behavior, RuleRef } from './ruleRef';
import { SavableSource } from './sources';

/** Sources that are files which Gatehouse may write. */
export const FileSource = z.enum(['userSettings', 'projectSettings', 'localSettings']);
export type FileSource = z.infer<typeof FileSource>;

/** Longest rule that can be written. */
export const maxRuleLength = 2_000;

const RuleText = z.string().trim().min(1).max(maxRuleLength);

/** Settings of `permissions` that hold one value, with what they may hold; `null` in an edit takes the setting out. */
export const permissionScalars = {
  defaultMode: PermissionMode,
  disableBypassPermissionsMode: z.literal('disable'),
  disableAutoMode: z.literal('disable'),
} as const;

export const PermissionScalar = z.enum(['defaultMode', 'disableBypassPermissionsMode', 'disableAutoMode']);
export type PermissionScalar = z.infer<typeof PermissionScalar>;

/**
 * One change. A rule is named by text, behavior, source and file; `line` tells equal ones apart and may be out of date.
 * Order counts: each is made on what those before it left.
 */
export const RuleEdit = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('add'),
    source: SavableSource,
    behavior: Behavior,
    text: RuleText,
    /** For the source `session`; left out: as long as the session. */
    lifetime: RuleLifetime.optional(),
  }),
  z.strictObject({ type: z.literal('remove'), rule: RuleRef }),
  /** Writes another text or verdict where the rule stands; with another verdict it goes to the end of that list. */
  z.strictObject({ type: z.literal('change'), rule: RuleRef, behavior: Behavior, text: RuleText }),
  /** Out of its source, to the end of the same list of another. */
  z.strictObject({ type: z.literal('move'), rule: RuleRef, to: SavableSource }),
  z.strictObject({ type: z.literal('copy'), rule: RuleRef, to: SavableSource }),
  z.strictObject({
    type: z.literal('setScalar'),
    source: FileSource,
    key: PermissionScalar,
    value: z.string().max(100).nullable(),
  }),
  z.strictObject({ type: z.literal('addDirectory'), source: FileSource, path: z.string().trim().min(1).max(4_096) }),
  z.strictObject({ type: z.literal('removeDirectory'), source: FileSource, path: z.string().max(4_096) }),
]);
export type RuleEdit = z.infer<typeof RuleEdit>;

/** Most changes of one draft. */
export const maxEdits = 2_000;

/** Changes that are not written yet, oldest first. */
export const RuleDraft = z.array(RuleEdit).max(maxEdits);
export type RuleDraft = z.infer<typeof RuleDraft>;
