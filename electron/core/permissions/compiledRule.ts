// A rule made ready for matching, and the rules of all sources together.
import type { RuleRef } from '#shared/permissions/decision';
import type { StarPattern } from '#shared/util/starPattern';
import type { CommandPattern } from './matchCommand';
import type { PathPattern } from './matchPath';

/** Whether a name is meant. */
export interface NameTest {
  test(name: string): boolean;
}

interface RuleBase {
  readonly ref: RuleRef;
  /** Rules of one file and list: a `!` exception counts within it. */
  readonly group: string;
  readonly order: number;
  /** Spellings of the folder that a leading `/` stands for. */
  readonly sourceFolders: readonly string[];
}

export type CompiledRule = RuleBase &
  (
    | { readonly kind: 'tool'; readonly tool: string; readonly names: NameTest }
    | { readonly kind: 'command'; readonly pattern: CommandPattern }
    | { readonly kind: 'path'; readonly tool: 'Read' | 'Edit'; readonly pattern: PathPattern }
    | { readonly kind: 'host'; readonly host: string }
    | { readonly kind: 'name'; readonly tool: 'Agent' | 'Skill'; readonly name: string; readonly prefix: boolean }
    /** Text of a tool that no parser here understands; in deny and ask. */
    | { readonly kind: 'text'; readonly tool: 'PowerShell'; readonly matches: (text: string) => boolean }
    | { readonly kind: 'parameter'; readonly tool: string; readonly param: string; readonly value: StarPattern }
  );

export interface RuleSet {
  readonly deny: readonly CompiledRule[];
  readonly ask: readonly CompiledRule[];
  readonly allow: readonly CompiledRule[];
  readonly ignoreCase: boolean;
  readonly homeFolders: readonly string[];
  /** Spellings of the session's folder: where relative allow patterns start. */
  readonly allowFolders: readonly string[];
  /** Where relative deny and ask patterns start: session folder, current folder, additional folders. */
  readonly denyFolders: readonly string[];
  /** In auto mode no allow rule speaks for a shell command. */
  readonly judgesShell?: boolean;
}
