// Words of a command that are files.
import type { ShellWord } from './words';

export interface CommandFile {
  readonly access: 'read' | 'write';
  /** As written. */
  readonly given: string;
  /** What it may become. */
  readonly values: readonly string[];
  readonly glob: boolean;
  /** Why it cannot be told which file this is; null when it can. */
  readonly unknown: string | null;
  /** Names that land in it, if it is a folder. */
  readonly into?: readonly string[];
  /** What they come from, as written. */
  readonly sources?: readonly string[];
  /** Links below it are followed. */
  readonly followsLinks?: true;
}

/** Why a word's file cannot be told; null when it can. */
export function uncertainty(word: ShellWord, values: readonly string[]): string | null {
  if (!word.known) return 'what the shell makes of it is not known before it runs';
  // Behind a folder name `..` follows the folder's link, not the text.
  if (values.some((value) => /[^/.][^/]*\/\.\.(\/|$)/.test(value))) return 'it goes up again behind a folder name';
  return null;
}

/** The file that a word names; `from` skips an option's own letters. */
export function file(word: ShellWord, access: 'read' | 'write', from = 0): CommandFile {
  const values = word.values.map((value) => value.slice(from));
  const given = from === 0 ? word.text : word.text.slice(Math.min(from, word.text.length));
  return { access, given, values, glob: word.glob, unknown: uncertainty(word, values) };
}
