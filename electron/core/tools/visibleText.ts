// Names from outside, such as those of files, made harmless in a line of text: nothing hidden, nothing that ends the line.

/** Controls, formats, odd spaces, lone surrogates, private use, unassigned; also line breaks and tabs. */
const unseen =
  /(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zs}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]|\u034f|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]|^ +| +$/gu;

/** The text with what cannot be seen written as `\u{202e}`; then a backslash of its own is doubled. */
export function visibleText(text: string): string {
  if (text.search(unseen) < 0) return text;
  return text.replaceAll('\\', '\\\\').replace(unseen, (found) => [...found].map(codeOf).join(''));
}

const codeOf = (character: string) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
