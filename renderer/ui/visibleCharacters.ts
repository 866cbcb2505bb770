// Which characters the eye would miss or misread in a command, and how they are named instead.

export type TextPiece =
  | { readonly kind: 'text'; readonly text: string; readonly at: number }
  | { readonly kind: 'token'; readonly code: string; readonly name: string; readonly at: number };

const names: Readonly<Record<number, string>> = {
  0: 'null',
  7: 'bell',
  8: 'backspace',
  11: 'vertical tab',
  12: 'form feed',
  13: 'carriage return',
  27: 'escape',
  127: 'delete',
  133: 'next line',
  160: 'no-break space',
  173: 'soft hyphen',
  1564: 'Arabic letter mark',
  4447: 'Hangul filler',
  4448: 'Hangul filler',
  6158: 'Mongolian vowel separator',
  8203: 'zero-width space',
  8204: 'zero-width non-joiner',
  8205: 'zero-width joiner',
  8206: 'left-to-right mark',
  8207: 'right-to-left mark',
  8232: 'line separator',
  8233: 'paragraph separator',
  8234: 'left-to-right embedding',
  8235: 'right-to-left embedding',
  8236: 'pop direction',
  8237: 'left-to-right override',
  8238: 'right-to-left override',
  8239: 'narrow no-break space',
  8288: 'word joiner',
  8294: 'left-to-right isolate',
  8295: 'right-to-left isolate',
  8296: 'first strong isolate',
  8297: 'pop isolate',
  10240: 'braille blank',
  12288: 'ideographic space',
  12644: 'Hangul filler',
  65279: 'byte order mark',
  65440: 'Hangul filler',
};

/** Controls, formats, odd spaces, lone surrogates, private use, unassigned; not line feed, tab and plain space. */
const unseen =
  /(?![\n\t ])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zs}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]|\u034f|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu;

/** Splits text into what can be shown as it is and tokens for what cannot. Joined again nothing is lost. */
export function visiblePieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const match of text.matchAll(unseen)) {
    if (match.index > from) pieces.push({ kind: 'text', text: text.slice(from, match.index), at: from });
    pieces.push({ kind: 'token', ...nameOf(match[0]), at: match.index });
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from), at: from });
  return pieces;
}

function nameOf(character: string): { readonly code: string; readonly name: string } {
  const point = character.codePointAt(0) ?? 0;
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  return { code, name: names[point] ?? 'invisible character' };
}

/** True when something in the text could not be seen or would mislead. */
export function hasInvisible(text: string): boolean {
  return visiblePieces(text).some((piece) => piece.kind === 'token');
}

/**
 * What turns text around, hides in it or rings the bell. Not what letters are joined with, as in Persian or in emoji, and
 * not the end of a line: this is looked for in all text of the page, also in prose.
 */
const misleading =
  /(?![\n\r\t])\p{Cc}|\p{Bidi_Control}|[\u00ad\u200b\u2028\u2029\u2060-\u2064\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/u;
const everyMisleading = new RegExp(misleading, 'gu');
/** Nearly all text; found out several times as fast. */
const plain = /^[\t\n\r -~]*$/;

/** The text with names in place of characters that mislead, for example `[U+202E]`; nearly always the text itself. */
export function shownText(text: string): string {
  return !plain.test(text) && misleading.test(text)
    ? text.replace(everyMisleading, (character) => `[${nameOf(character).code}]`)
    : text;
}
