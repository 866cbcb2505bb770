// Texts that servers send for people and model: hostile until cleaned.

/** Longest description or note, in bytes of UTF-8. */
export const maxDescriptionBytes = 2_048;

/** Controls, formats (bidi marks, tag characters), lone surrogates, private use, unassigned, fillers, selectors; not line feed and tab. */
const unseen =
  /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]|\u034f|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu;

/** Without characters that nobody sees or that change the order of what is seen. Line ends become line feeds. */
export function visibleText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(unseen, '');
}

/** The first `maxBytes` of a text in UTF-8, never half a character; says that something is missing. */
export function headOfBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= maxBytes) return text;
  const mark = '… (cut)';
  // A cut inside a character leaves a replacement character at the end.
  const head = bytes
    .subarray(0, maxBytes - Buffer.byteLength(mark))
    .toString('utf8')
    .replace(/\ufffd+$/, '');
  return head + mark;
}

/** A server's own words: visible characters alone, at most 2 KB. Never more than a part of what came is looked at. */
export function serverText(value: unknown, maxBytes = maxDescriptionBytes): string {
  if (typeof value !== 'string') return '';
  return headOfBytes(visibleText(value.slice(0, maxBytes * 4)).trim(), maxBytes);
}

/** A name for people on one line. */
export function serverName(value: unknown, maxBytes = 200): string {
  return serverText(value, maxBytes).replaceAll(/\s+/g, ' ');
}
