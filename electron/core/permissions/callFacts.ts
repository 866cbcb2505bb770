// What a call will touch, with everything that a decision needs to know about it. Gathered by facts.ts, read by decide.ts.
import type { Guard } from './guardedNames';
import type { Mention } from './mentions';

/** One command of a shell line. */
export interface CommandFact {
  /** As written. */
  readonly text: string;
  /** Found inside a wrapper or script: deny and ask rules and hard gates look at it, allow rules cannot. */
  readonly nested: boolean;
  /** Texts for deny and ask rules. */
  readonly denyForms: readonly string[];
  /** The command's name without its folder, where that is a file pattern; else null. */
  readonly nameGlob: string | null;
  /** Its words where one behind the name is a file pattern, which may become a word that a rule names; else null. */
  readonly patterned: readonly { readonly value: string; readonly glob: boolean }[] | null;
  /** Texts for exact allow rules. */
  readonly exactForms: readonly string[];
  /** Texts for allow rules with a star, each with the length that a rule's fixed beginning must pass. */
  readonly starForms: readonly { readonly text: string; readonly beyond: number }[];
  /** Why no rule with a star may cover it; null when one may. */
  readonly exactOnly: string | null;
  /** Why nothing may cover it, for example because its name is not known before it runs. */
  readonly never: string | null;
  /** In the read-only set, or why not. */
  readonly readOnly: { readonly yes: boolean; readonly why: string };
  /** One of the file commands that acceptEdits runs. */
  readonly edits: boolean;
  /** A removal of something that must not be lost by mistake, in words. */
  readonly critical: string | null;
}

/** One file or folder. */
export interface FileFact {
  readonly access: 'read' | 'write';
  /** tool: the tool's own path · redirect: target of < or > · argument: of a shell command that is known to use it so. */
  readonly from: 'tool' | 'redirect' | 'argument';
  /** Index of the command it belongs to; null for the tool itself and for redirects. */
  readonly command: number | null;
  /** As written. */
  readonly given: string;
  /** Absolute, links followed. Empty when it cannot be told. */
  readonly real: string;
  /** Absolute: as given and after each link. Empty when it cannot be told. */
  readonly spellings: readonly string[];
  /** Why it cannot be told which file this is; null when it can. */
  readonly unknown: string | null;
  /** As given and in truth inside a working folder. */
  readonly inside: boolean;
  /** The protected folder or file it belongs to. */
  readonly protected: Guard | null;
  /** One of Gatehouse's own secret files, or anything in its data folder but the session's own results. */
  readonly private: boolean;
  /** A kept result of the session, looked at with Read: that needs no permission. */
  readonly ownResult: boolean;
  readonly nested: boolean;
  /** No rule may cover it, only a person: a pattern or `~` as the target of a redirect. */
  readonly personOnly: boolean;
}

export interface CallFacts {
  readonly toolName: string;
  readonly isMcp: boolean;
  readonly isReadOnly: boolean;
  readonly input: Readonly<Record<string, unknown>>;
  readonly commands: readonly CommandFact[];
  /** Why nothing may allow the shell line; empty when all is clear. */
  readonly shellProblems: readonly string[];
  /** The whole shell line, blanks made even; null for other tools. */
  readonly shellText: string | null;
  /** More texts for deny and ask rules. */
  readonly loose: readonly string[];
  readonly files: readonly FileFact[];
  /** Guarded files that the call only names: what becomes of them is not known. */
  readonly mentions: readonly Mention[];
  readonly hosts: readonly string[];
}
