// What the model gets of a result that is kept as a file.
import { afterPair, beforePair } from '#shared/util/pairs';

/** Characters of the start (spec 5). */
export const previewChars = 4_096;
/** The end says how it went; it counts towards what comes beside the preview, in bytes. */
const endBytes = 1_200;
/** An escape sequence that is longer is no sequence. */
const longestSequence = 4_096;
/** Lines that are longer in the mean are read by characters. */
const longLine = 2_000;

const ESC = '\u001b';
const sequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are made of them.
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]+[0-~]|[0-Z\\^-~])/y;

/** The first `length` characters, cut neither within a surrogate pair nor within an escape sequence. */
export function startOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = beforePair(text, length);
  for (let at = text.indexOf(ESC); at >= 0 && at < cut; at = text.indexOf(ESC, at + 1)) {
    sequence.lastIndex = at;
    if (!sequence.test(text) || sequence.lastIndex - at > longestSequence) continue;
    if (sequence.lastIndex > cut) return text.slice(0, at);
    at = sequence.lastIndex - 1;
  }
  return text.slice(0, cut);
}

/** The end of a text in at most `endBytes`, from a line's start where one is near. */
export function endOf(text: string): string {
  let start = Math.max(0, text.length - endBytes);
  while (Buffer.byteLength(text.slice(start)) > endBytes) start += 50;
  const end = text.slice(afterPair(text, start));
  const line = end.indexOf('\n') + 1;
  return line > 0 && line < end.length / 2 ? end.slice(line) : end;
}

export interface Preview {
  readonly file: string;
  readonly bytes: number;
  /** The start of the text; at least the preview's length, unless the text is shorter. */
  readonly head: string;
  /** The end of the text; empty when it is not known. */
  readonly tail: string;
}

/** The block for the model, and how many characters of the result it shows. */
export function persistedOutput(preview: Preview): { readonly text: string; readonly shownChars: number } {
  const { file, bytes, head, tail } = preview;
  const start = startOf(head, previewChars);
  const lines = start.split('\n').length;
  const byChars = start.length / lines > longLine;
  const how = byChars
    ? 'Its lines are very long, so read it by characters: Read with `offset` for the line and `column` for the character to start from'
    : 'Read it on with Read, `offset` and `limit` counting lines';
  const end = endOf(tail);
  const text = [
    '<persisted-output>',
    `The output has ${bytes.toLocaleString('en-US')} bytes, too much to be shown here. All of it is in the file`,
    file,
    `${how}. Reading it needs no permission. The first ${start.length.toLocaleString('en-US')} characters:`,
    '',
    neutral(start),
    ...(end === '' ? [] : ['[…]', 'And the end:', neutral(end)]),
    '</persisted-output>',
  ].join('\n');
  return { text, shownChars: start.length + end.length };
}

/** Output must not look as if its frame ended within it. */
function neutral(text: string): string {
  return text.replaceAll(/<(?=\/?persisted-output)/gi, '&lt;');
}
