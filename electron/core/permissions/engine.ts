// What the rest of the core asks of the permission engine.
import type { RulesView } from '#shared/api/permissions';
import type { Decision, RuleRef } from '#shared/permissions/decision';
import type { PermissionMode } from '#shared/permissions/modes';
import type { SavableSource } from '#shared/permissions/sources';
import type { Suggestion } from '#shared/session/ask';
import type { Result } from '#shared/util/result';
import type { CallFact, OwnPermission } from '../tools/tool';

/** A call as the engine sees it: validated, with absolute paths, never executed by it. */
export interface PermissionRequest {
  readonly toolName: string;
  readonly isMcp: boolean;
  readonly isReadOnly: boolean;
  /** Observable input (derived fields included). */
  readonly input: Readonly<Record<string, unknown>>;
  readonly facts: readonly CallFact[];
  readonly own: OwnPermission;
}

/** Where and how the call would run. */
export interface PermissionSituation {
  readonly sessionId: string;
  /** The session's primary working folder, absolute. */
  readonly folder: string;
  readonly cwd: string;
  readonly mode: PermissionMode;
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
  /** Adds allow rules to a source, text-preserving and atomic. `where` is for people: file and line. */
  saveRules(options: {
    readonly sessionId: string;
    readonly rules: readonly string[];
    readonly source: SavableSource;
  }): Promise<Result<{ readonly where: string; readonly file: string | null }>>;
  /** Takes a rule back. */
  removeRule(sessionId: string, rule: RuleRef): Promise<Result<null>>;
  view(sessionId: string): RulesView;
  /** Mode that new sessions in this folder start in, after all sources (`defaultMode`). */
  startingMode(sessionId: string): PermissionMode;
  /** Whether a mode may be chosen, and why not. */
  modeAvailable(mode: PermissionMode): { readonly available: boolean; readonly reason: string };
  /** Fires after rules changed in force (file edited, rule saved, session rule added). */
  onChange(listener: (sessionId: string) => void): () => void;
  dispose(): Promise<void>;
}
