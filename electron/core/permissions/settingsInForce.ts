// Settings files with all that they hold, for those who read more of them than rules.
import type { RuleSource } from '#shared/permissions/sources';
import type { SettingsPath } from '#shared/settings/schema';

/** The whole content of a settings file. */
export interface SettingsContent {
  /** As `JSON.parse` gives it. */
  readonly value: unknown;
  /** Line of what stands at a path, counted from 1; null where there are no lines. */
  lineOf(path: SettingsPath): number | null;
}

/** One settings file of a session. */
export interface SettingsInForce {
  readonly source: RuleSource;
  /** Null for JSON given at launch. */
  readonly path: string | null;
  /** The last good content. Null: absent, ignored, or broken from the start. */
  readonly content: SettingsContent | null;
  /** Nobody knows what it says: it is broken or unreadable and was so from the start. */
  readonly unknown: boolean;
  /** A project's or local file of a folder that is not trusted: nothing of it may run. */
  readonly waits: boolean;
}

export interface SessionSettings {
  /** Grows with every change. */
  readonly version: number;
  /** Lowest rank first; of the policy, the base and then its parts by name. */
  readonly files: readonly SettingsInForce[];
}
