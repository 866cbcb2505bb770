// What the rest of the core asks of the permission engine.
import type { DenialBlock, RulesView } from '#shared/api/permissions';
import type { EffectivePolicy } from '#shared/api/rules';
import type { Behavior, Decision, RuleRef } from '#shared/permissions/decision';
import type { PermissionMode } from '#shared/permissions/modes';
import type { SavableSource } from '#shared/permissions/sources';
import type { RuleLifetime, Suggestion } from '#shared/session/ask';
import type { Result } from '#shared/util/result';
import type { PermissionUpdate } from '../hooks/hooks';
import type { Descriptions, StaticOpinion } from './classifier';
import type { Sources } from './combineSources';
import type { RuleDrafts } from './drafted';
import type { PermissionRequest } from './permissionRequest';
import type { RuleEditor } from './ruleEditor';
import type { Confinement } from './sandboxed';
import type { SessionSettings } from './settingsInForce';

export type { PermissionRequest } from './permissionRequest';

/** What became of one change to rules, mode or folders. */
export interface UpdateResult {
  /** What it changes, as a phrase for people. */
  readonly what: string;
  /** Why it was not made; null when it was. */
  readonly problem: string | null;
  /** Rules that were added, and where; null where none were. */
  readonly added: {
    readonly rules: readonly string[];
    readonly source: SavableSource;
    readonly file: string | null;
  } | null;
}

/** Where and how the call would run. */
export interface PermissionSituation {
  readonly sessionId: string;
  /** The session's primary working folder, absolute. */
  readonly folder: string;
  readonly cwd: string;
  readonly mode: PermissionMode;
  /** How often this very call came in a row within the turn, itself included; left out: once. */
  readonly repeats?: number;
}

export interface ResolvedPath {
  readonly given: string;
  /** Links followed, for future files through their deepest existing folder. */
  readonly real: string;
  readonly access: 'read' | 'write';
}

/** The decision and everything an ask shows beside it. */
export interface Evaluation {
  readonly decision: Decision;
  readonly paths: readonly ResolvedPath[];
  readonly hosts: readonly string[];
  /** Plain words when the call destroys something. */
  readonly warning?: string;
  /** Narrow to broad; only for an `ask` that saved rules could answer. */
  readonly suggestions: readonly Suggestion[];
  /** Why there are none. */
  readonly noSuggestions?: string;
  /** What a denial of this call stands for: `Bash(git push)` or the tool's name. */
  readonly pattern: string;
  /** What its commands run in; left out: nobody knows of a sandbox. */
  readonly confinement?: Confinement;
}

/** A decision with sources that are not in force. */
export interface EvaluationWith {
  readonly decision: Decision;
  readonly warning: string;
}

/** What the classifier's model stage would be told. */
export interface Classification {
  readonly effect: StaticOpinion;
  readonly descriptions: Descriptions;
  /** The mode that counts, where the session's own has been taken away meanwhile. */
  readonly mode: PermissionMode;
  /** Whether rules, gates and mode leave the call open: only then a model has something to decide. */
  readonly open: boolean;
  /** Why no model may be asked now, as a phrase for people; empty when one may. */
  readonly problem: string;
}

export interface RulePreview {
  readonly problems: readonly string[];
  readonly wouldRun: boolean;
  readonly stillBecause: string;
  readonly file: string | null;
  readonly addedLines: readonly { readonly line: number; readonly text: string }[];
}

export interface PermissionEngine {
  /** Loads and watches the rule files for a session's folder. Idempotent. */
  openSession(sessionId: string, folder: string): Promise<void>;
  /** Forgets the session's own rules and stops watching what nobody else needs. */
  closeSession(sessionId: string): void;
  /** Gathers facts (I/O), then decides (pure). Never throws for odd input: what is not understood asks. */
  evaluate(request: PermissionRequest, situation: PermissionSituation): Promise<Evaluation>;
  /** What saving would do, without saving. */
  preview(options: {
    readonly rules: readonly string[];
    readonly source: SavableSource;
    readonly request: PermissionRequest;
    readonly situation: PermissionSituation;
  }): Promise<RulePreview>;
  /** Adds allow rules to a source, text-preserving and atomic. `where` is for people: file and line; `step` undoes it. */
  saveRules(options: {
    readonly sessionId: string;
    readonly rules: readonly string[];
    readonly source: SavableSource;
    /** For the source `session`; left out: as long as the session. */
    readonly lifetime?: RuleLifetime;
  }): Promise<Result<{ readonly where: string; readonly file: string | null; readonly step: string }>>;
  /** Changes that are not written yet, made on what is in force. */
  readonly drafts: RuleDrafts;
  /** Writes changes as steps that can be undone. */
  readonly editor: RuleEditor;
  /** Which source gives each setting, for an open session. */
  policy(sessionId: string): EffectivePolicy;
  /** Decides a call with other sources than those in force, such as those of a draft. What a session counts stays out. */
  evaluateWith(request: PermissionRequest, situation: PermissionSituation, sources: Sources): Promise<EvaluationWith>;
  /** Takes a rule back. */
  removeRule(sessionId: string, rule: RuleRef): Promise<Result<null>>;
  /** Makes the changes to rules and folders that hooks ask for, one after the other. The mode is the session's business. */
  applyUpdates(
    sessionId: string,
    updates: readonly Exclude<PermissionUpdate, { readonly type: 'setMode' }>[],
  ): Promise<readonly UpdateResult[]>;
  /** What adding rules by a person's hand would do, without adding them; `applyUpdates` adds them. */
  previewAdded(
    sessionId: string,
    change: { readonly behavior: Behavior; readonly rules: string[]; readonly destination: SavableSource },
  ): Promise<Omit<RulePreview, 'wouldRun' | 'stillBecause'>>;
  /** Lets what came with the session's folder count, or takes that back. Counts for all sessions on it. */
  setTrust(sessionId: string, trusted: boolean): void;
  /** Rules of a command or skill, in force until the session's turn ends; null takes them back earlier. */
  setCommandRules(
    sessionId: string,
    rules: { readonly allow: readonly string[]; readonly deny: readonly string[] } | null,
  ): void;
  /** From here on calls are counted anew. */
  startTurn(sessionId: string): void;
  /** Ends what was granted for the turn. */
  endTurn(sessionId: string): void;
  /** Counts a call that was asked for: how often it came in a row within the turn, itself included. */
  countCall(sessionId: string, call: { readonly toolName: string; readonly input: unknown }): number;
  /** Records that a person denied a pattern. The block that this brought, null when it brought none. */
  recordDenial(sessionId: string, pattern: string): DenialBlock | null;
  /** Records that a person allowed a call: repeats and the classifier's blocks are counted anew. */
  recordAllow(sessionId: string): void;
  /** Lets a blocked pattern ask again. False when it is not blocked. */
  liftDenial(sessionId: string, pattern: string): boolean;
  /** The static stage of the classifier, with the descriptions for its model stage; null where no model takes part. */
  classify(request: PermissionRequest, situation: PermissionSituation): Promise<Classification | null>;
  /** Records the model stage's word. True when it has blocked so often that a person decides instead. */
  recordClassifier(sessionId: string, blocked: boolean): boolean;
  /**
   * The session's settings files with their whole content, for those who read more of them than rules. Opens the session
   * when it is not open yet; files that changed are read again before this returns.
   */
  settings(session: { readonly sessionId: string; readonly folder: string }): SessionSettings;
  /**
   * Whether a rule speaks of a call or of any part of it; true where that cannot be told. For conditions of what else
   * happens with a call, never for a decision.
   */
  speaksOf(rule: string, request: PermissionRequest, situation: PermissionSituation): Promise<boolean>;
  view(sessionId: string): RulesView;
  /** The rules of `view`, without the rest. Files that changed are read again before this returns. */
  inForce(sessionId: string): readonly RuleRef[];
  /** The folders of `view` as they were when the files were last looked at: what the last decision went by. */
  workingFolders(sessionId: string): readonly string[];
  /** Mode that new sessions in this folder start in, after all sources (`defaultMode`). */
  startingMode(sessionId: string): PermissionMode;
  /**
   * Whether a mode may be chosen, and why not: for a session, or without one for all that are open. A call in a mode that
   * may not be chosen is decided as in the default mode.
   */
  modeAvailable(mode: PermissionMode, sessionId?: string): { readonly available: boolean; readonly reason: string };
  /**
   * A settings file has changed and somebody may object. They are asked while its former content is in force, and no call of
   * the session is decided before they have answered. Objected to, the former content stays in force until the file changes
   * again; otherwise `accepted` is called right before the change counts.
   */
  consider(
    sessionId: string,
    change: { readonly path: string; objects(): Promise<boolean>; accepted(): void },
  ): Promise<void>;
  /** Fires after rules changed in force (file edited, rule saved, session rule added). */
  onChange(listener: (sessionId: string) => void): () => void;
  dispose(): Promise<void>;
}
