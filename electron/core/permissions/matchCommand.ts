// How the content of a Bash rule matches a command's text.
import { fitsPieces } from '#shared/util/starPattern';

/** A compiled Bash pattern. */
export interface CommandPattern {
  /** Without stars: the whole command must be equal. */
  readonly exact: boolean;
  /** Text before the first star, for looking rules up and for judging how far a rule reaches. */
  readonly head: string;
  /** What matches has a blank or its end behind `head`. */
  readonly endsAtWord: boolean;
  /** Texts between stars; what matches holds each. Empty without stars inside. */
  readonly pieces: readonly string[];
  matches(text: string): boolean;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 10;
}

/** Runs of blanks count as one; line ends stay, they are part of quoted text. */
export function normaliseBlanks(text: string): string {
  // Most texts are even already.
  if (!/[\t\\]| {2}/.test(text)) return withoutEnds(text);
  return withoutEnds(text.replace(/\\\r?\n/g, ' ').replace(/[ \t]+/g, ' '));
}

/** Without blanks at its ends. Other spaces are letters to a shell: with one behind it, a name is another name. */
function withoutEnds(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && isBlank(text.charCodeAt(from))) from += 1;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

/**
 * Compiles a rule's content. `prefix:*` and a single trailing ` *` match the prefix alone or followed by a blank; any
 * other star is any text; without a star the text must be equal.
 */
export function compileCommand(content: string): CommandPattern {
  const colon = content.endsWith(':*') && !content.slice(0, -2).includes('*');
  // In a rule any space at its ends is a slip of who wrote it.
  const text = normaliseBlanks((colon ? `${content.slice(0, -2)} *` : content).trim());
  const head = text.split('*', 1)[0] ?? '';
  if (!text.includes('*'))
    return { exact: true, head: text, endsAtWord: true, pieces: [], matches: (command) => command === text };
  const stars = text.split('*').length - 1;
  if (stars === 1 && text.endsWith(' *')) {
    const prefix = text.slice(0, -2);
    return {
      exact: false,
      head: prefix,
      endsAtWord: true,
      pieces: [],
      matches: (command) =>
        command.startsWith(prefix) && (command.length === prefix.length || isBlank(command.charCodeAt(prefix.length))),
    };
  }
  const pieces = text.split(/\*+/);
  return { exact: false, head, endsAtWord: false, pieces, matches: (command) => fitsPieces(command, pieces) };
}
