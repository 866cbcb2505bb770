// Where a question points to in a file.
import type { LanguageServerResult } from '#shared/api/executor';

type Failure = Extract<LanguageServerResult, { kind: 'failure' }>;

/** The protocol's position: from 0, in UTF-16 code units. */
export function positionIn(
  text: string,
  at: { readonly line: number; readonly column: number; readonly symbol: string },
): { readonly line: number; readonly character: number } | Failure {
  const lines = text.split(/\r\n|\r|\n/);
  const line = lines[at.line - 1];
  const no = (message: string): Failure => ({ kind: 'failure', reason: 'position', message });
  if (line === undefined) return no(`The file has ${lines.length} lines; there is no line ${at.line}.`);
  if (at.column > 0) {
    if (at.column <= line.length + 1) return { line: at.line - 1, character: at.column - 1 };
    return no(`Line ${at.line} has ${line.length} characters; there is no column ${at.column}.`);
  }
  const character = wordIn(line, at.symbol);
  return character < 0
    ? no(`Line ${at.line} does not hold ${at.symbol}. Read the file for the line as it is now.`)
    : { line: at.line - 1, character };
}

/** Where a name stands in a line, preferably as a word of its own; -1: nowhere. */
function wordIn(line: string, name: string): number {
  const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_$]/u.test(character);
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1))
    if (!isWord(line[at - 1]) && !isWord(line[at + name.length])) return at;
  return line.indexOf(name);
}
