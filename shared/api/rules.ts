// The rule editor: what is in force and why, staged changes, files as text, undo, checks, tests and trying a call out.
import { z } from 'zod';
import { Decision } from '../permissions/decision';
import { PermissionMode } from '../permissions/modes';
import { FileSource, PermissionScalar, RuleDraft, RuleEdit } from '../permissions/ruleEdits';
import { Behavior, RuleRef } from '../permissions/ruleRef';
import { RuleSource } from '../permissions/sources';
import { call } from '../rpc/contract';
import { RuleFile } from './permissions';

const sessionId = z.string();

/** A value and the place that gives it; `line` only for files. */
export const SettingPlace = z.strictObject({
  source: RuleSource,
  file: z.string().nullable(),
  line: z.number().int().positive().nullable(),
  value: z.string(),
  /** In words, why it does not count although it is written; empty when nothing but rank is against it. */
  heldBack: z.string(),
});
export type SettingPlace = z.infer<typeof SettingPlace>;

/** What is in force for a session, and which source gives each value. */
export const EffectivePolicy = z.strictObject({
  files: z.array(
    RuleFile.extend({
      /** Epoch milliseconds of the last reading; null = never. */
      readAt: z.number().nullable(),
      bytes: z.number().int().nonnegative().nullable(),
      /** Rules that the file holds, in force or not. */
      rules: z.number().int().nonnegative(),
      /** In words, why Gatehouse does not write it; empty when it may. */
      locked: z.string(),
    }),
  ),
  scalars: z.array(
    z.strictObject({
      key: PermissionScalar,
      /** What counts; null = nobody sets it. */
      effective: SettingPlace.nullable(),
      /** All places that set it, the strongest first. */
      places: z.array(SettingPlace),
    }),
  ),
  /** `value` is the folder as written. */
  directories: z.array(SettingPlace.extend({ path: z.string() })),
});
export type EffectivePolicy = z.infer<typeof EffectivePolicy>;

/** A rule of the result of a draft, and what the draft did to it. `held`: it stands there and does not count, with why. */
export const DraftedRule = z.strictObject({
  rule: RuleRef,
  state: z.enum(['same', 'added', 'changed', 'moved']),
  held: z.string(),
});
export type DraftedRule = z.infer<typeof DraftedRule>;

/** What a file would become. Texts are whole files; null = there is no file. */
export const FileChange = z.strictObject({
  source: FileSource,
  path: z.string(),
  /** Others share it (it is checked in). */
  shared: z.boolean(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});
export type FileChange = z.infer<typeof FileChange>;

export const DraftView = z.strictObject({
  rules: z.array(DraftedRule),
  files: z.array(FileChange),
  /** Edits that cannot be made, by their place in the draft. Nothing of a draft with problems is written. */
  problems: z.array(z.strictObject({ edit: z.number().int().nonnegative(), problem: z.string() })),
});
export type DraftView = z.infer<typeof DraftView>;

/** A written change, with all its files, that can be undone as one. */
export const RuleStep = z.strictObject({
  id: z.string(),
  /** In words, as it follows "Undo": `move Bash(ls *) from user to project`. */
  label: z.string(),
  /** Epoch milliseconds. */
  at: z.number(),
  files: z.array(z.string()),
});
export type RuleStep = z.infer<typeof RuleStep>;

/** What Mod+Z and Mod+Shift+Z would do now, and the last steps, newest first. */
export const StepsView = z.strictObject({
  undo: RuleStep.nullable(),
  redo: RuleStep.nullable(),
  recent: z.array(RuleStep),
});
export type StepsView = z.infer<typeof StepsView>;

/** A fault or remark in a settings text. `from` and `to` are offsets in UTF-16 units. */
export const TextProblem = z.strictObject({
  from: z.number().int().nonnegative(),
  to: z.number().int().nonnegative(),
  line: z.number().int().positive(),
  column: z.number().int().positive(),
  severity: z.enum(['error', 'warning', 'hint']),
  message: z.string(),
});
export type TextProblem = z.infer<typeof TextProblem>;

/** The 25 kinds of remarks on rules. */
export const LintKind = z.enum([
  'syntax',
  'unknownTool',
  'neverConsulted',
  'shadowedByDeny',
  'shadowedByAsk',
  'subsumed',
  'duplicate',
  'wrongAnchor',
  'wordBoundary',
  'misplacedColonStar',
  'overBroad',
  'wrapperNotStripped',
  'denyWalkedRound',
  'redirect',
  'multiLine',
  'credential',
  'invisibleCharacters',
  'missingPath',
  'neverUsed',
  'needsTrust',
  'managedOnly',
  'localNotIgnored',
  'notStrictJson',
  'platform',
  'unknownMcpServer',
]);
export type LintKind = z.infer<typeof LintKind>;

/** A remark on a rule or on a file as a whole. */
export const LintFinding = z.strictObject({
  kind: LintKind,
  severity: z.enum(['error', 'warning', 'hint']),
  /** Null when it is about a file. */
  rule: RuleRef.nullable(),
  /** A settings file's path; null for rules in memory. */
  file: z.string().nullable(),
  line: z.number().int().positive().nullable(),
  /** Fact and cause; the next step is the fix. */
  message: z.string(),
  /** Another rule that it is about: the one that shadows, covers or equals it. */
  other: RuleRef.nullable(),
  /**
   * What would mend it. `safe`: no call is decided more permissively afterwards. Null where only a person can tell, or the
   * source cannot be written.
   */
  fix: z.strictObject({ label: z.string(), edits: z.array(RuleEdit), safe: z.boolean() }).nullable(),
});
export type LintFinding = z.infer<typeof LintFinding>;

/** A call that somebody types or picks. `line`: as a person writes it, `git push`, `Read src/a.ts`, `Bash(git push)`. */
export const TriedCall = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('input'), tool: z.string().max(200), input: z.record(z.string(), z.unknown()) }),
  z.strictObject({ kind: z.literal('line'), line: z.string().max(20_000) }),
]);
export type TriedCall = z.infer<typeof TriedCall>;

/** One of the seven steps as it would go. `open`: it cannot be told without running something. */
export const TriedStep = z.strictObject({
  step: z.enum(['lookup', 'input', 'validation', 'preHook', 'permission', 'execution', 'postHook']),
  state: z.enum(['passes', 'stops', 'asks', 'open', 'notReached']),
  /** In words. */
  detail: z.string(),
});
export type TriedStep = z.infer<typeof TriedStep>;

export const Trial = z.strictObject({
  tool: z.string(),
  input: z.record(z.string(), z.unknown()),
  cwd: z.string(),
  mode: PermissionMode,
  steps: z.array(TriedStep),
  /** Null when the call would not come to the permission step. */
  decision: Decision.nullable(),
  warning: z.string(),
});
export type Trial = z.infer<typeof Trial>;

/** A check of the rules that is kept beside them: a whole call with its verdict, or what one rule must match and must not. */
export const RuleTest = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('call'),
    name: z.string().trim().min(1).max(200),
    tool: z.string().min(1).max(200),
    input: z.record(z.string(), z.unknown()),
    mode: PermissionMode.optional(),
    /** Below the project's folder; left out: the folder. */
    cwd: z.string().max(4_096).optional(),
    expect: Behavior,
  }),
  z.strictObject({
    kind: z.literal('rule'),
    name: z.string().trim().min(1).max(200),
    rule: z.string().min(1).max(2_000),
    /** Calls as a person writes them. */
    match: z.array(z.string().max(20_000)).max(200),
    notMatch: z.array(z.string().max(20_000)).max(200),
  }),
]);
export type RuleTest = z.infer<typeof RuleTest>;

export const RuleTestResult = z.strictObject({
  test: RuleTest,
  passed: z.boolean(),
  /** For people: what came instead, and because of which rule. Empty when it passed. */
  problem: z.string(),
});
export type RuleTestResult = z.infer<typeof RuleTestResult>;

export const ruleCalls = {
  /** Files, scalars and directories with the source that gives each. */
  'rules.policy': call(z.strictObject({ sessionId }), EffectivePolicy),
  /** The rules as they would stand after a draft, and the files' texts. An empty draft gives all rules that there are. */
  'rules.preview': call(z.strictObject({ sessionId, draft: RuleDraft }), DraftView),
  /**
   * Writes a draft as one step: all files or none. `conflict` when a rule that it names has gone from its file meanwhile,
   * `refused` when an edit cannot be made or a file does not parse.
   */
  'rules.save': call(z.strictObject({ sessionId, draft: RuleDraft }), z.strictObject({ step: RuleStep })),
  'rules.steps': call(z.strictObject({}), StepsView),
  /**
   * Takes a step back, or makes it again. Files that others changed since are merged; `conflict` when that cannot be done, and
   * then nothing is written.
   */
  'rules.undo': call(z.strictObject({ step: z.string() }), StepsView),
  'rules.redo': call(z.strictObject({ step: z.string() }), StepsView),
  /** A settings file's text with all that is wrong in it; `text` null: no file. */
  'rules.file': call(
    z.strictObject({ sessionId, path: z.string().max(4_096) }),
    z.strictObject({ path: z.string(), text: z.string().nullable(), locked: z.string() }),
  ),
  /** What is wrong in a text that is being written, of the file at `path`. */
  'rules.checkText': call(
    z.strictObject({ sessionId, path: z.string().max(4_096), text: z.string().max(10_000_000) }),
    z.strictObject({ problems: z.array(TextProblem) }),
  ),
  /**
   * Writes a whole text that was made from `base`. Changes that came to the disk meanwhile are merged; `conflict` when they
   * touch the same lines. A text that does not parse is `refused`.
   */
  'rules.writeFile': call(
    z.strictObject({
      sessionId,
      path: z.string().max(4_096),
      base: z.string().max(10_000_000).nullable(),
      text: z.string().max(10_000_000),
    }),
    z.strictObject({ step: RuleStep, merged: z.boolean() }),
  ),
  /** A text that would parse, made from a broken file, with what was done to it; null when nothing sensible can be made. */
  'rules.repair': call(
    z.strictObject({ sessionId, path: z.string().max(4_096) }),
    z.strictObject({
      before: z.string(),
      repair: z.strictObject({ after: z.string(), notes: z.array(z.string()) }).nullable(),
    }),
  ),
  /** People's own remarks by rule text; they are kept beside the settings, never in them. */
  'rules.notes': call(z.strictObject({}), z.strictObject({ notes: z.record(z.string(), z.string()) })),
  'rules.setNote': call(
    z.strictObject({ rule: z.string().max(2_000), note: z.string().max(2_000) }),
    z.strictObject({ notes: z.record(z.string(), z.string()) }),
  ),
  'rules.lint': call(
    z.strictObject({ sessionId, draft: RuleDraft }),
    z.strictObject({ findings: z.array(LintFinding) }),
  ),
  /** What would become of a call, with a draft in force. Nothing is run. `refused` when the line is no call. */
  'rules.try': call(
    z.strictObject({
      sessionId,
      draft: RuleDraft,
      call: TriedCall,
      /** Left out: the session's. */
      cwd: z.string().max(4_096).optional(),
      mode: PermissionMode.optional(),
    }),
    Trial,
  ),
  /** The tests of the session's folder, run with a draft in force. `problem` when their file cannot be read. */
  'rules.tests': call(
    z.strictObject({ sessionId, draft: RuleDraft }),
    z.strictObject({ file: z.string(), problem: z.string(), results: z.array(RuleTestResult) }),
  ),
  /** Writes the whole list of tests; `base` is the list that it was made from, `conflict` when the file has another. */
  'rules.setTests': call(
    z.strictObject({ sessionId, base: z.array(RuleTest).max(2_000), tests: z.array(RuleTest).max(2_000) }),
    z.strictObject({ file: z.string() }),
  ),
};

export const ruleEvents = {
  /** A step was written, undone or made again, by any page. */
  'rules.steps': StepsView,
};
