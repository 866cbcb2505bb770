// The form of the case tables: groups of calls that share their rules, with the decision of each.
import type { Behavior } from '#shared/permissions/decision';
import type { PermissionMode } from '#shared/permissions/modes';
import type { RuleSource } from '#shared/permissions/sources';
import type { CaseFile, CaseRules } from './caseWorld';

/** A shell command, or a tool with its input. */
export type CaseCall = string | readonly [tool: string, input: Readonly<Record<string, unknown>>];

export interface CaseGroup extends CaseRules {
  readonly about: string;
  readonly more?: Partial<Record<RuleSource, CaseRules>>;
  /** Source of the group's own rules; user settings when left out. */
  readonly source?: RuleSource;
  readonly mode?: PermissionMode;
  readonly files?: Readonly<Record<string, CaseFile>>;
  readonly trusted?: boolean;
  readonly workspace?: string;
  readonly rows: readonly (readonly [call: CaseCall, expected: Behavior])[];
}

export const read = (file_path: string): CaseCall => ['Read', { file_path }];
export const edit = (file_path: string): CaseCall => ['Edit', { file_path, old_string: 'a', new_string: 'b' }];
export const write = (file_path: string): CaseCall => ['Write', { file_path, content: 'x' }];
export const fetchUrl = (url: string): CaseCall => ['WebFetch', { url, prompt: 'summarise' }];
