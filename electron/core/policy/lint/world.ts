// What the remarks on rules are made from.
import type { RuleUsage } from '#shared/api/history';
import type { RuleRef } from '#shared/permissions/decision';
import type { RuleSource } from '#shared/permissions/sources';
import type { Sources } from '../../permissions/combineSources';
import type { FileView } from '../../permissions/fileView';
import type { Platform } from '../../permissions/paths';

/** How often rules had a part in past calls of the session's folder. */
export interface LintUsage {
  readonly usage: readonly RuleUsage[];
  /** How far back the calls go. */
  readonly days: number;
  /** Calls that were looked at; without any nothing is said of use. */
  readonly calls: number;
}

export interface LintWorld {
  /** What is in force. */
  readonly sources: Sources;
  /** All rules that stand anywhere, in force or not. */
  readonly standing: readonly RuleRef[];
  readonly home: string;
  /** The folder of the user's settings. */
  readonly claudeConfig: string;
  readonly platform: Platform;
  /** Names and links on the disk, never contents. */
  readonly view: FileView;
  /** A text file's content, with unsaved changes in it; null when there is none. For settings and git's ignore files only. */
  readText(path: string): string | null;
  /** Whether git tracks a file. */
  isTracked(path: string): boolean;
  /** Null: nobody knows. */
  readonly usage: LintUsage | null;
  /** Names of configured MCP servers; null: nobody knows. */
  readonly servers: readonly string[] | null;
}

/** Sources whose rules can be changed in place. */
export type OpenSource = Extract<RuleSource, 'userSettings' | 'projectSettings' | 'localSettings' | 'session'>;

export function isOpen(source: RuleSource): source is OpenSource {
  return (
    source === 'userSettings' || source === 'projectSettings' || source === 'localSettings' || source === 'session'
  );
}

/** One text for one place of one rule. */
export function placeKey(ref: RuleRef): string {
  return `${ref.source}\0${ref.file ?? ''}\0${ref.behavior}\0${ref.line ?? 0}\0${ref.text}`;
}
